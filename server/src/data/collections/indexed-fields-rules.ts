// Applies a new list of indexed fields to the existing indexes.
import type { FieldIndex } from '../../../engines/document-query/index.js';

/** Existing indexes retain their number; a new one is ready at once if the collection is empty. */
export function changedIndexes(existing: FieldIndex[], lastNumber: number, fields: string[], empty: boolean) {
  let number = lastNumber;
  const added: FieldIndex[] = [];
  const indexes = fields.map((field) => {
    const known = existing.find((index) => index.field === field);
    if (known) return known;
    number += 1;
    const index = { number, field, ready: empty };
    added.push(index);
    return index;
  });
  const removed = existing.filter(({ field }) => !fields.includes(field));
  return { indexes, lastNumber: number, added, removed };
}
