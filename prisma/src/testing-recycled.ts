// In-memory test databases that several tests use, one after another: emptying one takes much less time than opening
// another.
import { PGlite } from '@electric-sql/pglite';
import { readTemplate } from './testing-embedded.js';

// Each occupies memory as long as it is open.
const maxSpare = 3;
// Emptying a large database takes longer than opening another.
const maxBytes = 40 * 1024 * 1024;
// Their rows come from the migrations, and a service does not change them.
const fixedTables = ['_prisma_migrations', 'pgboss.version', 'pgboss.queue'];

const spare: PGlite[] = [];
let templateState: string | undefined;

/** A migrated, empty database. */
export async function openRecycled(): Promise<PGlite> {
  for (let used = spare.pop(); used; used = spare.pop()) {
    // If a test has replaced a table of the migrations, a statement fails.
    if (await emptied(used).catch(() => false)) return used;
    await used.close();
  }
  const pglite = await PGlite.create({ loadDataDir: new Blob([new Uint8Array(await readTemplate())]) });
  templateState ??= await readState(pglite);
  return pglite;
}

/** For a database that its test has closed. */
export async function recycle(pglite: PGlite): Promise<void> {
  if (spare.length < maxSpare) spare.push(pglite);
  else await pglite.close();
}

/** Deletes all rows; false if a test has changed the schema or written many rows. */
async function emptied(pglite: PGlite): Promise<boolean> {
  await pglite.exec('ROLLBACK');
  await pglite.exec('DISCARD ALL');
  const { rows } = await pglite.query<{ name: string; bytes: number }>(
    `SELECT oid::regclass::text AS name, pg_total_relation_size(oid)::int AS bytes FROM pg_class
      WHERE oid >= 16384 AND relkind = 'r' AND relnamespace <> 'pg_toast'::regnamespace
        AND (pg_relation_size(oid) > 0 OR reltuples >= 0) AND NOT oid = ANY ($1::regclass[])`,
    [fixedTables],
  );
  if (rows.reduce((sum, { bytes }) => sum + bytes, 0) > maxBytes) return false;
  if ((await readState(pglite)) !== templateState) return false;
  if (rows.length === 0) return true;
  const names = rows.map(({ name }) => name);
  // In the replica role no foreign key is checked, so the order of the tables does not matter.
  await pglite.exec(
    `SET session_replication_role = replica; ${names.map((name) => `DELETE FROM ${name};`).join('')}
     RESET session_replication_role`,
  );
  await pglite.exec(`VACUUM ${names.join(', ')}`);
  await pglite.exec(
    `DELETE FROM pg_statistic WHERE starelid >= 16384;
     UPDATE pg_class SET reltuples = -1, relpages = 0, relallvisible = 0 WHERE oid >= 16384 AND reltuples >= 0 AND relkind = 'r';
     SELECT setval(oid, 1, false) FROM pg_class WHERE oid >= 16384 AND relkind = 'S'`,
  );
  return true;
}

/** A hash of the schema, of the database's settings and of the fixed rows. `xmin` changes with each update of a row. */
async function readState(pglite: PGlite): Promise<string> {
  const catalogs = ['constraint', 'namespace', 'policy', 'proc', 'rewrite', 'trigger', 'type'];
  const versions = [
    `SELECT string_agg(concat(oid, relname, relkind, relnatts, relchecks, reloptions), ',' ORDER BY oid)
       FROM pg_class WHERE oid >= 16384`,
    `SELECT string_agg(concat(attrelid, attnum, xmin), ',' ORDER BY attrelid, attnum)
       FROM pg_attribute WHERE attrelid >= 16384`,
    `SELECT string_agg(concat(indexrelid, xmin), ',' ORDER BY indexrelid) FROM pg_index WHERE indexrelid >= 16384`,
    ...catalogs.map(
      (name) => `SELECT string_agg(concat(oid, xmin), ',' ORDER BY oid) FROM pg_${name} WHERE oid >= 16384`,
    ),
    'SELECT count(*)::text FROM pg_db_role_setting',
    ...fixedTables.map((name) => `SELECT string_agg(row::text, ',' ORDER BY row::text) FROM ${name} AS row`),
  ];
  const { rows } = await pglite.query<{ state: string }>(
    `SELECT md5(concat_ws('/', ${versions.map((query) => `(${query})`).join(', ')})) AS state`,
  );
  return rows[0]!.state;
}
