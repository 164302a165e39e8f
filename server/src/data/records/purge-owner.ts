// The records of a deleted account, in the collections that say so. Those that are not gone yet are read by nobody: see
// `inside` and the queries of collections.
import type { Prisma } from '@foyer/prisma';
import { deleteRecordsOfOwner } from './store.js';

/** Deletes at most `most`, with their index entries, however many collections there are; returns how many. */
export function purgeRecordsOf(
  tx: Prisma.TransactionClient,
  owner: { appId: string; uid: string },
  most: number,
): Promise<number> {
  return deleteRecordsOfOwner(tx, owner, most);
}
