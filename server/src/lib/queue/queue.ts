// A durable job queue on pg-boss. A job is inserted in the caller's transaction, so it exists exactly if the change does; any
// instance runs it after the commit, with retries and exponential backoff.
import type { Database, Prisma } from '@foyer/prisma';
import type PgBoss from 'pg-boss';
import type { KeyRing } from '../crypto/key-ring.js';
import type { Logger } from '../logger.js';
import { bossOn, deleteIfFailed, installBoss, transactionDb } from './queue-boss.js';

export type JobData = Record<string, unknown>;

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
};

export type SendOptions = Pick<HandlerOptions, 'retryLimit' | 'retryDelaySeconds'> & {
  startAfterSeconds?: number;
};

export type Queue = {
  /** One statement of the transaction: the job commits and rolls back with it. */
  send(tx: Prisma.TransactionClient, name: string, data: JobData, options?: SendOptions): Promise<void>;
  /** Registers the handler of a job name, before `start`. A handler that throws is retried. */
  handle<Data extends JobData>(
    name: string,
    handler: (data: Data) => Promise<void>,
    options?: HandlerOptions,
  ): void;
  /** Creates missing tables. Instances may start together. */
  start(): Promise<void>;
  /** Starts running due jobs periodically. Without it only `runNow` does. */
  poll(): void;
  /** To be called after a commit: polls at once instead of within the next second. */
  wake(): void;
  /** Runs all due jobs to completion. */
  runNow(): Promise<void>;
  /** Claims no further jobs and waits, up to a limit, for running ones. */
  stop(): Promise<void>;
};

type Lane = {
  name: string;
  handler: (data: JobData) => Promise<void>;
  options: Required<HandlerOptions>;
  running: Set<Promise<void>>;
  polling: Promise<void> | null;
  pollAgain: boolean;
};

const defaults = { concurrency: 5, retryLimit: 10, retryDelaySeconds: 5, expireSeconds: 300 };
const pollMilliseconds = 1_000;
const pollsPerExpiry = 20;
const pollsPerCleanup = 3_600;
const finishAttempts = 30;
const stopMilliseconds = 10_000;
/** Encrypted jobs are padded, so that their length does not reveal their content. */
const paddedBytes = 512;

