// Opens the database: PostgreSQL if a URL is given, else an embedded PostgreSQL in a directory or in memory.
import { setFlagsFromString } from 'node:v8';
import type { Database, OnStatement, TraceStatement } from './database.js';

export type OpenOptions = {
  /** A PostgreSQL URL. Without one the database is embedded. */
  databaseUrl?: string | undefined;
  /** The directory of the embedded database; without one it is in memory and discarded at the end. */
  dataDir?: string | undefined;
  /** The size of the connection pool (PostgreSQL). */
  connections?: number | undefined;
  onStatement?: OnStatement | undefined;
  traceStatement?: TraceStatement | undefined;
};

/** Loads only the driver that is used. */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  // V8 optimizes the WebAssembly of Prisma and PGlite on one thread at a time: the memory of several threads that do so
  // at once, some 60 MB, would never be returned to the system.
  setFlagsFromString('--wasm-num-compilation-tasks=1');
  const { databaseUrl, dataDir, connections, onStatement, traceStatement } = options;
  if (databaseUrl) {
    const { openPostgresql } = await import('./postgresql.js');
    return openPostgresql({ databaseUrl, connections, onStatement, traceStatement });
  }
  // The same memory again, and a second of processor time at each start, for functions that are hot only while the database
  // starts. Those that stay hot are optimized later; a call costs a tenth more until then
  // (figures in server/proofs/bench/README.md).
  setFlagsFromString('--wasm-tiering-budget=2000000000');
  const { openEmbedded } = await import('./embedded.js');
  return openEmbedded({ dataDir, onStatement, traceStatement });
}
