// Queries on users. Every one names the app.
import type { EventType } from '@foyer/contract';
import { Prisma, type PrismaClient, type Query } from '@foyer/prisma';
import { insertEntriesOf } from '../audit/entry.js';
import { insertEvents } from '../events/outbox.js';
import { type UserRow, userColumns } from '../model/user.js';
import { insertSessionOf, type NewSession } from '../sessions/new-session.js';

export type Account = {
  uid: string;
  email: string;
  emailVerified: boolean;
  emailProven: boolean;
  passwordHash: string | null;
  /** The password is the one that the user had in v1. */
  passwordFromV1: boolean;
  credentialVersion: number;
  disabled: boolean;
};

const accountColumns = Prisma.sql`id AS uid, email, email_verified AS "emailVerified", email_proven AS "emailProven",
  password_hash AS "passwordHash", password_from_v1 AS "passwordFromV1", credential_version AS "credentialVersion",
  disabled`;

export async function findAccountByEmail(
  query: Query,
  appId: string,
  email: string,
): Promise<Account | null> {
  const [row] = await query<Account>(Prisma.sql`SELECT ${accountColumns}
    FROM users WHERE app_id = ${appId} AND email = ${email}`);
  return row ?? null;
}

export async function findAccountById(query: Query, appId: string, uid: string): Promise<Account | null> {
  const [row] = await query<Account>(Prisma.sql`SELECT ${accountColumns}
    FROM users WHERE app_id = ${appId} AND id = ${uid}`);
  return row ?? null;
}

/** The account as it is once the lock is there, which lasts until the transaction ends. */
export async function lockAccountById(
  tx: Prisma.TransactionClient,
  appId: string,
  uid: string,
): Promise<Account | null> {
  const [row] = await tx.$queryRaw<Account[]>`SELECT ${accountColumns}
    FROM users WHERE app_id = ${appId} AND id = ${uid} FOR UPDATE`;
  return row ?? null;
}

export type NewUser = {
  appId: string;
  id: string;
  email: string;
  emailVerified: boolean;
  /** A mailed code, or a provider, has proven the address. */
  emailProven: boolean;
  firstName: string | null;
  lastName: string | null;
  photoUrl?: string | null;
  passwordHash: string | null;
  memberId: string;
  now: Date;
  eventId: string;
};

/** Makes a user, a first session and both events in one statement. Null when the email or the member id is taken. */
export async function insertUserWithSession(
  query: Query,
  user: NewUser,
  session: NewSession,
): Promise<UserRow | null> {
  const [row] =
    await query<UserRow>(Prisma.sql`WITH ${insertUserOf(user, user.now)}, ${insertSessionOf(session, 'user.signed_up')}
    SELECT ${userColumns} FROM u`);
  return row ?? null;
}

/** The same without a session. */
export async function insertUser(
  query: Query,
  user: NewUser,
  audit: { id: string; ipAddress: string | null; details: object },
): Promise<UserRow | null> {
  const [row] = await query<UserRow>(
    Prisma.sql`WITH ${insertUserOf(user, null)}, audited AS (${insertEntriesOf({
      ...audit,
      action: 'user.signed_up',
      appId: Prisma.sql`u.app_id`,
      actor: Prisma.sql`'user:' || u.id`,
      target: Prisma.sql`'user:' || u.id`,
      uid: Prisma.sql`u.id`,
      details: Prisma.sql`${JSON.stringify(audit.details)}::jsonb`,
      from: Prisma.sql`u`,
      now: user.now,
    })}) SELECT ${userColumns} FROM u`,
  );
  return row ?? null;
}

/** The INSERT of a user as a CTE named `u`, which is empty when something is taken, and that of its event. */
function insertUserOf(user: NewUser, lastSignInAt: Date | null): Prisma.Sql {
  return Prisma.sql`u AS (
      INSERT INTO users (app_id, id, email, email_verified, email_proven, first_name, last_name, photo_url,
        password_hash, member_id, created_at, updated_at, last_sign_in_at)
      VALUES (${user.appId}, ${user.id}, ${user.email}, ${user.emailVerified}, ${user.emailProven}, ${user.firstName},
        ${user.lastName}, ${user.photoUrl ?? null}, ${user.passwordHash}, ${user.memberId},
        ${user.now}::timestamptz, ${user.now}::timestamptz, ${lastSignInAt}::timestamptz)
      ON CONFLICT DO NOTHING RETURNING *
    ), user_event AS (${insertEvents({
      id: user.eventId,
      type: 'user.created',
      from: Prisma.sql`u`,
      now: user.now,
    })})`;
}

export type ProfileChange = {
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
  photoUrl?: string | null | undefined;
};

/**
 * Changes the given fields of a user, with the event. Values that the user has already write nothing, so that repeated calls
 * do not fill the events. Null when the user or the session of the call is gone.
 */
