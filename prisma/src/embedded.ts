// The embedded database: PGlite, PostgreSQL in this process, on one connection.
import { join, resolve } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { ownDataDir } from './data-directory.js';
import type { Connection, Database, OnStatement, Query, TraceStatement } from './database.js';
import { clientOptions } from './database.js';
import { embeddedAdapter } from './embedded-adapter.js';
import { prepareStatements } from './embedded-statements.js';
import { keptUp } from './embedded-upkeep.js';
import { createDatabaseDirectory, readEmptyDatabase } from './empty-database.js';
import { PrismaClient } from './generated/client.js';
import { takeTurns } from './turns.js';

/** Less memory than with 128 MB of buffers, the default; what they lack is in the cache of the system. */
export const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'];

export type EmbeddedOptions = {
  dataDir?: string | undefined;
  onStatement?: OnStatement | undefined;
  traceStatement?: TraceStatement | undefined;
};

export async function openEmbedded(options: EmbeddedOptions): Promise<Database> {
  const { dataDir, ...observers } = options;
  if (dataDir === undefined) {
    const loadDataDir = new Blob([new Uint8Array(await readEmptyDatabase())]);
    const pglite = await PGlite.create({ loadDataDir, startParams });
    return connected(keptUp(embeddedDatabase(pglite, observers), pglite));
  }
  const release = await ownDataDir(dataDir);
  try {
    const directory = join(dataDir, 'postgres');
    const created = await createDatabaseDirectory(directory);
    const pglite = await PGlite.create({ dataDir: directory, startParams });
    const database = await connected(keptUp(embeddedDatabase(pglite, { ...observers, release }), pglite));
    return { ...database, directory: { path: resolve(directory), created } };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Loads Prisma's query compiler now, so that the first call does not wait for it. */
export async function connected(database: Database): Promise<Database> {
  await database.prisma.$connect();
  return database;
}

type Surroundings = {
  onStatement?: OnStatement | undefined;
  traceStatement?: TraceStatement | undefined;
  release?: () => Promise<void>;
};

/** Wraps an open PGlite; `release` is called when the database is closed. */
export function embeddedDatabase(pglite: PGlite, surroundings: Surroundings = {}): Database {
  const { onStatement, traceStatement, release } = surroundings;
  const statements = prepareStatements(pglite, onStatement, traceStatement);
  const turns = takeTurns();
  const prisma = new PrismaClient({ adapter: embeddedAdapter(statements, turns), ...clientOptions });
  async function query<Row>(sql: string, values: unknown[] = [], once = false): Promise<Row[]> {
    const { fields, rows } = await statements.query(sql, values, { once });
    return rows.map((row) => Object.fromEntries(row.map((value, i) => [fields[i]!.name, value]))) as Row[];
  }

  const connection: Connection = {
    query: (sql, values) => query(sql, values),
    script: statements.script,
  };

  async function close(): Promise<void> {
    await prisma.$disconnect();
    await turns.inTurn(async () => {
      statements.close();
      await pglite.close();
    });
    await release?.();
  }

  let closing: Promise<void> | undefined;
  return {
    prisma,
    kind: 'embedded',
    query: <Row>({ text, values, once }: Parameters<Query>[0]) =>
      turns.inTurn(() => query<Row>(text, values, once)),
    connection: (work) => turns.inTurn(() => work(connection)),
    warnings: async () => [],
    close() {
      closing ??= close();
      return closing;
    },
  };
}
