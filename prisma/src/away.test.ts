// A PostgreSQL that cannot be reached: every call ends soon, with an error that is recognized as such.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fatal, proxyOf } from '../test/proxy.js';
import type { Database } from './database.js';
import { isUnavailable } from './database-errors.js';
import { migrate } from './migrate.js';
import { openDatabase } from './open.js';
import { withVerifiedTls } from './postgresql.js';
import { createTestPlace, type TestPlace } from './testing.js';

/** The limits are five seconds, and a busy machine may be late; without them it would be half a minute or never. */
const soon = 20;

/** What a server sends to the sessions that it ends. */
const terminated = fatal('57P01', 'terminating connection due to administrator command');

const quick = (database: Database) => database.query({ text: 'SELECT 1', values: [], isQuick: true });

async function failure(call: () => Promise<unknown>): Promise<{ error: unknown; seconds: number }> {
  const start = performance.now();
  const error = await call().then(
    () => 'no error',
    (caught: unknown) => caught,
  );
  return { error, seconds: (performance.now() - start) / 1000 };
}

test('a port without a listener', async () => {
  // A port that the system never assigns, unlike one that was just released.
  const databaseUrl = 'postgresql://postgres@127.0.0.1:1/postgres';
  const urls = [
    databaseUrl,
    databaseUrl.replace('127.0.0.1', 'localhost'),
    // A server removes its socket when it stops.
    'postgresql://postgres@/postgres?host=/nowhere',
  ];
  for (const url of urls) {
    const database = await openDatabase({ databaseUrl: url });
    for (const call of [
      () => database.prisma.app.count(),
      () => database.prisma.$queryRaw`SELECT 1`,
      () => quick(database),
      () => database.prisma.$transaction(async (tx) => tx.app.count()),
      () => migrate(database),
    ]) {
      const { error, seconds } = await failure(call);
      expect(isUnavailable(error), String(error)).toBe(true);
      // It fails at once, not after the connection timeout.
      expect(seconds).toBeLessThan(4);
    }
    await database.close();
  }
});

test.each([
  ['connect ENOENT /run/postgresql/.s.PGSQL.5432', true],
  ['connect EACCES /run/postgresql/.s.PGSQL.5432', true],
  ['connect EADDRNOTAVAIL 10.0.0.5:5432 - Local (0.0.0.0:0)', true],
  ['getaddrinfo EAI_FAIL db.internal', true],
  ['Invalid `prisma.app.count()` invocation:\n\n\nread ENETRESET', true],
  ["ENOENT: no such file or directory, open '/root.crt'", false],
  ['ENOSPC: no space left on device, write', false],
])('the error %j means that the database is away: %s', (message, isAway) => {
  expect(isUnavailable(Object.assign(new Error(message), { code: /E[A-Z_]+/.exec(message)?.[0] }))).toBe(
    isAway,
  );
});

test('a certificate that is missing for a while', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'foyer-test-'));
  const certificate = join(directory, 'root.crt');
  const databaseUrl = `postgresql://postgres@127.0.0.1:1/postgres?sslmode=verify-full&sslrootcert=${certificate}`;
  const database = await openDatabase({ databaseUrl });
  const error = async () => String((await failure(() => quick(database))).error);
  expect(await Promise.all([error(), error()])).toEqual(Array(2).fill(expect.stringContaining('ENOENT')));
  await writeFile(certificate, '');
  expect(await Promise.all([error(), error()])).toEqual(
    Array(2).fill(expect.stringContaining('ECONNREFUSED')),
  );
  await database.close();
  await rm(directory, { recursive: true });
});

test.each([
  ['sslmode=require', 'sslmode=verify-full'],
  ['a=b&sslmode=prefer&c=d', 'a=b&sslmode=verify-full&c=d'],
  ['sslmode=verify-ca&sslrootcert=/ca.crt', 'sslmode=verify-full&sslrootcert=/ca.crt'],
  ['sslrootcert=system', 'sslmode=verify-full'],
  ['sslmode=verify-full&sslrootcert=system', 'sslmode=verify-full&sslmode=verify-full'],
  [
    'uselibpqcompat=true&sslrootcert=system&sslmode=require',
    'uselibpqcompat=true&sslmode=verify-full&sslmode=verify-full',
  ],
  ['sslrootcert=system.crt', 'sslrootcert=system.crt'],
  ['sslmode=no-verify', 'sslmode=no-verify'],
  ['sslmode=disable', 'sslmode=disable'],
  ['uselibpqcompat=true&sslmode=require', 'uselibpqcompat=true&sslmode=require'],
])('the certificate is verified with %s as with %s', (given, expected) => {
  const url = 'postgresql://a:sslmode=require@b/c?';
  expect(withVerifiedTls(`${url}${given}`)).toBe(`${url}${expected}`);
});

test('a host name that does not exist', async () => {
  const database = await openDatabase({ databaseUrl: 'postgresql://postgres@nowhere.invalid:5432/postgres' });
  const { error } = await failure(() => database.prisma.$queryRaw`SELECT 1`);
  await database.close();
  expect(isUnavailable(error), String(error)).toBe(true);
});

