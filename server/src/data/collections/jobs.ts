// The jobs that a change of a collection queues; records/index-jobs.ts runs them.
import type { Tx } from '@foyer/prisma';
import type { Deps } from '../../deps.js';

export const buildIndexJobs = 'data_build_index';
export const removeIndexJobs = 'data_remove_index';
export const removeRecordsJobs = 'data_remove_records';

export type RemoveRecordsJob = { appId: string; collectionId: string };
export type RemoveIndexJob = RemoveRecordsJob & { number: number };
/** `after`: the id of the last indexed record. */
export type BuildIndexJob = RemoveIndexJob & { after: string };

/** The delay is longer than any query may run, so that none still reads the removed entries. */
const removeIndexAfterSeconds = 30;

export function queueIndexBuild(tx: Tx, deps: Pick<Deps, 'queue'>, job: BuildIndexJob): Promise<void> {
  return deps.queue.send(tx, buildIndexJobs, job);
}

export function queueIndexRemoval(tx: Tx, deps: Pick<Deps, 'queue'>, job: RemoveIndexJob): Promise<void> {
  return deps.queue.send(tx, removeIndexJobs, job, { startAfterSeconds: removeIndexAfterSeconds });
}

export function queueRecordRemoval(tx: Tx, deps: Pick<Deps, 'queue'>, job: RemoveRecordsJob): Promise<void> {
  return deps.queue.send(tx, removeRecordsJobs, job);
}
