// Queries on the members of teams, and on the apps that they see.
import type { Role } from '@foyer/contract';
import { columnList, type Db, Prisma, type Query, type Tx } from '@foyer/prisma';
import { type App, consoleSlug, deletedAppKeyPrefix, lockAppOf } from '../model/app.js';
import type { CallingMember } from '../model/member.js';
import type { LiveSession } from '../model/session.js';
import { type UserColumns, userColumns } from '../model/user.js';
import { liveSessionColumns } from '../sessions/columns.js';

/** An app, as a relation named `a`, whose deletion has not begun. */
const isThere = Prisma.sql`NOT starts_with(a.app_key, ${deletedAppKeyPrefix})`;

type LiveMember = LiveSession & {
  ownsService: boolean;
  membership: Role | null;
  appExists: boolean;
};

/** The live session of a team account, and its role in an app: the only query that authorizes a member's call. */
export async function findLiveMember(
  query: Query,
  ids: { consoleAppId: string; sessionId: string; uid: string; appId: string },
): Promise<LiveMember | null> {
  const [row] = await query<LiveMember>(Prisma.sql`
    SELECT ${liveSessionColumns}, ${userColumns}, u.second_factor AS "secondFactor",
      EXISTS (SELECT FROM team_members AS o WHERE o.app_id = ${ids.consoleAppId} AND o.user_id = s.user_id) AS "ownsService",
      (SELECT m.role FROM team_members AS m WHERE m.app_id = ${ids.appId} AND m.user_id = s.user_id) AS membership,
      EXISTS (SELECT FROM apps AS a WHERE a.id = ${ids.appId} AND ${isThere}) AS "appExists"
    FROM sessions AS s JOIN users AS u ON u.app_id = ${ids.consoleAppId} AND u.id = s.user_id
    WHERE s.app_id = ${ids.consoleAppId} AND s.id = ${ids.sessionId} AND s.user_id = ${ids.uid}
      AND s.ended_at IS NULL AND NOT u.disabled`);
  return row ?? null;
}

export type AppRow = Pick<App, 'id' | 'slug' | 'name' | 'appKey' | 'enabled'> & {
  createdAt: Date;
  role: Role;
};

export const appNames = ['id', 'slug', 'name', 'appKey', 'enabled', 'createdAt'] as const;
const appColumns = columnList(appNames, { of: 'a' });

/** The apps of a member, or all apps for an owner of the service. */
export function listAppsOf(
  query: Query,
  { uid, ownsService }: Pick<CallingMember, 'uid' | 'ownsService'>,
  { q, afterId, maxRows }: { q: string | undefined; afterId: string | undefined; maxRows: number },
): Promise<AppRow[]> {
  const from = ownsService
    ? Prisma.sql`'owner' AS role FROM apps AS a`
    : Prisma.sql`m.role FROM team_members AS m JOIN apps AS a ON a.id = m.app_id AND m.user_id = ${uid}`;
  const found =
    q === undefined
      ? Prisma.sql`true`
      : Prisma.sql`(strpos(${folded(Prisma.raw('a.name'))}, ${folded(Prisma.sql`${q}::text`)}) > 0
          OR strpos(a.slug, ${folded(Prisma.sql`${q}::text`)}) > 0)`;
  return query<AppRow>(Prisma.sql`SELECT ${appColumns}, ${from}
    WHERE a.slug <> ${consoleSlug} AND ${isThere} AND a.id > ${afterId ?? ''} AND ${found}
    ORDER BY a.id LIMIT ${maxRows}::int`);
}

/** Folds with the same rules in every database: by those of Turkish, `I` would not become the `i` of a slug. */
const folded = (text: Prisma.Sql) => Prisma.sql`lower(${text} COLLATE "und-x-icu")`;

export async function findAppRow(query: Query, appId: string): Promise<Omit<AppRow, 'role'> | null> {
  const [row] = await query<Omit<AppRow, 'role'>>(
    Prisma.sql`SELECT ${appColumns} FROM apps AS a WHERE a.id = ${appId} AND ${isThere}`,
  );
  return row ?? null;
}

const namesOfUser = ['email', 'firstName', 'lastName', 'secondFactor'] as const;
const namesOfMembership = ['uid', 'role', 'createdAt'] as const;
export const memberNames = [...namesOfUser, ...namesOfMembership];

