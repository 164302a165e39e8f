// A durable queue on pg-boss. A job is written in the caller's transaction, so it is there exactly when the change is; any
// instance runs it after the commit, and it is tried again with growing pauses until it is done or given up.
import type { Database, Prisma } from '@foyer/prisma';
import type PgBoss from 'pg-boss';
import type { KeyRing } from '../crypto/key-ring.js';
import type { Logger } from '../logger.js';
import { bossOn, deleteIfFailed, installBoss, writtenWith } from './queue-boss.js';

export type JobData = Record<string, unknown>;

export type HandlerOptions = {
  /** Jobs that run at once in this process. */
  concurrency?: number;
  /** Tries after the first. The pauses between them grow from 1 to 2 times `retryDelaySeconds`, doubled each time. */
  retryLimit?: number;
  retryDelaySeconds?: number;
  /** After this time a job is taken from a process that must have died; a handler has to be done before. */
  expireSeconds?: number;
};

export type SendOptions = Pick<HandlerOptions, 'retryLimit' | 'retryDelaySeconds'> & {
  startAfterSeconds?: number;
};

export type Queue = {
  /** One statement of the transaction: the job commits and rolls back with it. */
  send(tx: Prisma.TransactionClient, name: string, data: JobData, options?: SendOptions): Promise<void>;
  /** Says what is done with the jobs of a name, before `start`. A handler that throws is tried again later. */
  handle<Data extends JobData>(
    name: string,
    handler: (data: Data) => Promise<void>,
    options?: HandlerOptions,
  ): void;
  /** Makes the tables where they are missing. Instances may start together. */
  start(): Promise<void>;
  /** Runs what is due, from now on by itself. Without it only `runNow` does. */
  poll(): void;
  /** To be called after a commit: looks at once instead of within the next second. */
  wake(): void;
  /** Runs everything that is due until nothing is. */
  runNow(): Promise<void>;
  /** Takes no further jobs and waits, up to a limit, for those that run. */
  stop(): Promise<void>;
};

type Lane = {
  name: string;
  handler: (data: JobData) => Promise<void>;
  options: Required<HandlerOptions>;
  running: Set<Promise<void>>;
  looking: Promise<void> | null;
  lookAgain: boolean;
};

const defaults = { concurrency: 5, retryLimit: 10, retryDelaySeconds: 5, expireSeconds: 300 };
const lookMilliseconds = 1_000;
const looksPerExpiry = 20;
const looksPerClearing = 3_600;
const finishTries = 30;
const stopMilliseconds = 10_000;
/** Sealed jobs have one of few lengths, which say nothing about what is in them. */
const paddedBytes = 512;

export function jobQueue(deps: { database: Database; keyRing: KeyRing; logger: Logger }): Queue {
  const { database, keyRing, logger } = deps;
  const boss = bossOn(database, logger);
  const lanes = new Map<string, Lane>();
  let timer: NodeJS.Timeout | undefined;
  let maintaining: Promise<void> | null = null;
  let looks = 0;
  let begun = 0;
  let stopping = false;

  function look(lane: Lane): Promise<void> {
    lane.lookAgain = true;
    lane.looking ??= takeDue(lane).finally(() => {
      lane.looking = null;
    });
    return lane.looking;
  }

  async function takeDue(lane: Lane): Promise<void> {
    while (lane.lookAgain && !stopping) {
      const free = lane.options.concurrency - lane.running.size;
      // Full: the flag stays up, and the first job that ends looks again.
      if (free === 0) return;
      lane.lookAgain = false;
      const jobs = await boss.fetch<{ sealed: string }>(lane.name, { batchSize: free });
      for (const job of jobs) begin(lane, job);
      lane.lookAgain ||= jobs.length === free;
    }
  }

  function begin(lane: Lane, job: PgBoss.Job<{ sealed: string }>): void {
    begun += 1;
    const run = runJob(lane, job).finally(() => {
      lane.running.delete(run);
      if (lane.lookAgain && timer) void look(lane);
    });
    lane.running.add(run);
  }

  async function runJob(lane: Lane, { id, data }: PgBoss.Job<{ sealed: string }>): Promise<void> {
    try {
      await lane.handler(unseal(lane.name, data.sealed));
    } catch (error) {
      return tryLater(lane, id, error);
    }
    await finish(lane, id);
  }

  /** That a job is done has to be written, or it is done once more: a database that is away for a moment is waited for. */
  async function finish(lane: Lane, id: string): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await boss.deleteJob(lane.name, id);
        return;
      } catch (error) {
        if (tries === finishTries || stopping) {
          logger.error({ err: error, queue: lane.name }, 'a job is done but could not be marked so');
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, lookMilliseconds).unref());
      }
    }
  }

  async function tryLater(lane: Lane, id: string, cause: unknown): Promise<void> {
    try {
      // Without the error: what it says may be personal, and the job's row is no place for it.
      await boss.fail(lane.name, id);
      if (await deleteIfFailed(database, lane.name, id)) {
        logger.error({ err: cause, queue: lane.name }, 'a job failed for the last time and is given up');
      } else {
        logger.warn({ err: cause, queue: lane.name }, 'a job failed and will be tried again');
      }
    } catch (error) {
      logger.error({ err: error, queue: lane.name }, 'a job failed and waits for its expiry');
    }
  }

  /** Jobs of processes that died become due again; rows of jobs that were given up that way go within hours. */
  async function maintain(clear: boolean): Promise<void> {
    try {
      await (clear ? boss.maintain() : boss.expire());
    } catch (error) {
      logger.warn({ err: error }, 'the queue could not be tidied');
    }
  }

  function tick(): void {
    looks += 1;
    if (looks % looksPerExpiry === 1) {
      maintaining ??= maintain(looks % looksPerClearing === 1).finally(() => {
        maintaining = null;
      });
    }
    for (const lane of lanes.values()) void look(lane);
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
        db: writtenWith(tx),
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
        looking: null,
        lookAgain: false,
      });
    },
    start: () => installBoss(database, [...lanes.keys()]),
    poll() {
      timer ??= setInterval(tick, lookMilliseconds).unref();
    },
    wake() {
      if (timer) for (const lane of lanes.values()) void look(lane);
    },
    async runNow() {
      await maintain(false);
      const all = [...lanes.values()];
      for (;;) {
        const before = begun;
        await Promise.all(all.map(look));
        const running = all.flatMap((lane) => [...lane.running]);
        // Jobs that began and ended while other lanes still looked may have been a full lane's first, or have sent more.
        if (running.length === 0 && begun === before) return;
        await Promise.all(running);
      }
    },
    async stop() {
      stopping = true;
      clearInterval(timer);
      const all = [...lanes.values()];
      const ended = Promise.all([maintaining, ...all.map((lane) => lane.looking)]).then(() =>
        Promise.all(all.flatMap((lane) => [...lane.running])),
      );
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, stopMilliseconds).unref())]);
    },
  };
}
