// Where the schemas of the contract are narrower than what a client may rely on, the document says less.
import type { Document } from './examples.js';

type Schema = { format?: string; pattern?: string; enum?: unknown; properties?: Record<string, Schema> };
type Operation = { requestBody?: { content?: Record<string, { schema?: Schema }> } };

export function loosen(document: Document): void {
  for (const methods of Object.values(document.paths ?? {})) {
    for (const { requestBody } of Object.values(methods as Record<string, Operation>)) {
      for (const { schema } of Object.values(requestBody?.content ?? {})) {
        dropLatePatterns(schema);
        dropAnything(schema);
      }
    }
  }
  openErrorCodes(document.components?.schemas?.Error as Schema | undefined);
}

// An email is judged after it was trimmed and lower-cased, so its pattern does not hold for what is sent; nor do all
// generators of clients understand it.
function dropLatePatterns(schema: Schema | undefined): void {
  for (const field of Object.values(schema?.properties ?? {})) {
    if (field.format === 'email') delete field.pattern;
  }
}

// Items that are judged one by one, so that a wrong one fails alone, are shown in the form that they should have.
function dropAnything(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return;
  const { anyOf } = schema as { anyOf?: object[] };
  if (anyOf?.some((each) => Object.keys(each).length === 0)) {
    delete (schema as { anyOf?: object[] }).anyOf;
    Object.assign(schema, anyOf[0]);
  }
  for (const inner of Object.values(schema)) dropAnything(inner);
}

// Each answer lists its own codes. The shared error leaves them open: new ones may come, and readers that merge `allOf`
// by union would show the whole catalogue everywhere.
function openErrorCodes(error: Schema | undefined): void {
  const code = error?.properties?.code;
  if (code) delete code.enum;
}
