// The queue by itself, on a real database. It uses the database's clock; tests move the times of rows instead.
import { type Database, openDatabase } from '@foyer/prisma';
import { createTestDatabase } from '@foyer/prisma/testing';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { systemRandom } from '../../src/lib/crypto/random.js';
import { testOnServer } from '../../test/blocked.js';
import { cutProxy } from '../../test/cut-proxy.js';
import { passQueueTime, statementLog, testEncryptionKey } from '../../test/harness.js';
import { until } from '../../test/until.js';
import { keyRing } from '../keys/key-ring.js';
import type { HandlerOptions } from './job-lane.js';
import { jobQueue, type Queue, type QueueDeps } from './queue.js';
import { reencryptJobs } from './reencrypt-jobs.js';

const statements = statementLog();
const queues: Queue[] = [];
let database: Database;
beforeAll(async () => {
  database = await createTestDatabase({ onStatement: statements.onStatement });
});
afterEach(async () => {
  for (const queue of queues.splice(0)) await queue.stop();
  await database.prisma.$executeRaw`DELETE FROM pgboss.job`;
});
afterAll(() => database.close());

function newQueue(
  onLogLine: (line: string) => void = () => {},
  on = database,
  shareOf?: QueueDeps['shareOf'],
  ring = keyRing([testEncryptionKey], systemRandom()),
): Queue {
  const logger = pino({ base: null }, { write: onLogLine });
  const queue = jobQueue({ database: on, keyRing: ring, logger, shareOf });
  queues.push(queue);
  return queue;
}

type Numbered = { number: number };

/** A queue that records its jobs as they run. */
async function noting({ log, ...options }: { log?: string[] } & HandlerOptions = {}) {
  const queue = newQueue((line) => log?.push(line));
  const ran: number[] = [];
  const failing = new Set<number>();
  queue.handle<Numbered>(
    'note',
    async ({ number }) => {
      ran.push(number);
      if (failing.has(number)) throw new Error(`number ${number} fails`);
    },
    { retryLimit: 3, retryDelaySeconds: 5, expireSeconds: 60, ...options },
  );
  await queue.start();
  const send = (number: number) => queue.send(database.prisma, 'note', { number });
  return { queue, ran, failing, send };
}

const rowCount = async (): Promise<number> => {
  const [row] = await database.prisma.$queryRaw<{ count: number }[]>`
    SELECT (SELECT count(*) FROM pgboss.job)::int + (SELECT count(*) FROM pgboss.archive)::int AS count`;
  return row?.count ?? -1;
};

const minutes = 60_000;

test('a job of a transaction that commits is run once, and leaves no row', async () => {
  const { queue, ran } = await noting();
  await database.prisma.$transaction((tx) => queue.send(tx, 'note', { number: 1 }));
  await queue.runNow();
  await queue.runNow();
  expect(ran).toEqual([1]);
  expect(await rowCount()).toBe(0);
});

test('a job of a transaction that is rolled back is never run', async () => {
  const { queue, ran } = await noting();
  const failed = database.prisma.$transaction(async (tx) => {
    await queue.send(tx, 'note', { number: 1 });
    throw new Error('changed my mind');
  });
  await expect(failed).rejects.toThrow('changed my mind');
  await queue.runNow();
  expect(ran).toEqual([]);
  expect(await rowCount()).toBe(0);
});

test('a send is one statement', async () => {
  const { queue } = await noting();
  const sent = await statements.during(() =>
    database.prisma.$transaction((tx) => queue.send(tx, 'note', { number: 1 })),
  );
  expect(sent.filter((sql) => !/^(BEGIN|COMMIT)/.test(sql))).toHaveLength(1);
});

test('a job is due at the instant of its creation', async () => {
  const { queue } = await noting();
  const due = await database.prisma.$transaction(async (tx) => {
    await queue.send(tx, 'note', { number: 1 });
    // The condition of pg-boss; within a transaction the time stands still.
    return tx.$queryRaw`SELECT 1 FROM pgboss.job WHERE start_after < now()`;
  });
  expect(due).toHaveLength(1);
});

