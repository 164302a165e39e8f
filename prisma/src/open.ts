// Opens the database: PostgreSQL if a URL is given, else an embedded PostgreSQL in a directory or in memory.
import type { Database, OnStatement } from './database.js';
import { openEmbedded } from './embedded.js';
import { openPostgresql } from './postgresql.js';

export type OpenOptions = {
  /** A PostgreSQL URL. Without one the database is embedded. */
  databaseUrl?: string | undefined;
  /** The directory of the embedded database; without one it is in memory and discarded at the end. */
  dataDir?: string | undefined;
  /** The size of the connection pool (PostgreSQL). */
  connections?: number | undefined;
  onStatement?: OnStatement | undefined;
};

export function openDatabase(options: OpenOptions): Promise<Database> {
  const { databaseUrl, dataDir, connections, onStatement } = options;
  if (databaseUrl) return openPostgresql({ databaseUrl, connections, onStatement });
  return openEmbedded({ dataDir, onStatement });
}
