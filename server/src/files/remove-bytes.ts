// Jobs that remove bytes without a row: of deleted files, and of uploads that ended without a row because of a refusal, a lost
// connection or a crash. Each upload queues its job before its bytes.
import type { Db, Tx } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import { deleteFileRowsOfUser, findFileIds, listFileIdsOfApp } from './store.js';

const removeJobs = 'files_remove_bytes';

type RemoveJob = { appId: string; fileIds: string[] };

/** Far longer than any upload may take, so that none is running when its job checks. */
const uploadCleanupSeconds = 3_600;
/** Few, so that the job ends within its time where a store takes seconds for a file: an attempt tries all of them again. */
const filesPerJob = 50;
/** Two days in all: a store may be unavailable for a night. */
const retries = { retryLimit: 14, retryDelaySeconds: 10, expireSeconds: 600, concurrency: 2 };
/** The pause until a new job starts after the last attempt: without it nothing would know of the bytes. */
const restSeconds = 86_400;

/** A few locked files must not delay the others; with more of them the store counts as unavailable. */
const maxFailures = 3;

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

/** Call it before the first byte is stored. */
export async function queueUploadCleanup(
  deps: Pick<Deps, 'queue' | 'prisma'>,
  ids: { appId: string; fileId: string },
): Promise<void> {
  const job: RemoveJob = { appId: ids.appId, fileIds: [ids.fileId] };
  await deps.queue.send(deps.prisma, removeJobs, job, { startAfterSeconds: uploadCleanupSeconds });
}

/** Deletes at most `limit` files of a deleted account and returns how many: rows in the transaction, bytes after the commit. */
export async function purgeFilesOf(
  tx: Tx,
  deps: Pick<Deps, 'queue'>,
  ids: { appId: string; uid: string },
  limit: number,
): Promise<number> {
  const fileIds = await deleteFileRowsOfUser(tx, ids, limit);
  await queueRemoval(tx, deps, ids.appId, fileIds);
  return fileIds.length;
}

/** Removes the bytes of all files of an app that is being deleted; the foreign key deletes their rows. */
export async function removeFilesOfApp(
  deps: Pick<Deps, 'query' | 'fileStore'>,
  appId: string,
): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const fileIds: string[] = await listFileIdsOfApp(deps.query, appId, after);
    for (const fileId of fileIds) await deps.fileStore.remove({ appId, fileId });
    after = fileIds.at(-1);
  }
}

export function removeBytes(deps: Deps): void {
  deps.queue.handle<RemoveJob>(
    removeJobs,
    {
      run: (job) => removeUnlessStored(deps, job),
      failed: (job) => deps.queue.send(deps.prisma, removeJobs, job, { startAfterSeconds: restSeconds }),
    },
    retries,
  );
}

async function removeUnlessStored(deps: Deps, { appId, fileIds }: RemoveJob): Promise<void> {
  const stored = new Set(await findFileIds(deps.query, appId, fileIds));
  const failures: unknown[] = [];
  for (const fileId of inRandomOrder(deps, fileIds)) {
    if (stored.has(fileId)) continue;
    await deps.fileStore.remove({ appId, fileId }).catch((error) => failures.push(error));
    if (failures.length === maxFailures) break;
  }
  if (failures.length > 0) throw failures[0];
}

/** Files that can never be removed must not end each attempt before it reaches the others. */
function inRandomOrder({ random }: Pick<Deps, 'random'>, fileIds: string[]): string[] {
  const placed = fileIds.map((fileId) => ({ fileId, place: random.bytes(4).readUInt32BE() }));
  return placed.sort((one, other) => one.place - other.place).map(({ fileId }) => fileId);
}