export function jobQueue(deps: { database: Database; keyRing: KeyRing; logger: Logger }): Queue {
  const { database, keyRing, logger } = deps;
  const boss = bossOn(database, logger);
  const lanes = new Map<string, Lane>();
  let timer: NodeJS.Timeout | undefined;
  let maintaining: Promise<void> | null = null;
  let polls = 0;
  let started = 0;
  let stopping = false;

  function pollLane(lane: Lane): Promise<void> {
    lane.pollAgain = true;
    lane.polling ??= takeDue(lane).finally(() => {
      lane.polling = null;
    });
    return lane.polling;
  }

  async function takeDue(lane: Lane): Promise<void> {
    while (lane.pollAgain && !stopping) {
      const free = lane.options.concurrency - lane.running.size;
      // Full: the flag stays up, and the first job that ends polls again.
      if (free === 0) return;
      lane.pollAgain = false;
      const jobs = await boss.fetch<{ sealed: string }>(lane.name, { batchSize: free });
      for (const job of jobs) startJob(lane, job);
      lane.pollAgain ||= jobs.length === free;
    }
  }

  function startJob(lane: Lane, job: PgBoss.Job<{ sealed: string }>): void {
    started += 1;
    const run = runJob(lane, job).finally(() => {
      lane.running.delete(run);
      if (lane.pollAgain && timer) void pollLane(lane);
    });
    lane.running.add(run);
  }

  async function runJob(lane: Lane, { id, data }: PgBoss.Job<{ sealed: string }>): Promise<void> {
    try {
      await lane.handler(unseal(lane.name, data.sealed));
    } catch (error) {
      return retryLater(lane, id, error);
    }
    await finish(lane, id);
  }

  /** Deletes a completed job, which would otherwise run again; retries while the database is unavailable. */
  async function finish(lane: Lane, id: string): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await boss.deleteJob(lane.name, id);
        return;
      } catch (error) {
        if (tries === finishAttempts || stopping) {
          logger.error({ err: error, queue: lane.name }, 'a completed job could not be deleted');
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, pollMilliseconds).unref());
      }
    }
  }

  async function retryLater(lane: Lane, id: string, cause: unknown): Promise<void> {
    try {
      // Without the error: its message may contain personal data, which must not be stored in the job.
      await boss.fail(lane.name, id);
      if (await deleteIfFailed(database, lane.name, id)) {
        logger.error({ err: cause, queue: lane.name }, 'a job failed permanently after its last attempt');
      } else {
        logger.warn({ err: cause, queue: lane.name }, 'a job failed and will be retried');
      }
    } catch (error) {
      logger.error({ err: error, queue: lane.name }, 'a job failed and waits for its expiry');
    }
  }

  /**
   * Jobs of crashed processes become due again; rows of jobs that failed for good that way are deleted within hours.
   */
  async function maintain(clear: boolean): Promise<void> {
    try {
      await (clear ? boss.maintain() : boss.expire());
    } catch (error) {
      logger.warn({ err: error }, 'the maintenance of the queue failed');
    }
  }

  function tick(): void {
    polls += 1;
    if (polls % pollsPerExpiry === 1) {
      maintaining ??= maintain(polls % pollsPerCleanup === 1).finally(() => {
        maintaining = null;
      });
    }
    for (const lane of lanes.values()) void pollLane(lane);
  }

  function seal(name: string, data: JobData): string {
    const text = JSON.stringify(data);
    const bytes = Math.ceil((Buffer.byteLength(text) + 1) / paddedBytes) * paddedBytes;
    const plain = Buffer.alloc(bytes, ' ');
    plain.write(text);
    return keyRing.encrypt(plain, `job ${name}`).toString('base64');
  }

  function unseal(name: string, sealed: string): JobData {
    return JSON.parse(keyRing.decrypt(Buffer.from(sealed, 'base64'), `job ${name}`).toString());
  }

  return {
    async send(tx, name, data, options = {}) {
      const lane = lanes.get(name);
      if (!lane) throw new Error(`nothing handles the jobs named ${name}`);
      const given = { ...lane.options, ...options };
      const sealed = { sealed: seal(name, data) };
      const id = await boss.send(name, sealed, {
        db: transactionDb(tx),
        retryLimit: given.retryLimit,
        retryDelay: given.retryDelaySeconds,
        retryBackoff: true,
        expireInSeconds: given.expireSeconds,
        startAfter: given.startAfterSeconds ?? 0,
      });
      if (id === null) throw new Error(`there is no queue ${name}: it was not started`);
    },
    handle(name, handler, options = {}) {
      lanes.set(name, {
        name,
        handler: handler as Lane['handler'],
        options: { ...defaults, ...options },
        running: new Set(),
        polling: null,
        pollAgain: false,
      });
    },
    start: () => installBoss(database, [...lanes.keys()]),
    poll() {
      timer ??= setInterval(tick, pollMilliseconds).unref();
    },
    wake() {
      if (timer) for (const lane of lanes.values()) void pollLane(lane);
    },
    async runNow() {
      await maintain(false);
      const all = [...lanes.values()];
      for (;;) {
        const before = started;
        await Promise.all(all.map(pollLane));
        const running = all.flatMap((lane) => [...lane.running]);
        // Jobs that started and ended while other lanes polled may have freed a full lane, or sent more jobs.
        if (running.length === 0 && started === before) return;
        await Promise.all(running);
      }
    },
    async stop() {
      stopping = true;
      clearInterval(timer);
      const all = [...lanes.values()];
      const ended = Promise.all([maintaining, ...all.map((lane) => lane.polling)]).then(() =>
        Promise.all(all.flatMap((lane) => [...lane.running])),
      );
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, stopMilliseconds).unref())]);
    },
  };
}
