// Queries on users. Every one names the app.
import { Prisma, type PrismaClient, type Query } from '@foyer/prisma';
import { insertSessionOf, type NewSession } from '../sessions/new-session.js';
import { insertEvents } from '../webhooks/outbox.js';
import { type UserRow, userColumns } from './user.js';

export type Credentials = {
  uid: string;
  passwordHash: string | null;
  credentialVersion: number;
  disabled: boolean;
};

export async function findCredentials(
  query: Query,
  appId: string,
  email: string,
): Promise<Credentials | null> {
  const [row] = await query<Credentials>(Prisma.sql`
    SELECT id AS uid, password_hash AS "passwordHash", credential_version AS "credentialVersion", disabled
    FROM users WHERE app_id = ${appId} AND email = ${email}`);
  return row ?? null;
}

export type NewUser = {
  appId: string;
  id: string;
  email: string;
  emailVerified: boolean;
  firstName: string | null;
  lastName: string | null;
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
  const [row] = await query<UserRow>(Prisma.sql`WITH u AS (
      INSERT INTO users (app_id, id, email, email_verified, first_name, last_name, password_hash, member_id, created_at,
        updated_at, last_sign_in_at)
      VALUES (${user.appId}, ${user.id}, ${user.email}, ${user.emailVerified}, ${user.firstName}, ${user.lastName},
        ${user.passwordHash}, ${user.memberId}, ${user.now}::timestamptz, ${user.now}::timestamptz,
        ${user.now}::timestamptz)
      ON CONFLICT DO NOTHING RETURNING *
    ), user_event AS (${insertEvents({
      id: user.eventId,
      type: 'user.created',
      from: Prisma.sql`u`,
      now: user.now,
    })}), ${insertSessionOf(session)}
    SELECT ${userColumns} FROM u`);
  return row ?? null;
}

export type ProfileChange = {
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
  photoUrl?: string | null | undefined;
};

/** Changes the given fields of a user, with the event. Null when the user is gone. */
export async function updateProfileRow(
  prisma: PrismaClient,
  ids: { appId: string; userId: string; eventId: string },
  change: ProfileChange,
  now: Date,
): Promise<UserRow | null> {
  const assignments = [Prisma.sql`updated_at = ${now}::timestamptz`];
  if (change.firstName !== undefined) assignments.push(Prisma.sql`first_name = ${change.firstName}`);
  if (change.lastName !== undefined) assignments.push(Prisma.sql`last_name = ${change.lastName}`);
  if (change.photoUrl !== undefined) assignments.push(Prisma.sql`photo_url = ${change.photoUrl}`);
  const [row] = await prisma.$queryRaw<UserRow[]>`WITH u AS (
      UPDATE users SET ${Prisma.join(assignments)} WHERE app_id = ${ids.appId} AND id = ${ids.userId} RETURNING *
    ), event AS (${insertEvents({ id: ids.eventId, type: 'user.updated', from: Prisma.sql`u`, now })})
    SELECT ${userColumns} FROM u`;
  return row ?? null;
}
