// The parts of the statements that write records which keep the totals of `data_usage` in step. The rows of the totals are
// locked after the records, in the order of the uids: every transaction that locks several follows it.
import { limits } from '@foyer/contract';
import { Prisma } from '@foyer/prisma';
import type { Usage } from './usage-rules.js';

const add = Prisma.sql`ON CONFLICT (app_id, user_id) DO UPDATE SET bytes = t.bytes + EXCLUDED.bytes`;

/** Adds the changes of one write to the totals, where the relation `written` has a row; returns user_id and bytes. */
export function addToUsage(appId: string, deltas: Usage['deltas'], written: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`INSERT INTO data_usage AS t (app_id, user_id, bytes)
    SELECT ${appId}, d.uid, d.bytes FROM json_to_recordset(${JSON.stringify(deltas)}::json) AS d(uid text, bytes bigint)
    WHERE EXISTS (SELECT FROM ${written}) ORDER BY d.uid COLLATE "C" ${add} RETURNING t.user_id, t.bytes`;
}

/** What `subtractFromUsage` needs of each deleted record (alias `r`). */
export const countedColumns = Prisma.sql`COALESCE(r.counted_uid, r.owner_uid) AS uid,
  r.bytes + ${Prisma.raw(String(limits.recordOverheadBytes))} AS bytes`;

/** Subtracts the records of a batch from the totals; `deleted` has the `countedColumns` of them. */
export function subtractFromUsage(appId: string, deleted: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`INSERT INTO data_usage AS t (app_id, user_id, bytes)
    SELECT ${appId}, d.uid, -sum(d.bytes) FROM ${deleted} AS d WHERE d.uid IS NOT NULL
    GROUP BY d.uid ORDER BY d.uid COLLATE "C" ${add}`;
}
