// The PostgreSQL sessions that the service uses, and the errors that end them.
import { Socket } from 'node:net';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { proxyOf } from '../test/proxy.js';
import type { Database } from './database.js';
import { isUnavailable, uniqueViolation } from './database-errors.js';
import { migrate } from './migrate.js';
import { openDatabase } from './open.js';
import { PostgresqlClient } from './postgresql-client.js';
import { createTestPlace, type TestPlace } from './testing.js';

test.each([
  ['ERROR', '42703', true],
  // The severity is in the language of the server.
  ['FEHLER', '42703', true],
  ['FEHLER', '25006', false],
  ['FATAL', '57P01', false],
  ['FATAL', 'XX000', false],
  ['PANIC', '58030', false],
])('after %s %s a session is used again: %s', (severity, code, isUsable) => {
  const error = Object.assign(new pg.DatabaseError('', 0, 'error'), { severity, code });
  expect(new PostgresqlClient({}).isUsableAfter(error)).toBe(isUsable);
});

describe.skipIf(!process.env.DATABASE_URL)('on PostgreSQL', () => {
  let place: TestPlace;
  let database: Database;
  beforeEach(async () => {
    place = await createTestPlace();
    database = await openDatabase({ ...place, connections: 1 });
  });
  afterEach(async () => {
    await database.close();
    await place.remove();
  });

  const backend = async () => (await database.query<{ pid: number }>(pidOfBackend))[0]?.pid;
  const pidOfBackend = { text: 'SELECT pg_backend_pid() AS pid', values: [] };
  const failure = (call: () => Promise<unknown>) =>
    call().then(
      () => 'no error',
      (error: unknown) => error,
    );

  test('sessions are in UTC, and a statement has five seconds and an idle transaction twenty', async () => {
    expect(
      await database.prisma.$queryRaw`SELECT current_setting('TimeZone') AS zone,
        current_setting('statement_timeout') AS statement,
        current_setting('idle_in_transaction_session_timeout') AS idle`,
    ).toEqual([{ zone: 'UTC', statement: '5s', idle: '20s' }]);
    const dedicated = () => database.connection(({ query }) => query('SHOW statement_timeout'));
    expect(await dedicated()).toEqual([{ statement_timeout: '0' }]);
    expect(await database.warnings()).toEqual([]);
  });

  test('a connection without a time limit notices within seconds that its server is gone', async () => {
    const keepAlive = vi.spyOn(Socket.prototype, 'setKeepAlive');
    await database.connection(({ query }) => query('SELECT 1'));
    expect(keepAlive.mock.calls).toEqual([[true, 10_000]]);
    keepAlive.mockRestore();
  });

  test('a read-only database is refused when a connection opens, and used once it accepts writes', async () => {
    const calls = [
      () => database.prisma.app.count(),
      () => database.query(pidOfBackend),
      () => database.prisma.$transaction((tx) => tx.app.count()),
      () => database.warnings(),
      () => migrate(database),
    ];
    await setReadOnly('on');
    for (const call of calls) {
      const error = await failure(call);
      expect(isUnavailable(error), String(error)).toBe(true);
    }
    await setReadOnly('off');
    for (const call of calls) await call();
  });

  test('a connection whose server became read-only is replaced after the first write, in and outside a transaction', async () => {
    const insert = { text: 'CREATE TABLE written (id int)', values: [] };
    const writes = [
      () => database.query(insert),
      () => database.prisma.$executeRawUnsafe(insert.text),
      () => database.prisma.$transaction((tx) => tx.$executeRawUnsafe(insert.text)),
    ];
    for (const write of writes) {
      const before = await backend();
      await database.prisma.$executeRaw`SET default_transaction_read_only = on`;
      const error = await failure(write);
      expect(isUnavailable(error), String(error)).toBe(true);
      expect(await backend()).not.toBe(before);
      await write();
      await database.prisma.$executeRaw`DROP TABLE written`;
    }
  });

  test('a statement that fails leaves its connection in use', async () => {
    const before = await backend();
    const insert = `INSERT INTO apps (id, slug, name, app_key, created_at, updated_at)
      VALUES ('same', 'same', 'Same', 'same', now(), now())`;
    await database.query({ text: insert, values: [] });
    for (const call of [
      () => database.query({ text: insert, values: [] }),
      () => database.prisma.$executeRawUnsafe(insert),
      () => database.prisma.$transaction((tx) => tx.$executeRawUnsafe(insert)),
    ]) {
      expect(uniqueViolation(await failure(call))).toBe('apps_pkey');
      expect(await backend()).toBe(before);
    }
    await failure(() => database.query({ text: 'SELECT nonsense', values: [], once: true }));
    expect(await backend()).toBe(before);
  });

  test('a session that is not in UTC is refused, with what to set', async () => {
    const proxy = await proxyOf(place.databaseUrl as string, (near, openFar) => {
      const far = openFar();
      near.once('data', (start) => {
        far.write(start.toString('latin1').replace('TimeZone\0UTC', 'TimeZone\0EST'), 'latin1');
        near.pipe(far);
      });
      far.pipe(near);
    });
    const reached = await openDatabase({ databaseUrl: proxy.databaseUrl, connections: 1 });
    for (const call of [() => reached.prisma.app.count(), () => migrate(reached)]) {
      const error = await failure(call);
      expect(String(error)).toMatch(
        /time zone of the database connection is EST and must be UTC.*ALTER ROLE/,
      );
    }
    await reached.close();
    proxy.close();
  });

  test('a prepared statement whose table has changed fails once', async () => {
    const read = () => database.query({ text: 'SELECT * FROM changing', values: [] });
    await database.prisma.$executeRaw`CREATE TABLE changing AS SELECT 1 AS number`;
    expect(await read()).toEqual([{ number: 1 }]);
    await database.prisma.$executeRaw`ALTER TABLE changing ADD COLUMN name text`;
    expect(await failure(read)).toMatchObject({ code: '0A000' });
    expect(await read()).toEqual([{ number: 1, name: null }]);
  });

  test('a session that lost its prepared statements is replaced after the first that fails', async () => {
    const read = { text: 'SELECT count(*)::int AS count FROM apps', values: [] };
    const reads = [
      () => database.query(read),
      () => database.query({ ...read, isQuick: true }),
      () => database.prisma.app.count({ where: { enabled: false } }),
      () => database.prisma.$transaction((tx) => tx.app.count({ where: { enabled: false } })),
    ];
    for (const call of reads) {
      await call();
      const before = await backend();
      // This is what a pooler does that assigns another session, or DISCARD ALL.
      await database.query({ text: 'DEALLOCATE ALL', values: [], once: true });
      // Prisma reports the code within its own error.
      expect(JSON.stringify(await failure(call))).toContain('26000');
      expect(await backend()).not.toBe(before);
      await call();
    }
  });

  /** The setting applies to new sessions. */
  async function setReadOnly(value: 'on' | 'off'): Promise<void> {
    const { pathname } = new URL(place.databaseUrl as string);
    const server = await openDatabase({ databaseUrl: process.env.DATABASE_URL, connections: 1 });
    await server.prisma.$executeRawUnsafe(
      `ALTER DATABASE ${pathname.slice(1)} SET default_transaction_read_only = ${value}`,
    );
    await server.close();
    await database.close();
    database = await openDatabase({ ...place, connections: 1 });
  }
});
