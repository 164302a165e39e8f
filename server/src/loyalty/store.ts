// Queries on the loyalty ledger and the balance. Every one names the app; entries are added, never changed.
import { limits } from '@foyer/contract';
import {
  columnList,
  type Db,
  Prisma,
  type PrismaClient,
  type Query,
  type Tx,
  uniqueViolation,
} from '@foyer/prisma';
import type { UserIds } from '../accounts/account.js';
import { updatePoints } from '../accounts/update-fragments.js';
import { insertEntriesOf } from '../audit/store.js';
import { insertEvents } from '../events/outbox.js';
import { toWire } from '../model/wire.js';
import { type ImportedEntry, importedEntriesStatement } from './many-entries.js';

export type Balance = { memberId: string; points: number };

const balanceNames = ['memberId', 'points'];

export type NewEntry = {
  id: string;
  points: number;
  description: string;
  reference: string | null;
  createdAt: Date;
};

/** What an entry shows to the app's backend. */
export const ledgerNames = ['id', 'points', 'description', 'reference', 'createdAt'] as const;

/** `position` counts the entries of a user in the order in which they took effect. */
export type EntryRow = NewEntry & { position: number };

export type EntryRecords = {
  eventId: string;
  audit: { id: string; actor: string; ip: string | null };
};

/**
 * The entry, the new balance, the event and the audit entry: one statement, which locks the user by updating it. Null,
 * and nothing written, if there is no such user, the balance would exceed its bounds, or the user has an entry with
 * this reference.
 */
export async function insertEntry(
  query: Query,
  ids: UserIds,
  entry: NewEntry,
  records: EntryRecords,
): Promise<Balance | null> {
  const statement = entryStatement(ids, entry, records);
  try {
    const [row] = await query<Balance>(statement);
    return row ?? null;
  } catch (error) {
    // A statement that waited for the lock checked an old snapshot of the ledger: then the unique index refuses it.
    if (uniqueViolation(error) === 'loyalty_entries_app_id_user_id_reference_key') return null;
    throw error;
  }
}

function entryStatement(ids: UserIds, entry: NewEntry, { eventId, audit }: EntryRecords): Prisma.Sql {
  const { appId, uid } = ids;
  const { id, points, description, reference, createdAt: now } = entry;
  const shown = JSON.stringify(toWire(entry, ledgerNames));
  const event = insertEvents({
    appId,
    id: eventId,
    type: 'loyalty.points_changed',
    from: Prisma.sql`u`,
    now,
    more: Prisma.sql`jsonb_build_object('points', u.points, 'entry', ${shown}::jsonb)`,
  });
  const auditEntry = insertEntriesOf({
    id: audit.id,
    action: 'loyalty.entry_added',
    appId: Prisma.sql`${appId}::text`,
    actor: Prisma.sql`${audit.actor}::text`,
    target: Prisma.sql`'user:' || u.id`,
    uid: Prisma.sql`u.id`,
    ip: audit.ip,
    details: Prisma.sql`jsonb_build_object('entry', ${id}::text, 'points', ${points}::int,
      'description', ${description}::text)`,
    from: Prisma.sql`u`,
    now,
  });
  const isNewReference = Prisma.sql`NOT EXISTS (SELECT FROM loyalty_entries AS e
    WHERE e.app_id = ${appId} AND e.user_id = ${uid} AND e.reference = ${reference}::text)`;
  return Prisma.sql`WITH u AS (
      ${updatePoints(ids, points, { now, max: limits.maxPoints, when: isNewReference })}
    ), entry AS (
      INSERT INTO loyalty_entries (app_id, user_id, id, position, points, description, reference, created_at)
      SELECT ${appId}::text, u.id, ${id}::text, u.ledger_size, ${points}::int, ${description}::text, ${reference}::text,
        ${now}::timestamptz FROM u
    ), event AS (${event}), audit_entry AS (${auditEntry})
    SELECT ${columnList(balanceNames, { of: 'u' })} FROM u`;
}

export async function findBalance(query: Query, { appId, uid }: UserIds): Promise<Balance | null> {
  const [row] = await query<Balance>(Prisma.sql`SELECT ${columnList(balanceNames)} FROM users
    WHERE app_id = ${appId} AND id = ${uid}`);
  return row ?? null;
}

const entryColumns = {
  id: true,
  position: true,
  points: true,
  description: true,
  reference: true,
  createdAt: true,
} as const;

export function findEntryByReference(prisma: Db, ids: UserIds, reference: string): Promise<EntryRow | null> {
  return prisma.loyaltyEntry.findUnique({
    where: { appId_uid_reference: { ...ids, reference } },
    select: entryColumns,
  });
}

/** At most `maxRows` entries of a user, the latest in effect first, from before a given one. */
export function listEntryRows(
  prisma: PrismaClient,
  ids: UserIds,
  before: number | undefined,
  maxRows: number,
): Promise<EntryRow[]> {
  return prisma.loyaltyEntry.findMany({
    where: { ...ids, ...(before !== undefined && { position: { lt: before } }) },
    select: entryColumns,
    orderBy: { position: 'desc' },
    take: maxRows,
  });
}

/** Deletes at most `maxRows` entries of a deleted user; returns how many. */
export function purgeLedgerOf(tx: Tx, ids: UserIds, maxRows: number): Promise<number> {
  return tx.$executeRaw`DELETE FROM loyalty_entries WHERE app_id = ${ids.appId} AND ctid = ANY (ARRAY(
    SELECT ctid FROM loyalty_entries WHERE app_id = ${ids.appId} AND user_id = ${ids.uid} LIMIT ${maxRows}::int
    FOR UPDATE))`;
}

/** Written well within the time limit of a statement, however busy the database is. */
const entriesPerStatement = 2_000;

/** Writes no events: points and ledger size come with the user. */
export async function insertImportedEntries(tx: Tx, appId: string, entries: ImportedEntry[]): Promise<void> {
  for (let from = 0; from < entries.length; from += entriesPerStatement) {
    await tx.$executeRaw(importedEntriesStatement(appId, entries.slice(from, from + entriesPerStatement)));
  }
}
