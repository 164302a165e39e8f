// Databases as they are found: for tests of roles and of settings that are not those of the test server.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { dropDatabase } from './testing-postgresql.js';

export type FoundDatabase = {
  /** The URL of the role, which is no superuser. */
  databaseUrl: string;
  role: string;
  name: string;
  /** Runs a statement as the superuser, in the database; `:role` and `:database` are replaced by the names. */
  admin(...statements: string[]): Promise<Record<string, unknown>[]>;
  remove(): Promise<void>;
};

/** An empty database and a role that owns it. */
export async function findDatabase(server: string, options = ''): Promise<FoundDatabase> {
  const id = randomBytes(5).toString('hex');
  const role = `foyer_role_${id}`;
  const name = `foyer_test_${Math.floor(Date.now() / 1_000)}_${process.env.FOYER_TEST_RUN ?? 'none'}_${id}`;
  await onceOn(server, [
    `CREATE ROLE ${role} LOGIN PASSWORD '${role}'`,
    `CREATE DATABASE ${name} OWNER ${role} ${options}`,
  ]);
  const owned = new URL(server);
  owned.pathname = `/${name}`;
  const admin = owned.href;
  owned.username = role;
  owned.password = role;
  return {
    databaseUrl: owned.href,
    role,
    name,
    admin: (...statements) =>
      onceOn(
        admin,
        statements.map((statement) => statement.replaceAll(':role', role).replaceAll(':database', name)),
      ),
    async remove() {
      await dropDatabase(server, admin);
      await onceOn(server, [`DROP ROLE ${role}`]);
    },
  };
}

/** Returns the rows of the last statement. */
async function onceOn(url: string, statements: string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}
