// The ledger of a deleted account.
import type { Prisma } from '@foyer/prisma';
import type { UserIds } from '../users/account.js';
import { deleteEntriesOf } from './store.js';

/** Deletes at most `most` entries; returns how many. */
export function purgeLedgerOf(tx: Prisma.TransactionClient, ids: UserIds, most: number): Promise<number> {
  return deleteEntriesOf(tx, ids, most);
}
