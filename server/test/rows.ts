// All that the database holds, of everybody or of one app. The tables are asked of the database itself, so that no test of
// "nothing was read or changed" can forget one that was added later.
import type { Database } from '@foyer/prisma';

/** The rows of each table as the database writes them, sorted, under the table's name. */
export type Rows = Record<string, unknown[]>;

/** What belongs to no app, or is the app itself; every other table has to say whose its rows are. */
export const tablesOfNoApp = ['_prisma_migrations', 'apps', 'signing_keys'];

/** The tables of the service, and whether they have an app id. The queue's are its own, and their jobs are sealed. */
export async function listTables({ prisma }: Database): Promise<{ name: string; ofApps: boolean }[]> {
  return prisma.$queryRaw`
    SELECT t.table_name AS name, c.column_name IS NOT NULL AS "ofApps"
    FROM information_schema.tables t
    LEFT JOIN information_schema.columns c
      ON c.table_schema = t.table_schema AND c.table_name = t.table_name AND c.column_name = 'app_id'
    WHERE t.table_schema = 'public' AND t.table_type = 'BASE TABLE'
    ORDER BY 1`;
}

/** What one app has in each table that keeps apps apart, and its own row. */
export async function rowsOfApp(database: Database, appId: string): Promise<Rows> {
  const tables = (await listTables(database)).filter(({ ofApps }) => ofApps);
  return rowsIn(
    database,
    [{ name: 'apps', where: 'r.id = $1' }, ...tables.map(({ name }) => ({ name, where: 'r.app_id = $1' }))],
    [appId],
  );
}

/** Every row of every table, and how many jobs wait. */
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
