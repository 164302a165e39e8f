// When the queue polls, and in which asynchronous context. Its timers are advanced by hand, and the times of jobs with them.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from '@foyer/prisma';
import { createTestDatabase } from '@foyer/prisma/testing';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { systemRandom } from '../../src/lib/crypto/random.js';
import { passQueueTime, statementLog, testEncryptionKey } from '../../test/harness.js';
import { keyRing } from '../keys/key-ring.js';
import { jobQueue, type Queue } from './queue.js';

const statements = statementLog();
/** While the function is set, it decides the outcome of the queue's statements. */
let interfere: (() => Promise<void>) | null = null;
let database: Database;
let queue: Queue;
let lines: string[];
let ran: number[];
/** Whether each poll looked for jobs that have run for too long. */
let expiries: boolean[];
/** The queues whose jobs were asked for. */
let fetched: unknown[];
const requests = new AsyncLocalStorage<string>();
let ranIn: (string | undefined)[];
beforeAll(async () => {
  // With one connection, a statement is answered after those that were sent before it.
  database = await createTestDatabase({ onStatement: statements.onStatement, connections: 1 });
});
afterAll(() => {
  requests.disable();
  return database.close();
});
beforeEach(async () => {
  [lines, ran, ranIn, expiries, fetched] = [[], [], [], [], []];
  queue = newQueue();
  await queue.start();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
});
afterEach(async () => {
  interfere = null;
  vi.useRealTimers();
  await queue.stop();
  await database.prisma.$executeRaw`DELETE FROM pgboss.job`;
});

function newQueue(): Queue {
  const prisma = new Proxy(database.prisma, {
    get(target, name) {
      if (name !== '$queryRawUnsafe') return Reflect.get(target, name);
      return async (text: string, ...values: unknown[]) => {
        if (isPoll(text)) expiries.push(values[0] as boolean);
        if (text.includes('SKIP LOCKED')) fetched.push(values[0]);
        await interfere?.();
        return target.$queryRawUnsafe(text, ...values);
      };
    },
  });
  const made = jobQueue({
    database: { ...database, prisma },
    keyRing: keyRing([testEncryptionKey], systemRandom()),
    logger: pino({ base: null }, { write: (line) => lines.push(line) }),
  });
  made.handle<{ number: number }>('note', async ({ number }) => {
    ran.push(number);
    ranIn.push(requests.getStore());
  });
  made.handle('other', async () => {});
  return made;
}

const send = (number: number, startAfterSeconds = 0) =>
  queue.send(database.prisma, 'note', { number }, { startAfterSeconds });
const isPoll = (sql: string) => sql.includes('FROM unnest($2::text[]) AS q');

/** Lets everything happen that waits for no timer. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 6; turn += 1) {
    await database.prisma.$queryRaw`SELECT 1`;
    await new Promise(setImmediate);
  }
}

/** The seconds of the next `count`, from 1, after which it has polled. */
async function pollsDuring(count: number): Promise<number[]> {
  const polled: number[] = [];
  for (let second = 1; second <= count; second += 1) {
    const sent = await statements.during(() => passSecond());
    if (sent.some(isPoll)) polled.push(second);
  }
  return polled;
}

async function passSecond(): Promise<void> {
  await passQueueTime(database, 1_000);
  vi.advanceTimersByTime(1_000);
  await settle();
}

test('without due jobs the pauses between two polls grow from one to ten seconds', async () => {
  queue.poll();
  expect(await pollsDuring(25)).toEqual([1, 3, 7, 15, 25]);
});

test('a poll every twenty seconds looks for jobs that have run for too long, and no other one does', async () => {
  queue.poll();
  await pollsDuring(45);
  // After 1, 3, 7, 15, 25, 35 and 45 seconds.
  expect(expiries).toEqual([true, false, false, false, true, false, true]);
});

test('a job that has run for too long and may be retried at once is run by the same poll', async () => {
  await send(1);
  await database.prisma.$executeRaw`UPDATE pgboss.job
    SET state = 'active', started_on = now() - expire_in, retry_delay = 0, retry_backoff = false`;
  await queue.runNow();
  expect(ran).toEqual([1]);
});

test('a poll that is requested replaces the next one, and polling twice is polling once', async () => {
  queue.poll();
  queue.poll();
  for (let time = 0; time < 3; time += 1) {
    queue.wake();
    await settle();
  }
  const sent = await statements.during(() => pollsDuring(6));
  // After one second and after three.
  expect(sent.filter(isPoll)).toHaveLength(2);
});

