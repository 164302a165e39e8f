// Runs the jobs of one name: claims due jobs up to its concurrency, and deletes or retries each when its handler ends.
import type { Database } from '@foyer/prisma';
import type PgBoss from 'pg-boss';
import type { Logger } from '../../src/lib/logger.js';
import { retry } from '../../src/lib/retry.js';
import { singleFlight } from '../../src/lib/single-flight.js';
import type { KeyRing } from '../keys/index.js';
import { fetchShared, listFailed } from './queue-boss.js';
import { type JobData, type SealedJob, unsealJob } from './sealed-job.js';

export type HandlerOptions = {
  /** Concurrent jobs in this process. */
  concurrency?: number;
  /**
   * Attempts after the first. The pauses between them grow from 1 to 2 times `retryDelaySeconds`, doubled each time.
   */
  retryLimit?: number;
  retryDelaySeconds?: number;
  /** After this time the job counts as lost and is retried; handlers must finish before. */
  expireSeconds?: number;
  /**
   * Concurrent jobs of one share, where the queue has shares: however slow, they occupy no more. By default all but one of
   * `concurrency`.
   */
  concurrencyOfShare?: number;
};

export type Handler<Data = JobData> = {
  run: (data: Data) => Promise<void>;
  /** Called once a job has failed permanently, and perhaps again after a crash. */
  failed?: ((data: Data) => Promise<void>) | undefined;
};

/** Names those who share the concurrency of each lane; the jobs without a name are one share. */
export type ShareOf = (data: JobData) => string | undefined;

/** Shared by the lanes of a queue. */
export type LaneDeps = {
  boss: PgBoss;
  db: PgBoss.Db;
  database: Database;
  keyRing: KeyRing;
  logger: Logger;
  shareOf?: ShareOf | undefined;
  state: {
    /** Periodic: a lane that was full polls again as soon as a job ends. */
    polls: boolean;
    stops: boolean;
    /** Jobs started so far, in all lanes. */
    started: number;
  };
};

/** `share` is null without one, and in jobs that an earlier release queued. */
type ClaimedJob = PgBoss.Job<SealedJob> & { share?: string | null };

export type JobLane = ReturnType<typeof jobLane>;

/** The pause in milliseconds while the database is unavailable. */
const deletionPauses = Array<number>(29).fill(1_000);
const defaults = { concurrency: 5, retryLimit: 10, retryDelaySeconds: 5, expireSeconds: 300 };
/** Of the shares that had a turn longer ago none is preferred to another. */
const rememberedTurns = 100;

export function jobLane(deps: LaneDeps, name: string, handler: Handler, given: HandlerOptions) {
  const { boss, state } = deps;
  const { concurrency } = { ...defaults, ...given };
  const options = { ...defaults, concurrencyOfShare: Math.max(1, concurrency - 1), ...given };
  const hasShares = deps.shareOf !== undefined;
  const running = new Set<Promise<void>>();
  const runningOf = new Map<string, number>();
  /** The number of the last job of each share, the latest at the end. */
  const turns = new Map<string, number>();
  let started = 0;
  let pollAgain = false;
  const free = () => options.concurrency - running.size;
  // Full: `pollAgain` stays true, and the first job that ends polls again.
  const mayTake = () => pollAgain && !state.stops && free() > 0;

  const taking = singleFlight(async () => {
    if (!mayTake()) return;
    pollAgain = false;
    const batchSize = free();
    const jobs = await fetch(batchSize);
    for (const job of jobs) start(job);
    pollAgain ||= jobs.length === batchSize;
  }, mayTake);

  function fetch(limit: number): Promise<ClaimedJob[]> {
    if (!hasShares) return boss.fetch<SealedJob>(name, { batchSize: limit });
    const [running, turnOf] = [Object.fromEntries(runningOf), Object.fromEntries(turns)];
    const slots = { limit, perShare: options.concurrencyOfShare, running, turnOf };
    return fetchShared(deps.db, name, slots);
  }

  /** Claims due jobs until none is left or the lane is full; concurrent calls share the work. */
  function poll(): Promise<void> {
    pollAgain = true;
    return taking.run();
  }

  function start(job: ClaimedJob): void {
    state.started += 1;
    const share = job.share ?? '';
    count(share, 1);
    noteTurn(share);
    const run = runJob(deps, name, handler, job).finally(() => {
      // A full share may have left due jobs in the queue.
      const wasFull = hasShares && runningOf.get(share) === options.concurrencyOfShare;
      count(share, -1);
      running.delete(run);
      if ((pollAgain || wasFull) && state.polls) void poll();
    });
    running.add(run);
  }

  function count(share: string, change: number): void {
    const next = (runningOf.get(share) ?? 0) + change;
    if (next === 0) runningOf.delete(share);
    else runningOf.set(share, next);
  }

  function noteTurn(share: string): void {
    started += 1;
    turns.delete(share);
    turns.set(share, started);
    const [oldest] = turns.keys();
    if (turns.size > rememberedTurns && oldest !== undefined) turns.delete(oldest);
  }

  return {
    options,
    poll,
    /** Null if no poll is in progress. */
    get polling() {
      return taking.running;
    },
    running,
    /** Ends the jobs that failed permanently without their handler, because its process died in the last attempt. */
    async endFailed(): Promise<void> {
      // The others are deleted by pg-boss.
      if (handler.failed) await endFailed(deps, name, handler);
    },
  };
}

async function runJob(
  deps: LaneDeps,
  name: string,
  handler: Handler,
  { id, data }: PgBoss.Job<SealedJob>,
): Promise<void> {
  try {
    await handler.run(unsealJob(deps.keyRing, name, data));
  } catch (error) {
    return retryLater(deps, name, handler, id, error);
  }
  await deleteCompleted(deps, name, id);
}

/** A completed job that is not deleted would run again. */
async function deleteCompleted({ boss, logger, state }: LaneDeps, name: string, id: string): Promise<void> {
  let failure: unknown;
  const isDeleted = await retry(deletionPauses, async () => {
    try {
      await boss.deleteJob(name, id);
      return true;
    } catch (error) {
      failure = error;
      return state.stops ? false : null;
    }
  });
  if (!isDeleted) logger.error({ err: failure, queue: name }, 'a completed job could not be deleted');
}

async function retryLater(
  deps: LaneDeps,
  name: string,
  handler: Handler,
  id: string,
  cause: unknown,
): Promise<void> {
  const { boss, logger } = deps;
  try {
    // The error is left out: its message may contain personal data, which must not be stored in the job.
    await boss.fail(name, id);
    if (await endFailed(deps, name, handler, id)) {
      logger.error({ err: cause, queue: name }, 'a job failed permanently after its last attempt');
    } else {
      logger.warn({ err: cause, queue: name }, 'a job failed and will be retried');
    }
  } catch (error) {
    logger.error({ err: error, queue: name }, 'a job failed and waits for its expiry');
  }
}

/** Deletes jobs that have failed permanently, after `failed`; returns how many there were. */
async function endFailed(
  { boss, database, keyRing, logger }: LaneDeps,
  name: string,
  { failed }: Handler,
  id?: string,
): Promise<number> {
  const jobs = await listFailed(database, name, id);
  for (const job of jobs) {
    try {
      await failed?.(unsealJob(keyRing, name, job.data));
      await boss.deleteJob(name, job.id);
    } catch (error) {
      logger.error({ err: error, queue: name }, 'a job that failed permanently could not be ended');
    }
  }
  return jobs.length;
}
