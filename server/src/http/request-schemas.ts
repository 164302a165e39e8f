// Requests are validated with the error map of the contract. ts-rest calls a schema without options, so it receives schemas
// (https://standardschema.dev) that pass the map to zod themselves.
import { errorMap } from '@foyer/contract';
import { type AppRouter, isAppRoute } from '@ts-rest/core';
import * as z from 'zod';
import { isAppended, withoutAppended } from './appended-parameters.js';

/** The same routes, with request schemas whose errors have the messages of the contract. */
export function withErrorMap<Router extends AppRouter>(router: Router): Router {
  return Object.fromEntries(
    Object.entries(router).map(([name, part]) => [
      name,
      isAppRoute(part) ? { ...part, ...requestSchemasOf(part) } : withErrorMap(part),
    ]),
  ) as Router;
}

function requestSchemasOf(route: object) {
  return Object.fromEntries(
    Object.entries(route)
      .filter(([part]) => ['pathParams', 'query', 'headers', 'body'].includes(part))
      .map(([part, schema]) => {
        if (!(schema instanceof z.ZodType)) return [part, schema];
        return [part, part === 'query' ? querySchemaOf(schema) : standardSchemaOf(schema)];
      }),
  );
}

type IsRead = (name: string) => boolean;

/** Whether a route reads a query parameter, if only to refuse it. */
export function isReadBy({ query }: { query?: unknown }): IsRead {
  return (query as { isRead: IsRead } | undefined)?.isRead ?? ((name) => !isAppended(name));
}

function querySchemaOf(schema: z.ZodType) {
  const known = schema instanceof z.ZodObject && schema.def.catchall === undefined ? schema.shape : null;
  const isRead: IsRead = (name) => !isAppended(name) && (known === null || Object.hasOwn(known, name));
  return { ...standardSchemaOf(schema, withoutAppended), isRead };
}

function standardSchemaOf(schema: z.ZodType, prepare = (value: unknown) => value) {
  const validate = (value: unknown) => {
    const { success, data, error } = schema.safeParse(prepare(value), { error: errorMap });
    return success ? { value: data } : { issues: error.issues };
  };
  return { '~standard': { version: 1, vendor: 'foyer', validate } };
}
