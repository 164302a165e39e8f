// Migrations of the embedded database, or of PostgreSQL if DATABASE_URL is set.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from './database.js';
import { MigrationError, migrate } from './migrate.js';
import { checksumOf, type Migration, readMigrations } from './migration-files.js';
import { openDatabase } from './open.js';
import { createEmptyDatabase, dropDatabase } from './testing-postgresql.js';

const server = process.env.DATABASE_URL;
let databaseUrl: string | undefined;
let database: Database;

beforeAll(async () => {
  databaseUrl = server && (await createEmptyDatabase(server));
  database = await openDatabase({ databaseUrl });
});
beforeEach(() =>
  database.connection(({ script }) =>
    script('DROP SCHEMA IF EXISTS pgboss CASCADE; DROP SCHEMA public CASCADE; CREATE SCHEMA public'),
  ),
);
afterAll(async () => {
  await database.close();
  if (server && databaseUrl) await dropDatabase(server, databaseUrl);
});

function migration(name: string, sql: string): Migration {
  return { name, sql, checksum: checksumOf(sql) };
}

const first = migration(
  '20260101000000_first',
  '-- A comment; with a semicolon.\nCREATE TABLE one (id int);\nCREATE TABLE two (id int);\n',
);
const second = migration('20260102000000_second', 'ALTER TABLE one ADD COLUMN name text;\n');
const broken = migration(
  '20260102000000_second',
  'ALTER TABLE one ADD COLUMN name text;\nALTER TABLE three ADD COLUMN x int;\n',
);

function rows(sql: string): Promise<Record<string, unknown>[]> {
  return database.connection(({ query }) => query(sql));
}

async function refusal(migrations: Migration[]): Promise<string> {
  const error = await migrate(database, { migrations }).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(MigrationError);
  return (error as Error).message;
}

test('the migrations of this version apply to an empty database, once', async () => {
  const names = (await readMigrations()).map(({ name }) => name);
  expect(names.length).toBeGreaterThan(0);
  expect(await migrate(database)).toEqual(names);
  expect(await migrate(database)).toEqual([]);
  expect(await database.prisma.session.count()).toBe(0);
});

test('each is recorded with its checksum, as finished in one step', async () => {
  await migrate(database, { migrations: [first, second] });
  expect(
    await rows(
      `SELECT migration_name, checksum, applied_steps_count, logs, rolled_back_at, length(id) AS id,
              finished_at >= started_at AS finished FROM _prisma_migrations ORDER BY migration_name`,
    ),
  ).toEqual(
    [first, second].map(({ name, checksum }) => ({
      migration_name: name,
      checksum,
      applied_steps_count: 1,
      logs: null,
      rolled_back_at: null,
      id: 36,
      finished: true,
    })),
  );
});

test('instances that start together apply each migration once', async () => {
  const others = await Promise.all(
    Array.from({ length: 5 }, () => (databaseUrl ? openDatabase({ databaseUrl }) : database)),
  );
  const applied = await Promise.all(others.map((other) => migrate(other, { migrations: [first, second] })));
  expect(applied.flat().sort()).toEqual([first.name, second.name]);
  if (databaseUrl) await Promise.all(others.map((other) => other.close()));
});

test('a migration that fails changes nothing, reports why, and applies once it is fixed', async () => {
  const message = await refusal([first, broken]);
  expect(message).toContain('The migration 20260102000000_second failed and changed nothing');
  expect(message).toContain('three');
  expect(await rows('SELECT migration_name FROM _prisma_migrations')).toEqual([
    { migration_name: first.name },
  ]);
  expect(await migrate(database, { migrations: [first, second] })).toEqual([second.name]);
});

test('a migration that was changed after it was applied is refused', async () => {
  await migrate(database, { migrations: [first] });
  const changed = migration(first.name, `${first.sql}-- Changed.\n`);
  expect(await refusal([changed, second])).toContain(`${first.name} was changed after it was applied`);
  expect(await migrate(database, { migrations: [first] })).toEqual([]);
});

test('Windows line endings do not change the checksum', async () => {
  await migrate(database, { migrations: [first] });
  const windows = migration(first.name, first.sql.replaceAll('\n', '\r\n'));
  expect(await migrate(database, { migrations: [windows] })).toEqual([]);
});