test('a job that fails is retried after 1 to 2, then 2 to 4 times its delay, until it succeeds', async () => {
  // An hour, since the database's own time passes too, seconds of it on a busy machine.
  const log: string[] = [];
  const { queue, ran, failing, send } = await noting({ retryDelaySeconds: 3_600, log });
  failing.add(1);
  await send(1);
  await queue.runNow();
  for (const [passed, times] of [
    [50, 1],
    [70, 2],
    [110, 2],
    [130, 3],
  ] as const) {
    if (times === 3) failing.clear();
    await passQueueTime(database, passed * minutes);
    await queue.runNow();
    expect(ran).toHaveLength(times);
  }
  const warnings = log.filter((line) => line.includes('failed and will be retried'));
  expect(warnings).toEqual([1, 2].map(() => expect.stringContaining('number 1 fails')));
  expect(await rowCount()).toBe(0);
});

test('a job that fails permanently is logged as an error and deleted', async () => {
  const log: string[] = [];
  const { queue, ran, failing, send } = await noting({ retryLimit: 2, log });
  failing.add(1);
  await send(1);
  for (let round = 0; round < 5; round += 1) {
    await queue.runNow();
    await passQueueTime(database, 60 * minutes);
  }
  expect(ran).toEqual([1, 1, 1]);
  expect(await rowCount()).toBe(0);
  expect(log.filter((line) => line.includes('failed permanently'))).toHaveLength(1);
});

test('a job that fails permanently is deleted by a later maintenance if it cannot be ended at once', async () => {
  const log: string[] = [];
  const queue = newQueue((line) => log.push(line));
  const ended: number[] = [];
  const run = () => Promise.reject(new Error('always fails'));
  const failed = async ({ number }: Numbered) => {
    ended.push(number);
    if (ended.length === 1) throw new Error('cannot be ended');
  };
  queue.handle<Numbered>('note', { run, failed }, { retryLimit: 0 });
  await queue.start();
  await queue.send(database.prisma, 'note', { number: 1 });
  await queue.runNow();
  expect(await rowCount()).toBe(1);
  const said = log.filter((line) => line.includes('could not be ended'));
  expect(said).toEqual([expect.stringContaining('cannot be ended')]);
  await queue.maintain();
  expect(ended).toEqual([1, 1]);
  expect(await rowCount()).toBe(0);
});

test('a job that fails while the database refuses to record it is run again after its expiry', async () => {
  const log: string[] = [];
  const queue = newQueue((line) => log.push(line));
  let runs = 0;
  const fails = async () => {
    runs += 1;
    if (runs > 1) return;
    await database.prisma.$executeRaw`CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql
      AS 'BEGIN RAISE ''refused''; END'`;
    await database.prisma.$executeRaw`CREATE TRIGGER refuse BEFORE INSERT OR UPDATE OR DELETE ON pgboss.job
      FOR EACH ROW EXECUTE FUNCTION public.refuse()`;
    throw new Error('a failure');
  };
  queue.handle('note', fails, { expireSeconds: 60 });
  await queue.start();
  await queue.send(database.prisma, 'note', {});
  await queue.runNow();
  await database.prisma.$executeRaw`DROP FUNCTION public.refuse CASCADE`;
  expect(log.filter((line) => line.includes('waits for its expiry'))).toHaveLength(1);
  await queue.runNow();
  expect(runs).toBe(1);
  for (let passed = 0; passed < 2; passed += 1) {
    await passQueueTime(database, minutes);
    await queue.runNow();
  }
  expect(runs).toBe(2);
  expect(await rowCount()).toBe(0);
});

test('a completed job that cannot be deleted while the process stops is logged with the reason', async () => {
  const log: string[] = [];
  const queue = newQueue((line) => log.push(line));
  queue.handle('note', async () => {
    await database.prisma.$executeRaw`CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql
      AS 'BEGIN RAISE ''refused''; END'`;
    await database.prisma.$executeRaw`CREATE TRIGGER refuse BEFORE DELETE ON pgboss.job
      FOR EACH ROW EXECUTE FUNCTION public.refuse()`;
    void queue.stop();
  });
  await queue.start();
  await queue.send(database.prisma, 'note', {});
  await queue.runNow();
  await database.prisma.$executeRaw`DROP FUNCTION public.refuse CASCADE`;
  const lines = log.filter((line) => line.includes('a completed job could not be deleted'));
  expect(lines).toEqual([expect.stringContaining('refused')]);
});

