// The records of an account that is deleted, in the collections that say so. What most accounts have goes in the deletion's
// own transaction; what a few have beyond that goes in the background, so that no deletion takes longer than it may.
import type { Prisma } from '@foyer/prisma';
import { collectionsToForgetIn } from '../collections/find-collection.js';
import type { Deps } from '../deps.js';
import { deleteRecordRows } from './store.js';

const forgetOwnerJobs = 'data_forget_owner';
const batchRecords = 1_000;

type Owner = { appId: string; userId: string };

/** A part of the deletion of an account. */
export async function forgetRecordsOf(
  tx: Prisma.TransactionClient,
  deps: Pick<Deps, 'queue'>,
  { appId, userId }: Owner,
): Promise<void> {
  let left = batchRecords;
  for (const collectionId of await collectionsToForgetIn(tx, appId)) {
    left -= await deleteRecordRows(tx, { appId, collectionId }, left, userId);
    if (left > 0) continue;
    await deps.queue.send(tx, forgetOwnerJobs, { appId, userId });
    return;
  }
}

export function forgetOwners(deps: Pick<Deps, 'queue' | 'prisma'>): void {
  deps.queue.handle<Owner>(forgetOwnerJobs, async ({ appId, userId }) => {
    const collections = await deps.prisma.$transaction((tx) => collectionsToForgetIn(tx, appId));
    for (const collectionId of collections) {
      let removed: number;
      do removed = await deleteRecordRows(deps.prisma, { appId, collectionId }, batchRecords, userId);
      while (removed === batchRecords);
    }
  });
}
