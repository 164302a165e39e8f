// Queries of the app's own backend on its users, each scoped to an app.
import type { Db, Tx } from '@foyer/prisma';
import { type AdminUserRow, adminUserColumns } from './admin-user.js';

export async function findAdminUser(db: Db, appId: string, uid: string): Promise<AdminUserRow | null> {
  const [row] = await db.$queryRaw<AdminUserRow[]>`SELECT ${adminUserColumns(appId)}
    FROM users AS u WHERE u.app_id = ${appId} AND u.id = ${uid}`;
  return row ?? null;
}

/**
 * Serializes imports of users of an app, those from v1 too, until the transaction ends. Two imports with the same emails in one
 * order and the same member ids in another would deadlock, in any order of inserts. Taken before every other lock. The insert of
 * a single user needs no lock: it waits for others before it inserts anything.
 */
export async function lockImports(tx: Tx, appId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${`foyer import ${appId}`}))`;
}

/** Returns those of the emails and member ids that a user of the app has. */
export async function findTaken(
  tx: Tx,
  appId: string,
  wanted: { emails: string[]; memberIds: string[] },
): Promise<{ emails: Set<string>; memberIds: Set<string> }> {
  const rows = await tx.$queryRaw<{ email: string; memberId: string }[]>`
    SELECT email, member_id AS "memberId" FROM users
    WHERE app_id = ${appId} AND email = ANY (${wanted.emails}::text[])
    UNION ALL SELECT email, member_id FROM users
    WHERE app_id = ${appId} AND member_id = ANY (${wanted.memberIds}::text[])`;
  return {
    emails: new Set(rows.map(({ email }) => email)),
    memberIds: new Set(rows.map(({ memberId }) => memberId)),
  };
}

export type Imported = { uids: Set<string>; emails: Set<string> };

/** Returns those of the uids and emails that users of the app have. */
export async function findImported(
  db: Db,
  appId: string,
  wanted: { uid: string; email: string }[],
): Promise<Imported> {
  const uids = wanted.map(({ uid }) => uid);
  const emails = wanted.map(({ email }) => email);
  const rows = await db.$queryRaw<{ uid: string; email: string }[]>`
    SELECT id AS uid, email FROM users WHERE app_id = ${appId} AND id = ANY (${uids}::text[])
    UNION ALL SELECT id, email FROM users WHERE app_id = ${appId} AND email = ANY (${emails}::text[])`;
  return {
    uids: new Set(rows.map(({ uid }) => uid)),
    emails: new Set(rows.map(({ email }) => email)),
  };
}
