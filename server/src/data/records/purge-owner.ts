// Deletes the records of a deleted account, in the collections declared so, for the module that deletes accounts.
import type { Tx } from '@foyer/prisma';
import { deleteEmptyUsage, deleteRecordsOf } from './store.js';

/** Deletes at most `limit` records; returns less than `limit` when none is left. */
export async function purgeRecordsOf(
  tx: Tx,
  owner: { appId: string; uid: string },
  limit: number,
): Promise<number> {
  const count = await deleteRecordsOf(tx, owner, limit);
  // Records that are retained with their owner remain counted.
  if (count < limit) await deleteEmptyUsage(tx, owner);
  return count;
}
