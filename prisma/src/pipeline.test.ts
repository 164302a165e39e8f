// Quick statements of `Database.query` that are sent together, on one connection of PostgreSQL.
import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { proxyOf } from '../test/proxy.js';
import type { Database } from './database.js';
import { isUnavailable, uniqueViolation } from './database-errors.js';
import { openDatabase } from './open.js';
import { createTestPlace, type TestPlace } from './testing.js';

describe.skipIf(!process.env.DATABASE_URL)('on PostgreSQL', () => {
  let place: TestPlace;
  let database: Database;
  const callers = new AsyncLocalStorage<number>();
  const traced: (number | undefined)[] = [];

  beforeEach(async () => {
    traced.length = 0;
    place = await createTestPlace();
    const traceStatement = () => {
      traced.push(callers.getStore());
      return () => {};
    };
    database = await openDatabase({ ...place, connections: 1, traceStatement });
  });
  afterEach(async () => {
    await database.close();
    await place.remove();
  });

  afterAll(() => callers.disable());

  const quick = (text: string, ...values: unknown[]) => database.query({ text, values, isQuick: true });
  const echo = (number: number) =>
    quick('SELECT $1::int AS number, pg_backend_pid() AS pid', number) as Promise<
      { number: number; pid: number }[]
    >;
  const callsInOneRound = Array.from({ length: 30 }, (_, number) => number);

  test('each call gets its own rows, in its own asynchronous context', async () => {
    const rows = await Promise.all(callsInOneRound.map((number) => callers.run(number, () => echo(number))));
    expect(rows.map(([row]) => row?.number)).toEqual(callsInOneRound);
    expect(traced.toSorted((a = 0, b = 0) => a - b)).toEqual(callsInOneRound);
  });

  test('behind a slow statement wait at most the seven that were sent with it', async () => {
    const two = await openDatabase({ ...place, connections: 2 });
    const ended: string[] = [];
    const call = (text: string) =>
      two.query({ text, values: [], isQuick: true }).then(() => ended.push(text));
    const others = callsInOneRound.map((number) => `SELECT ${number}`);
    await Promise.all(['SELECT pg_sleep(0.5)', ...others].map(call));
    await two.close();
    expect(ended.indexOf('SELECT pg_sleep(0.5)')).toBeGreaterThanOrEqual(others.length - 7);
  });

  test('a connection that hangs while it is opened delays no call as long as another one is free', async () => {
    let isHanging = false;
    const proxy = await proxyOf(place.databaseUrl as string, (near, openFar) => {
      if (!isHanging) near.pipe(openFar()).pipe(near);
    });
    const behind = await openDatabase({ databaseUrl: proxy.databaseUrl, connections: 3 });
    const call = (number: number) =>
      behind.query({ text: 'SELECT $1::int AS number', values: [number], isQuick: true });
    expect(await call(0)).toEqual([{ number: 0 }]);
    isHanging = true;
    expect(await Promise.all(callsInOneRound.map(call))).toEqual(
      callsInOneRound.map((number) => [{ number }]),
    );
    // The hanging ones do not count for a later call either.
    expect(await call(1)).toEqual([{ number: 1 }]);
    proxy.close();
    await behind.close();
  });

  test('a statement that fails fails alone, and leaves its connection in use', async () => {
    const [before] = await echo(0);
    const insert = () => quick('INSERT INTO once (number) VALUES (1) RETURNING number');
    await database.prisma.$executeRaw`CREATE TABLE once (number int PRIMARY KEY)`;
    const results = await Promise.allSettled([
      echo(1),
      insert(),
      insert(),
      quick('SELECT nonsense'),
      echo(2),
    ]);
    const [, , second] = results;
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    expect(uniqueViolation(second?.status === 'rejected' && second.reason)).toBe('once_pkey');
    expect((await echo(3))[0]?.pid).toBe(before?.pid);
  });

  test('a value that cannot be sent is refused before anything is sent', async () => {
    const circular: { toPostgres?: () => unknown } = {};
    circular.toPostgres = () => circular;
    const results = await Promise.allSettled([echo(1), quick('SELECT $1::text', circular), echo(2)]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  test('an exception before a statement is sent fails this statement alone', async () => {
    const onStatement = (text: string) => {
      if (text.includes('unreported')) throw new Error('cannot report it');
    };
    const reporting = await openDatabase({ ...place, connections: 1, onStatement });
    const call = (text: string) => reporting.query({ text, values: [], isQuick: true });
    const results = await Promise.allSettled(['SELECT 1', 'SELECT 2 AS unreported', 'SELECT 3'].map(call));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await call('SELECT 4 AS number')).toEqual([{ number: 4 }]);
    await reporting.close();
  });

  test('when a statement cannot be prepared, the same statement behind it fails for the same reason', async () => {
    const read = () => quick('SELECT number FROM created_later');
    for (const result of await Promise.allSettled([read(), read(), read()])) {
      expect(result.status === 'rejected' && result.reason.code).toBe('42P01');
    }
    await database.prisma.$executeRaw`CREATE TABLE created_later AS SELECT 1 AS number`;
    expect(await Promise.all([read(), read()])).toEqual([[{ number: 1 }], [{ number: 1 }]]);
  });

  test('when a connection is lost, every call on it fails as unavailable, and the next ones get a new connection', async () => {
    const end = quick('SELECT pg_terminate_backend(pg_backend_pid())');
    const results = await Promise.allSettled([end, ...callsInOneRound.slice(0, 7).map(echo)]);
    for (const result of results) {
      expect(isUnavailable(result.status === 'rejected' && result.reason), JSON.stringify(result)).toBe(true);
    }
    const rows = await Promise.all(callsInOneRound.map(echo));
    expect(rows.map(([row]) => row?.number)).toEqual(callsInOneRound);
  });

  test('a prepared statement whose table has changed fails once', async () => {
    const read = () => quick('SELECT * FROM changing');
    await database.prisma.$executeRaw`CREATE TABLE changing AS SELECT 1 AS number`;
    expect(await read()).toEqual([{ number: 1 }]);
    expect(await read()).toEqual([{ number: 1 }]);
    await database.prisma.$executeRaw`ALTER TABLE changing ADD COLUMN name text`;
    await expect(read()).rejects.toMatchObject({ code: '0A000' });
    expect(await read()).toEqual([{ number: 1, name: null }]);
  });
});
