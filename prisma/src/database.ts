// The interface of an open database of either kind.
import type { Prisma, PrismaClient } from './generated/client.js';

export type Tx = Prisma.TransactionClient;

/** Runs queries inside or outside a transaction. */
export type Db = PrismaClient | Tx;

export type Database = {
  prisma: PrismaClient;
  kind: 'embedded' | 'postgresql';
  /** Where an embedded database is stored, and whether this process created it. */
  directory?: { path: string; created: boolean };
  query: Query;
  /**
   * Runs `work` with a dedicated connection, for scripts and advisory locks. On the embedded database all other calls
   * wait meanwhile.
   */
  connection<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /** What the operator should change in the database or in front of it, in sentences. */
  warnings(): Promise<string[]>;
  close(): Promise<void>;
};

/**
 * Runs one statement, prepared once per connection, directly on the driver: Prisma's overhead for a raw statement
 * exceeds everything else on a hot path. Accepts `Prisma.sql` too. `once`: the text is one of unboundedly many, and is
 * not prepared. `isQuick`: it finds its few rows by a key, so that others may wait behind it on a connection. Timestamps are
 * returned as Date, bytea as bytes, jsonb parsed.
 */
export type Query = <Row>(statement: Statement) => Promise<Row[]>;

export type Statement = { text: string; values: unknown[]; once?: boolean; isQuick?: boolean };

/** A plain connection without time limits; its settings (locks, transactions) last only for `work`. */
export type Connection = {
  query<Row extends Record<string, unknown>>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** Runs several statements, without parameters. */
  script(sql: string): Promise<void>;
};

/** Called with each SQL statement as it is sent to the database, including BEGIN and COMMIT. */
export type OnStatement = (sql: string) => void;

/** Called with each SQL statement as it is sent; the function that it returns, when the statement ends. */
export type TraceStatement = (sql: string) => (error?: unknown) => void;

export const clientOptions = {
  // An interactive transaction waits for a connection and then runs for at most this long, in milliseconds; after that
  // the caller gets P2028. Prisma's own limits (2 s and 5 s) are shorter than a burst of sign-ins may need.
  transactionOptions: { maxWait: 5_000, timeout: 10_000 },
  // The other formats capture a stack trace with every call, a tenth of its cost, to print the caller's source in
  // errors.
  errorFormat: 'minimal' as const,
};
