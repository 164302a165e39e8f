import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Database } from './database.js';
import { openDatabase } from './open.js';
import { createTestDatabase, createTestPlace } from './testing.js';
import { readOrCreate } from './testing-embedded.js';
import { readState } from './testing-empty.js';
import { createEmptyDatabase, dropDatabase, dropForgotten, templateLockKey } from './testing-postgresql.js';

const at = new Date(0);

async function addApp({ prisma }: Database, id: string): Promise<void> {
  await prisma.app.create({ data: { id, slug: id, name: id, appKey: id, createdAt: at, updatedAt: at } });
}

test('each test database is migrated, empty and its own', async () => {
  const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  await addApp(one, 'a');
  expect(await one.prisma.app.count()).toBe(1);
  expect(await two.prisma.app.count()).toBe(0);
  await Promise.all([one.close(), two.close()]);
});

test('a database is empty and as migrated, regardless of what an earlier test wrote or altered', async () => {
  const tables = ({ prisma }: Database) => prisma.$queryRaw`
    SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'public'
    ORDER BY 1, 2`;
  const rows = async (test: Database) => {
    await addApp(test, 'a');
    await test.prisma.$executeRaw`ANALYZE apps`;
  };
  const changes: ((test: Database) => Promise<unknown>)[] = [
    rows,
    (test) => test.connection((connection) => connection.script("SET TimeZone = 'Asia/Tokyo'")),
    ({ prisma }) => prisma.$executeRaw`ALTER TABLE apps ADD COLUMN other text`,
    ({ prisma }) => prisma.$executeRaw`DROP SCHEMA pgboss CASCADE`,
  ];
  const stateOf = async (test: Database) => ({
    tables: await tables(test),
    apps: await test.prisma.app.count(),
    more: await test.prisma.$queryRaw`
      SELECT current_setting('TimeZone'), (SELECT count(*) FROM pgboss.queue), (SELECT count(*) FROM _prisma_migrations),
        (SELECT count(*) FROM pg_statistic WHERE starelid = 'apps'::regclass),
        (SELECT reltuples FROM pg_class WHERE oid = 'apps'::regclass)`,
  });
  const first = await createTestDatabase();
  const migrated = await stateOf(first);
  await first.close();
  for (const change of changes) {
    const changed = await createTestDatabase();
    await change(changed);
    await changed.close();
    const next = await createTestDatabase();
    expect(await stateOf(next)).toEqual(migrated);
    await next.close();
  }
});

test.each([
  'ALTER TABLE apps RENAME TO other',
  "DELETE FROM pgboss.queue WHERE name = 'mail'",
  'DELETE FROM _prisma_migrations',
])('a database is not used again after %s', async (change) => {
  const database = await createTestDatabase();
  await database.connection(async ({ query, script }) => {
    const sql = { query: async (text: string) => ({ rows: await query<never>(text) }), exec: script };
    const migrated = await readState(sql);
    await script(`BEGIN; ${change}`);
    expect(await readState(sql)).not.toBe(migrated);
    await script('ROLLBACK');
    expect(await readState(sql)).toBe(migrated);
  });
  await database.close();
});

test('a persistent test database is unchanged when reopened, and gone once removed', async () => {
  const place = await createTestPlace();
  const first = await openDatabase(place);
  await addApp(first, 'a');
  await first.close();
  const second = await openDatabase(place);
  expect(await second.prisma.app.count()).toBe(1);
  await second.close();
  await place.remove();
  if (place.dataDir) await expect(readdir(place.dataDir)).rejects.toThrow('ENOENT');
  if (place.databaseUrl)
    await expect(connected(place.databaseUrl, async () => {})).rejects.toThrow('not exist');
});

test('of concurrent starts before there is a template, one creates it and the others wait for it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  let created = 0;
  const create = async () => {
    created += 1;
    await new Promise(setImmediate);
    return Buffer.from('the template');
  };
  // Each opens the lock's file itself, as a process does; data-directory.test.ts tests such locks between processes.
  const starts = [1, 2, 3].map(() => readOrCreate(join(folder, 'template.tar'), create));
  expect((await Promise.all(starts)).map(String)).toEqual(Array(3).fill('the template'));
  expect(created).toBe(1);
});

describe.skipIf(!process.env.DATABASE_URL)('on PostgreSQL', () => {
  test('databases that a killed run left behind are dropped, and those in use are not', async () => {
    const server = process.env.DATABASE_URL!;
    const urls = await Promise.all([
      createEmptyDatabase(server),
      createEmptyDatabase(server),
      createEmptyDatabase(server),
    ]);
    const [fresh, left, used] = urls.map((url) => new URL(url).pathname.slice(1));
    const old = (name: string) => name.replace(/\d{10}/, (made) => String(Number(made) - 3600));
    await connected(server, async (client) => {
      // Every test file begins by dropping abandoned databases, and would drop these before they have a connection.
      await client.query(`SELECT pg_advisory_lock(${templateLockKey})`);
      await client.query(`ALTER DATABASE ${left} RENAME TO ${old(left!)}`);
      await client.query(`ALTER DATABASE ${used} RENAME TO ${old(used!)}`);
      await connected(urls[2]!.replace(used!, old(used!)), () => dropForgotten(client));
      const { rows } = await client.query('SELECT datname FROM pg_database WHERE datname = ANY ($1)', [
        [fresh, old(left!), old(used!)],
      ]);
      expect(rows.map((row) => row.datname).sort()).toEqual([fresh, old(used!)].sort());
    });
    await dropDatabase(server, urls[0]!);
    await dropDatabase(server, urls[2]!.replace(used!, old(used!)));
  });
});

async function connected(databaseUrl: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
