// Queries on users that only this module runs. Every one names the app.
import { Prisma, type Query, type Tx } from '@foyer/prisma';
import type { UserIds } from '../accounts/account.js';
import { insertUsersOf, type NewUser } from '../accounts/write-user.js';
import { takeV1Id } from '../apps/store.js';
import { insertEntriesOf } from '../audit/store.js';
import { type UserRow, userColumns } from '../model/user.js';
import { insertSessionOf, type NewSession } from '../sessions/new-session.js';

/** Inserts a user, a first session and both events in one statement. Returns null when the email or the member id is taken. */
export async function insertUserWithSession(
  query: Query,
  user: NewUser,
  session: NewSession,
): Promise<UserRow | null> {
  const inserted = insertUsersOf(session.appId, [
    { ...user, language: session.language, lastSignInAt: session.now },
  ]);
  const [row] = await query<UserRow>(
    Prisma.sql`WITH ${inserted}, ${insertSessionOf(session, { action: 'user.signed_up' })} SELECT ${userColumns} FROM u`,
  );
  return row ?? null;
}

/** Inserts a user, the event and an audit entry in one statement. Returns null when the email or the member id is taken. */
export async function insertUserWithEntry(
  query: Query,
  appId: string,
  user: NewUser,
  audit: { id: string; ip: string | null; details: object },
): Promise<UserRow | null> {
  const [row] = await query<UserRow>(
    Prisma.sql`WITH ${insertUsersOf(appId, [user])}, audited AS (${insertEntriesOf({
      ...audit,
      action: 'user.signed_up',
      appId: Prisma.sql`${appId}::text`,
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

/**
 * Assigns a user the app's next v1 id. The user's row is locked before the app's: of parallel calls one takes a number, and
 * none is lost. Returns null when the user has one already, or is gone. The counter of the app has a statement of its own:
 * where the tables are distributed, it is not on the machine of the user.
 */
export async function assignV1Id(tx: Tx, { appId, uid }: UserIds, now: Date): Promise<number | null> {
  const locked = await tx.$queryRaw<unknown[]>`SELECT id FROM users
    WHERE app_id = ${appId} AND id = ${uid} AND v1_id IS NULL FOR NO KEY UPDATE`;
  if (locked.length === 0) return null;
  const v1Id = await takeV1Id(tx, appId);
  await tx.$executeRaw`UPDATE users SET v1_id = ${v1Id}::int,
      v1_last_used_at = COALESCE(v1_last_used_at, ${now}::timestamptz)
    WHERE app_id = ${appId} AND id = ${uid}`;
  return v1Id;
}

export async function findV1Id(query: Query, { appId, uid }: UserIds): Promise<number | null> {
  const [row] = await query<{ v1Id: number | null }>(
    Prisma.sql`SELECT v1_id AS "v1Id" FROM users WHERE app_id = ${appId} AND id = ${uid}`,
  );
  return row?.v1Id ?? null;
}
