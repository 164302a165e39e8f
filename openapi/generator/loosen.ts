// Where the schemas of the contract are narrower than what a client may rely on, the document says less.
import type { Document } from './examples.js';

type Schema = { format?: string; pattern?: string; anyOf?: object[]; [key: string]: unknown };

export function loosen(document: Document): void {
  for (const schema of schemasIn(document)) {
    dropLatePattern(schema);
    dropAnything(schema);
  }
  openErrorCodes(document.components?.schemas?.Error as Schema | undefined);
}

/** Every object of the document, schemas and all else, the outer before the inner. */
export function* schemasIn(part: unknown): Generator<Schema> {
  if (typeof part !== 'object' || part === null) return;
  if (!Array.isArray(part)) yield part as Schema;
  for (const inner of Object.values(part)) yield* schemasIn(inner);
}

// An email is trimmed and lower-cased before it is judged, so its pattern does not hold for what is sent; nor do all
// generators of clients understand it.
function dropLatePattern(schema: Schema): void {
  if (schema.format === 'email') delete schema.pattern;
}

// Items that are judged one by one, so that a wrong one fails alone, are shown in the form that they should have.
function dropAnything(schema: Schema): void {
  const { anyOf } = schema;
  if (!Array.isArray(anyOf) || !anyOf.some((each) => Object.keys(each).length === 0)) return;
  delete schema.anyOf;
  Object.assign(schema, anyOf[0]);
}

// Each answer lists its own codes. The shared error leaves them open: new ones may come, and readers that merge `allOf`
// by union would show the whole catalogue everywhere.
function openErrorCodes(error: Schema | undefined): void {
  const code = (error?.properties as Record<string, Schema> | undefined)?.code;
  if (!code) return;
  delete code.enum;
  Object.assign(code, { maxLength: 100, pattern: '^[a-z0-9-]+/[a-z0-9-]+$' });
}
