// Queries on users that only this module runs. Every one names the app.
import { Prisma, type Query } from '@foyer/prisma';
import { nextV1IdOf } from '../apps/v1-ids.js';
import { insertEntriesOf } from '../audit/entry.js';
import { type UserRow, userColumns } from '../model/user.js';
import { insertSessionOf, type NewSession } from '../sessions/new-session.js';
import type { UserIds } from './account.js';
import { insertUsersOf, type NewUser } from './write-user.js';

/** Inserts a user, a first session and both events in one statement. Null when the email or the member id is taken. */
export async function insertUserWithSession(
  query: Query,
  user: NewUser,
  session: NewSession,
): Promise<UserRow | null> {
  const inserted = insertUsersOf(session.appId, [{ ...user, lastSignInAt: session.now }]);
  const [row] = await query<UserRow>(
    Prisma.sql`WITH ${inserted}, ${insertSessionOf(session, 'user.signed_up')} SELECT ${userColumns} FROM u`,
  );
  return row ?? null;
}

/** The same without a session. */
export async function insertUserWithEntry(
  query: Query,
  appId: string,
  user: NewUser,
  audit: { id: string; ipAddress: string | null; details: object },
): Promise<UserRow | null> {
  const [row] = await query<UserRow>(
    Prisma.sql`WITH ${insertUsersOf(appId, [user])}, audited AS (${insertEntriesOf({
      ...audit,
      action: 'user.signed_up',
      appId: Prisma.sql`u.app_id`,
      actor: Prisma.sql`'user:' || u.id`,
      target: Prisma.sql`'user:' || u.id`,
      uid: Prisma.sql`u.id`,
      details: Prisma.sql`${JSON.stringify(audit.details)}::jsonb`,
      from: Prisma.sql`u`,
      now: user.createdAt,
    })}) SELECT ${userColumns} FROM u`,
  );
  return row ?? null;
}

/** The user of a session; null when it has ended or the user is gone. */
export async function findUserOfSession(
  query: Query,
  { appId, uid, sessionId }: UserIds & { sessionId: string },
): Promise<UserRow | null> {
  const [row] = await query<UserRow>(Prisma.sql`SELECT ${userColumns} FROM users AS u
    WHERE u.app_id = ${appId} AND u.id = ${uid} AND ${isLiveSession({ appId, sessionId })}`);
  return row ?? null;
}

/** The condition that a session has not ended. */
export function isLiveSession({ appId, sessionId }: { appId: string; sessionId: string }): Prisma.Sql {
  return Prisma.sql`EXISTS (SELECT FROM sessions AS s
    WHERE s.app_id = ${appId} AND s.id = ${sessionId} AND s.ended_at IS NULL)`;
}

/**
 * Assigns a user the app's next v1 id. The user's row is locked before the app's: of parallel calls one takes a number, and
 * none is lost. Null when the user has one already, or is gone.
 */
export async function assignV1Id(query: Query, { appId, uid }: UserIds, now: Date): Promise<number | null> {
  const [row] = await query<{ v1Id: number }>(Prisma.sql`WITH locked AS (
      SELECT id FROM users WHERE app_id = ${appId} AND id = ${uid} AND v1_id IS NULL FOR NO KEY UPDATE
    ), next AS (${nextV1IdOf(appId, Prisma.sql`EXISTS (SELECT FROM locked)`)})
    UPDATE users AS u SET v1_id = next.last_v1_id, v1_last_used_at = COALESCE(u.v1_last_used_at, ${now}::timestamptz)
    FROM next WHERE u.app_id = ${appId} AND u.id = ${uid} AND u.v1_id IS NULL
    RETURNING u.v1_id AS "v1Id"`);
  return row?.v1Id ?? null;
}

export async function findV1Id(query: Query, { appId, uid }: UserIds): Promise<number | null> {
  const [row] = await query<{ v1Id: number | null }>(
    Prisma.sql`SELECT v1_id AS "v1Id" FROM users WHERE app_id = ${appId} AND id = ${uid}`,
  );
  return row?.v1Id ?? null;
}