test('a database that is newer than the program is refused', async () => {
  await migrate(database, { migrations: [first, second] });
  expect(await refusal([first])).toContain(
    `The database is newer than this program: it holds the migration ${second.name}`,
  );
});

describe('a migration that Prisma left unfinished', () => {
  async function leave(columns: string, values: string): Promise<void> {
    await migrate(database, { migrations: [first] });
    await database.connection(({ script }) =>
      script(`INSERT INTO _prisma_migrations (id, checksum, migration_name, applied_steps_count, ${columns})
              VALUES ('${randomUUID()}', '${second.checksum}', '${second.name}', 0, ${values})`),
    );
  }

  test('is refused', async () => {
    await leave('logs', "'ERROR'");
    expect(await refusal([first, second])).toContain(`${second.name} failed half way in an earlier run`);
  });

  test('is applied again once it is marked as rolled back', async () => {
    await leave('rolled_back_at', 'now()');
    expect(await migrate(database, { migrations: [first, second] })).toEqual([second.name]);
  });
});

test('a migration waits for a table long enough for PostgreSQL to cancel an autovacuum of it', async () => {
  const settings = migration(
    '20260102000000_second',
    `CREATE TABLE settings AS SELECT current_setting('lock_timeout')::interval AS lock,
       current_setting('deadlock_timeout')::interval AS deadlock`,
  );
  await migrate(database, { migrations: [first, settings] });
  expect(await rows("SELECT lock >= deadlock + interval '1 second' AS longer FROM settings")).toEqual([
    { longer: true },
  ]);
});

test.skipIf(!server)('an instance that waits too long for another reports it', async () => {
  await database.connection(async ({ query }) => {
    await query('SELECT pg_advisory_lock(72707369)::text');
    const waiting = migrate(database, { migrations: [first], waitSeconds: 0.1 });
    await expect(waiting).rejects.toThrow('Another instance has been migrating this database');
  });
  expect(await migrate(database, { migrations: [first] })).toEqual([first.name]);
});

describe.skipIf(!server)('a migration of a table that a long transaction reads', () => {
  const locking = migration('20260102000000_second', 'ALTER TABLE one ADD COLUMN name text;\n');
  const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

  /** Runs `work` while another session has read the table in a transaction that is open. */
  function whileRead(work: () => Promise<void>): Promise<void> {
    return database.connection(async ({ query, script }) => {
      await script('BEGIN');
      await query('SELECT * FROM one');
      try {
        await work();
      } finally {
        await script('COMMIT');
      }
    });
  }

  test('lets others read the table in between, and is applied once the transaction has ended', async () => {
    await migrate(database, { migrations: [first] });
    let migrating: Promise<string[]> | undefined;
    await whileRead(async () => {
      migrating = migrate(database, { migrations: [first, locking], lockMilliseconds: 100 });
      for (let reads = 0; reads < 5; reads += 1) {
        await pause(150);
        await rows("SET statement_timeout = '2s'; SELECT * FROM one");
      }
    });
    expect(await migrating).toEqual([locking.name]);
  });

  test('keeps other instances from trying during its pauses', async () => {
    await migrate(database, { migrations: [first] });
    const other = await openDatabase({ databaseUrl });
    const instances = new Set<unknown>();
    let migrating: Promise<string[]>[] = [];
    await whileRead(async () => {
      const options = { migrations: [first, locking], lockMilliseconds: 100 };
      migrating = [database, other].map((instance) => migrate(instance, options));
      for (let looks = 0; looks < 15; looks += 1) {
        await pause(100);
        const holders = await rows(`SELECT pid FROM pg_locks JOIN pg_database AS d ON d.oid = database
          WHERE locktype = 'advisory' AND granted AND objid = 72707369 AND datname = current_database()`);
        for (const { pid } of holders) instances.add(pid);
      }
    });
    expect((await Promise.all(migrating)).flat()).toEqual([locking.name]);
    await other.close();
    expect(instances.size).toBe(1);
  });

  test('says after the wait what to look for, and changes nothing', async () => {
    await migrate(database, { migrations: [first] });
    await whileRead(async () => {
      const migrating = migrate(database, {
        migrations: [first, locking],
        waitSeconds: 0.2,
        lockMilliseconds: 100,
      });
      await expect(migrating).rejects.toThrow(
        `The migration ${locking.name} changed nothing, because a long transaction uses a table`,
      );
    });
    expect(await migrate(database, { migrations: [first, locking] })).toEqual([locking.name]);
  });
});

