// The jobs that a change of a collection queues; records/index-jobs.ts runs them.
import type { Tx } from '@foyer/prisma';
import type { Deps } from '../../deps.js';

export const buildIndexJobs = 'data_build_index';
export const removeIndexJobs = 'data_remove_index';
export const removeRecordsJobs = 'data_remove_records';

export type BuildIndexJob = {
  appId: string;
  collectionId: string;
  number: number;
  /** The id of the last indexed record. */
  after: string;
};
export type RemoveIndexJob = { appId: string; collectionId: string; number: number };
export type RemoveRecordsJob = { appId: string; collectionId: string };

/** Longer than any query may run, so that none still reads the removed entries. */
const removeIndexAfterSeconds = 30;

type QueueDeps = Pick<Deps, 'queue'>;

export function queueIndexBuild(tx: Tx, deps: QueueDeps, job: BuildIndexJob): Promise<void> {
  return deps.queue.send(tx, buildIndexJobs, job);
}

export function queueIndexRemoval(tx: Tx, deps: QueueDeps, job: RemoveIndexJob): Promise<void> {
  return deps.queue.send(tx, removeIndexJobs, job, { startAfterSeconds: removeIndexAfterSeconds });
}

export function queueRecordRemoval(tx: Tx, deps: QueueDeps, job: RemoveRecordsJob): Promise<void> {
  return deps.queue.send(tx, removeRecordsJobs, job);
}
