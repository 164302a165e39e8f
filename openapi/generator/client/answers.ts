// Schemas of answers for clients: open to what later versions of the service may answer. A generated client that refuses
// an unknown value, or a longer text, would stop working on an update of the service.
import { everySchema, type Schema } from './schema.js';

const bounds = [
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'pattern',
  'additionalProperties',
] as const;

export function openAnswer(root: Schema): void {
  for (const schema of everySchema(root)) {
    for (const bound of bounds) {
      if (bound !== 'additionalProperties' || schema[bound] === false) delete schema[bound];
    }
    openEnumeration(schema);
  }
}

function openEnumeration(schema: Schema): void {
  const values = schema.enum?.filter((value) => value !== null);
  if (!values) return;
  delete schema.enum;
  delete schema['x-enum-varnames'];
  if (![schema.type].flat().includes('string')) return;
  schema['x-extensible-enum'] = values;
  const known = `Known values, to which later versions may add: ${values.map((value) => `\`${value}\``).join(', ')}.`;
  schema.description = [schema.description, known].filter(Boolean).join(' ');
}
