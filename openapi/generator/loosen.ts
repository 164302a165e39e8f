// Removes constraints from the document that clients must not rely on.
import { errorCodes } from '@foyer/contract';
import type { Document } from './examples.js';

type Schema = {
  $ref?: string;
  format?: string;
  pattern?: string;
  default?: unknown;
  anyOf?: object[];
  additionalProperties?: unknown;
  [key: string]: unknown;
};

export function loosen(document: Document): void {
  for (const schema of schemasIn(document)) {
    dropPattern(schema);
    dropNullDefault(schema);
    dropAnything(schema);
    openErrorCodes(schema);
  }
  openResponses(document);
}

/** Every object of the document, schema or not, outer objects first. */
export function* schemasIn(part: unknown): Generator<Schema> {
  if (typeof part !== 'object' || part === null) return;
  if (!Array.isArray(part)) yield part as Schema;
  for (const inner of Object.values(part)) yield* schemasIn(inner);
}

// An email is trimmed and lower-cased before it is validated, so its pattern does not apply to the request. A time has
// its format; generated clients parse it as a time, and then cannot match it.
function dropPattern(schema: Schema): void {
  if (schema.format === 'email' || schema.format === 'date-time') delete schema.pattern;
}

// What is left out is null anyway, and generators write the default of a text as `"null"`.
function dropNullDefault(schema: Schema): void {
  if (schema.default === null) delete schema.default;
}

// Items that are validated one by one, so that an invalid one fails alone, are documented with their valid form.
function dropAnything(schema: Schema): void {
  const { anyOf } = schema;
  if (!Array.isArray(anyOf) || !anyOf.some((each) => Object.keys(each).length === 0)) return;
  delete schema.anyOf;
  Object.assign(
    schema,
    anyOf.find((each) => Object.keys(each).length > 0),
  );
}

// Each error response lists its own codes. Where any code is possible there is no list: codes may be added, and viewers that
// merge `allOf` by union would show the whole catalogue everywhere.
function openErrorCodes(schema: Schema): void {
  // Compared by content: a list of something else may be as long.
  const { enum: values } = schema;
  if (!Array.isArray(values) || !errorCodes.every((code) => values.includes(code))) return;
  delete schema.enum;
  Object.assign(schema, { maxLength: 100, pattern: '^[a-z0-9-]+/[a-z0-9-]+$' });
}

// Responses and webhooks may get new fields, also in objects whose unknown keys a request rejects.
function openResponses({ paths, webhooks, components }: Document): void {
  const operations = Object.values(paths ?? {}).flatMap((methods) => Object.values(methods));
  const received = [operations.map(({ responses }) => responses), components?.responses, webhooks];
  const seen = new Set<string>();
  const open = (part: unknown): void => {
    for (const schema of schemasIn(part)) {
      if (schema.additionalProperties === false) delete schema.additionalProperties;
      const name = schema.$ref?.replace('#/components/schemas/', '');
      if (name === undefined || seen.has(name)) continue;
      seen.add(name);
      open(components?.schemas?.[name]);
    }
  };
  open(received);
}
