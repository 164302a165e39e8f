// Background jobs: build a new index, remove an old one, delete the records of a deleted collection, all in batches. Each
// job may be interrupted at any point and run again.
import { indexKeyOf } from '../../../engines/document-query/index.js';
import { transaction } from '../../change.js';
import type { Deps } from '../../deps.js';
import { declaredIndex, markIndexReady } from '../collections/find-collection.js';
import {
  type BuildIndexJob,
  buildIndexJobs,
  type RemoveIndexJob,
  type RemoveRecordsJob,
  removeIndexJobs,
  removeRecordsJobs,
} from '../collections/jobs.js';
import { deleteCollectionRow } from '../collections/store.js';
import { parsed, valueAt } from '../query/record-row.js';
import { deleteEntries, deleteRecordRows, insertEntriesIfUnchanged, listRecordRows } from './store.js';

type JobDeps = Pick<Deps, 'queue' | 'prisma' | 'query'>;

const batch = { limit: 500, maxBytes: 4 * 1_024 * 1_024, ownerUid: null };
/** Then a new job continues, behind those of other apps: a job ends long before it counts as lost. */
const batchesPerJob = 20;
/** The number of records in a batch, each of up to a megabyte. */
const deleteBatch = 500;
const deleteEntriesBatch = 2_000;
const single = { concurrency: 1 };
/** The pause after the last retry of a job: without another job an index would be incomplete, or rows be stored, for ever. */
const restSeconds = 3_600;

export function handleIndexJobs(deps: JobDeps): void {
  handle<BuildIndexJob>(deps, buildIndexJobs, (job) => buildIndex(deps, job));
  handle<RemoveIndexJob>(deps, removeIndexJobs, (job) => removeIndex(deps, job));
  handle<RemoveRecordsJob>(deps, removeRecordsJobs, (job) => removeRecords(deps, job));
}

function handle<Job extends RemoveRecordsJob>(
  { queue, prisma }: JobDeps,
  name: string,
  run: (job: Job) => Promise<void>,
): void {
  const failed = (job: Job) => queue.send(prisma, name, job, { startAfterSeconds: restSeconds });
  queue.handle<Job>(name, { run, failed }, single);
}

/** Adds the entries of the records from before the declaration. Writers maintain the index from its declaration on. */
async function buildIndex(deps: JobDeps, job: BuildIndexJob): Promise<void> {
  const { number } = job;
  let { after } = job;
  for (let done = 0; done < batchesPerJob; done += 1) {
    // Checked for each batch: no job would remove entries that are added after the removal of the index.
    const index = await declaredIndex(deps, job);
    if (!index) return;
    const rows = await listRecordRows(deps.query, job, { after, ...batch });
    const last = rows.at(-1);
    if (!last) return deps.prisma.$transaction((tx) => markIndexReady(tx, job));
    const entries = rows.flatMap((row) => {
      const value = valueAt(parsed(row), index.field);
      return value === undefined ? [] : { id: row.id, rowVersion: row.rowVersion, key: indexKeyOf(value) };
    });
    await insertEntriesIfUnchanged(deps.prisma, job, number, entries);
    after = last.id;
  }
  await continueLater(deps, buildIndexJobs, { ...job, after });
}

async function removeIndex(deps: JobDeps, job: RemoveIndexJob): Promise<void> {
  for (let done = 0; done < batchesPerJob; done += 1) {
    const removed = await deleteEntries(deps.prisma, job, job.number, deleteEntriesBatch);
    // Fewer than a batch are removed where writes have removed some meanwhile.
    if (removed === 0) return;
  }
  await continueLater(deps, removeIndexJobs, job);
}

async function removeRecords(deps: JobDeps, job: RemoveRecordsJob): Promise<void> {
  for (let done = 0; done < batchesPerJob; done += 1) {
    const removed = await deleteRecordRows(deps.prisma, job, deleteBatch);
    if (removed === 0) return deleteCollectionRow(deps.prisma, job.appId, job.collectionId);
  }
  await continueLater(deps, removeRecordsJobs, job);
}

async function continueLater<Job extends RemoveRecordsJob>(
  deps: JobDeps,
  name: string,
  job: Job,
): Promise<void> {
  await transaction(deps, (tx) => deps.queue.send(tx, name, job));
}
