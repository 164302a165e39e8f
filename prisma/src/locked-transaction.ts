// A transaction that only one process at a time is in. The lock ends with the transaction, and so do its settings: behind a
// connection pooler a session may belong to another process afterwards.
import type { Connection } from './database.js';
import { tableSchema } from './session-settings.js';

export type LockedTransaction = {
  /** The key of the advisory lock. */
  key: number;
  /** How long to wait for the lock, and for tables in use; the transaction itself has no time limit. */
  waitSeconds: number;
};

export async function lockedTransaction<T>(
  connection: Connection,
  { key, waitSeconds }: LockedTransaction,
  work: () => Promise<T>,
): Promise<T> {
  await connection.script(`BEGIN; SET LOCAL search_path = ${tableSchema}; SET LOCAL lock_timeout = ${Math.ceil(waitSeconds * 1_000)};
    SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0`);
  try {
    await connection.query(`SELECT pg_advisory_xact_lock(${key})::text AS locked`);
    const result = await work();
    await connection.script('COMMIT');
    return result;
  } catch (error) {
    // A lost connection has rolled back already.
    await connection.script('ROLLBACK').catch(() => {});
    throw error;
  }
}
