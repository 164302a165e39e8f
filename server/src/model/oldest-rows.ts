// The statement of the daily deletion for tables whose ids begin with the time: no index on the time is needed.
import { Prisma } from '@foyer/prisma';
import { firstUlidOf } from '../lib/crypto/ulid-bytes.js';
import type { RetentionBatch } from '../lib/retention-batch.js';

/** Deletes the rows of a batch that are older than its time; returns a `BatchEnd`. */
export function deleteOldestOf(
  table: 'audit_log' | 'events' | 'push_messages',
  { appId, after, time, maxRows }: RetentionBatch,
): Prisma.Sql {
  const rows = Prisma.raw(table);
  return Prisma.sql`WITH batch AS MATERIALIZED (
      SELECT id FROM ${rows} WHERE app_id = ${appId} AND id > ${after} AND id < ${firstUlidOf(time)}
      ORDER BY id LIMIT ${Prisma.raw(String(maxRows))}
    ), gone AS (
      DELETE FROM ${rows} AS r USING batch WHERE r.app_id = ${appId} AND r.id = batch.id
    )
    SELECT count(*)::int AS rows, max(id) AS last FROM batch`;
}
