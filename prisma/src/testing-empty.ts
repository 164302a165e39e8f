// Empties a test database, so that another test can use it: that takes much less time than opening or creating one.

/** A connection, to either kind of database. */
export type Sql = {
  query<Row>(text: string, values?: unknown[]): Promise<{ rows: Row[] }>;
  /** Runs several statements. */
  exec(script: string): Promise<unknown>;
};

// Emptying a large database takes longer than opening another.
const maxBytes = 40 * 1024 * 1024;
// Their rows come from the migrations, and a service does not change them.
const fixedTables = ['_prisma_migrations', 'pgboss.version', 'pgboss.queue'];
/** Selects rows of `pg_class` that belong to no extension. */
const isOurs = `NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')`;

/** Deletes all rows; false if a test has changed the schema (`migrated` is its state before) or written many rows. */
export async function empty(sql: Sql, migrated: string): Promise<boolean> {
  const { rows } = await sql.query<{ name: string; bytes: number }>(
    `SELECT oid::regclass::text AS name, pg_total_relation_size(oid)::int AS bytes FROM pg_class
      WHERE oid >= 16384 AND relkind = 'r' AND relnamespace <> 'pg_toast'::regnamespace
        AND (pg_relation_size(oid) > 0 OR reltuples >= 0) AND NOT oid = ANY ($1::regclass[])
        AND ${isOurs}`,
    [fixedTables],
  );
  if (rows.reduce((sum, { bytes }) => sum + bytes, 0) > maxBytes) return false;
  if ((await readState(sql)) !== migrated) return false;
  if (rows.length === 0) return true;
  const names = rows.map(({ name }) => name);
  // In the replica role no foreign key is checked, so the order of the tables does not matter.
  await sql.exec(
    `SET session_replication_role = replica; ${names.map((name) => `DELETE FROM ${name};`).join('')}
     RESET session_replication_role`,
  );
  await sql.exec(`VACUUM ${names.join(', ')}`);
  await sql.exec(
    `DELETE FROM pg_statistic WHERE starelid >= 16384;
     UPDATE pg_class SET reltuples = -1, relpages = 0, relallvisible = 0 WHERE oid >= 16384 AND reltuples >= 0 AND relkind = 'r' AND ${isOurs};
     SELECT setval(oid, 1, false) FROM pg_class WHERE oid >= 16384 AND relkind = 'S' AND ${isOurs}`,
  );
  return true;
}

/** A hash of the schema, of the database's settings and of the fixed rows. `xmin` changes with each update of a row. */
export async function readState(sql: Sql): Promise<string> {
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
    `SELECT string_agg(setconfig::text, ',') FROM pg_db_role_setting
      WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    ...fixedTables.map((name) => `SELECT string_agg(row::text, ',' ORDER BY row::text) FROM ${name} AS row`),
  ];
  const { rows } = await sql.query<{ state: string }>(
    `SELECT md5(concat_ws('/', ${versions.map((query) => `(${query})`).join(', ')})) AS state`,
  );
  return rows[0]!.state;
}
