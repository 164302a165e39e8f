// The embedded database: PGlite, PostgreSQL in this process, on one connection.
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { ownDataDir } from './data-directory.js';
import type { Connection, Database, OnStatement } from './database.js';
import { transactionOptions } from './database.js';
import { embeddedAdapter } from './embedded-adapter.js';
import { prepareStatements } from './embedded-statements.js';
import { createDatabaseDirectory } from './empty-database.js';
import { PrismaClient } from './generated/client.js';
import { takeTurns } from './turns.js';

export type EmbeddedOptions = {
  dataDir?: string | undefined;
  onStatement?: OnStatement | undefined;
  /** A tarball to start an in-memory database from. */
  contents?: Blob | undefined;
};

export async function openEmbedded(options: EmbeddedOptions): Promise<Database> {
  const { dataDir, contents, onStatement } = options;
  if (dataDir === undefined) {
    const pglite = await PGlite.create(contents ? { loadDataDir: contents } : {});
    return embeddedDatabase(pglite, { onStatement });
  }
  const release = await ownDataDir(dataDir);
  try {
    const directory = join(dataDir, 'postgres');
    await createDatabaseDirectory(directory);
    return embeddedDatabase(await PGlite.create(directory), { onStatement, release });
  } catch (error) {
    await release();
    throw error;
  }
}

type Surroundings = { onStatement?: OnStatement | undefined; release?: () => Promise<void> };

/** PGlite, open, as a database of ours; `release` is called when it is closed. */
export function embeddedDatabase(pglite: PGlite, { onStatement, release }: Surroundings = {}): Database {
  const statements = prepareStatements(pglite, onStatement);
  const turns = takeTurns();
  const prisma = new PrismaClient({ adapter: embeddedAdapter(statements, turns), transactionOptions });
  const connection: Connection = {
    query: async <Row>(sql: string, values: unknown[] = []) => {
      const { fields, rows } = await statements.query(sql, values);
      return rows.map((row) => Object.fromEntries(row.map((value, i) => [fields[i]!.name, value]))) as Row[];
    },
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
    connection: (work) => turns.inTurn(() => work(connection)),
    close() {
      closing ??= close();
      return closing;
    },
  };
}
