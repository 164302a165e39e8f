// Typing errors must not pass in silence (`validateOnly` for `validate_only` would publish): an unknown query parameter is
// refused everywhere, and an unknown key in the bodies of admin calls. Bodies of apps stay tolerant: an unknown key is dropped.
import { type AppRoute, type AppRouter, isAppRoute } from '@ts-rest/core';
import { z } from 'zod';

/** The same routes, with inputs that refuse unknown keys. */
export function refuseUnknownKeys<Router extends AppRouter>(router: Router): Router {
  return Object.fromEntries(
    Object.entries(router).map(([name, part]) => [
      name,
      isAppRoute(part) ? strictRoute(part) : refuseUnknownKeys(part),
    ]),
  ) as Router;
}

function strictRoute(route: AppRoute): AppRoute {
  const query = route.query instanceof z.ZodType ? strict(route.query) : z.strictObject({});
  const isAdmin = route.path.startsWith('/admin/');
  if (!isAdmin || !('body' in route) || !(route.body instanceof z.ZodType))
    return { ...route, query } as AppRoute;
  return { ...route, query, body: strict(route.body) };
}

type Definition = Record<string, unknown> & { type: string };

/** A copy in which every object that drops unknown keys refuses them. What has none is not copied. */
function strict<Schema extends z.core.$ZodType>(schema: Schema): Schema {
  const definition = schema._zod.def as unknown as Definition;
  const changed: Record<string, unknown> = {};
  for (const part of partsOf[definition.type] ?? []) {
    const before = definition[part];
    const after = strictPart(before);
    if (after !== before) changed[part] = after;
  }
  if (definition.type === 'object' && definition.catchall === undefined) changed.catchall = z.never();
  if (Object.keys(changed).length === 0) return schema;
  // The copy keeps the checks, and as a child of the schema its description too.
  return z.core.clone(schema, { ...definition, ...changed } as never, { parent: true });
}

/** Where the schemas inside a schema stand in its definition. */
const partsOf: Record<string, string[]> = {
  object: ['shape', 'catchall'],
  record: ['valueType'],
  array: ['element'],
  tuple: ['items', 'rest'],
  union: ['options'],
  intersection: ['left', 'right'],
  pipe: ['in', 'out'],
  optional: ['innerType'],
  nullable: ['innerType'],
  nonoptional: ['innerType'],
  default: ['innerType'],
  prefault: ['innerType'],
  catch: ['innerType'],
  readonly: ['innerType'],
};

/** A schema, or several of them in a list or by name. */
function strictPart(part: unknown): unknown {
  if (part instanceof z.core.$ZodType) return strict(part);
  if (Array.isArray(part)) {
    const parts = part.map(strictPart);
    return parts.some((each, place) => each !== part[place]) ? parts : part;
  }
  if (typeof part !== 'object' || part === null) return part;
  const entries = Object.entries(part).map(([name, each]) => [name, each, strictPart(each)] as const);
  if (entries.every(([, before, after]) => before === after)) return part;
  return Object.fromEntries(entries.map(([name, , after]) => [name, after]));
}
