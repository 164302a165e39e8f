// Test databases on a Citus cluster (`npm run citus`): a database of the same name on each node, migrated and distributed. A
// template cannot be copied, because the nodes would not be.
import pg from 'pg';
import { distribute } from './distribute.js';
import { distributedTables, referenceTables } from './distribution.js';
import { migrate } from './migrate.js';
import { openPostgresql } from './postgresql.js';

/** Few, so that each new database costs seconds only; each node has several. */
const shards = 4;

/** The other nodes of the cluster, as `host:port`, or none if the server is a single PostgreSQL. */
export function workersOfTests(): string[] {
  return process.env.FOYER_TEST_CITUS_WORKERS?.split(',') ?? [];
}

/** Makes an empty database of the coordinator a cluster with one on each node. */
export async function joinNodes(databaseUrl: string): Promise<void> {
  const { hostname, port, pathname } = new URL(databaseUrl);
  const name = pathname.slice(1);
  for (const worker of workersOfTests()) {
    await on(urlOn(databaseUrl, worker, 'postgres'), [`CREATE DATABASE ${name}`]);
    await on(urlOn(databaseUrl, worker, name), ['CREATE EXTENSION citus']);
  }
  await on(databaseUrl, [
    'CREATE EXTENSION citus',
    `SELECT citus_set_coordinator_host('${hostname}', ${port || 5432})`,
    ...workersOfTests().map((worker) => `SELECT citus_add_node('${worker.replace(':', "', ")})`),
    `ALTER DATABASE ${name} SET citus.shard_count = ${shards}`,
    // Tests make a statement fail with a trigger.
    `ALTER DATABASE ${name} SET citus.enable_unsafe_triggers = on`,
  ]);
  const database = await openPostgresql({ databaseUrl });
  try {
    await migrate(database);
    await distribute(database);
  } finally {
    await database.close();
  }
}

/** Drops a database of the coordinator on the other nodes. */
export async function dropOnWorkers(databaseUrl: string): Promise<void> {
  const name = new URL(databaseUrl).pathname.slice(1);
  for (const worker of workersOfTests()) {
    await on(urlOn(databaseUrl, worker, 'postgres'), [`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`]);
  }
}

/** Deletes from tables whose rows are on several nodes: their sizes on this one say nothing. */
export const deleteDistributedRows = `SET citus.multi_shard_modify_mode = 'sequential'; BEGIN;
  ${[...distributedTables, ...referenceTables].map((name) => `DELETE FROM ${name};`).join(' ')} COMMIT;
  RESET citus.multi_shard_modify_mode`;

async function on(databaseUrl: string, statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

function urlOn(databaseUrl: string, node: string, name: string): string {
  const url = new URL(databaseUrl);
  url.host = node;
  url.pathname = `/${name}`;
  return url.toString();
}
