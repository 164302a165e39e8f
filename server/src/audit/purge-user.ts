// When an account is deleted its entries stay, with the uid alone: neither address nor details. Until a batch has cleared
// them they are read so too (`list-entries.ts`).
import type { Prisma } from '@foyer/prisma';
import { clearEntriesOf } from './store.js';

/** Clears at most `most` entries after the given one; how many it looked at, and the last of them. */
export function purgeUserInAudit(
  tx: Prisma.TransactionClient,
  ids: { appId: string; uid: string },
  after: string,
  most: number,
): Promise<{ rows: number; last: string }> {
  return clearEntriesOf(tx, ids, after, most);
}
