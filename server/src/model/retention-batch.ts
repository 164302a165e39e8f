// A batch of the daily deletion: rows of one app in the order of a key, so that each statement reads and deletes few rows
// however large the table is, and none reads again what an earlier one has dealt with.
import { Prisma } from '@foyer/prisma';
import { firstUlidOf } from '../lib/crypto/ulid-bytes.js';

export type RetentionBatch = {
  appId: string;
  /** The key at which the batch before ended; empty at first. */
  after: string;
  /** Rows from before this time are due. */
  time: Date;
  maxRows: number;
};

/** What a batch read: how many rows, and the key of the last. */
export type BatchEnd = { rows: number; last: string | null };

/**
 * Deletes the rows of a batch that are older than its time; returns a `BatchEnd`. No index on the time is needed. Locks the
 * rows in the order of their ids, since a join deletes them in any order, and other statements change several, too.
 */
export function deleteOldestOf(
  /** A table whose ids begin with the time. */
  table: 'audit_log' | 'events' | 'push_messages',
  { appId, after, time, maxRows }: RetentionBatch,
): Prisma.Sql {
  const rows = Prisma.raw(table);
  return Prisma.sql`WITH batch AS MATERIALIZED (
      SELECT id FROM ${rows} WHERE app_id = ${appId} AND id > ${after} AND id < ${firstUlidOf(time)}
      ORDER BY id LIMIT ${Prisma.raw(String(maxRows))}
    ), locked AS MATERIALIZED (
      SELECT r.id FROM ${rows} AS r JOIN batch ON batch.id = r.id WHERE r.app_id = ${appId}
      ORDER BY r.id FOR UPDATE OF r
    ), gone AS (
      DELETE FROM ${rows} AS r USING locked WHERE r.app_id = ${appId} AND r.id = locked.id
    )
    SELECT count(*)::int AS rows, max(id) AS last FROM batch`;
}
