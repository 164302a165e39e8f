// GET /admin/audit-log: newest first, an index per filter. Ids are ULIDs, so a time range is an id range.
import { type AuditEntry, Ulid } from '@foyer/contract';
import type { Deps } from '../deps.js';
import { firstUlidOf } from '../lib/crypto/ulid-bytes.js';
import { decodeCursor } from '../lib/cursor.js';
import { type Page, pageOf } from '../lib/page.js';
import { timestamp } from '../lib/timestamp.js';
import {
  deletionAction,
  type EntryFilters,
  type EntryRow,
  findExistingUsers,
  listAuditEntries,
} from './store.js';

export { clearEntriesOf, deleteAuditEntriesBefore, deleteExpiredAuditEntries } from './store.js';

export type AuditQuery = {
  limit: number;
  cursor?: string | undefined;
  actor?: string | undefined;
  action?: string | undefined;
  target?: string | undefined;
  uid?: string | undefined;
  created_after?: string | undefined;
  created_before?: string | undefined;
};

export async function listEntries(
  deps: Pick<Deps, 'prisma' | 'auditBuffer'>,
  appId: string,
  query: AuditQuery,
): Promise<Page<AuditEntry>> {
  const { limit, cursor, created_after: after, created_before: before } = query;
  const filters: EntryFilters = {
    actor: query.actor,
    action: query.action,
    target: query.target,
    uid: query.uid,
    fromId: after && firstUlidOf(new Date(after)),
    beforeId: before && firstUlidOf(new Date(before)),
    cursorId: cursor === undefined ? undefined : decodeCursor(cursor, Ulid)[0],
  };
  // Includes entries that this instance has buffered.
  await deps.auditBuffer.flush();
  const rows = await listAuditEntries(deps.prisma, appId, filters, limit + 1);
  const cleared = await withoutDeletedUsers(deps, appId, rows);
  return pageOf(cleared, limit, ({ id }) => [id], present);
}

/** Entries of a deleted user have neither IP address nor details, even before a batch has cleared them. */
async function withoutDeletedUsers(
  deps: Pick<Deps, 'prisma'>,
  appId: string,
  rows: EntryRow[],
): Promise<EntryRow[]> {
  const uids = [...new Set(rows.flatMap(({ uid }) => uid ?? []))];
  if (uids.length === 0) return rows;
  const existing = await findExistingUsers(deps.prisma, appId, uids);
  const stays = ({ uid, action }: EntryRow) => uid === null || existing.has(uid) || action === deletionAction;
  return rows.map((row) => (stays(row) ? row : { ...row, ipAddress: null, details: {} }));
}

function present(row: EntryRow): AuditEntry {
  return {
    id: row.id,
    actor: row.actor,
    action: row.action,
    target: row.target,
    uid: row.uid,
    ip_address: row.ipAddress,
    details: row.details as Record<string, unknown>,
    created_at: timestamp(row.createdAt),
  };
}
