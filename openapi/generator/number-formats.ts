// The format of every number of the document, derived from its bounds, so that generated clients choose a type that is
// wide enough.
import type { Document } from './examples.js';
import { schemasIn } from './loosen.js';

const int32 = { min: -(2 ** 31), max: 2 ** 31 - 1 };

export function addNumberFormats(document: Document): void {
  for (const schema of schemasIn(document)) {
    const types: unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type];
    if (types.includes('number')) schema.format ??= 'double';
    if (types.includes('integer')) schema.format ??= fitsInt32(schema) ? 'int32' : 'int64';
  }
}

function fitsInt32({ minimum, maximum }: Record<string, unknown>): boolean {
  return Number(minimum) >= int32.min && Number(maximum) <= int32.max;
}
