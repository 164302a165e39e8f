// What an open database offers, whichever of the two kinds it is.
import type { Prisma, PrismaClient } from './generated/client.js';

/** For queries that run inside a transaction or outside. */
export type Db = PrismaClient | Prisma.TransactionClient;

export type Database = {
  prisma: PrismaClient;
  kind: 'embedded' | 'postgresql';
  /** Where an embedded database is stored, and whether this process created it. */
  directory?: { path: string; created: boolean };
  query: Query;
  /** Lends a connection of its own, for scripts and advisory locks. On the embedded database all else waits meanwhile. */
  connection<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/**
 * Runs one statement, prepared once a connection, straight on the driver: Prisma around a raw statement costs more than
 * all else on a hot path. Takes `Prisma.sql` too. `once`: the text is one of endlessly many, and is not kept prepared. Timestamps come as Date, bytea as bytes, jsonb parsed.
 */
export type Query = <Row>(statement: { text: string; values: unknown[]; once?: boolean }) => Promise<Row[]>;

/** A plain connection without time limits; what is set on it (locks, transactions) lasts for `work` alone. */
export type Connection = {
  query<Row extends Record<string, unknown>>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** Runs several statements, without parameters. */
  script(sql: string): Promise<void>;
};

/** Called with each SQL statement as it is sent to the database, BEGIN and COMMIT too. */
export type OnStatement = (sql: string) => void;

export const clientOptions = {
  // An interactive transaction waits for a connection and then runs for at most this long, in milliseconds; after that
  // the caller gets P2028. Prisma's own limits (2 s and 5 s) are below what a burst of sign-ins may need.
  transactionOptions: { maxWait: 5_000, timeout: 10_000 },
  // The other formats take a stack trace with every call, a tenth of its cost, to print the caller's source in errors.
  errorFormat: 'minimal' as const,
};
