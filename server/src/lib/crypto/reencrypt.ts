// Re-encryption of stored values after a change of ENCRYPTION_KEYS.
import type { KeyRing } from './key-ring.js';

type Transactions<Tx> = { $transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> };

/** A transaction may last ten seconds. */
const batchRows = 500;

/**
 * Replaces all rows that are encrypted with another key than the current one; returns how many. `lockRowsOfOtherKeys` is called
 * in one transaction after another until it returns fewer than `maxRows`; it may ignore the limit where there are few rows.
 */
export async function reencryptRows<Tx, Row>(
  { prisma, keyRing }: { prisma: Transactions<Tx>; keyRing: KeyRing },
  lockRowsOfOtherKeys: (tx: Tx, currentKeyId: number, maxRows: number) => Promise<Row[]>,
  replace: (tx: Tx, row: Row) => Promise<unknown>,
): Promise<number> {
  let count = 0;
  for (;;) {
    const replaced = await prisma.$transaction(async (tx) => {
      const rows = await lockRowsOfOtherKeys(tx, keyRing.currentKeyId, batchRows);
      for (const row of rows) await replace(tx, row);
      return rows.length;
    });
    count += replaced;
    if (replaced < batchRows) return count;
  }
}
