// GET /admin/audit-log and GET /console/audit-log: newest first, an index per filter. Ids are ULIDs, so a time range is an id
// range.
import { type AuditEntry, type AuditLogQuery, Ulid } from '@foyer/contract';
import type { z } from 'zod';
import type { Deps } from '../deps.js';
import { firstUlidAt } from '../lib/crypto/ulid-bytes.js';
import { decodeCursor } from '../lib/cursor.js';
import { type Page, pageOf } from '../lib/page.js';
import { timestamp } from '../lib/timestamp.js';
import { type App, isConsole } from '../model/app.js';
import {
  deletionAction,
  type EntryRow,
  findExistingUsers,
  findMemberEmails,
  findSecretKeyNames,
  listAuditEntries,
} from './store.js';

export { clearEntriesOf, deleteAuditEntriesBefore, deleteExpiredAuditEntries } from './store.js';

export async function listEntries(
  deps: Pick<Deps, 'prisma' | 'auditBuffer'>,
  app: App,
  query: z.infer<typeof AuditLogQuery>,
): Promise<Page<AuditEntry>> {
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
  const cleared = await withoutDeletedUsers(deps, app.id, rows);
  const actorNames = await namesOfActors(deps, app, rows.slice(0, limit));
  return pageOf(
    cleared,
    limit,
    ({ id }) => [id],
    (row) => serializeEntry(row, actorNames.get(row.actor) ?? null),
  );
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

/** Members and secret keys, by actor; at most one query for each of the two. The users of the app `console` are members. */
async function namesOfActors(
  deps: Pick<Deps, 'prisma'>,
  app: App,
  rows: EntryRow[],
): Promise<Map<string, string>> {
  const actors = [...new Set(rows.map(({ actor }) => actor))];
  const idsAfter = (prefix: string) =>
    actors.filter((actor) => actor.startsWith(prefix)).map((actor) => actor.slice(prefix.length));
  const kindsOfMembers = isConsole(app) ? ['member:', 'user:'] : ['member:'];
  const members = kindsOfMembers.flatMap(idsAfter);
  const secretKeys = idsAfter('secret_key:');
  const [emails, names] = await Promise.all([
    members.length === 0 ? [] : findMemberEmails(deps.prisma, members),
    secretKeys.length === 0 ? [] : findSecretKeyNames(deps.prisma, app.id, secretKeys),
  ]);
  return new Map([
    ...kindsOfMembers.flatMap((kind) => emails.map(({ id, name }) => [`${kind}${id}`, name] as const)),
    ...names.map(({ id, name }) => [`secret_key:${id}`, name] as const),
  ]);
}

function serializeEntry(row: EntryRow, actorName: string | null): AuditEntry {
  return {
    id: row.id,
    actor: row.actor,
    actor_name: actorName,
    action: row.action,
    target: row.target,
    uid: row.uid,
    ip_address: row.ipAddress,
    details: row.details as Record<string, unknown>,
    created_at: timestamp(row.createdAt),
  };
}
