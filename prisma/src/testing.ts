// Databases for tests: new, migrated, and quickly created as copies of a template. They are embedded, or on the server
// of DATABASE_URL.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database, OnStatement } from './database.js';
import { openDatabase } from './open.js';
import { checkStatements, collectStatement } from './testing-distribution.js';
import { unpackTemplate } from './testing-embedded.js';
import { createFromTemplate, dropDatabase, recycleDatabase, takeDatabase } from './testing-postgresql.js';
import { openRecycled } from './testing-recycled.js';

export { findDatabase } from './testing-roles.js';

/** The location of a database: for `openDatabase(place)`, or with `env` for another process, any number of times. */
export type TestPlace = {
  databaseUrl?: string;
  dataDir?: string;
  env: { DATABASE_URL?: string; DATA_DIR?: string };
  remove(): Promise<void>;
};

/**
 * An open database, for one test after another once it is closed; the embedded one is in memory. Closing it fails if a
 * statement that was sent cannot be distributed by app.
 */
export async function createTestDatabase(
  options: { onStatement?: OnStatement; connections?: number } = {},
): Promise<Database & { url?: string }> {
  const onStatement = (sql: string) => {
    collectStatement(sql);
    options.onStatement?.(sql);
  };
  if (!process.env.DATABASE_URL) return openRecycled(onStatement, checkStatements);
  const server = process.env.DATABASE_URL;
  const url = await takeDatabase(server);
  const database = await openDatabase({ databaseUrl: url, ...options, onStatement });
  let closing: Promise<void> | undefined;
  const close = async () => {
    closing ??= database
      .close()
      .then(() => recycleDatabase(server, url))
      .then(checkStatements);
    await closing;
  };
  return { ...database, url, close };
}

/** A database that outlives the process which opens it, for tests of restarts. */
export async function createTestPlace(): Promise<TestPlace> {
  const server = process.env.DATABASE_URL;
  if (server) {
    const databaseUrl = await createFromTemplate(server);
    const remove = () => dropDatabase(server, databaseUrl);
    return { databaseUrl, env: { DATABASE_URL: databaseUrl }, remove };
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'foyer-test-'));
  await unpackTemplate(dataDir);
  return { dataDir, env: { DATA_DIR: dataDir }, remove: () => rm(dataDir, { recursive: true, force: true }) };
}
