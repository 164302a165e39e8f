// Re-encryption of stored values after a change of ENCRYPTION_KEYS, beside a running service: each row is replaced by one statement
// that locks no other row, and only if its values are those that were read. An interrupted run is resumed by another one.
import type { KeyRing } from './key-ring.js';

const batchRows = 100;

export type Reencryption<Row> = {
  /**
   * At most `maxRows` rows with a value of another key than the current one, after `last`, in the order of their primary key: a
   * search for the next rows must not read again those that are done.
   */
  list(last: Row | null, currentKeyId: number, maxRows: number): Promise<Row[]>;
  /** Returns 0 if a value of the row has changed since it was read, else 1. */
  replace(row: Row): Promise<number>;
};

/** Replaces all rows that are encrypted with another key than the current one; returns how many. */
export async function reencryptRows<Row>(
  { currentKeyId }: Pick<KeyRing, 'currentKeyId'>,
  { list, replace }: Reencryption<Row>,
): Promise<number> {
  let count = 0;
  let changed: number;
  do {
    changed = 0;
    let rows: Row[] = [];
    do {
      rows = await list(rows.at(-1) ?? null, currentKeyId, batchRows);
      for (const row of rows) {
        const replaced = await replace(row);
        count += replaced;
        changed += 1 - replaced;
      }
    } while (rows.length === batchRows);
    // A row that changed may have been written with a former key, by an instance that has not been restarted yet.
  } while (changed > 0);
  return count;
}
