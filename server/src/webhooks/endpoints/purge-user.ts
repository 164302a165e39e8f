// When an account is deleted its events stay, with the uid alone: no email, name, photo, claims or words of the ledger.
import type { Prisma } from '@foyer/prisma';
import { clearEventsOf } from './store.js';

/** Clears at most `most` events between two ids; how many it looked at, and the last of them. */
export function purgeUserInEvents(
  tx: Prisma.TransactionClient,
  ids: { appId: string; uid: string },
  after: string,
  before: string,
  most: number,
): Promise<{ rows: number; last: string }> {
  return clearEventsOf(tx, ids, { after, before, most });
}
