// Test databases on a PostgreSQL server: copies of a migrated template, dropped when closed; those of killed runs are
// dropped by a later run.
import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate } from './migrate.js';
import { readMigrations } from './migration-files.js';
import { openPostgresql } from './postgresql.js';

// Databases without a connection are considered abandoned after this time.
const forgottenSeconds = 15 * 60;
// An arbitrary lock key: prevents test processes from creating the template, or dropping databases, concurrently.
export const templateLockKey = 48_205_117;

let template: Promise<string> | undefined;

/** Creates a migrated database on the server and returns its URL. */
export async function createFromTemplate(server: string): Promise<string> {
  template ??= ensureTemplate(server);
  return createDatabase(server, await template);
}

export function createEmptyDatabase(server: string): Promise<string> {
  return createDatabase(server, 'template1');
}

async function createDatabase(server: string, source: string): Promise<string> {
  const name = `foyer_test_${seconds()}_${randomBytes(5).toString('hex')}`;
  await onServer(server, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${source}`));
  return urlOf(server, name);
}

export async function dropDatabase(server: string, databaseUrl: string): Promise<void> {
  const name = new URL(databaseUrl).pathname.slice(1);
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
