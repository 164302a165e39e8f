// Changes of an account's email that a mailed code has confirmed.
import type { Prisma } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import type { App } from '../model/app.js';
import type { UserRow } from '../model/user.js';
import { type Account, changeEmailRow, insertUserEvent, verifyEmailRow } from './store.js';

type EventDeps = Pick<Deps, 'clock' | 'random'>;

/** Null, with nothing changed, when the address is taken. */
export async function changeEmail(
  tx: Prisma.TransactionClient,
  deps: EventDeps,
  app: App,
  account: Account,
  email: string,
): Promise<UserRow | null> {
  const now = deps.clock.now();
  const ids = { appId: app.id, uid: account.uid };
  const user = await changeEmailRow(tx, ids, email, now);
  if (!user) return null;
  await insertUserEvent(tx, { ...ids, eventId: deps.random.ulid(now) }, 'user.updated', now);
  if (!account.emailVerified) {
    await insertUserEvent(tx, { ...ids, eventId: deps.random.ulid(now) }, 'user.email_verified', now);
  }
  return user;
}

/** Null, with nothing changed, when `email` is no longer the account's. */
export async function verifyEmail(
  tx: Prisma.TransactionClient,
  deps: EventDeps,
  app: App,
  account: Account,
  email: string,
): Promise<UserRow | null> {
  const now = deps.clock.now();
  const ids = { appId: app.id, uid: account.uid };
  const user = await verifyEmailRow(tx, ids, email, now);
  if (user && !account.emailVerified) {
    await insertUserEvent(tx, { ...ids, eventId: deps.random.ulid(now) }, 'user.email_verified', now);
  }
  return user;
}
