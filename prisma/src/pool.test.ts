// A role that may have fewer connections than the pool would open: calls wait for what there is.
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fatal, proxyOf } from '../test/proxy.js';
import type { Database } from './database.js';
import { isUnavailable } from './database-errors.js';
import { migrate } from './migrate.js';
import { openDatabase } from './open.js';
import { type FoundDatabase, findDatabase } from './testing-roles.js';

describe.skipIf(!process.env.DATABASE_URL)('on PostgreSQL', () => {
  let found: FoundDatabase;
  let database: Database;
  beforeEach(async () => {
    found = await findDatabase(process.env.DATABASE_URL as string);
  });
  afterEach(async () => {
    await database.close();
    await found.remove();
  });

  const calls = (): Promise<unknown>[] => [
    database.prisma.app.count(),
    database.query({ text: 'SELECT pg_sleep(0.01)::text', values: [] }),
    database.query({ text: 'SELECT 1 AS one', values: [], isQuick: true }),
    database.prisma.$transaction((tx) => tx.$queryRaw`SELECT pg_sleep(0.01)::text`),
  ];

  test.each([1, 3])(
    'with %i connections of ten, concurrent calls and a dedicated connection all work',
    async (limit) => {
      await found.admin(`ALTER ROLE :role CONNECTION LIMIT ${limit}`);
      database = await openDatabase({ databaseUrl: found.databaseUrl, connections: 10 });
      await migrate(database);
      await Promise.all(Array.from({ length: 15 }, calls).flat());
      const beside = database.connection(({ query }) => query('SELECT 2 AS two'));
      await Promise.all([beside, ...Array.from({ length: 5 }, calls).flat()]);
      expect(await beside).toEqual([{ two: 2 }]);
      expect(await database.warnings()).toEqual([
        expect.stringContaining(`DATABASE_CONNECTIONS is 10, and PostgreSQL allows ${limit} connections`),
      ]);
    },
  );

  test.each([
    ['08P01', 'no more connections allowed (max_client_conn)'],
    ['XX000', 'Max client connections reached'],
    ['XX000', 'MaxClientsInSessionMode: max clients reached - in Session mode max clients are limited'],
  ])(
    'with two connections of a pooler that refuses others with %s %s, all calls work',
    async (code, message) => {
      let open = 0;
      const proxy = await proxyOf(found.databaseUrl, (near, openFar) => {
        if (open === 2) return void near.once('data', () => near.end(fatal(code, message)));
        open += 1;
        const far = openFar();
        near.pipe(far).on('close', () => near.destroy());
        far.pipe(near).on('close', () => {
          open -= 1;
          far.destroy();
        });
      });
      database = await openDatabase({ databaseUrl: proxy.databaseUrl, connections: 10 });
      await migrate(database);
      const ends = await Promise.allSettled(Array.from({ length: 15 }, calls).flat());
      expect(ends.filter(({ status }) => status === 'rejected')).toEqual([]);
      await database.close();
      proxy.close();
    },
  );

  test('while others have all connections, a call waits for one, and after five seconds it is unavailable', async () => {
    await found.admin('ALTER ROLE :role CONNECTION LIMIT 1');
    database = await openDatabase({ databaseUrl: found.databaseUrl, connections: 10 });
    const other = new pg.Client({ connectionString: found.databaseUrl });
    await other.connect();
    const startedAt = performance.now();
    const error = await database.query({ text: 'SELECT 1', values: [] }).catch((caught: unknown) => caught);
    expect(isUnavailable(error)).toBe(true);
    expect(performance.now() - startedAt).toBeGreaterThan(4_000);
    const waiting = database.query({ text: 'SELECT 1 AS one', values: [] });
    await expect(Promise.race([waiting, found.admin('SELECT pg_sleep(0.3)::text')])).resolves.not.toEqual([
      { one: 1 },
    ]);
    await other.end();
    expect(await waiting).toEqual([{ one: 1 }]);
  });
});
