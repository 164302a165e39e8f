// Background work of a PostgreSQL server that the embedded one lacks: checkpoints, without which the write-ahead log
// grows without bound; statistics, without which lookups use the wrong index; and vacuum.
import type { PGlite } from '@electric-sql/pglite';
import type { Database } from './database.js';

const intervalSeconds = 60;
const defaultWalBytes = 64 * 1024 * 1024;

type Table = { name: string; analyze: boolean; vacuum: boolean };

/** Does what is due once a minute, until the database is closed. */
export function keptUp(database: Database, pglite: PGlite): Database {
  // The next minute retries what failed in this one.
  const timer = setInterval(() => {
    database.connection(() => keepUp(pglite)).catch(() => {});
  }, intervalSeconds * 1000);
  timer.unref();
  return {
    ...database,
    close() {
      clearInterval(timer);
      return database.close();
    },
  };
}

/** Does what is due, and returns it. Tables: the thresholds of autovacuum. */
export async function keepUp(pglite: PGlite, walBytes = defaultWalBytes): Promise<string[]> {
  const due: string[] = [];
  // The changes of this session are counted at once, not up to a second later.
  await pglite.query('SELECT pg_stat_force_next_flush()');
  const { rows: tables } = await pglite.query<Table>(
    `SELECT c.oid::regclass::text AS name,
            s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0) AS analyze,
            s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0)
              OR s.n_ins_since_vacuum > 1000 + 0.2 * greatest(c.reltuples, 0) AS vacuum
       FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid ORDER BY 1`,
  );
  for (const { name, analyze, vacuum } of tables) {
    if (vacuum) due.push(`VACUUM ${name}`);
    if (analyze) due.push(`ANALYZE ${name}`);
  }
  const { rows: wal } = await pglite.query<{ bytes: number }>(
    'SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::float8 AS bytes FROM pg_control_checkpoint()',
  );
  if ((wal[0]?.bytes ?? 0) > walBytes) due.push('CHECKPOINT');
  for (const command of due) await pglite.exec(command);
  return due;
}
