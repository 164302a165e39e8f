// Test databases on a PostgreSQL server: copies of a migrated template, used again by later tests, and dropped at the end
// of the run; those of killed runs are dropped by a later run.
import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate } from './migrate.js';
import { readMigrations } from './migration-files.js';
import { openPostgresql } from './postgresql.js';
import { deleteDistributedRows, dropOnWorkers, joinNodes, workersOfTests } from './testing-citus.js';
import { empty, readState, type Sql } from './testing-empty.js';

// Databases without a connection are considered abandoned after this time.
const forgottenSeconds = 15 * 60;
// An arbitrary lock key: prevents test processes from creating the template, or dropping databases, concurrently.
export const templateLockKey = 48_205_117;

// A database that is emptied can be used after a few milliseconds; to drop it waits for a checkpoint of the server.
const maxSpare = 3;

let template: Promise<string> | undefined;
let migrated: string | undefined;
const spare: string[] = [];

/** A migrated, empty database for one test after another, to be recycled. */
export async function takeDatabase(server: string): Promise<string> {
  for (let url = spare.pop(); url; url = spare.pop()) {
    if (await onServer(url, reset).catch(() => false)) return url;
    await dropDatabase(server, url);
  }
  const url = await createFromTemplate(server);
  migrated ??= await onServer(url, (client) => readState(sqlOf(client)));
  return url;
}

/** Empties a database that its test has closed. */
export async function recycleDatabase(server: string, databaseUrl: string): Promise<void> {
  if (spare.length < maxSpare) spare.push(databaseUrl);
  else await dropDatabase(server, databaseUrl);
}

async function reset(client: pg.Client): Promise<boolean> {
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
  );
  if (workersOfTests().length > 0) await client.query(deleteDistributedRows);
  return empty(sqlOf(client), migrated as string);
}

function sqlOf(client: pg.Client): Sql {
  return {
    query: async <Row>(text: string, values?: unknown[]) => ({
      rows: (await client.query(text, values)).rows as Row[],
    }),
    exec: (script) => client.query(script),
  };
}

/** Drops the databases of this run, which `FOYER_TEST_RUN` names. */
export async function dropDatabasesOfRun(server: string, run: string): Promise<void> {
  await onServer(server, async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      'SELECT datname FROM pg_database WHERE datname LIKE $1',
      [`foyer\\_test\\_%\\_${run}\\_%`],
    );
    for (const { datname } of rows) {
      await dropOnWorkers(urlOf(server, datname));
      await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
    }
  });
}

/** Creates a migrated database on the server and returns its URL. */
export async function createFromTemplate(server: string): Promise<string> {
  if (workersOfTests().length > 0) {
    const url = await createEmptyDatabase(server);
    // A node that is added gets the roles of the whole cluster, one node at a time.
    await onServer(server, async (client) => {
      await client.query(`SELECT pg_advisory_lock(${templateLockKey})`);
      await joinNodes(url);
    });
    return url;
  }
  template ??= ensureTemplate(server);
  return createDatabase(server, await template);
}

export function createEmptyDatabase(server: string): Promise<string> {
  return createDatabase(server, 'template1');
}

async function createDatabase(server: string, source: string): Promise<string> {
  const run = process.env.FOYER_TEST_RUN ?? 'none';
  const name = `foyer_test_${seconds()}_${run}_${randomBytes(5).toString('hex')}`;
  await onServer(server, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${source}`));
  return urlOf(server, name);
}

export async function dropDatabase(server: string, databaseUrl: string): Promise<void> {
  const name = new URL(databaseUrl).pathname.slice(1);
  await dropOnWorkers(databaseUrl);
  await onServer(server, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
}

async function ensureTemplate(server: string): Promise<string> {
  const checksums = (await readMigrations()).map((migration) => migration.checksum);
  const name = `foyer_template_${createHash('sha256').update(checksums.join('\n')).digest('hex').slice(0, 16)}`;
  await onServer(server, async (client) => {
    await client.query(`SELECT pg_advisory_lock(${templateLockKey})`);
    await dropForgotten(client);
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await makeTemplate(server, client, name);
  });
  return name;
}

/** The template is renamed when it is complete. */
async function makeTemplate(server: string, client: pg.Client, name: string): Promise<void> {
  const unfinished = `foyer_test_${seconds()}_template`;
  await client.query(`CREATE DATABASE ${unfinished}`);
  const database = await openPostgresql({ databaseUrl: urlOf(server, unfinished) });
  try {
    await migrate(database);
  } finally {
    await database.close();
  }
  await client.query(`ALTER DATABASE ${unfinished} RENAME TO ${name}`);
}

/** Databases in use are not dropped, however old. */
export async function dropForgotten(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    `SELECT datname FROM pg_database WHERE datname LIKE 'foyer\\_test\\_%'
        AND datname NOT IN (SELECT datname FROM pg_stat_activity WHERE datname IS NOT NULL)`,
  );
  for (const { datname } of rows) {
    const made = Number(datname.split('_')[2]);
    if (seconds() - made < forgottenSeconds) continue;
    await client.query(`DROP DATABASE IF EXISTS ${datname}`).catch(() => {});
  }
}

async function onServer<T>(server: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function urlOf(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.toString();
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}
