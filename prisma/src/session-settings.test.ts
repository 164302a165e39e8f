// Sessions behave alike whatever a server, a database or a role sets for them.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from './database.js';
import { migrate } from './migrate.js';
import { openDatabase } from './open.js';
import { foreignSettings, sessionSettings } from './session-settings.js';
import { type FoundDatabase, findDatabase } from './testing-roles.js';

const settled = {
  ...Object.fromEntries(sessionSettings.map(({ name, value }) => [name, value])),
  schema: 'public',
};

test.each<[Record<string, string | null>, string[], string[]]>([
  [{}, [], []],
  // Leads to the same tables.
  [{ search_path: '"$user", public' }, [], []],
  [
    { search_path: '"$user", public', schema: 'foyer' },
    [`ALTER ROLE "foyer" SET search_path = 'public'`],
    [],
  ],
  [{ search_path: '', schema: null }, [`ALTER ROLE "foyer" SET search_path = 'public'`], []],
  [
    { default_transaction_isolation: 'serializable' },
    [`ALTER ROLE "foyer" SET default_transaction_isolation = 'read committed'`],
    [],
  ],
  [{ lock_timeout: '1s' }, [], [`ALTER ROLE "foyer" SET lock_timeout = '0'`]],
  [{ bytea_output: 'escape', transaction_timeout: null }, [], []],
])('behind a pooler, %j: refuses %j and warns of %j', (changes, refused, warned) => {
  const found = foreignSettings({ ...settled, ...changes }, 'foyer');
  expect([found.refused.length, found.warned.length]).toEqual([refused.length, warned.length]);
  for (const [i, part] of refused.entries()) expect(found.refused[i]).toContain(part);
  for (const [i, part] of warned.entries()) expect(found.warned[i]).toContain(part);
});

describe.skipIf(!process.env.DATABASE_URL)(
  'on PostgreSQL, with a role that sets all of them otherwise',
  () => {
    let found: FoundDatabase;
    let database: Database;
    beforeEach(async () => {
      found = await findDatabase(process.env.DATABASE_URL as string);
      for (const setting of [
        'search_path = pg_catalog',
        "default_transaction_isolation = 'serializable'",
        'default_transaction_deferrable = on',
        'standard_conforming_strings = off',
        'transform_null_equals = on',
        'array_nulls = off',
        'bytea_output = escape',
        "IntervalStyle = 'sql_standard'",
        "DateStyle = 'German'",
        "timezone = 'Asia/Kathmandu'",
        'extra_float_digits = -15',
        'gin_fuzzy_search_limit = 1',
        'row_security = off',
        'statement_timeout = 3000',
        'lock_timeout = 1',
        'idle_in_transaction_session_timeout = 1',
        'idle_session_timeout = 400',
        'client_min_messages = debug5',
        "plan_cache_mode = 'force_generic_plan'",
        'jit_above_cost = 0',
      ]) {
        await found.admin(`ALTER ROLE :role SET ${setting}`);
      }
      database = await openDatabase({ databaseUrl: found.databaseUrl, connections: 4 });
      await migrate(database);
    });
    afterEach(async () => {
      await database.close();
      await found.remove();
    });

    test('values are those that were written, and text is not another than it was', async () => {
      const [row] = await database.prisma.$queryRaw<object[]>`
      SELECT ${new Date('2026-02-03T04:05:06.789Z')}::timestamptz AS instant, ${Buffer.from('a\\b\u0001')}::bytea AS bytes,
        ${['a', null, 'NULL']}::text[] AS texts, 0.1::float8 + 0.2::float8 AS float,
        length('\\x') AS length, '-1 2:03:04'::interval = '-1 day 2:03:04'::interval AS interval,
        (SELECT count(*)::int FROM (VALUES (NULL::int)) AS v (n) WHERE n = NULL) AS nulls`;
      expect(row).toEqual({
        instant: new Date('2026-02-03T04:05:06.789Z'),
        bytes: new Uint8Array(Buffer.from('a\\b\u0001')),
        texts: ['a', null, 'NULL'],
        float: 0.1 + 0.2,
        length: 2,
        interval: true,
        nulls: 0,
      });
    });

    test('a search by index finds all rows that match', async () => {
      const found = await database.connection(async ({ query, script }) => {
        await script(`CREATE TEMP TABLE texts AS SELECT 'ada'::tsvector AS words FROM generate_series(1, 10000);
          CREATE INDEX ON texts USING gin (words); SET enable_seqscan = off`);
        return query<{ count: number }>("SELECT count(*)::int FROM texts WHERE words @@ 'ada'::tsquery");
      });
      expect(found).toEqual([{ count: 10_000 }]);
    });

    test('concurrent writes to one row wait for each other, and a connection survives a pause', async () => {
      await database.query({
        text: `INSERT INTO apps (id, slug, name, app_key, created_at, updated_at) VALUES ('a', 'a', '', 'a', now(), now())`,
        values: [],
      });
      const raise = (isQuick: boolean) =>
        database.query({ text: 'UPDATE apps SET last_v1_id = last_v1_id + 1', values: [], isQuick });
      const raiseByPrisma = () =>
        database.prisma.$transaction(async (tx) => {
          await tx.$queryRaw`SELECT pg_sleep(0.005)::text`;
          await tx.app.update({ where: { id: 'a' }, data: { lastV1Id: { increment: 1 } } });
        });
      // They commit one after the other, each before the statement times out, however slow the disk is.
      const writes = Array.from({ length: 4 }, () => [raise(false), raise(true), raiseByPrisma()]).flat();
      await Promise.all(writes);
      const pid = () =>
        database.query<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid', values: [] });
      expect(await database.prisma.app.findFirst()).toMatchObject({ lastV1Id: 12 });
      const before = await pid();
      await database.connection(({ query }) => query('SELECT pg_sleep(0.6)::text'));
      expect(await pid()).toEqual(before);
    });
  },
);
