// What a migration says of each table that it creates: where the tables are distributed, so is the new one, before it gets
// foreign keys to them.

/** Everything before is distributed by `foyer migrate --distribute` (distribute.ts). */
const firstToDistribute = '20261123114051';

/** Adds the distribution behind each CREATE TABLE of a migration. */
export function distributeNewTables(sql: string): string {
  return sql.replaceAll(
    /^CREATE TABLE "(\w+)" \(.*?^\);\n/gms,
    (statement, name) => `${statement}${distributionOf(name, statement.includes('"app_id"'))}`,
  );
}

/** The tables that a migration creates and does not distribute. */
export function undistributedTables({ name, sql }: { name: string; sql: string }): string[] {
  if (name < firstToDistribute) return [];
  return [...sql.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)"?/g)]
    .map(([, table]) => table as string)
    .filter((table) => !new RegExp(`create_(distributed|reference)_table\\('${table}'`).test(sql));
}

function distributionOf(table: string, byApp: boolean): string {
  const call = byApp
    ? `create_distributed_table('${table}', 'app_id', colocate_with => 'users')`
    : `create_reference_table('${table}')`;
  return `
-- On Citus, where the other tables are distributed.
DO $$ BEGIN
  IF to_regclass('pg_dist_partition') IS NOT NULL THEN
    IF EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'users'::regclass) THEN
      PERFORM ${call};
    END IF;
  END IF;
END $$;
`;
}
