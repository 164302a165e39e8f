// Bytes without a row are removed by the queue: of files that were deleted, and of uploads that never came to a row,
// because the form was refused, the connection was cut, or the process died. Each upload sends its job ahead of its bytes.
import type { Db, Prisma } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import { deleteFileRowsOfUser, findFileIds } from './store.js';

const removeJobs = 'files_remove_bytes';

type RemoveJob = { appId: string; fileIds: string[] };

/** Far longer than any upload may take, so that none is under way when its job looks. */
const uploadLookSeconds = 3_600;
const filesPerJob = 500;
/** Two days in all: a store may be away for a night. */
const tries = { retryLimit: 14, retryDelaySeconds: 10, expireSeconds: 600, concurrency: 2 };

export async function queueRemoval(
  db: Db,
  deps: Pick<Deps, 'queue'>,
  appId: string,
  fileIds: string[],
): Promise<void> {
  for (let from = 0; from < fileIds.length; from += filesPerJob) {
    const job: RemoveJob = { appId, fileIds: fileIds.slice(from, from + filesPerJob) };
    await deps.queue.send(db, removeJobs, job);
  }
}

/** To be sent before the first byte is kept. */
export async function queueLookAfterUpload(
  deps: Pick<Deps, 'queue' | 'prisma'>,
  ids: { appId: string; fileId: string },
): Promise<void> {
  const job: RemoveJob = { appId: ids.appId, fileIds: [ids.fileId] };
  await deps.queue.send(deps.prisma, removeJobs, job, { startAfterSeconds: uploadLookSeconds });
}

/**
 * At most `most` files of a deleted account: the rows go in the transaction, the bytes after the commit. Returns how many.
 */
export async function purgeFilesOf(
  tx: Prisma.TransactionClient,
  deps: Pick<Deps, 'queue'>,
  ids: { appId: string; uid: string },
  most: number,
): Promise<number> {
  const fileIds = await deleteFileRowsOfUser(tx, ids, most);
  await queueRemoval(tx, deps, ids.appId, fileIds);
  return fileIds.length;
}

export function removeBytes(deps: Deps): void {
  deps.queue.handle<RemoveJob>(removeJobs, (job) => removeUnlessKept(deps, job), tries);
}

async function removeUnlessKept(deps: Deps, { appId, fileIds }: RemoveJob): Promise<void> {
  const kept = new Set(await findFileIds(deps.query, appId, fileIds));
  for (const fileId of fileIds) {
    if (!kept.has(fileId)) await deps.fileStore.remove({ appId, fileId });
  }
}
