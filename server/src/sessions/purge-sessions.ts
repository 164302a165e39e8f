// The sessions of a deleted account, all of which have ended: a token of a session without a row is answered as revoked.
import type { Prisma } from '@foyer/prisma';
import { deleteSessionsOf } from './store.js';

/** Deletes at most `most`; returns how many. */
export function purgeSessionsOf(
  tx: Prisma.TransactionClient,
  ids: { appId: string; uid: string },
  most: number,
): Promise<number> {
  return deleteSessionsOf(tx, ids, most);
}
