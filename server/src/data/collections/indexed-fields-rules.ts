// What a new list of indexed fields makes of the indexes that are there.
import type { FieldIndex } from './collection.js';

export type IndexChange = {
  indexes: FieldIndex[];
  lastNumber: number;
  added: FieldIndex[];
  removed: FieldIndex[];
};

/** Those that stay keep their number; a new one is ready at once where there is nothing to read. */
export function changedIndexes(
  present: FieldIndex[],
  lastNumber: number,
  fields: string[],
  empty: boolean,
): IndexChange {
  let number = lastNumber;
  const added: FieldIndex[] = [];
  const indexes = fields.map((field) => {
    const known = present.find((index) => index.field === field);
    if (known) return known;
    number += 1;
    const index = { number, field, ready: empty };
    added.push(index);
    return index;
  });
  const removed = present.filter(({ field }) => !fields.includes(field));
  return { indexes, lastNumber: number, added, removed };
}
