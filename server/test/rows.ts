// All rows of the database, or of one app. The list of tables is read from the database itself, so that no test of
// "nothing was read or changed" can omit a table that was added later.
import type { Database } from '@foyer/prisma';

/** The rows of each table as the database serializes them, sorted, under the table's name. */
export type Rows = Record<string, unknown[]>;

/** Tables of no app, or of the app itself; every other table must have an app id. */
export const tablesOfNoApp = ['_prisma_migrations', 'apps', 'scheduled_jobs', 'signing_keys'];

/** The tables of the service, and whether they have an app id. The queue has its own, and their jobs are encrypted. */
export async function listTables({ prisma }: Database): Promise<{ name: string; ofApps: boolean }[]> {
  return prisma.$queryRaw`
    SELECT t.table_name AS name, c.column_name IS NOT NULL AS "ofApps"
    FROM information_schema.tables t
    LEFT JOIN information_schema.columns c
      ON c.table_schema = t.table_schema AND c.table_name = t.table_name AND c.column_name = 'app_id'
    WHERE t.table_schema = 'public' AND t.table_type = 'BASE TABLE'
    ORDER BY 1`;
}

/** The rows of one app in each table with an app id, and its own row. */
export async function rowsOfApp(database: Database, appId: string): Promise<Rows> {
  const tables = (await listTables(database)).filter(({ ofApps }) => ofApps);
  return rowsIn(
    database,
    [{ name: 'apps', where: 'r.id = $1' }, ...tables.map(({ name }) => ({ name, where: 'r.app_id = $1' }))],
    [appId],
  );
}

/** Every row of every table, and the number of queued jobs. */
export async function allRows(database: Database): Promise<Rows> {
  const tables = await listTables(database);
  const jobs = await database.prisma.$queryRaw<unknown[]>`SELECT count(*)::int FROM pgboss.job`;
  return {
    ...(await rowsIn(
      database,
      tables.map(({ name }) => ({ name, where: 'true' })),
      [],
    )),
    jobs,
  };
}

async function rowsIn(
  { prisma }: Database,
  tables: { name: string; where: string }[],
  values: unknown[],
): Promise<Rows> {
  const parts = tables.map(
    ({ name, where }) => `SELECT '${name}' AS name,
      (SELECT coalesce(jsonb_agg(row ORDER BY row), '[]')
       FROM (SELECT to_jsonb(r) AS row FROM "${name}" r WHERE ${where}) found) AS rows`,
  );
  const found = await prisma.$queryRawUnsafe<{ name: string; rows: unknown[] }[]>(
    parts.join(' UNION ALL '),
    ...values,
  );
  return Object.fromEntries(found.map(({ name, rows }) => [name, rows]));
}
