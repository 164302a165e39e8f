// Writes audit entries in the transaction or statement of the change that they record.
import { Prisma, type Tx } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import { type AuditEntry, insertEntry } from './store.js';

type EntryDeps = Pick<Deps, 'clock' | 'random'>;

export function writeAuditEntry(tx: Tx, deps: EntryDeps, entry: AuditEntry): Promise<void> {
  const now = deps.clock.now();
  const app = Prisma.sql`(VALUES (${entry.appId}::text)) AS app (id)`;
  return insertEntry(tx, app, { ...entry, id: deps.random.ulid(now), now });
}

/** Writes one entry to the log of each app, for changes that concern all of them. */
export function writeEntryForEveryApp(
  tx: Tx,
  deps: EntryDeps,
  entry: Omit<AuditEntry, 'appId' | 'uid'>,
): Promise<void> {
  const now = deps.clock.now();
  // The id is the same in each app; the primary key begins with the app.
  return insertEntry(tx, Prisma.sql`apps AS app`, { ...entry, id: deps.random.ulid(now), now });
}