export type MemberRow = Pick<UserColumns, (typeof namesOfUser)[number]> & {
  uid: string;
  role: Role;
  createdAt: Date;
};

const membersOf = (ids: {
  consoleAppId: string;
  appId: string;
}) => Prisma.sql`SELECT ${columnList(namesOfUser, { of: 'u' })},
    ${columnList(namesOfMembership, { of: 'm', columns: { uid: 'user_id' } })}
  FROM team_members AS m JOIN users AS u ON u.app_id = ${ids.consoleAppId} AND u.id = m.user_id
  WHERE m.app_id = ${ids.appId}`;

/** The members of an app with their accounts, oldest first. */
export function listMemberRows(
  query: Query,
  ids: { consoleAppId: string; appId: string },
  after: { createdAt: Date; uid: string } | null,
  maxRows: number,
): Promise<MemberRow[]> {
  const rest = after
    ? Prisma.sql`AND (m.created_at, m.user_id) > (${after.createdAt}::timestamptz, ${after.uid}::text)`
    : Prisma.empty;
  return query<MemberRow>(
    Prisma.sql`${membersOf(ids)} ${rest} ORDER BY m.created_at, m.user_id LIMIT ${maxRows}::int`,
  );
}

/**
 * Serializes changes of the team of an app. Lock order of changes of teams: the user, the app, its members, its
 * invitations.
 */
export async function lockTeam(tx: Tx, appId: string): Promise<void> {
  await tx.$executeRaw(lockAppOf(appId));
}

/** Whether a member owns the app, or the service, until the transaction ends. */
export async function lockOwner(tx: Tx, appIds: string[], uid: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`SELECT role FROM team_members
    WHERE app_id = ANY (${appIds}::text[]) AND user_id = ${uid} AND role = 'owner' ORDER BY app_id FOR SHARE`;
  return rows.length > 0;
}

export async function findMemberRow(
  tx: Tx,
  ids: { consoleAppId: string; appId: string; uid: string },
): Promise<MemberRow | null> {
  const [row] = await tx.$queryRaw<MemberRow[]>`${membersOf(ids)} AND m.user_id = ${ids.uid}`;
  return row ?? null;
}

/** Whether one of these apps has a member with the email. */
export async function hasMemberWithEmail(
  tx: Tx,
  { consoleAppId, appIds, email }: { consoleAppId: string; appIds: string[]; email: string },
): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ found: boolean }[]>`SELECT EXISTS (SELECT FROM team_members AS m
    JOIN users AS u ON u.app_id = ${consoleAppId} AND u.id = m.user_id AND u.email = ${email}
    WHERE m.app_id = ANY (${appIds}::text[])) AS found`;
  return row?.found === true;
}

/** Adds a member, or gives one who joined meanwhile the role. */
export async function upsertMember(
  tx: Tx,
  { appId, uid, role, now }: { appId: string; uid: string; role: Role; now: Date },
): Promise<void> {
  await tx.$executeRaw`INSERT INTO team_members (app_id, user_id, role, created_at)
    VALUES (${appId}, ${uid}, ${role}, ${now}::timestamptz)
    ON CONFLICT (app_id, user_id) DO UPDATE SET role = excluded.role`;
}

export async function updateRole(tx: Tx, ids: { appId: string; uid: string }, role: Role): Promise<void> {
  await tx.teamMember.updateMany({ where: ids, data: { role } });
}

/** The memberships that were deleted: of one app, or of all apps; locked in the order of `lockOwner`. */
export function deleteMemberships(
  tx: Tx,
  { appId, uid }: { appId: string | null; uid: string },
): Promise<{ appId: string; role: Role }[]> {
  return tx.$queryRaw`DELETE FROM team_members AS m USING (
      SELECT app_id FROM team_members
      WHERE user_id = ${uid} AND (${appId}::text IS NULL OR app_id = ${appId}::text) ORDER BY app_id FOR UPDATE
    ) AS locked
    WHERE m.user_id = ${uid} AND m.app_id = locked.app_id RETURNING m.app_id AS "appId", m.role`;
}

export function countMembers(db: Db, appId: string): Promise<number> {
  return db.teamMember.count({ where: { appId } });
}
