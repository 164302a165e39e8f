import { describe, expect, test } from 'vitest';
import { distributeNewTables, undistributedTables } from './distribute-new-tables.js';
import { distributedTables, referenceTables } from './distribution.js';
import { readMigrations } from './migration-files.js';
import { createTestDatabase } from './testing.js';
import { brokenRules, checkStatements, collectStatement } from './testing-distribution.js';

test('every table is distributed by app_id or on every machine', async () => {
  const { prisma, close } = await createTestDatabase();
  const rows = await prisma.$queryRaw<{ name: string; app: boolean }[]>`
    SELECT table_name AS name, bool_or(column_name = 'app_id') AS app FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name <> '_prisma_migrations' AND EXISTS (SELECT FROM pg_class
      WHERE relname = table_name AND relnamespace = 'public'::regnamespace AND relkind = 'r') GROUP BY table_name`;
  await close();
  expect([...distributedTables, ...referenceTables].sort()).toEqual(rows.map(({ name }) => name).sort());
  expect(rows.filter(({ name, app }) => !app && distributedTables.includes(name))).toEqual([]);
});

describe('a statement', () => {
  const allowed = [
    'SELECT 1',
    'BEGIN',
    'SELECT * FROM sessions AS s JOIN users AS u ON u.app_id = $1 AND u.id = s.user_id WHERE s.app_id = $1',
    'SELECT "public"."users"."id" FROM "public"."users" WHERE ("public"."users"."app_id" = $1 AND 1=1)',
    'INSERT INTO identities (app_id, user_id) SELECT u.app_id, u.id FROM users AS u WHERE u.app_id = $1 ON CONFLICT DO NOTHING RETURNING 1',
    "UPDATE users SET claims = jsonb_build_object('a', $1::text) WHERE app_id = $2",
    'UPDATE users SET points = 1 WHERE app_id = $1 AND $2',
    'WITH u AS (UPDATE users SET points = 1 WHERE app_id = $1::text RETURNING *) INSERT INTO events (id, app_id) SELECT u.id, $1::text FROM u',
    'INSERT INTO files (app_id, id) VALUES ($1, $2), ($1, $3)',
    'SELECT app_id FROM events WHERE pending ORDER BY id',
    'UPDATE apps SET name = $1 WHERE id = $2',
    'DELETE FROM sessions WHERE app_id = $1 AND ctid = ANY (ARRAY(SELECT ctid FROM sessions WHERE app_id = $1 FOR UPDATE SKIP LOCKED))',
    'DELETE FROM codes WHERE (app_id, id) IN (SELECT app_id, id FROM codes WHERE sent_at < $1 LIMIT 10)',
    'SELECT count(*) FROM team_members AS m JOIN users AS u ON u.app_id = $1 AND u.id = m.user_id',
  ];
  test.each(allowed)('may be %s', async (sql) => {
    expect(await brokenRules(sql)).toEqual([]);
  });

  const refused: [rule: RegExp, sql: string][] = [
    [
      /not by a value for users/,
      'SELECT * FROM sessions AS s JOIN users AS u ON u.app_id = s.app_id WHERE s.app_id = $1',
    ],
    [
      /not by a value for events/,
      'WITH u AS (SELECT * FROM users WHERE app_id = $1) INSERT INTO events (app_id) SELECT u.app_id FROM u',
    ],
    [
      /not by a value for files/,
      'SELECT * FROM files WHERE id = ANY (SELECT id FROM records WHERE app_id = $1)',
    ],
    [
      /not by a value for sessions/,
      'DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE app_id = $1)',
    ],
    [/locks rows of events/, 'SELECT id FROM events WHERE pending FOR UPDATE SKIP LOCKED'],
    [/is recursive/, 'WITH RECURSIVE r AS (SELECT id FROM users UNION ALL SELECT id FROM r) SELECT * FROM r'],
    [
      /joins LATERAL/,
      'SELECT * FROM apps AS a CROSS JOIN LATERAL (SELECT * FROM users AS u WHERE u.app_id = a.id) AS u',
    ],
    [/by ctid/, 'DELETE FROM audit_log WHERE ctid = ANY (ARRAY(SELECT ctid FROM audit_log LIMIT 10))'],
    [/writes in a CTE/, 'WITH gone AS (DELETE FROM codes RETURNING 1) SELECT count(*) FROM gone'],
    [
      /value as a condition/,
      'WITH d AS (UPDATE files SET uid = $1 WHERE app_id = $2 RETURNING id) UPDATE users SET points = 1 FROM d WHERE $3 AND app_id = $2 AND id = d.id',
    ],
    [
      /subquery in INSERT/,
      'INSERT INTO push_devices (app_id, id) VALUES ($1, $2) RETURNING ARRAY(SELECT topic FROM push_topics AS t WHERE t.app_id = $1)',
    ],
    [
      /ON CONFLICT without RETURNING/,
      'INSERT INTO identities (app_id, user_id) SELECT $1, id FROM users WHERE app_id = $1 ON CONFLICT DO NOTHING',
    ],
    [
      /jsonb_build_object\(\), which is not immutable/,
      "UPDATE events SET data = data || jsonb_build_object('uid', user_id) WHERE app_id = $1",
    ],
    [
      /on every machine/,
      'WITH n AS (UPDATE apps SET last_v1_id = 2 RETURNING last_v1_id) UPDATE users SET v1_id = last_v1_id FROM n WHERE app_id = $1',
    ],
  ];
  test.each(refused)('that breaks the rule %s is refused', async (rule, sql) => {
    expect(await brokenRules(sql)).toEqual([expect.stringMatching(rule)]);
  });

  test('that breaks a rule fails the test file that sent it, once', async () => {
    collectStatement('SELECT id FROM events FOR UPDATE');
    await expect(checkStatements()).rejects.toThrow('locks rows of events');
    collectStatement('SELECT id FROM events FOR UPDATE');
    await checkStatements();
  });
});

test('no foreign key changes rows when the key it references changes', async () => {
  const { prisma, close } = await createTestDatabase();
  const keys = await prisma.$queryRaw<{ name: string; cascades: boolean }[]>`
    SELECT conname AS name, confupdtype <> 'a' AS cascades FROM pg_constraint
    WHERE contype = 'f' AND connamespace = 'public'::regnamespace`;
  await close();
  expect(keys.length).toBeGreaterThan(20);
  expect(keys.filter(({ cascades }) => cascades)).toEqual([]);
});

test('a migration distributes each table that it creates', async () => {
  expect((await readMigrations()).flatMap(undistributedTables)).toEqual([]);
  const things = `CREATE TABLE "things" (\n    "app_id" TEXT NOT NULL\n);\n`;
  const next = {
    name: '20991231000000_things',
    sql: `${things}\nCREATE TABLE "places" (\n    "id" TEXT\n);\n`,
  };
  expect(undistributedTables(next)).toEqual(['things', 'places']);
  const sql = distributeNewTables(next.sql);
  expect(undistributedTables({ ...next, sql })).toEqual([]);
  expect(sql).toContain("create_distributed_table('things', 'app_id', colocate_with => 'users')");
  expect(sql).toContain("create_reference_table('places')");
  const { connection, close } = await createTestDatabase();
  await connection(({ script }) => script(`BEGIN; ${sql} ROLLBACK`));
  await close();
});
