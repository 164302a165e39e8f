// Changes of an account by its own user, each with its event.
import { Prisma, queryIn, type Tx } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import type { App } from '../model/app.js';
import type { LiveSession } from '../model/session.js';
import type { UserRow } from '../model/user.js';
import { lockUserOfCall } from '../sessions/find-session.js';
import type { Account } from './account.js';
import { findUser } from './store.js';
import { type UserChange, updateUser, updateUserWithEvent, writeUserEvent } from './write-user.js';

type EventDeps = Pick<Deps, 'clock' | 'random'>;

/**
 * PATCH /me. Values that the user has already write nothing, so that repeated calls do not fill the events.
 * `auth/invalid-token` when the session has ended, since a client may take half a minute to send its body. The user's row is
 * locked first: a condition of the UPDATE would be checked on the data from before it waited for the end of all sessions.
 */
export async function updateProfile(
  deps: Pick<Deps, 'prisma' | 'clock' | 'random' | 'limiter'>,
  app: App,
  session: LiveSession,
  change: Profile,
): Promise<UserRow> {
  const ids = { appId: app.id, uid: session.uid, sessionId: session.sessionId };
  // Each change is an event that is delivered and stored, so attackers could fill the outbox by alternating values.
  if (isDifferent(session, change)) await deps.limiter.consume('profile-change', app, ids.uid);
  const update = { now: deps.clock.now(), onlyDifferent: true };
  return deps.prisma.$transaction(async (tx) => {
    await lockUserOfCall(tx, ids);
    const updated = await updateUserWithEvent(tx, deps, ids, change, update);
    return updated ?? findUser(queryIn(tx), ids);
  });
}

type Profile = Pick<UserChange, 'firstName' | 'lastName' | 'photoUrl'>;

function isDifferent(user: Pick<UserRow, keyof Profile>, change: Profile): boolean {
  const names: (keyof Profile)[] = ['firstName', 'lastName', 'photoUrl'];
  return names.some((name) => change[name] !== undefined && change[name] !== user[name]);
}

/** The condition that an account has the credentials with which it was read, and is enabled. */
export function hasCredentials({ credentialVersion }: Pick<Account, 'credentialVersion'>): Prisma.Sql {
  return Prisma.sql`u.credential_version = ${credentialVersion} AND NOT u.disabled`;
}

/**
 * Sets a password and raises the credential version: the first step of ending sessions. False, with nothing changed, when the
 * account's credentials changed since it was read, or it is disabled.
 */
export async function setPassword(
  tx: Tx,
  deps: EventDeps,
  appId: string,
  account: Pick<Account, 'uid' | 'credentialVersion'>,
  { passwordHash, emailProven, reason }: { passwordHash: string; emailProven: boolean; reason: string },
): Promise<boolean> {
  const ids = { appId, uid: account.uid };
  const change = { passwordHash, passwordFromV1: false, emailProven: emailProven || undefined };
  const update = { now: deps.clock.now(), raisesVersion: true, when: hasCredentials(account) };
  if (!(await updateUser(tx, ids, change, update))) return false;
  const more = Prisma.sql`jsonb_build_object('reason', ${reason}::text)`;
  await writeUserEvent(tx, deps, ids, 'user.password_changed', more);
  return true;
}

/**
 * Sets a confirmed email. Raises the credential version, so that a sign-in verified by the old email is verified again.
 * Null, with nothing changed, when the email is taken.
 */
export async function changeEmail(
  tx: Tx,
  deps: EventDeps,
  appId: string,
  account: Account,
  email: string,
): Promise<UserRow | null> {
  const ids = { appId, uid: account.uid };
  const when = Prisma.sql`NOT EXISTS (SELECT FROM users AS o WHERE o.app_id = ${appId} AND o.email = ${email})`;
  const change = { email, emailVerified: true, emailProven: true };
  const user = await updateUser(tx, ids, change, { now: deps.clock.now(), raisesVersion: true, when });
  if (!user) return null;
  await writeUserEvent(tx, deps, ids, 'user.updated');
  if (!account.emailVerified) await writeUserEvent(tx, deps, ids, 'user.email_verified');
  return user;
}

/** Null, with nothing changed, when `email` is no longer the account's. */
export async function verifyEmail(
  tx: Tx,
  deps: EventDeps,
  appId: string,
  account: Account,
  email: string,
): Promise<UserRow | null> {
  const ids = { appId, uid: account.uid };
  const change = { emailVerified: true, emailProven: true };
  const when = Prisma.sql`u.email = ${email}`;
  const user = await updateUser(tx, ids, change, { now: deps.clock.now(), when });
  if (user && !account.emailVerified) await writeUserEvent(tx, deps, ids, 'user.email_verified');
  return user;
}
