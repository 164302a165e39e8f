// Queries of the app's own backend on its users. Every one names the app.
import type { EventType } from '@foyer/contract';
import { Prisma, type PrismaClient } from '@foyer/prisma';
import { insertEvents } from '../../events/outbox.js';
import { type AdminUserRow, adminUserColumns } from './admin-user.js';

type Db = PrismaClient | Prisma.TransactionClient;

export async function findAdminUser(db: Db, appId: string, uid: string): Promise<AdminUserRow | null> {
  const [row] = await db.$queryRaw<AdminUserRow[]>`SELECT ${adminUserColumns}
    FROM users AS u WHERE u.app_id = ${appId} AND u.id = ${uid}`;
  return row ?? null;
}

export async function isUser(db: Db, ids: { appId: string; uid: string }): Promise<boolean> {
  return (await db.user.count({ where: { appId: ids.appId, id: ids.uid } })) > 0;
}

export async function isEmailTaken(db: Db, appId: string, email: string): Promise<boolean> {
  return (await db.user.count({ where: { appId, email } })) > 0;
}

export type NewAdminUser = {
  appId: string;
  id: string;
  eventId: string;
  email: string;
  emailVerified: boolean;
  firstName: string | null;
  lastName: string | null;
  photoUrl: string | null;
  disabled: boolean;
  claims: Record<string, unknown>;
  passwordHash: string | null;
  memberId: string;
  now: Date;
};

/** Makes a user, with the event; false when the email or the member id is taken. */
export async function insertUser(tx: Prisma.TransactionClient, user: NewAdminUser): Promise<boolean> {
  const [made] = await tx.$queryRaw<unknown[]>`WITH u AS (
      INSERT INTO users (app_id, id, email, email_verified, email_proven, first_name, last_name, photo_url, disabled,
        claims, password_hash, member_id, created_at, updated_at)
      VALUES (${user.appId}, ${user.id}, ${user.email}, ${user.emailVerified}, ${user.emailVerified}, ${user.firstName},
        ${user.lastName}, ${user.photoUrl}, ${user.disabled}, ${JSON.stringify(user.claims)}::jsonb,
        ${user.passwordHash}, ${user.memberId}, ${user.now}::timestamptz, ${user.now}::timestamptz)
      ON CONFLICT DO NOTHING RETURNING *
    ), event AS (${insertEvents({ id: user.eventId, type: 'user.created', from: Prisma.sql`u`, now: user.now })})
    SELECT u.id FROM u`;
  return made !== undefined;
}

/**
 * Lets one import at a time make users of the app, until the transaction ends. Two that named the same emails in one order
 * and the same member ids in another would lock each other out, whatever order they are written in.
 */
export async function lockImports(tx: Prisma.TransactionClient, appId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${`foyer import ${appId}`}))`;
}

/** Makes users that are free, with their events, in one statement; returns the emails of those that were made. */
export async function insertUsers(tx: Prisma.TransactionClient, users: NewAdminUser[]): Promise<Set<string>> {
  const [first] = users;
  if (!first) return new Set();
  const made = await tx.$queryRaw<{ email: string }[]>`WITH n AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(users)}::jsonb) AS n (id text, "eventId" text, email text,
        "emailVerified" boolean, "firstName" text, "lastName" text, "photoUrl" text, disabled boolean, claims jsonb,
        "memberId" text)
    ), u AS (
      INSERT INTO users (app_id, id, email, email_verified, email_proven, first_name, last_name, photo_url, disabled,
        claims, member_id, created_at, updated_at)
      SELECT ${first.appId}, n.id, n.email, n."emailVerified", n."emailVerified", n."firstName", n."lastName",
        n."photoUrl", n.disabled, n.claims, n."memberId", ${first.now}::timestamptz, ${first.now}::timestamptz
      FROM n ON CONFLICT DO NOTHING RETURNING *
    ), event AS (${insertEvents({
      id: Prisma.sql`n."eventId"`,
      type: 'user.created',
      from: Prisma.sql`u JOIN n ON n.id = u.id`,
      now: first.now,
    })})
    SELECT u.email FROM u`;
  return new Set(made.map(({ email }) => email));
}

/** Which of these emails and member ids a user of the app has. */
export async function findTaken(
  tx: Prisma.TransactionClient,
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

type UserIds = { appId: string; uid: string };

export type UserRowChange = {
  email?: string | undefined;
  emailVerified?: boolean | undefined;
  emailProven?: boolean | undefined;
  passwordHash?: string | undefined;
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
  photoUrl?: string | null | undefined;
  disabled?: boolean | undefined;
  memberId?: string | undefined;
  raisesVersion: boolean;
};

/** Changes what is given. The row is locked already; a taken email or member id is a unique violation. */
export async function updateUserRow(
  tx: Prisma.TransactionClient,
  ids: UserIds,
  change: UserRowChange,
  now: Date,
): Promise<void> {
  await tx.user.update({
    where: { appId_id: { appId: ids.appId, id: ids.uid } },
    data: given({
      email: change.email,
      emailVerified: change.emailVerified,
      emailProven: change.emailProven,
      passwordHash: change.passwordHash,
      firstName: change.firstName,
      lastName: change.lastName,
      photoUrl: change.photoUrl,
      disabled: change.disabled,
      memberId: change.memberId,
      credentialVersion: { increment: change.raisesVersion ? 1 : 0 },
      updatedAt: now,
    }),
    select: { id: true },
  });
}

/** Without what is undefined. */
function given<T extends object>(columns: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]: Exclude<T[Name], undefined>;
  };
}

/** Sets the whole of the custom claims, with the event; false when there is no such user. */
export async function setClaimsRow(
  tx: Prisma.TransactionClient,
  ids: UserIds & { eventId: string },
  claims: Record<string, unknown>,
  now: Date,
): Promise<boolean> {
  const [user] = await tx.$queryRaw<unknown[]>`WITH u AS (
      UPDATE users SET claims = ${JSON.stringify(claims)}::jsonb, updated_at = ${now}::timestamptz
      WHERE app_id = ${ids.appId} AND id = ${ids.uid} RETURNING *
    ), event AS (${insertEvents({ id: ids.eventId, type: 'user.updated', from: Prisma.sql`u`, now })})
    SELECT u.id FROM u`;
  return user !== undefined;
}

export async function insertEventOf(
  tx: Prisma.TransactionClient,
  ids: UserIds & { eventId: string },
  type: EventType,
  now: Date,
  more?: Prisma.Sql,
): Promise<void> {
  const from = Prisma.sql`users AS u WHERE u.app_id = ${ids.appId} AND u.id = ${ids.uid}`;
  await tx.$executeRaw(insertEvents({ id: ids.eventId, type, from, now, ...(more && { more }) }));
}
