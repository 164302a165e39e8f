// Databases on which Foyer cannot work are refused before the first migration.
import { afterEach, describe, expect, test } from 'vitest';
import type { Database } from './database.js';
import { MigrationError, migrate } from './migrate.js';
import { openDatabase } from './open.js';
import { type FoundDatabase, findDatabase } from './testing-roles.js';

const server = process.env.DATABASE_URL as string;

describe.skipIf(!server)('on PostgreSQL', () => {
  let found: FoundDatabase;
  let database: Database | undefined;
  afterEach(async () => {
    await database?.close();
    database = undefined;
    await found.remove();
  });

  async function refusal(): Promise<string> {
    await database?.close();
    database = await openDatabase({ databaseUrl: found.databaseUrl, connections: 1 });
    const error = await migrate(database).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(MigrationError);
    return (error as Error).message;
  }

  const everything = () =>
    found.admin(`SELECT nspname || '.' || relname AS name FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
      WHERE relkind = 'r' AND nspname !~ '^(pg_|information_schema)' ORDER BY 1`);

  test.each<[string, string, string[], RegExp[]]>([
    [
      'SQL_ASCII',
      "ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0",
      [],
      [/SQL_ASCII and must be UTF8/, /ENCODING 'UTF8'/],
    ],
    ['LATIN1', "ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0", [], [/LATIN1 and must be UTF8/]],
    [
      'no CREATE on the schema',
      '',
      ['ALTER SCHEMA public OWNER TO postgres', 'REVOKE CREATE ON SCHEMA public FROM public'],
      [/may not create tables in the schema public/, /GRANT CREATE ON SCHEMA public TO "foyer_role_\w+"/],
    ],
    [
      'a default tablespace that is its own',
      '',
      ['ALTER ROLE :role SET default_tablespace = pg_default'],
      [/default_tablespace is pg_default/, /ALTER ROLE "foyer_role_\w+" SET default_tablespace = ''/],
    ],
    [
      'foreign keys that are not checked',
      '',
      ['ALTER ROLE :role SET session_replication_role = replica'],
      [/checks no foreign keys/, /ALTER ROLE "foyer_role_\w+" SET session_replication_role = 'origin'/],
    ],
    [
      'a sequence named like one of our tables',
      '',
      ['CREATE SEQUENCE events'],
      [/already holds other tables named events/],
    ],
    [
      'no USAGE of the schema',
      '',
      ['ALTER SCHEMA public OWNER TO postgres', 'REVOKE ALL ON SCHEMA public FROM public'],
      [/may not use the schema public/, /GRANT USAGE, CREATE ON SCHEMA public/],
    ],
    [
      'no schema public',
      '',
      ['DROP SCHEMA public'],
      [/has no schema public: run CREATE SCHEMA public AUTHORIZATION/],
    ],
    [
      'no CREATE on the database',
      '',
      ['ALTER DATABASE :database OWNER TO postgres', 'GRANT ALL ON SCHEMA public TO :role'],
      [/may not create the schema pgboss/, /GRANT CREATE ON DATABASE "foyer_test_\w+" TO "foyer_role_\w+"/],
    ],
    [
      'several of them at once',
      "ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0",
      ['ALTER DATABASE :database OWNER TO postgres', 'DROP SCHEMA public'],
      [/LATIN1/, /has no schema public/, /GRANT CREATE ON DATABASE/],
    ],
    [
      "another application's tables",
      '',
      ['CREATE TABLE users (id int)', 'CREATE TABLE sessions (id int)', 'CREATE TABLE posts (id int)'],
      [/already holds other tables named sessions, users: create a database for Foyer alone/],
    ],
    [
      "another application's migrations by Prisma",
      '',
      [
        `CREATE TABLE _prisma_migrations (id varchar(36), checksum varchar(64), finished_at timestamptz,
           migration_name varchar(255), logs text, rolled_back_at timestamptz, started_at timestamptz, applied_steps_count int)`,
        `INSERT INTO _prisma_migrations (migration_name, finished_at) VALUES ('20240101000000_init', now())`,
        'ALTER TABLE _prisma_migrations OWNER TO :role',
      ],
      [/holds the migrations of another application \(20240101000000_init\)/],
    ],
    [
      'a pg-boss of another version',
      '',
      [
        'CREATE SCHEMA pgboss AUTHORIZATION :role',
        'CREATE TABLE pgboss.version (version int primary key)',
        'CREATE TABLE pgboss.job (id uuid)',
        'INSERT INTO pgboss.version VALUES (20)',
        'ALTER TABLE pgboss.version OWNER TO :role',
        'ALTER TABLE pgboss.job OWNER TO :role',
      ],
      [/another pg-boss \(version 20 of its tables, and Foyer's is 24\): another application uses it/],
    ],
    [
      'a pg-boss of the same version with queues of another application',
      '',
      [
        'CREATE SCHEMA pgboss AUTHORIZATION :role',
        'CREATE TABLE pgboss.version AS SELECT 24 AS version',
        "CREATE TABLE pgboss.queue AS SELECT 'invoices'::text AS name",
        'ALTER TABLE pgboss.version OWNER TO :role',
        'ALTER TABLE pgboss.queue OWNER TO :role',
      ],
      [/another pg-boss .*with the queues invoices/],
    ],
    [
      "another role's pg-boss",
      '',
      ['CREATE SCHEMA pgboss', 'CREATE TABLE pgboss.version (version int primary key)'],
      [/may not use the job queue in the schema pgboss: run GRANT ALL ON SCHEMA pgboss/],
    ],
  ])(
    '%s: the migration says what to do and has created nothing',
    async (_what, options, statements, parts) => {
      found = await findDatabase(server, options);
      if (statements.length > 0) await found.admin(...statements);
      const before = await everything();
      const message = await refusal();
      for (const part of parts) expect(message).toMatch(part);
      expect(message.split('\n')).toHaveLength(_what === 'several of them at once' ? 3 : 1);
      expect(await everything()).toEqual(before);
    },
  );

  describe('a migrated database', () => {
    async function migrated(): Promise<void> {
      found = await findDatabase(server);
      database = await openDatabase({ databaseUrl: found.databaseUrl, connections: 1 });
      await migrate(database);
    }

    test.each<[string, string[], RegExp]>([
      [
        'whose tables were moved to another schema',
        ['ALTER SCHEMA public RENAME TO former', 'CREATE SCHEMA public AUTHORIZATION :role'],
        /tables of Foyer are in the schema former .* only the schema public: move each with ALTER TABLE "former"/,
      ],
      [
        'whose tables belong to another role',
        ['REASSIGN OWNED BY :role TO postgres', 'GRANT ALL ON SCHEMA public TO :role'],
        /may not read and write the tables .* and \d+ more: run GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public/,
      ],
      [
        'whose rows a policy hides',
        ['ALTER TABLE users ENABLE ROW LEVEL SECURITY', 'ALTER TABLE users FORCE ROW LEVEL SECURITY'],
        /Row-level security hides rows of the tables users/,
      ],
      [
        'whose pg-boss is newer',
        ['UPDATE pgboss.version SET version = 25'],
        /another pg-boss \(version 25 of its tables, and Foyer's is 24\)/,
      ],
    ])('%s is refused', async (_what, statements, sentence) => {
      await migrated();
      await found.admin(...statements);
      const before = await everything();
      expect(await refusal()).toMatch(sentence);
      expect(await everything()).toEqual(before);
    });

    test('whose role may neither create nor own anything, but read and write, is used as long as nothing is to be migrated', async () => {
      await migrated();
      await found.admin(
        'REASSIGN OWNED BY :role TO postgres',
        'REVOKE CREATE ON SCHEMA public FROM public',
        'GRANT USAGE ON SCHEMA public, pgboss TO :role',
        'GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public, pgboss TO :role',
      );
      expect(await migrate(database as Database)).toEqual([]);
      await found.admin("DELETE FROM _prisma_migrations WHERE migration_name LIKE '%files_by_visibility'");
      expect(await refusal()).toMatch(/GRANT CREATE ON SCHEMA public.*\n.*does not own the tables/);
    });

    test('of which a schema of the name of its role, or its search path, leads elsewhere is used where it is', async () => {
      await migrated();
      const insert = (id: string) =>
        `INSERT INTO apps (id, slug, name, app_key, created_at, updated_at) VALUES ('${id}', '${id}', '', '${id}', now(), now())`;
      await found.admin(
        insert('first'),
        'CREATE SCHEMA :role AUTHORIZATION :role',
        'CREATE SCHEMA other AUTHORIZATION :role',
      );
      const before = await everything();
      for (const path of ['"$user", public', 'other, public', 'other']) {
        await found.admin(`ALTER ROLE :role SET search_path = ${path}`);
        await database?.close();
        database = await openDatabase({ databaseUrl: found.databaseUrl, connections: 2 });
        expect(await migrate(database)).toEqual([]);
        expect(await database.prisma.app.count()).toBe(1);
        expect(await database.prisma.$queryRaw`SELECT id FROM apps`).toEqual([{ id: 'first' }]);
        expect(await database.query({ text: 'SELECT id FROM apps', values: [] })).toEqual([{ id: 'first' }]);
        expect(await database.query({ text: 'SELECT id FROM apps', values: [], isQuick: true })).toEqual([
          { id: 'first' },
        ]);
      }
      expect(await everything()).toEqual(before);
    });

    test('whose new tables others may read by default causes a warning until that is revoked', async () => {
      found = await findDatabase(server);
      // As a host does that serves the schema over HTTP, there to roles of its own.
      await found.admin(
        'ALTER DEFAULT PRIVILEGES FOR ROLE :role IN SCHEMA public GRANT SELECT ON TABLES TO PUBLIC',
      );
      database = await openDatabase({ databaseUrl: found.databaseUrl, connections: 2 });
      await migrate(database);
      const [warning = '', ...others] = await database.warnings();
      expect(others).toEqual([]);
      expect(warning).toMatch(/^PUBLIC may use the tables of Foyer/);
      const [revoke = '', ofDefaults = ''] = [...warning.matchAll(/(REVOKE|ALTER) .+? FROM PUBLIC/g)].map(
        String,
      );
      await database.connection(({ script }) =>
        script(`${revoke.split(',')[0]}; ${ofDefaults.split(',')[0]}`),
      );
      expect(await database.warnings()).toEqual([]);
    });

    test('with a second set of tables in another schema, or without durable commits, causes a warning', async () => {
      await migrated();
      expect(await database?.warnings()).toEqual([]);
      await found.admin(
        'CREATE SCHEMA second',
        ...['_prisma_migrations', 'apps', 'signing_keys', 'v1_tokens'].map(
          (name) => `CREATE TABLE second.${name} AS TABLE public.${name}`,
        ),
        'ALTER DATABASE :database SET synchronous_commit = off',
      );
      await database?.close();
      database = await openDatabase({ databaseUrl: found.databaseUrl, connections: 1 });
      expect(await migrate(database)).toEqual([]);
      expect(await database.warnings()).toEqual([
        expect.stringContaining('the schema second holds tables of Foyer too'),
        expect.stringContaining('synchronous_commit is off'),
      ]);
    });
  });
});
