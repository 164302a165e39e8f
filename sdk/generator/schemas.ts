// The schemas of the contract's routes, as JSON Schema.
import type { metadataOf } from '@foyer/contract';
import * as z from 'zod';
import type { Schema } from './typescript.js';

type Route = Parameters<typeof metadataOf>[0];

/** The `data` of the successful response. */
export function answer(route: Route): Schema {
  const success = Object.entries(route.responses).find(([status]) => Number(status) < 400)?.[1];
  return inside(schemaOf(success, 'output'), 'data');
}

/** One item of the list that the route returns. */
export function item(route: Route): Schema {
  return inside(answer(route), 'items', '[]');
}

/** The request body, before defaults apply. */
export function body(route: Route): Schema {
  return schemaOf('body' in route ? route.body : undefined, 'input');
}

/** The query as SDK arguments, with booleans instead of the strings `true` and `false`. */
export function query(route: Route): Schema {
  const { properties = {}, ...schema } = schemaOf(route.query, 'input');
  const written = Object.entries(properties).map(([name, { enum: words, ...property }]) => {
    const isFlag = words?.join() === 'true,false';
    return [
      name,
      isFlag
        ? { type: 'boolean', ...(property.description && { description: property.description }) }
        : { ...property, ...(words && { enum: words }) },
    ];
  });
  return { ...schema, properties: Object.fromEntries(written) };
}

export function schemaOf(schema: unknown, io: 'input' | 'output'): Schema {
  if (!(schema instanceof z.ZodType)) throw new Error('The route has no such schema.');
  const { $defs = {}, ...root } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ zodSchema: { _zod }, jsonSchema }) {
      // zod omits the default of a value that it parses from text.
      if (_zod.def.type === 'default') jsonSchema.default = _zod.def.defaultValue as never;
    },
  });
  return inlined(root, $defs) as Schema;
}

/** A schema within a schema: a property, the items of a list (`[]`), or the names (`(name)`) or values (`{}`) of a record. */
export function inside(schema: Schema, ...path: string[]): Schema {
  const [step, ...rest] = path;
  if (step === undefined) return schema;
  const given = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;
  const { items, propertyNames, additionalProperties } = given;
  const steps: Record<string, Schema | boolean | undefined> = {
    ...given.properties,
    '[]': items,
    '(name)': propertyNames,
    '{}': additionalProperties,
  };
  const part = steps[step];
  if (typeof part !== 'object') throw new Error(`The schema has no ${step}.`);
  return inside(part, ...rest);
}

function inlined(part: unknown, definitions: Record<string, unknown>): unknown {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map((each) => inlined(each, definitions));
  const { $ref, ...rest } = part as { $ref?: string };
  const target = $ref && definitions[$ref.replace('#/$defs/', '')];
  const parts = Object.entries({ ...(target as object), ...rest });
  return Object.fromEntries(parts.map(([key, each]) => [key, inlined(each, definitions)]));
}
