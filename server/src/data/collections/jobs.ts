// What is done about a collection after its declaration has changed; the records' own room does it.
import type { Prisma } from '@foyer/prisma';
import type { Deps } from '../../deps.js';

export const buildIndexJobs = 'data_build_index';
export const removeIndexJobs = 'data_remove_index';
export const removeRecordsJobs = 'data_remove_records';

export type BuildIndexJob = {
  appId: string;
  collectionId: string;
  number: number;
  /** The record up to which the index is built. */
  after: string;
};
export type RemoveIndexJob = { appId: string; collectionId: string; number: number };
export type RemoveRecordsJob = { appId: string; collectionId: string };

/** Longer than any query may take, so that none still reads what is removed. */
const removeIndexAfterSeconds = 30;

type QueueDeps = Pick<Deps, 'queue'>;

export function queueIndexBuild(
  tx: Prisma.TransactionClient,
  deps: QueueDeps,
  job: BuildIndexJob,
): Promise<void> {
  return deps.queue.send(tx, buildIndexJobs, job);
}

export function queueIndexRemoval(
  tx: Prisma.TransactionClient,
  deps: QueueDeps,
  job: RemoveIndexJob,
): Promise<void> {
  return deps.queue.send(tx, removeIndexJobs, job, { startAfterSeconds: removeIndexAfterSeconds });
}

export function queueRecordRemoval(
  tx: Prisma.TransactionClient,
  deps: QueueDeps,
  job: RemoveRecordsJob,
): Promise<void> {
  return deps.queue.send(tx, removeRecordsJobs, job);
}