test('a server that accepts the connection and never answers', async () => {
  const proxy = await proxyOf('postgresql://postgres@127.0.0.1:1/postgres', () => {});
  const database = await openDatabase({ databaseUrl: proxy.databaseUrl });
  const calls = [
    () => database.prisma.$queryRaw`SELECT 1`,
    () => quick(database),
    () => database.prisma.$transaction((tx) => tx.app.count()),
    () => migrate(database),
  ];
  for (const { error, seconds } of await Promise.all(calls.map(failure))) {
    expect(isUnavailable(error), String(error)).toBe(true);
    expect(seconds).toBeLessThan(soon);
  }
  await database.close();
  proxy.close();
});

test('a pooler that has lost its server, and reports it with the code of an internal error', async () => {
  const proxy = await proxyOf('postgresql://postgres@127.0.0.1:1/postgres', (near) => {
    near.once('data', () => near.end(fatal('XX000', 'connection to database closed')));
  });
  const database = await openDatabase({ databaseUrl: proxy.databaseUrl });
  for (const call of [
    () => database.prisma.app.count(),
    () => database.prisma.$queryRaw`SELECT 1`,
    () => quick(database),
    () => database.prisma.$transaction((tx) => tx.app.count()),
    () => migrate(database),
  ]) {
    const { error } = await failure(call);
    expect(String(error)).toContain('connection to database closed');
    expect(isUnavailable(error), String(error)).toBe(true);
  }
  await database.close();
  proxy.close();
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

  test('a pool without a free connection', async () => {
    let release = () => {};
    let holder: Promise<void> | undefined;
    await new Promise<void>((holding) => {
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      holder = database.prisma.$transaction(() => {
        holding();
        return held;
      });
    });
    const calls = [
      () => database.prisma.$queryRaw`SELECT 1`,
      ...Array.from({ length: 10 }, () => () => quick(database)),
    ];
    for (const { error, seconds } of await Promise.all(calls.map(failure))) {
      expect(isUnavailable(error), String(error)).toBe(true);
      expect(seconds).toBeLessThan(soon);
    }
    release();
    await holder;
  });

  test('a statement that takes too long', async () => {
    const { error, seconds } = await failure(() => database.prisma.$queryRaw`SELECT pg_sleep(30)::text`);
    expect(isUnavailable(error), String(error)).toBe(true);
    expect(seconds).toBeLessThan(soon);
  });

  test('connections that the server closes are replaced', async () => {
    const ended = failure(() => database.prisma.$queryRaw`SELECT pg_sleep(30)::text`);
    await terminateOthers();
    expect(isUnavailable((await ended).error), String((await ended).error)).toBe(true);
    expect(await database.prisma.$queryRaw`SELECT 1 AS one`).toEqual([{ one: 1 }]);
    const transaction = await failure(() =>
      database.prisma.$transaction(async (tx) => {
        await terminateOthers();
        await tx.$queryRaw`SELECT 1`;
      }),
    );
    expect(isUnavailable(transaction.error), String(transaction.error)).toBe(true);
    expect(await database.prisma.$queryRaw`SELECT 1 AS one`).toEqual([{ one: 1 }]);
  });

  test('a connection that ends in the same packet as a result, while a transaction waits for it', async () => {
    const proxy = await proxyOf(place.databaseUrl as string, (near, openFar) => {
      const far = openFar();
      near.on('data', (data) => far.write(data)).on('close', () => far.destroy());
      far.on('data', (data) => {
        if (data.includes('the last result')) near.end(Buffer.concat([data, terminated]));
        else near.write(data);
      });
    });
    const pool = await openDatabase({ databaseUrl: proxy.databaseUrl, connections: 1 });
    const last = failure(
      () => pool.prisma.$queryRaw`SELECT concat('the last', ' result') FROM pg_sleep(0.2)`,
    );
    const { error } = await failure(() => pool.prisma.$transaction((tx) => tx.$queryRaw`SELECT 1`));
    expect(isUnavailable(error), String(error)).toBe(true);
    expect((await last).error).toBe('no error');
    expect(await pool.prisma.$queryRaw`SELECT 1 AS one`).toEqual([{ one: 1 }]);
    await pool.close();
    proxy.close();
  });

  test('a transaction that is the victim of a deadlock', async () => {
    const pool = await openDatabase({ ...place, connections: 2 });
    const arrived = { first: () => {}, second: () => {} };
    const first = new Promise<void>((resolve) => {
      arrived.first = resolve;
    });
    const second = new Promise<void>((resolve) => {
      arrived.second = resolve;
    });
    const crossing = (own: number, other: number, here: () => void, there: Promise<void>) =>
      pool.prisma.$transaction(async (tx) => {
        await tx.$executeRaw`SELECT pg_advisory_xact_lock(${own}::bigint)`;
        here();
        await there;
        await tx.$executeRaw`SELECT pg_advisory_xact_lock(${other}::bigint)`;
      });
    const ends = await Promise.allSettled([
      crossing(1, 2, arrived.first, second),
      crossing(2, 1, arrived.second, first),
    ]);
    const lost = ends.filter((end) => end.status === 'rejected').map((end) => end.reason);
    expect(lost).toHaveLength(1);
    expect(isUnavailable(lost[0]), String(lost[0])).toBe(true);
    await pool.close();
  });

  /** Closes the connections of the pool, once there is one. */
  async function terminateOthers(): Promise<void> {
    await database.connection(async ({ query }) => {
      for (;;) {
        const others = await query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
        );
        if (others.length > 0) return;
      }
    });
  }
});
