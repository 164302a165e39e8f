// Re-encryption of stored values after a change of ENCRYPTION_KEYS.
import type { KeyRing } from './key-ring.js';

type Transactions<Tx> = { $transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> };

/** Replaces, in one transaction, all rows that are encrypted with another key than the current one; returns how many. */
export function reencryptRows<Tx, Row>(
  { prisma, keyRing }: { prisma: Transactions<Tx>; keyRing: KeyRing },
  lockRowsOfOtherKeys: (tx: Tx, currentKeyId: number) => Promise<Row[]>,
  replace: (tx: Tx, row: Row) => Promise<unknown>,
): Promise<number> {
  return prisma.$transaction(async (tx) => {
    const rows = await lockRowsOfOtherKeys(tx, keyRing.currentKeyId);
    for (const row of rows) await replace(tx, row);
    return rows.length;
  });
}
