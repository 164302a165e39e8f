// Removes a user with all rows that hang on it, and writes the event with the last known user.
import { Prisma } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import { deleteUserRow, insertUserEvent } from './store.js';

export async function deleteUser(
  tx: Prisma.TransactionClient,
  deps: Pick<Deps, 'clock' | 'random'>,
  ids: { appId: string; uid: string },
  reason: 'self' | 'admin',
): Promise<void> {
  const now = deps.clock.now();
  const more = Prisma.sql`jsonb_build_object('reason', ${reason}::text)`;
  await insertUserEvent(tx, { ...ids, eventId: deps.random.ulid(now) }, 'user.deleted', now, more);
  await deleteUserRow(tx, ids);
}
