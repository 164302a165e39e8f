import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { embeddedDatabase } from './embedded.js';
import { keepUp, keptUp } from './embedded-upkeep.js';
import { readTemplate } from './testing-embedded.js';

let pglite: PGlite;
beforeAll(async () => {
  pglite = await PGlite.create({ loadDataDir: new Blob([new Uint8Array(await readTemplate())]) });
  await pglite.exec('ANALYZE');
});
afterAll(() => pglite.close());

async function addUsers(users: number): Promise<void> {
  await pglite.exec('DELETE FROM users; DELETE FROM apps');
  await pglite.exec('VACUUM ANALYZE');
  await pglite.exec(
    `INSERT INTO apps (id, slug, name, app_key, created_at, updated_at) VALUES ('a', 'a', 'A', 'a', now(), now());
     INSERT INTO users (app_id, id, email, member_id, created_at, updated_at)
     SELECT 'a', 'user' || i, 'email' || i, 'member' || i, now(), now() FROM generate_series(1, ${users}) i`,
  );
}

test('a database without writes is left unchanged', async () => {
  expect(await keepUp(pglite)).toEqual([]);
});

test('a table that grew gets statistics, and lookups use the right index', async () => {
  async function plan(): Promise<string> {
    const { rows } = await pglite.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT * FROM users WHERE app_id = 'a' AND id = 'user7'`,
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  }
  async function knownRows(): Promise<number | undefined> {
    const { rows } = await pglite.query<{ n: number }>(
      `SELECT reltuples::int AS n FROM pg_class WHERE relname = 'users'`,
    );
    return rows[0]?.n;
  }
  await addUsers(1000);
  expect(await knownRows()).toBeLessThan(1);
  expect(await keepUp(pglite)).toEqual(['ANALYZE users']);
  expect(await knownRows()).toBe(1000);
  expect(await plan()).toContain('users_pkey');
  expect(await keepUp(pglite)).toEqual([]);
});

test('dead rows are vacuumed', async () => {
  await addUsers(2000);
  await keepUp(pglite);
  await pglite.exec(`DELETE FROM users WHERE right(id, 1) IN ('1', '2', '3', '4', '5')`);
  expect(await keepUp(pglite)).toEqual(['VACUUM users', 'ANALYZE users']);
  expect(await keepUp(pglite)).toEqual([]);
});

test('a write-ahead log above its limit triggers a checkpoint and stops growing', async () => {
  const walFiles: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    await pglite.exec(
      `CREATE TABLE filler${round} AS SELECT repeat('x', 900) FROM generate_series(1, 6000);
       DROP TABLE filler${round}`,
    );
    expect(await keepUp(pglite, 4 * 1024 * 1024)).toContain('CHECKPOINT');
    const { rows } = await pglite.query<{ n: number }>('SELECT count(*)::int AS n FROM pg_ls_waldir()');
    walFiles.push(rows[0]!.n);
  }
  expect(walFiles.at(-1)).toBeLessThanOrEqual(walFiles[1]! + 1);
});

test('an open database is maintained every minute', async () => {
  await addUsers(1000);
  const analyzed = "SELECT analyze_count::int AS count FROM pg_stat_user_tables WHERE relname = 'users'";
  const before = (await pglite.query<{ count: number }>(analyzed)).rows[0]!.count;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const database = keptUp(embeddedDatabase(pglite), pglite);
  vi.advanceTimersByTime(60_000);
  // The next call runs after the maintenance.
  const counts = await database.connection(({ query }) => query(analyzed));
  expect(counts).toEqual([{ count: before + 1 }]);
});
