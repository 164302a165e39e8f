// GET /admin/audit-log and GET /console/audit-log: newest first, an index per filter. Ids are ULIDs, so a time range is an id
// range.
import { type AuditEntry, type AuditLogQuery, Ulid } from '@foyer/contract';
import type { z } from 'zod';
import type { Deps } from '../deps.js';
import { firstUlidAt } from '../lib/crypto/ulid-bytes.js';
import { decodeCursor } from '../lib/cursor.js';
import { type Page, pageOf } from '../lib/page.js';
import type { App } from '../model/app.js';
import type { Call } from '../model/call.js';
import { toWire } from '../model/wire.js';
import { type Names, namesOf, type Sees, seenBy } from './names.js';
import { deletionAction, type EntryRow, findExistingUsers, listAuditEntries, shownOfEntry } from './store.js';

export async function listEntries(
  deps: Pick<Deps, 'prisma' | 'auditBuffer'>,
  call: Pick<Call, 'app' | 'secretKey' | 'member'>,
  query: z.infer<typeof AuditLogQuery>,
): Promise<Page<AuditEntry>> {
  const { app } = call;
  const { limit, cursor, created_after: after, created_before: before, ...names } = query;
  const filters = {
    ...names,
    fromId: after && firstUlidAt(after),
    beforeId: before && firstUlidAt(before),
    cursorId: cursor === undefined ? undefined : decodeCursor(cursor, Ulid)[0],
  };
  // Includes entries that this instance has buffered.
  await deps.auditBuffer.flush();
  const rows = await listAuditEntries(deps.prisma, app.id, filters, limit + 1);
  const page = pageOf(
    rows,
    limit,
    ({ id }) => [id],
    (row) => row,
  );
  return { ...page, items: await serializeEntries(deps, app, page.items, seenBy(call)) };
}

/** As the API returns them now: with names, and without the personal data of deleted users. */
export async function serializeEntries(
  deps: Pick<Deps, 'prisma'>,
  app: App,
  rows: EntryRow[],
  sees: Sees,
): Promise<AuditEntry[]> {
  const names = await namesOf(deps, app, referencesIn(rows), sees);
  return (await withoutDeletedUsers(deps, app.id, rows)).map((row) => serializeEntry(row, names));
}

export function referencesIn(rows: Pick<EntryRow, 'actor' | 'target' | 'uid'>[]): string[] {
  return rows.flatMap((row) => [row.actor, namedTarget(row)]);
}

/** A session is known by its user. */
function namedTarget({ target, uid }: Pick<EntryRow, 'target' | 'uid'>): string {
  return uid !== null && target.startsWith('session:') ? `user:${uid}` : target;
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
  return rows.map((row) => (stays(row) ? row : { ...row, ip: null, details: {} }));
}

export function serializeEntry(row: EntryRow, names: Names): AuditEntry {
  return {
    ...toWire(row, shownOfEntry),
    actor_name: names.get(row.actor) ?? null,
    target_name: names.get(namedTarget(row)) ?? null,
    ip_address: row.ip,
    details: row.details as Record<string, unknown>,
  };
}
