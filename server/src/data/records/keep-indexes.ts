// Builds new indexes and removes old ones, and the records of deleted collections, in batches beside the service's work.
// Each job may be cut off anywhere and begun again.

import type { Deps } from '../../deps.js';
import { declaredIndex, dropCollection, markIndexReady } from '../collections/find-collection.js';
import {
  type BuildIndexJob,
  buildIndexJobs,
  queueIndexBuild,
  type RemoveIndexJob,
  type RemoveRecordsJob,
  removeIndexJobs,
  removeRecordsJobs,
} from '../collections/jobs.js';
import { indexKeyOf } from '../query/sort-key.js';
import { parsed, valueAt } from './record.js';
import { deleteEntries, deleteRecordRows, insertSeenEntries, listRecordRows } from './store.js';

type JobDeps = Pick<Deps, 'queue' | 'prisma' | 'query'>;

const batch = { limit: 500, maxBytes: 4 * 1_024 * 1_024, ownerUid: null };
/** So that a job is done long before it counts as lost, and a restart repeats little. */
const batchesPerJob = 100;
const removedAtOnce = 2_000;
const oneAtATime = { concurrency: 1 };

export function keepIndexes(deps: JobDeps): void {
  deps.queue.handle<BuildIndexJob>(buildIndexJobs, (job) => buildIndex(deps, job), oneAtATime);
  deps.queue.handle<RemoveIndexJob>(removeIndexJobs, (job) => removeIndex(deps, job), oneAtATime);
  deps.queue.handle<RemoveRecordsJob>(removeRecordsJobs, (job) => removeRecords(deps, job), oneAtATime);
}

/**
 * Writers keep the index up from its declaration on, so what is read here are the records from before. A record that is
 * written behind the place this has reached has its entry from its writer.
 */
async function buildIndex(deps: JobDeps, job: BuildIndexJob): Promise<void> {
  const { number } = job;
  let { after } = job;
  for (let done = 0; done < batchesPerJob; done += 1) {
    // Asked each time: entries of an index that was taken away meanwhile would be nobody's to remove.
    const index = await declaredIndex(deps, job);
    if (!index) return;
    const rows = await listRecordRows(deps.query, job, { after, ...batch });
    const last = rows.at(-1);
    if (!last) {
      await deps.prisma.$transaction((tx) => markIndexReady(tx, job));
      return;
    }
    const entries = rows.flatMap((row) => {
      const value = valueAt(parsed(row), index.field);
      return value === undefined ? [] : { id: row.id, seen: row.seen, key: indexKeyOf(value) };
    });
    await insertSeenEntries(deps.prisma, job, number, entries);
    after = last.id;
  }
  await deps.prisma.$transaction((tx) => queueIndexBuild(tx, deps, { ...job, after }));
  deps.queue.nudge();
}

async function removeIndex(deps: JobDeps, job: RemoveIndexJob): Promise<void> {
  let removed: number;
  do removed = await deleteEntries(deps.prisma, job, job.number, removedAtOnce);
  while (removed === removedAtOnce);
}

async function removeRecords(deps: JobDeps, job: RemoveRecordsJob): Promise<void> {
  let removed: number;
  do removed = await deleteRecordRows(deps.prisma, job, removedAtOnce);
  while (removed > 0);
  await dropCollection(deps.prisma, job.appId, job.collectionId);
}
