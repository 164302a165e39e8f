// Writes audit entries in the transaction or statement of the change that they record.
import type { AuditAction } from '@foyer/contract';
import { Prisma } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import { type AuditEntry, insertAuditEntry, insertEntryForEveryApp } from './store.js';

export function writeAuditEntry(
  tx: Prisma.TransactionClient,
  deps: Pick<Deps, 'clock' | 'random'>,
  entry: AuditEntry,
): Promise<void> {
  const now = deps.clock.now();
  return insertAuditEntry(tx, { ...entry, id: deps.random.ulid(now), now });
}

/** Writes one entry to the log of each app, for changes that concern all of them. */
export function writeEntryForEveryApp(
  tx: Prisma.TransactionClient,
  deps: Pick<Deps, 'clock' | 'random'>,
  entry: Omit<AuditEntry, 'appId' | 'uid'>,
): Promise<void> {
  const now = deps.clock.now();
  return insertEntryForEveryApp(tx, { ...entry, id: deps.random.ulid(now), now });
}

/** For a change that a user makes to their own account. */
export function ownEntry(
  ids: { appId: string; uid: string },
  ipAddress: string | null,
): Pick<AuditEntry, 'appId' | 'actor' | 'target' | 'uid'> {
  const name = `user:${ids.uid}`;
  return { appId: ids.appId, actor: { name, ipAddress }, target: name, uid: ids.uid };
}

/** The INSERT of one entry for each row of `from`, a FROM list: the body of a CTE. The ids are SQL expressions. */
export function insertEntriesOf(entry: {
  id: string;
  action: AuditAction;
  appId: Prisma.Sql;
  actor: Prisma.Sql;
  target: Prisma.Sql;
  uid: Prisma.Sql;
  ipAddress: string | null;
  details: Prisma.Sql;
  from: Prisma.Sql;
  now: Date;
}): Prisma.Sql {
  return Prisma.sql`INSERT INTO audit_log (app_id, id, actor, action, target, user_id, ip_address, details, created_at)
    SELECT ${entry.appId}, ${entry.id}::text, ${entry.actor}, ${entry.action}::text, ${entry.target}, ${entry.uid},
      ${entry.ipAddress}::text, ${entry.details}, ${entry.now}::timestamptz
    FROM ${entry.from}`;
}
