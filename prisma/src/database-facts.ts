// What the check of a database asks its catalog: in as few statements as the privileges of the role allow.
import type { Connection } from './database.js';
import type { Migration } from './migration-files.js';
import { tableSchema } from './session-settings.js';

export type DatabaseFacts = {
  role: string;
  database: string;
  encoding: string;
  icu: boolean;
  /** Foreign keys and triggers are in effect. */
  enforces: boolean;
  mayCreateSchema: boolean;
  /** The database's own tablespace, if it is also the default of the role; null otherwise. */
  ownTablespace: string | null;
  /** The privileges of the role on it; null if there is none. */
  schema: { usage: boolean; create: boolean } | null;
  /** What has the name of one of our tables in the schema, and the other schemas that contain all tables of the first migration. */
  tables: string[];
  elsewhere: string[];
  /** Tables that the role does not own, may not read or write, or sees only some rows of. */
  foreign: string[];
  forbidden: string[];
  filtered: string[];
  /** The rows of `_prisma_migrations`; null if it does not exist or may not be read. */
  applied: { name: string }[] | null;
  boss: {
    tables: string[];
    /** Null if it is not installed. */
    version: number | 'unreadable' | null;
    usable: boolean;
    queues: string[];
  };
};

type Row = Omit<DatabaseFacts, 'schema' | 'applied' | 'boss'> & {
  usage: boolean | null;
  create: boolean | null;
  history: boolean;
  boss_tables: string[];
  boss_readable: boolean;
  boss_usable: boolean;
};

/** The migrations are read last: another instance may be applying them. */
export async function readFacts(connection: Connection, migrations: Migration[]): Promise<DatabaseFacts> {
  const first = tablesOf(migrations.slice(0, 1));
  const [row] = await connection.query<Row>(facts, [
    [...tablesOf(migrations), '_prisma_migrations'],
    [...first, '_prisma_migrations'],
  ]);
  const { usage, create, history, boss_tables, boss_readable, boss_usable, ...rest } = row as Row;
  const boss = { tables: boss_tables, usable: boss_usable, ...(await readBoss(connection, row as Row)) };
  const applied = history
    ? await connection.query<{ name: string }>(
        `SELECT migration_name AS name FROM ${tableSchema}._prisma_migrations
           WHERE rolled_back_at IS NULL ORDER BY migration_name`,
      )
    : null;
  const tables = rest.tables.filter((name) => name !== '_prisma_migrations' || !history);
  return {
    ...rest,
    tables,
    schema: usage === null ? null : { usage, create: create === true },
    applied,
    boss,
  };
}

async function readBoss(connection: Connection, { boss_tables, boss_readable }: Row) {
  if (!boss_tables.includes('version')) return { version: null, queues: [] };
  if (!boss_readable) return { version: 'unreadable' as const, queues: [] };
  const [row] = await connection.query<{ version: number }>('SELECT version FROM pgboss.version');
  if (!boss_tables.includes('queue')) return { version: row?.version ?? 0, queues: [] };
  const queues = await connection.query<{ name: string }>(
    "SELECT name FROM pgboss.queue WHERE name !~ '^__'",
  );
  return { version: row?.version ?? 0, queues: queues.map(({ name }) => name) };
}

/** The tables that the migrations create in the schema. */
export function tablesOf(migrations: Migration[]): string[] {
  const created = /CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)"?(?!\w|\.)/g;
  return migrations.flatMap(({ sql }) => [...sql.matchAll(created)].map(([, table]) => table as string));
}

const may = (...privileges: string[]) =>
  privileges.map((privilege) => `has_table_privilege(oid, '${privilege}')`).join(' AND ');

// Nothing here is newer than PostgreSQL 15.
const facts = `WITH ours AS (
    SELECT oid, relname::text AS name, relowner FROM pg_class
     WHERE relnamespace = to_regnamespace('${tableSchema}') AND relname = ANY ($1)
  ), queue AS (
    SELECT oid, relname::text AS name FROM pg_class
     WHERE relnamespace = to_regnamespace('pgboss') AND relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT relispartition
  )
  SELECT current_user::text AS role, current_database()::text AS database,
    current_setting('server_encoding') AS encoding,
    EXISTS (SELECT FROM pg_collation WHERE collname = 'und-x-icu') AS icu,
    current_setting('session_replication_role') <> 'replica' AS enforces,
    has_database_privilege(current_database(), 'CREATE') AS "mayCreateSchema",
    (SELECT spcname::text FROM pg_tablespace t JOIN pg_database d ON d.dattablespace = t.oid
      WHERE datname = current_database() AND spcname = current_setting('default_tablespace')) AS "ownTablespace",
    has_schema_privilege(to_regnamespace('${tableSchema}'), 'USAGE') AS usage,
    has_schema_privilege(to_regnamespace('${tableSchema}'), 'CREATE') AS create,
    ARRAY(SELECT name FROM ours ORDER BY name) AS tables,
    ARRAY(SELECT relnamespace::regnamespace::text FROM pg_class
      WHERE relname = ANY ($2) AND relkind IN ('r', 'p') AND relnamespace IS DISTINCT FROM to_regnamespace('${tableSchema}')::oid
      GROUP BY relnamespace HAVING count(*) = cardinality($2::text[]) ORDER BY 1) AS elsewhere,
    ARRAY(SELECT name FROM ours WHERE NOT pg_has_role(relowner, 'USAGE') ORDER BY name) AS foreign,
    ARRAY(SELECT name FROM ours WHERE NOT (${may('SELECT', 'INSERT', 'UPDATE', 'DELETE')}) ORDER BY name) AS forbidden,
    ARRAY(SELECT name FROM ours WHERE row_security_active(oid) ORDER BY name) AS filtered,
    coalesce((SELECT has_schema_privilege(to_regnamespace('${tableSchema}'), 'USAGE') AND has_table_privilege(oid, 'SELECT')
      FROM ours WHERE name = '_prisma_migrations'), false) AS history,
    ARRAY(SELECT name FROM queue ORDER BY name) AS boss_tables,
    coalesce(has_schema_privilege(to_regnamespace('pgboss'), 'USAGE'), false)
      AND NOT EXISTS (SELECT FROM queue WHERE name IN ('version', 'queue') AND NOT has_table_privilege(oid, 'SELECT'))
      AS boss_readable,
    NOT EXISTS (SELECT FROM queue WHERE NOT (${may('SELECT', 'INSERT', 'UPDATE', 'DELETE')})) AS boss_usable`;
