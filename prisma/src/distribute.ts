// Distributes the tables by app over the nodes of a Citus cluster (docs/scaling.md).
import type { Connection, Database } from './database.js';
import { distributedTables, referenceTables } from './distribution.js';
import { lockedTransaction } from './locked-transaction.js';
import { migrationLockKey } from './migrate.js';

/** The tables cannot be distributed; the message states the reason and the remedy. */
export class DistributionError extends Error {
  override name = 'DistributionError';
}

/** The rows of an app in all other tables are on the machine of its users. */
const anchor = 'users';

type ForeignKey = { table: string; name: string; definition: string };

/**
 * Distributes each table that is not yet distributed, with its rows, and returns the names: all of them or, after an error,
 * none. Writes wait meanwhile.
 */
export async function distribute(database: Database): Promise<string[]> {
  return database.connection(async (connection) => {
    await requireCluster(connection);
    return lockedTransaction(connection, { key: migrationLockKey, waitSeconds: 60 }, async () => {
      const present = await tablesOfCluster(connection);
      const references = referenceTables.filter((name) => !present.has(name));
      const others = [anchor, ...distributedTables.filter((name) => name !== anchor)].filter(
        (name) => !present.has(name),
      );
      // Citus creates no foreign key between a distributed and a local table, not even for a moment.
      const keys = await foreignKeysOf(connection, [...references, ...others]);
      await connection.script("SET LOCAL citus.multi_shard_modify_mode = 'sequential'");
      for (const { table, name } of keys) {
        await connection.script(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
      }
      for (const name of references)
        await connection.query('SELECT create_reference_table($1)::text', [name]);
      for (const name of others) {
        const colocated = name === anchor ? 'none' : anchor;
        await connection.query("SELECT create_distributed_table($1, 'app_id', colocate_with => $2)::text", [
          name,
          colocated,
        ]);
      }
      for (const { table, name, definition } of keys) {
        await connection.script(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
      }
      return [...references, ...others];
    });
  });
}

async function requireCluster(connection: Connection): Promise<void> {
  const [row] = await connection.query<{ installed: boolean }>(
    "SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS installed",
  );
  if (!row?.installed) {
    throw new DistributionError(
      'The database has no extension citus: run CREATE EXTENSION citus on every node, and add the nodes, first.',
    );
  }
}

async function tablesOfCluster(connection: Connection): Promise<Set<string>> {
  const rows = await connection.query<{ name: string }>(
    "SELECT table_name::text AS name FROM citus_tables WHERE citus_table_type IN ('distributed', 'reference')",
  );
  return new Set(rows.map(({ name }) => name));
}

function foreignKeysOf(connection: Connection, tables: string[]): Promise<ForeignKey[]> {
  return connection.query<ForeignKey>(
    `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
       FROM pg_constraint WHERE contype = 'f' AND conparentid = 0
        AND (conrelid = ANY ($1::regclass[]) OR confrelid = ANY ($1::regclass[]))
      ORDER BY conrelid, conname`,
    [tables],
  );
}