test('a stop waits for the poll that is running, after which none follows', async () => {
  queue.poll();
  queue.poll();
  let release = () => {};
  interfere = () =>
    new Promise((resolve) => {
      release = resolve;
    });
  queue.wake();
  await settle();
  let isStopped = false;
  const stopped = queue.stop().then(() => {
    isStopped = true;
  });
  await settle();
  expect(isStopped).toBe(false);
  interfere = null;
  release();
  await stopped;
  await settle();
  // The one that bounds the stop. The pool of connections to a server has others of its own.
  if (database.kind === 'embedded') expect(vi.getTimerCount()).toBe(1);
  expect(await pollsDuring(11)).toEqual([]);
});

test.each([
  ['runs in another process', `state = 'active', started_on = now()`],
  [
    'waits for its retry since it has run for too long',
    `state = 'retry', started_on = now() - interval '1 hour', start_after = now() + interval '1 hour'`,
  ],
])('a job that %s causes no further polls', async (_, columns) => {
  await send(1);
  await database.prisma.$executeRawUnsafe(`UPDATE pgboss.job SET ${columns}`);
  queue.poll();
  expect(await pollsDuring(25)).toEqual([1, 3, 7, 15, 25]);
});

test('a poll asks for the jobs of the queues that have due ones alone', async () => {
  await send(1);
  queue.poll();
  await pollsDuring(2);
  expect(ran).toEqual([1]);
  expect(new Set(fetched)).toEqual(new Set(['note']));
});

test('a poll without due jobs is one statement for all queues', async () => {
  queue.poll();
  await pollsDuring(12);
  const sent = await statements.during(() => pollsDuring(5));
  const ofQueue = sent.filter((sql) => sql.includes('pgboss.') && !sql.startsWith('UPDATE'));
  expect(ofQueue.map(isPoll)).toEqual([true]);
});

test('wake runs a job at once, and the pauses start at one second again', async () => {
  queue.poll();
  await pollsDuring(12);
  await send(1);
  queue.wake();
  await settle();
  expect(ran).toEqual([1]);
  expect(await pollsDuring(6)).toEqual([1, 3]);
});

test('neither a job that a request wakes nor later ones run in the context of the request', async () => {
  queue.poll();
  await send(1);
  requests.run('request', () => queue.wake());
  await settle();
  await send(2);
  await pollsDuring(3);
  expect(ran).toEqual([1, 2]);
  expect(ranIn).toEqual([undefined, undefined]);
});

test('a job of another instance, which does not wake this one, runs within ten seconds', async () => {
  queue.poll();
  expect(await pollsDuring(25)).toContain(25);
  await send(1);
  await pollsDuring(10);
  expect(ran).toEqual([1]);
});

test('a delayed job runs within a second after it is due, however long the pauses are', async () => {
  await send(1, 40);
  queue.poll();
  // The time is between the regular polls after 35 and 45 seconds.
  await pollsDuring(41);
  expect(ran).toEqual([1]);
});

test('a process that goes on polling runs a job whose process has died, within a minute after its expiry', async () => {
  queue.poll();
  await pollsDuring(3);
  await send(1);
  await database.prisma.$executeRaw`UPDATE pgboss.job SET state = 'active', started_on = now() - expire_in`;
  await pollsDuring(60);
  expect(ran).toEqual([1]);
});

test('polls that are requested together share the work, and one during a poll polls once more', async () => {
  const polls = async (work: () => Promise<unknown>) => (await statements.during(work)).filter(isPoll).length;
  expect(await polls(() => Promise.all([queue.runNow(), queue.runNow(), queue.runNow()]))).toBeLessThan(4);
  let release = () => {};
  interfere = () =>
    new Promise((resolve) => {
      release = resolve;
    });
  const first = queue.runNow();
  await settle();
  interfere = null;
  queue.poll();
  // Sent during the poll, whose statement may have missed it.
  await send(1);
  for (let call = 0; call < 5; call += 1) queue.wake();
  expect(
    await polls(async () => {
      release();
      await first;
    }),
  ).toBeLessThan(4);
  expect(ran).toEqual([1]);
});

test('while the database is away it logs once, and goes on when it is back', async () => {
  queue.poll();
  await send(1);
  interfere = () => Promise.reject(new Error('the database is away'));
  for (let second = 0; second < 20; second += 1) await passSecond();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('the queue cannot ask the database');
  expect(ran).toEqual([]);
  interfere = null;
  await pollsDuring(5);
  expect(ran).toEqual([1]);
  interfere = () => Promise.reject(new Error('the database is away'));
  await pollsDuring(5);
  expect(lines).toHaveLength(2);
});
