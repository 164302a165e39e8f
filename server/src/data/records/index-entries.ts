// What the indexes of a collection hold of a record: an entry for each indexed field that it has.
import type { FieldIndex } from '../collections/collection.js';
import { indexKeyOf } from '../query/sort-key.js';
import { type ParsedRecord, valueAt } from './record.js';

export type IndexEntry = { number: number; key: Buffer };

export function entriesOf(
  indexes: FieldIndex[],
  row: Omit<ParsedRecord, 'bytes' | 'version' | 'fieldsText'>,
): IndexEntry[] {
  return indexes.flatMap(({ number, field }) => {
    const value = valueAt(row, field);
    return value === undefined ? [] : { number, key: indexKeyOf(value) };
  });
}
