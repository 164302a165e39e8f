// Polls the queues: one statement returns which of them have due jobs, and only those are fetched from. The pauses between
// two polls grow while nothing is due.
import { AsyncResource } from 'node:async_hooks';
import type PgBoss from 'pg-boss';
import { singleFlight } from '../../src/lib/single-flight.js';
import type { JobLane } from './job-lane.js';
import { readQueues } from './queue-boss.js';

const pauseMilliseconds = { min: 1_000, max: 10_000 };
/** The time after which a job is released whose process has died. */
const expiryMilliseconds = 20_000;

export function duePoll(db: PgBoss.Db, boss: PgBoss, lanes: Map<string, JobLane>) {
  // The jobs that a request wakes belong to other requests too: they do not run in its context, nor in its trace.
  const ownContext = new AsyncResource('duePoll');
  let pollAgain = false;
  let expiry = true;
  let stopping = false;
  let pause = pauseMilliseconds.min;
  let timer: NodeJS.Timeout | undefined;
  let expiryTimer: NodeJS.Timeout | undefined;

  /** Polls now, and concurrent calls share the work; a call during a poll polls once more. */
  function now(options = { expiry: false }): Promise<void> {
    expiry ||= options.expiry;
    pollAgain = true;
    return polling.run();
  }

  const mayPoll = () => pollAgain && !stopping;

  const polling = singleFlight(async () => {
    // The failure is logged where statements are executed, and the next poll asks again.
    if (mayPoll()) await pollOnce().catch(() => {});
  }, mayPoll);

  async function pollOnce(): Promise<void> {
    pollAgain = false;
    const asked = { expiry };
    expiry = false;
    const queues = await readQueues(db, [...lanes.keys()], asked);
    if (queues.some(({ expired }) => expired)) {
      await boss.expire();
      // They are due again, now or later.
      pollAgain = true;
    }
    const due = queues.filter((queue) => queue.due);
    await Promise.all(due.map(({ name }) => lanes.get(name)?.poll()));
    const isBusy = [...lanes.values()].some((lane) => lane.running.size > 0);
    const waits = queues.flatMap(({ seconds }) => (seconds === null ? [] : seconds * 1_000));
    pause = isBusy || due.length > 0 ? pauseMilliseconds.min : nextPause(pause, waits);
  }

  function wait(): void {
    clearTimeout(timer);
    if (stopping) return;
    timer = setTimeout(() => void now().then(wait), pause).unref();
  }

  return {
    now,
    /** Starts polling periodically. */
    start() {
      expiryTimer = setInterval(() => {
        expiry = true;
      }, expiryMilliseconds).unref();
      wait();
    },
    /** The pauses start small again. */
    wake() {
      pause = pauseMilliseconds.min;
      ownContext.runInAsyncScope(() => void now().then(wait));
    },
    async stop() {
      stopping = true;
      clearTimeout(timer);
      clearInterval(expiryTimer);
      await polling.running;
    },
  };
}

/** Twice the previous one, but not beyond the first delayed job or retry. */
function nextPause(previous: number, waits: number[]): number {
  const { min, max } = pauseMilliseconds;
  return Math.max(min, Math.min(2 * previous, max, ...waits));
}
