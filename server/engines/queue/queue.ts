// A durable job queue on pg-boss. A job is inserted in the caller's transaction, so it exists exactly if the change does; any
// instance runs it after the commit, with retries and exponential backoff.
import type { Database, Tx } from '@foyer/prisma';
import type { Logger } from '../../src/lib/logger.js';
import { waitToStop } from '../../src/lib/wait-to-stop.js';
import type { KeyRing } from '../keys/index.js';
import { duePoll } from './due-poll.js';
import {
  type Handler,
  type HandlerOptions,
  type JobLane,
  jobLane,
  type LaneDeps,
  type ShareOf,
} from './job-lane.js';
import { bossOn, installBoss, queueDb, transactionDb } from './queue-boss.js';
import { type JobData, sealJob } from './sealed-job.js';

export type SendOptions = { startAfterSeconds?: number };

export type Queue = {
  /** One statement of the transaction: the job commits and rolls back with it. */
  send(tx: Tx, name: string, data: JobData, options?: SendOptions): Promise<void>;
  /** Registers the handler of a job name, before `start`. A handler that throws is retried. */
  handle<Data extends JobData>(
    name: string,
    handler: Handler<Data> | Handler<Data>['run'],
    options?: HandlerOptions,
  ): void;
  /** Creates missing tables. Instances may start together. */
  start(): Promise<void>;
  /** Starts running due jobs periodically. Without it only `runNow` does. */
  poll(): void;
  /** Polls at once instead of within the next seconds. */
  wake(): void;
  /** To be called when the transaction has committed: polls at once if it sent a job that is due. */
  committed(tx: Tx): void;
  /** Runs all due jobs to completion. */
  runNow(): Promise<void>;
  /** Ends the jobs that failed permanently with their process; to be called now and then. */
  maintain(): Promise<void>;
  /** Claims no further jobs and waits, up to a limit, for running ones. */
  stop(): Promise<void>;
};

/**
 * pg-boss fetches jobs whose start lies strictly before now. Where the clock counts in milliseconds, as that of the embedded
 * database does, a job that starts at its own creation would not be due to a poll in the same millisecond.
 */
const atOnce = '-1 millisecond';

export type QueueDeps = {
  database: Database;
  keyRing: KeyRing;
  logger: Logger;
  /** Without it the jobs of a name run in the order in which they were sent. */
  shareOf?: ShareOf | undefined;
};

export function jobQueue(deps: QueueDeps): Queue {
  const { database, keyRing, logger, shareOf } = deps;
  const db = queueDb(database, logger);
  const boss = bossOn(db);
  const lanes = new Map<string, JobLane>();
  const state: LaneDeps['state'] = { polls: false, stops: false, started: 0 };
  const due = duePoll(db, boss, lanes);
  const withJobs = new WeakSet<Tx>();

  return {
    async send(tx, name, data, options = {}) {
      const lane = lanes.get(name);
      if (!lane) throw new Error(`nothing handles the jobs named ${name}`);
      const { retryLimit, retryDelaySeconds, expireSeconds } = lane.options;
      const share = shareOf?.(data);
      const id = await boss.send(name, sealJob(keyRing, name, data), {
        db: transactionDb(tx),
        retryLimit,
        retryDelay: retryDelaySeconds,
        retryBackoff: true,
        expireInSeconds: expireSeconds,
        startAfter: options.startAfterSeconds || atOnce,
        ...(share !== undefined && { singletonKey: share }),
      });
      if (id === null) throw new Error(`there is no queue ${name}: it was not started`);
      if (!options.startAfterSeconds) withJobs.add(tx);
    },
    handle(name, handler, options = {}) {
      const lane = jobLane(
        { ...deps, boss, db, state },
        name,
        (typeof handler === 'function' ? { run: handler } : handler) as Handler,
        options,
      );
      lanes.set(name, lane);
    },
    start: () => installBoss(database, [...lanes.keys()]),
    poll() {
      if (state.polls) return;
      state.polls = true;
      due.start();
    },
    wake() {
      if (state.polls) due.wake();
    },
    committed(tx) {
      if (withJobs.has(tx) && state.polls) due.wake();
    },
    async runNow() {
      for (;;) {
        const before = state.started;
        await due.now({ expiry: true });
        const running = [...lanes.values()].flatMap((lane) => [...lane.running]);
        // Jobs that started and ended while other lanes polled may have freed a full lane, or sent more jobs.
        if (running.length === 0 && state.started === before) return;
        await Promise.all(running);
      }
    },
    async maintain() {
      for (const lane of lanes.values()) await lane.endFailed();
      await boss.maintain();
    },
    async stop() {
      state.stops = true;
      const all = [...lanes.values()];
      const ended = Promise.all([due.stop(), ...all.map((lane) => lane.polling)]).then(() =>
        Promise.all(all.flatMap((lane) => [...lane.running])),
      );
      await waitToStop(ended);
    },
  };
}
