// Changes of an account by its own user, each with its event.
import { Prisma, type Tx } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import type { UserRow } from '../model/user.js';
import type { Account, UserIds } from './account.js';
import { updateUser, writeUserEvent } from './write-user.js';

type EventDeps = Pick<Deps, 'clock' | 'random'>;

/** The condition that an account has the credentials with which it was read, and is enabled. */
export function hasCredentials({ credentialVersion }: Pick<Account, 'credentialVersion'>): Prisma.Sql {
  return Prisma.sql`u.credential_version = ${credentialVersion} AND NOT u.disabled`;
}

/**
 * Sets a password and raises the credential version: the first step of ending sessions. Returns false, with nothing changed,
 * when the account's credentials changed since it was read, or it is disabled.
 */
export async function setPassword(
  tx: Tx,
  deps: EventDeps,
  account: Pick<Account, keyof UserIds | 'credentialVersion'>,
  { passwordHash, reason }: { passwordHash: string; reason: string },
): Promise<boolean> {
  const change = { passwordHash, passwordFromV1: false };
  const update = { now: deps.clock.now(), raisesVersion: true, when: hasCredentials(account) };
  if (!(await updateUser(tx, account, change, update))) return false;
  const more = Prisma.sql`jsonb_build_object('reason', ${reason}::text)`;
  await writeUserEvent(tx, deps, account, { type: 'user.password_changed', more });
  return true;
}

/**
 * Sets a confirmed email. Raises the credential version, so that a sign-in verified by the old email is verified again. Returns
 * null, with nothing changed, when the email is taken.
 */
export async function changeEmail(
  tx: Tx,
  deps: EventDeps,
  account: Account,
  email: string,
): Promise<UserRow | null> {
  const when = Prisma.sql`NOT EXISTS (SELECT FROM users AS o WHERE o.app_id = ${account.appId} AND o.email = ${email})`;
  const change = { email, emailVerified: true, emailProven: true };
  const user = await updateUser(tx, account, change, { now: deps.clock.now(), raisesVersion: true, when });
  if (!user) return null;
  await writeUserEvent(tx, deps, account, { type: 'user.updated' });
  if (!account.emailVerified) await writeUserEvent(tx, deps, account, { type: 'user.email_verified' });
  return user;
}

/** Returns null, with nothing changed, when `email` is no longer the account's. */
export async function verifyEmail(
  tx: Tx,
  deps: EventDeps,
  account: Account,
  email: string,
): Promise<UserRow | null> {
  const change = { emailVerified: true, emailProven: true };
  const when = Prisma.sql`u.email = ${email}`;
  const user = await updateUser(tx, account, change, { now: deps.clock.now(), when });
  if (user && !account.emailVerified)
    await writeUserEvent(tx, deps, account, { type: 'user.email_verified' });
  return user;
}