test('a completed job that cannot be deleted at once is deleted a second later, and does not run again', async () => {
  const log: string[] = [];
  const { queue, ran, send } = await noting({ log });
  // A sequence counts although the statement that is refused changes nothing.
  await database.prisma.$executeRaw`CREATE SEQUENCE public.deletions`;
  await database.prisma.$executeRaw`CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql
    AS 'BEGIN IF nextval(''public.deletions'') = 1 THEN RAISE ''refused''; END IF; RETURN OLD; END'`;
  await database.prisma.$executeRaw`CREATE TRIGGER refuse BEFORE DELETE ON pgboss.job
    FOR EACH ROW EXECUTE FUNCTION public.refuse()`;
  await send(1);
  await queue.runNow();
  await database.prisma.$executeRaw`DROP FUNCTION public.refuse CASCADE`;
  await database.prisma.$executeRaw`DROP SEQUENCE public.deletions`;
  expect([ran, await rowCount()]).toEqual([[1], 0]);
  expect(log.join()).not.toContain('could not be deleted');
});

test('a job that failed permanently with its process is deleted by maintenance hours later', async () => {
  const { queue, send } = await noting();
  await send(1);
  await database.prisma.$executeRaw`UPDATE pgboss.job
    SET state = 'failed', completed_on = now() - interval '2 hours'`;
  await queue.maintain();
  await database.prisma.$executeRaw`UPDATE pgboss.archive SET archived_on = now() - interval '2 hours'`;
  await database.prisma.$executeRaw`UPDATE pgboss.version SET maintained_on = NULL`;
  await queue.maintain();
  expect(await rowCount()).toBe(0);
});