export async function updateProfileRow(
  prisma: PrismaClient,
  ids: { appId: string; uid: string; sessionId: string; eventId: string },
  change: ProfileChange,
  now: Date,
): Promise<UserRow | null> {
  const given = [
    { column: Prisma.sql`first_name`, value: change.firstName },
    { column: Prisma.sql`last_name`, value: change.lastName },
    { column: Prisma.sql`photo_url`, value: change.photoUrl },
  ].filter(({ value }) => value !== undefined);
  const ofCall = Prisma.sql`u.app_id = ${ids.appId} AND u.id = ${ids.uid} AND EXISTS (SELECT FROM sessions AS s
    WHERE s.app_id = ${ids.appId} AND s.id = ${ids.sessionId} AND s.ended_at IS NULL)`;
  if (given.length > 0) {
    const assignments = given.map(({ column, value }) => Prisma.sql`${column} = ${value}`);
    const isChange = given.map(({ column, value }) => Prisma.sql`u.${column} IS DISTINCT FROM ${value}`);
    const [changed] = await prisma.$queryRaw<UserRow[]>`WITH u AS (
        UPDATE users AS u SET updated_at = ${now}::timestamptz, ${Prisma.join(assignments)}
        WHERE ${ofCall} AND (${Prisma.join(isChange, ' OR ')})
        RETURNING *
      ), event AS (${insertEvents({ id: ids.eventId, type: 'user.updated', from: Prisma.sql`u`, now })})
      SELECT ${userColumns} FROM u`;
    if (changed) return changed;
  }
  const [unchanged] = await prisma.$queryRaw<
    UserRow[]
  >`SELECT ${userColumns} FROM users AS u WHERE ${ofCall}`;
  return unchanged ?? null;
}

type UserIds = { appId: string; uid: string };

/**
 * Notes that a mailed code was used: the address is the user's. Null, and nothing changed, when the credentials are no
 * longer those that were looked at, or the account is disabled. Raising the version is the first step of ending sessions.
 */
export async function proveEmailRow(
  tx: Prisma.TransactionClient,
  ids: UserIds,
  credentialVersion: number,
  change: { verified: boolean; raise: boolean; removePassword: boolean },
  now: Date,
): Promise<UserRow | null> {
  const [row] = await tx.$queryRaw<UserRow[]>`UPDATE users AS u SET email_proven = true,
      email_verified = email_verified OR ${change.verified},
      credential_version = credential_version + ${change.raise ? 1 : 0}::int,
      password_hash = CASE WHEN ${change.removePassword} THEN NULL ELSE password_hash END,
      updated_at = CASE WHEN email_verified OR (email_proven AND NOT ${change.verified}) THEN updated_at
        ELSE ${now}::timestamptz END
    WHERE app_id = ${ids.appId} AND id = ${ids.uid} AND credential_version = ${credentialVersion}
      AND NOT disabled
    RETURNING ${userColumns}`;
  return row ?? null;
}

/** Sets a password and raises the credential version; null as above. */
export async function setPasswordRow(
  tx: Prisma.TransactionClient,
  ids: UserIds,
  credentialVersion: number,
  change: { passwordHash: string; emailProven: boolean },
  now: Date,
): Promise<UserRow | null> {
  const [row] = await tx.$queryRaw<UserRow[]>`UPDATE users AS u SET password_hash = ${change.passwordHash},
      password_from_v1 = false, credential_version = credential_version + 1,
      email_proven = email_proven OR ${change.emailProven}, updated_at = ${now}::timestamptz
    WHERE app_id = ${ids.appId} AND id = ${ids.uid} AND credential_version = ${credentialVersion}
      AND NOT disabled
    RETURNING ${userColumns}`;
  return row ?? null;
}

/**
 * Takes a new address, which counts as verified. Raises the credential version, so that a sign-in proven by the address
 * before is proven anew. Null when the address is taken: nothing is changed.
 */
export async function changeEmailRow(
  tx: Prisma.TransactionClient,
  ids: UserIds,
  email: string,
  now: Date,
): Promise<UserRow | null> {
  const [row] = await tx.$queryRaw<UserRow[]>`UPDATE users AS u SET email = ${email}, email_verified = true,
      email_proven = true, credential_version = credential_version + 1, updated_at = ${now}::timestamptz
    WHERE app_id = ${ids.appId} AND id = ${ids.uid}
      AND NOT EXISTS (SELECT 1 FROM users AS o WHERE o.app_id = ${ids.appId} AND o.email = ${email})
    RETURNING ${userColumns}`;
  return row ?? null;
}

/** Marks the address verified if it still is the account's. */
export async function verifyEmailRow(
  tx: Prisma.TransactionClient,
  ids: UserIds,
  email: string,
  now: Date,
): Promise<UserRow | null> {
  const [row] = await tx.$queryRaw<
    UserRow[]
  >`UPDATE users AS u SET email_verified = true, email_proven = true,
      updated_at = ${now}::timestamptz
    WHERE app_id = ${ids.appId} AND id = ${ids.uid} AND email = ${email}
    RETURNING ${userColumns}`;
  return row ?? null;
}

export async function insertUserEvent(
  tx: Prisma.TransactionClient,
  ids: UserIds & { eventId: string },
  type: EventType,
  now: Date,
  more?: Prisma.Sql,
): Promise<void> {
  const from = Prisma.sql`users AS u WHERE u.app_id = ${ids.appId} AND u.id = ${ids.uid}`;
  await tx.$executeRaw(insertEvents({ id: ids.eventId, type, from, now, ...(more && { more }) }));
}

/** The row goes, and with it sessions and identities. The event is to be written before. */
export async function deleteUserRow(tx: Prisma.TransactionClient, ids: UserIds): Promise<void> {
  await tx.$executeRaw`DELETE FROM users WHERE app_id = ${ids.appId} AND id = ${ids.uid}`;
}