test('the totals of data_usage are those of the records from before the migration', async () => {
  const migrations = await readMigrations();
  const before = migrations.findIndex(({ name }) => name.endsWith('_data_quota'));
  await migrate(database, { migrations: migrations.slice(0, before) });
  await database.connection(({ script }) =>
    script(`INSERT INTO apps (id, slug, name, app_key, created_at, updated_at) VALUES ('app', 's', 'n', 'pk', now(), now());
      INSERT INTO collections (app_id, id, name, access_mode, on_user_delete, created_at, updated_at)
        VALUES ('app', 'c', 'c', 'owner', 'delete', now(), now());
      INSERT INTO records (app_id, collection_id, id, fields, bytes, owner_uid, created_at, updated_at)
        SELECT 'app', 'c', id, '{}', bytes, owner, now(), now() FROM (VALUES
          ('1', 10, 'one'), ('2', 20, 'one'), ('3', 30, 'two'), ('4', 40, NULL)) AS r (id, bytes, owner);`),
  );
  await migrate(database, { migrations: migrations.slice(0, before + 1) });
  expect(await rows('SELECT user_id, bytes::int FROM data_usage ORDER BY user_id')).toEqual([
    { user_id: 'one', bytes: 1_054 },
    { user_id: 'two', bytes: 542 },
  ]);
});

test('an app with the slug `console` from before the team gets another slug, and loses nothing else', async () => {
  const migrations = await readMigrations();
  const before = migrations.findIndex(({ name }) => name.endsWith('_team'));
  await migrate(database, { migrations: migrations.slice(0, before) });
  await database.connection(({ script }) =>
    script(`INSERT INTO apps (id, slug, name, app_key, created_at, updated_at) VALUES
      ('01JC4Q7M0RZ9X2V5T8W3Y6K1NB', 'console', 'Console', 'pk_1', now(), now()),
      ('01JC4Q7M0RZ9X2V5T8W3Y6K1NC', 'shop', 'Shop', 'pk_2', now(), now())`),
  );
  await migrate(database, { migrations: migrations.slice(0, before + 1) });
  expect(await rows('SELECT slug, name, app_key FROM apps ORDER BY id')).toEqual([
    { slug: 'console-y6k1nb', name: 'Console', app_key: 'pk_1' },
    { slug: 'shop', name: 'Shop', app_key: 'pk_2' },
  ]);
});

test.each([
  [{}, {}],
  [{ client: { limit: 150, windowSeconds: 60 } }, { client: 0.5 }],
  // A rule of another policy of the group changes nothing.
  [{ client: { limit: 3_000, windowSeconds: 60 }, upload: { limit: 1, windowSeconds: 60 } }, { client: 10 }],
  [{ 'auth-failures-email': { limit: 5, windowSeconds: 900 } }, {}],
  [{ 'auth-ip': { limit: 1, windowSeconds: 86_400 } }, { sign_in: 0.001 }],
  [
    { 'code-send-email-ip': { limit: 50, windowSeconds: 3_600 }, admin: { limit: 250, windowSeconds: 60 } },
    { backend: 0.25 },
  ],
  [{ 'code-send-email-ip': { limit: 1, windowSeconds: 3_600 } }, { codes: 0.2 }],
  [{ 'refresh-session': { limit: 120, windowSeconds: 300 } }, {}],
])(
  'the rate limits %j become the factors %j, and earlier versions still read their own',
  async (rules, factors) => {
    const migrations = await readMigrations();
    const before = migrations.findIndex(({ name }) => name.endsWith('_rate_limit_factors'));
    await migrate(database, { migrations: migrations.slice(0, before) });
    await database.connection(({ script }) =>
      script(`INSERT INTO apps (id, slug, name, app_key, created_at, updated_at, rate_limits)
      VALUES ('app', 's', 'n', 'pk', now(), now(), '${JSON.stringify(rules)}')`),
    );
    await migrate(database, { migrations: migrations.slice(0, before + 1) });
    expect(await rows('SELECT rate_limits, rate_limit_factors FROM apps')).toEqual([
      { rate_limits: rules, rate_limit_factors: factors },
    ]);
  },
);
