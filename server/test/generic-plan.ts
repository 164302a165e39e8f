// The plan of a statement for any values, on tables that are empty and have never been analyzed, which PostgreSQL plans as if
// they had some pages: it depends neither on the rows of earlier tests, whose pages remain, nor on when autovacuum ran.
import type { Database } from '@foyer/prisma';

export function genericPlan<Plan>(database: Database, sql: string): Promise<Plan> {
  const values = Array(new Set(sql.match(/\$\d+/g)).size).fill('NULL');
  const given = values.length === 0 ? '' : `(${values})`;
  return database.connection(async ({ query, script }) => {
    await script(`PREPARE planned AS ${sql}`);
    try {
      const tables = await query<{ name: string }>(
        `SELECT oid::regclass::text AS name FROM pg_class
          WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace`,
      );
      await script(`BEGIN;
        TRUNCATE ${tables.map(({ name }) => name).join(', ')};
        SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off; SET LOCAL plan_cache_mode = force_generic_plan;
        DELETE FROM pg_statistic WHERE starelid >= 16384;
        UPDATE pg_class SET reltuples = -1, relpages = 0, relallvisible = 0 WHERE oid >= 16384 AND relkind = 'r'`);
      const rows = await query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `EXPLAIN (FORMAT JSON) EXECUTE planned${given}`,
      );
      return rows[0]!['QUERY PLAN'][0].Plan;
    } finally {
      await script('ROLLBACK; DEALLOCATE planned');
    }
  });
}