test('a failing job does not block the others', async () => {
  const { queue, ran, failing, send } = await noting();
  failing.add(2);
  for (const number of [1, 2, 3, 4, 5, 6, 7]) await send(number);
  await queue.runNow();
  expect(ran.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test('a job may be delayed', async () => {
  const { queue, ran } = await noting();
  await queue.send(database.prisma, 'note', { number: 1 }, { startAfterSeconds: 60 });
  await queue.runNow();
  expect(ran).toEqual([]);
  await passQueueTime(database, 61_000);
  await queue.runNow();
  expect(ran).toEqual([1]);
});

test('no more jobs run at once than the handler allows, and all of them run', async () => {
  const queue = newQueue();
  let running = 0;
  let most = 0;
  let done = 0;
  queue.handle(
    'slow',
    async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
      done += 1;
    },
    { concurrency: 3 },
  );
  await queue.start();
  for (let i = 0; i < 20; i += 1) await queue.send(database.prisma, 'slow', {});
  await queue.runNow();
  expect([most, done]).toEqual([3, 20]);
});

test('runs all due jobs, even if jobs start and end while another queue is polled', async () => {
  const { prisma } = database;
  const slow = new Proxy(prisma, {
    get(target, name) {
      if (name !== '$queryRawUnsafe') return Reflect.get(target, name);
      return async (text: string, ...values: unknown[]) => {
        if (values[0] === 'looked_at_slowly') await new Promise((resolve) => setTimeout(resolve, 200));
        return target.$queryRawUnsafe(text, ...values);
      };
    },
  });
  const queue = newQueue(() => {}, { ...database, prisma: slow });
  const ran: number[] = [];
  queue.handle('looked_at_slowly', async () => {});
  queue.handle<Numbered>('one_at_a_time', async ({ number }) => void ran.push(number), { concurrency: 1 });
  await queue.start();
  await queue.send(prisma, 'looked_at_slowly', {});
  for (const number of [1, 2, 3]) await queue.send(prisma, 'one_at_a_time', { number });
  await queue.runNow();
  expect(ran.toSorted()).toEqual([1, 2, 3]);
});

test('two instances share the jobs and run none of them twice', async () => {
  const first = await noting();
  const second = await noting();
  for (let number = 100; number < 150; number += 1) await first.send(number);
  await Promise.all([first.queue.runNow(), second.queue.runNow()]);
  const ran = [...first.ran, ...second.ran].toSorted();
  expect(ran).toEqual(Array.from({ length: 50 }, (_, i) => 100 + i));
});

test('instances that start together on an empty database create its tables once', async () => {
  await database.prisma.$executeRaw`DROP SCHEMA pgboss CASCADE`;
  const together = [1, 2, 3, 4].map(() => newQueue());
  const ran: number[] = [];
  for (const queue of together) {
    for (const name of ['one', 'two', 'three']) {
      queue.handle<Numbered>(name, async ({ number }) => {
        ran.push(number);
      });
    }
  }
  await Promise.all(together.map((queue) => queue.start()));
  for (const [number, queue] of together.entries()) await queue.send(database.prisma, 'two', { number });
  await together[0]?.runNow();
  expect(ran.toSorted()).toEqual([0, 1, 2, 3]);
});

test('a job of a process that died is run by another', async () => {
  const dying = newQueue();
  let release = () => {};
  const began = new Promise<void>((resolve) => {
    const hang = () =>
      new Promise<void>((end) => {
        release = end;
        resolve();
      });
    dying.handle('note', hang, { expireSeconds: 600, retryLimit: 3 });
  });
  await dying.start();
  await dying.send(database.prisma, 'note', { number: 1 });
  void dying.runNow();
  await began;
  const { queue, ran } = await noting();
  if (database.kind === 'postgresql') {
    // Another process may still run it, until the job expires.
    await passQueueTime(database, 9 * minutes);
    await queue.runNow();
    expect(ran).toEqual([]);
    await passQueueTime(database, minutes);
    await queue.runNow();
    await passQueueTime(database, 11_000);
  }
  await queue.runNow();
  expect(ran).toEqual([1]);
  release();
});

test('the data of a job is not readable in the database, nor inferable from its length', async () => {
  const { queue } = await noting();
  await queue.send(database.prisma, 'note', { number: 402_718, to: 'ada@example.com' });
  await queue.send(database.prisma, 'note', { number: 1, to: null });
  const rows = await database.prisma.$queryRaw<{ data: unknown; row: string }[]>`
    SELECT data, to_jsonb(job)::text AS row FROM pgboss.job AS job`;
  expect(rows).toHaveLength(2);
  for (const { row } of rows) expect(row).not.toMatch(/402718|ada@|example/);
  const [first, second] = rows.map(({ data }) => JSON.stringify(data).length);
  expect(first).toBe(second);
});

test('the migrations create the same tables as pg-boss, and an index more, so that a start creates none', async () => {
  const migrated = await createTestDatabase({ onStatement: statements.onStatement });
  try {
    const names = (await migrated.prisma.$queryRaw<{ name: string }[]>`SELECT name FROM pgboss.queue`).map(
      ({ name }) => name,
    );
    expect(names).toContain('mail');
    const start = () => {
      const queue = newQueue(() => {}, migrated);
      for (const name of names) queue.handle(name, async () => {});
      return queue.start();
    };
    expect((await statements.during(start)).join('\n')).not.toMatch(/CREATE|ALTER/);
    await migrated.prisma.$executeRaw`DROP INDEX pgboss.job_shares`;
    const before = await tablesOf(migrated);
    await migrated.prisma.$executeRaw`DROP SCHEMA pgboss CASCADE`;
    await start();
    expect(await tablesOf(migrated)).toEqual(before);
  } finally {
    await migrated.close();
  }
});

/** Columns, indexes, constraints, functions and the version, as text. */
async function tablesOf({ prisma }: Database): Promise<string[]> {
  const rows = await prisma.$queryRaw<{ text: string }[]>`
    SELECT format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) AS text
      FROM information_schema.columns WHERE table_schema = 'pgboss'
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'pgboss'
    UNION ALL SELECT conrelid::regclass || ' ' || pg_get_constraintdef(oid)
      FROM pg_constraint WHERE connamespace = 'pgboss'::regnamespace
    UNION ALL SELECT proname || regexp_replace(prosrc, '\\s+', ' ', 'g')
      FROM pg_proc WHERE pronamespace = 'pgboss'::regnamespace
    UNION ALL SELECT version::text FROM pgboss.version`;
  return rows.map(({ text }) => text).toSorted();
}

test('a job without a handler is refused when it is sent', async () => {
  const { queue } = await noting();
  await expect(queue.send(database.prisma, 'nobody', {})).rejects.toThrow('nobody');
});

test('a job whose queue was not started is refused when it is sent', async () => {
  const { queue } = await noting();
  queue.handle('late', async () => {});
  await expect(queue.send(database.prisma, 'late', {})).rejects.toThrow('there is no queue late');
});

test('stop waits for the running job and starts no other', async () => {
  const queue = newQueue();
  const ended: number[] = [];
  const release: (() => void)[] = [];
  queue.handle<Numbered>(
    'note',
    async ({ number }) => {
      await new Promise<void>((resolve) => release.push(resolve));
      ended.push(number);
    },
    { concurrency: 1 },
  );
  await queue.start();
  await queue.send(database.prisma, 'note', { number: 1 });
  await queue.send(database.prisma, 'note', { number: 2 });
  const all = queue.runNow();
  await until(() => release.length === 1);
  const stopped = queue.stop();
  release[0]?.();
  await Promise.all([stopped, all]);
  // Either of the two: jobs of the same millisecond have no order.
  expect(ended).toHaveLength(1);
  expect(await rowCount()).toBe(1);
});

test('a full queue that stops starts no other job when one ends', async () => {
  const queue = newQueue();
  const release: (() => void)[] = [];
  const run = () => new Promise<void>((resolve) => release.push(resolve));
  queue.handle('note', run, { concurrency: 1 });
  await queue.start();
  for (let count = 0; count < 2; count += 1) await queue.send(database.prisma, 'note', {});
  queue.poll();
  queue.wake();
  await until(() => release.length === 1);
  const stopped = queue.stop();
  const sent = await statements.during(async () => {
    release[0]?.();
    await stopped;
    expect(await rowCount()).toBe(1);
  });
  expect(sent.filter((sql) => /state = 'active'/.test(sql))).toEqual([]);
  expect(release).toHaveLength(1);
});

test.runIf(process.env.DATABASE_URL)(
  'a job that completes during a short database outage is not run again',
  async () => {
    const { url } = database as { url?: string };
    const { hostname, port } = new URL(url ?? '');
    const proxy = await cutProxy({ host: hostname, port: Number(port) || 5432 });
    const through = new URL(url ?? '');
    through.host = `127.0.0.1:${proxy.port}`;
    const reached = await openDatabase({ databaseUrl: through.toString() });
    try {
      const queue = newQueue(() => {}, reached);
      let ran = 0;
      queue.handle('note', async () => {
        ran += 1;
        await proxy.cut();
        setTimeout(() => void proxy.mend(), 1_500);
      });
      await queue.start();
      await queue.send(database.prisma, 'note', {});
      await queue.runNow();
      await passQueueTime(database, 60 * minutes);
      await queue.runNow();
      expect(ran).toBe(1);
      expect(await rowCount()).toBe(0);
    } finally {
      await reached.close();
      await proxy.close();
    }
  },
);

const sharedQueue = () => newQueue(undefined, undefined, ({ of }) => of as string | undefined);

test('the only slot goes to the share whose last turn was longest ago', async () => {
  const queue = sharedQueue();
  const started: string[] = [];
  queue.handle<{ of: string }>('note', async ({ of }) => void started.push(of), { concurrency: 1 });
  await queue.start();
  for (const of of ['a', 'a', 'a', 'a', 'b', 'c', 'b']) {
    // The clock of the embedded database counts in milliseconds, and jobs of the same one have no order.
    await database.prisma
      .$executeRaw`UPDATE pgboss.job SET created_on = created_on - interval '1 millisecond'`;
    await queue.send(database.prisma, 'note', { of });
  }
  await queue.runNow();
  expect(started).toEqual(['a', 'b', 'c', 'a', 'b', 'a', 'a']);
});

testOnServer('a job that another instance is claiming is left to it, and the others are run', async () => {
  const queue = sharedQueue();
  const started: string[] = [];
  queue.handle<{ of: string }>('note', async ({ of }) => void started.push(of));
  await queue.start();
  for (const of of ['claimed', 'free']) await queue.send(database.prisma, 'note', { of });
  await database.prisma.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT FROM pgboss.job WHERE singleton_key = 'claimed' FOR UPDATE`;
    await queue.runNow();
    expect(started).toEqual(['free']);
  });
  await queue.runNow();
  expect(started).toEqual(['free', 'claimed']);
});

test('slow jobs of one share leave the other slots to the jobs of others, and go on as their own end', async () => {
  const queue = sharedQueue();
  const started: string[] = [];
  const ends: (() => void)[] = [];
  queue.handle<{ of: string }>(
    'note',
    ({ of }) =>
      new Promise((resolve) => {
        started.push(of);
        if (of === 'slow') ends.push(resolve);
        else resolve();
      }),
    { concurrency: 4, concurrencyOfShare: 2 },
  );
  await queue.start();
  const send = (of: string) => queue.send(database.prisma, 'note', { of });
  for (let count = 0; count < 5; count += 1) await send('slow');
  queue.poll();
  queue.wake();
  await until(() => started.length === 2);
  await send('quick');
  await send('other');
  queue.wake();
  await until(() => started.length === 4);
  // The two may be claimed by different polls.
  expect([...started].sort()).toEqual(['other', 'quick', 'slow', 'slow']);
  ends.shift()?.();
  await until(() => started.length === 5);
  expect(started.at(-1)).toBe('slow');
  while (started.length < 7 || ends.length > 0) {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await queue.runNow();
  expect(await rowCount()).toBe(0);
});

test('of many due jobs, the first slots go to the shares with the fewest running jobs, and jobs without a share are one', async () => {
  const queue = sharedQueue();
  const started: string[] = [];
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  queue.handle<{ of: string }>(
    'note',
    async ({ of }) => {
      started.push(of);
      await ended;
    },
    { concurrency: 4, concurrencyOfShare: 2 },
  );
  await queue.start();
  for (const of of ['a', 'a', 'a', 'a', 'former', 'b', 'former', 'former', 'c']) {
    await queue.send(database.prisma, 'note', { of });
  }
  await database.prisma
    .$executeRaw`UPDATE pgboss.job SET singleton_key = NULL WHERE singleton_key = 'former'`;
  queue.poll();
  queue.wake();
  await until(() => started.length === 4);
  expect(started.toSorted()).toEqual(['a', 'b', 'c', 'former']);
  end();
  await until(() => started.length === 9);
  await queue.runNow();
  await expect.poll(rowCount).toBe(0);
});

test('of the shares only the last hundred that had a turn count as served, in the order of their last turns', async () => {
  const queue = sharedQueue();
  const started: string[] = [];
  queue.handle<{ of: string }>('note', async ({ of }) => void started.push(of), { concurrency: 1 });
  await queue.start();
  const send = async (of: string) => {
    await database.prisma
      .$executeRaw`UPDATE pgboss.job SET created_on = created_on - interval '1 millisecond'`;
    await queue.send(database.prisma, 'note', { of });
  };
  const others = Array.from({ length: 98 }, (_, number) => `other ${number}`);
  for (const of of ['often', 'once', ...others, 'often', 'last']) {
    await send(of);
    await queue.runNow();
  }
  started.length = 0;
  // One share more has been served: of `once`, served longest ago, it is forgotten.
  for (const of of ['often', 'once', 'never']) await send(of);
  await queue.runNow();
  expect(started).toEqual(['once', 'never', 'often']);
});

test('jobs that were re-encrypted run without the former key, however many, and those that have failed are ended', async () => {
  const nextKey = 'another secret key for tests, which is long enough';
  const numbers = Array.from({ length: 201 }, (_, place) => place);
  const log: string[] = [];
  const ran: Record<string, number[]> = { first: [], failed: [], second: [] };
  const withRing = (...keys: string[]) => {
    const ring = keyRing(keys, systemRandom());
    const queue = newQueue((line) => log.push(line), database, undefined, ring);
    for (const name of ['first', 'second']) {
      queue.handle<Numbered>(name, {
        run: async ({ number }) => void ran[name]?.push(number),
        failed: async ({ number }) => void ran.failed?.push(number),
      });
    }
    return { ring, queue };
  };
  const { queue: former } = withRing(testEncryptionKey);
  await former.start();
  for (const number of numbers) await former.send(database.prisma, 'first', { number });
  await former.send(database.prisma, 'second', { number: 1 });
  await former.send(database.prisma, 'second', { number: 2 });
  await database.prisma.$executeRaw`UPDATE pgboss.job SET state = 'failed'
    WHERE id = (SELECT id FROM pgboss.job WHERE name = 'second' LIMIT 1)`;

  const { ring } = withRing(nextKey, testEncryptionKey);
  const deps = { prisma: database.prisma, keyRing: ring };
  expect([await reencryptJobs(deps), await reencryptJobs(deps)]).toEqual([203, 0]);
  const { queue } = withRing(nextKey);
  await queue.runNow();
  await queue.maintain();
  expect(ran.first?.toSorted((a, b) => a - b)).toEqual(numbers);
  expect([ran.second, ran.failed].flat().toSorted()).toEqual([1, 2]);
  expect([ran.failed?.length, await rowCount(), log]).toEqual([1, 0, []]);
});
