// The client document as OpenAPI 3.0.3, for generators that do not read 3.1.
import type { ClientDocument, Schema } from './schema.js';

export function asOpenApi30(document: ClientDocument): ClientDocument {
  const converted = { ...structuredClone(document), openapi: '3.0.3' };
  // The identifier of a licence is new in 3.1.
  converted.info.license = { name: 'MIT', url: 'https://opensource.org/license/mit' };
  convert(converted);
  return converted;
}

function convert(part: unknown): void {
  if (typeof part !== 'object' || part === null) return;
  if (!Array.isArray(part)) spellNull(part as Schema);
  for (const inner of Object.values(part)) convert(inner);
}

function spellNull(schema: Schema): void {
  if (Array.isArray(schema.type) && schema.type.every((type) => typeof type === 'string')) {
    schema.type = schema.type.find((type) => type !== 'null') as string;
    schema.nullable = true;
    // In 3.0 an enumeration takes null only if it lists it, and generators then make a value of it.
    if (schema.enum) schema.enum = schema.enum.filter((value) => value !== null);
  }
  const [choice, nothing] = schema.oneOf ?? [];
  if (choice && nothing?.type === 'null') {
    delete schema.oneOf;
    Object.assign(schema, { type: 'object', nullable: true, allOf: [choice] });
  }
}
