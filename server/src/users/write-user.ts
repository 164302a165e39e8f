// The INSERT, the UPDATE, the DELETE and the events of rows of `users`. With update-fragments.ts and the store of this module,
// the only SQL that writes the table.
import type { EventType } from '@foyer/contract';
import { type Db, Prisma, type Query, type Tx } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import { insertEvents } from '../events/outbox.js';
import { type UserRow, userColumns } from '../model/user.js';
import type { UserIds } from './account.js';

type EventDeps = Pick<Deps, 'clock' | 'random'>;

export type NewUser = {
  id: string;
  email: string;
  emailVerified: boolean;
  /** An emailed code, or a provider, has verified that the email belongs to the user. */
  emailProven: boolean;
  firstName: string | null;
  lastName: string | null;
  photoUrl?: string | null;
  memberId: string;
  disabled?: boolean;
  claims?: Record<string, unknown>;
  passwordHash?: string | null;
  passwordFromV1?: boolean;
  points?: number;
  ledgerSize?: number;
  v1Id?: number;
  v1LastUsedAt?: Date | null;
  lastSignInAt?: Date | null;
  createdAt: Date;
  updatedAt: Date;
  /** Of `user.created`; without one there is no event. */
  eventId?: string;
};

const defaults = { disabled: false, claims: {}, passwordFromV1: false, points: 0, ledgerSize: 0 };

/**
 * The INSERT of users, as a CTE named `u` with the rows that were inserted, and two more for their events. A user whose
 * email, member id or v1 id is taken is left out. Rows travel as JSON, so that any number of them is one statement text.
 */
export function insertUsersOf(appId: string, users: NewUser[]): Prisma.Sql {
  const rows = users.map((user) => ({ ...defaults, ...user }));
  return Prisma.sql`n AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS n (id text, email text,
        "emailVerified" boolean, "emailProven" boolean, "firstName" text, "lastName" text, "photoUrl" text,
        "memberId" text, disabled boolean, claims jsonb, "passwordHash" text, "passwordFromV1" boolean, points int,
        "ledgerSize" int, "v1Id" int, "v1LastUsedAt" timestamptz, "lastSignInAt" timestamptz,
        "createdAt" timestamptz, "updatedAt" timestamptz, "eventId" text)
    ), u AS (
      INSERT INTO users (app_id, id, email, email_verified, email_proven, first_name, last_name, photo_url, member_id,
        disabled, claims, password_hash, password_from_v1, points, ledger_size, v1_id, v1_last_used_at,
        last_sign_in_at, created_at, updated_at)
      SELECT ${appId}::text, n.id, n.email, n."emailVerified", n."emailProven", n."firstName", n."lastName",
        n."photoUrl", n."memberId", n.disabled, n.claims, n."passwordHash", n."passwordFromV1", n.points,
        n."ledgerSize", n."v1Id", n."v1LastUsedAt", n."lastSignInAt", n."createdAt", n."updatedAt"
      FROM n ON CONFLICT DO NOTHING RETURNING *
    ), user_event AS (${insertEvents({
      appId,
      id: Prisma.sql`n."eventId"`,
      type: 'user.created',
      from: Prisma.sql`u JOIN n ON n.id = u.id AND n."eventId" IS NOT NULL`,
      now: Prisma.sql`u.created_at`,
    })})`;
}

/** Returns the emails of those that were inserted. */
export async function insertUsers(query: Query, appId: string, users: NewUser[]): Promise<Set<string>> {
  if (users.length === 0) return new Set();
  const rows = await query<{ email: string }>(
    Prisma.sql`WITH ${insertUsersOf(appId, users)} SELECT u.email FROM u`,
  );
  return new Set(rows.map(({ email }) => email));
}

/** Undefined fields are unchanged. */
export type UserChange = {
  email?: string | undefined;
  emailVerified?: boolean | undefined;
  emailProven?: boolean | undefined;
  passwordHash?: string | null | undefined;
  passwordFromV1?: boolean | undefined;
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
  photoUrl?: string | null | undefined;
  disabled?: boolean | undefined;
  memberId?: string | undefined;
  claims?: Record<string, unknown> | undefined;
};

const columns: Record<keyof UserChange, string> = {
  email: 'email',
  emailVerified: 'email_verified',
  emailProven: 'email_proven',
  passwordHash: 'password_hash',
  passwordFromV1: 'password_from_v1',
  firstName: 'first_name',
  lastName: 'last_name',
  photoUrl: 'photo_url',
  disabled: 'disabled',
  memberId: 'member_id',
  claims: 'claims',
};

export type UserUpdate = {
  now: Date;
  /** When the row counts as updated, where that is not always `now`. */
  updatedAt?: Prisma.Sql;
  /** Invalidates every verified credential of a sign-in in progress. */
  raisesVersion?: boolean;
  /** Changes nothing where the user has all these values already. */
  onlyDifferent?: boolean;
  /** A further condition, checked on the locked row, of a relation named `u`. */
  when?: Prisma.Sql;
};

function updateUserOf(ids: UserIds, change: UserChange, update: UserUpdate): Prisma.Sql {
  const { now, updatedAt = Prisma.sql`${now}::timestamptz`, raisesVersion, onlyDifferent, when } = update;
  const values = Object.entries(change).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const cast = name === 'claims' ? Prisma.sql`${JSON.stringify(value)}::jsonb` : Prisma.sql`${value}`;
    return { column: Prisma.raw(columns[name as keyof UserChange]), value: cast };
  });
  const assignments = [
    Prisma.sql`updated_at = ${updatedAt}`,
    ...values.map(({ column, value }) => Prisma.sql`${column} = ${value}`),
    ...(raisesVersion ? [Prisma.sql`credential_version = credential_version + 1`] : []),
  ];
  const differences = values.map(({ column, value }) => Prisma.sql`u.${column} IS DISTINCT FROM ${value}`);
  const conditions = [
    Prisma.sql`u.app_id = ${ids.appId} AND u.id = ${ids.uid}`,
    ...(onlyDifferent ? [Prisma.sql`(${Prisma.join(differences, ' OR ')})`] : []),
    ...(when ? [when] : []),
  ];
  return Prisma.sql`UPDATE users AS u SET ${Prisma.join(assignments)} WHERE ${Prisma.join(conditions, ' AND ')}
    RETURNING u.*`;
}

/** Null, with nothing changed, when there is no such user or `when` is false. */
export async function updateUser(
  tx: Db,
  ids: UserIds,
  change: UserChange,
  update: UserUpdate,
): Promise<UserRow | null> {
  const [row] = await tx.$queryRaw<
    UserRow[]
  >`WITH u AS (${updateUserOf(ids, change, update)}) SELECT ${userColumns} FROM u`;
  return row ?? null;
}

/** The same in one statement with the event `user.updated`. */
export async function updateUserWithEvent(
  db: Db,
  deps: Pick<Deps, 'random'>,
  ids: UserIds,
  change: UserChange,
  update: UserUpdate,
): Promise<UserRow | null> {
  const { now, onlyDifferent } = update;
  if (onlyDifferent && Object.values(change).every((value) => value === undefined)) return null;
  const id = deps.random.ulid(now);
  const event = { appId: ids.appId, id, type: 'user.updated', from: Prisma.sql`u`, now } as const;
  const [row] = await db.$queryRaw<UserRow[]>`WITH u AS (${updateUserOf(ids, change, update)}),
    event AS (${insertEvents(event)}) SELECT ${userColumns} FROM u`;
  return row ?? null;
}

/** Invalidates the verified credentials of every sign-in in progress: the first step of ending all sessions. */
export function raiseCredentialVersion(tx: Tx, ids: UserIds, now: Date): Promise<UserRow | null> {
  return updateUser(tx, ids, {}, { now, raisesVersion: true });
}

/** Records that the user's identities changed, and sets the names of a user who has none. */
export async function recordIdentityChange(
  tx: Tx,
  deps: EventDeps,
  ids: UserIds,
  names?: { firstName: string | null; lastName: string | null },
): Promise<void> {
  const now = deps.clock.now();
  const when = Prisma.sql`u.first_name IS NULL AND u.last_name IS NULL`;
  if (names) await updateUser(tx, ids, names, { now, when });
  await updateUserWithEvent(tx, deps, ids, {}, { now });
}

/** Writes an event with the user as of now, in the transaction of what it reports. `more` is a jsonb object. */
export async function writeUserEvent(
  tx: Tx,
  deps: EventDeps,
  ids: UserIds,
  type: EventType,
  more?: Prisma.Sql,
): Promise<void> {
  const now = deps.clock.now();
  const from = Prisma.sql`users AS u WHERE u.app_id = ${ids.appId} AND u.id = ${ids.uid}`;
  const event = { appId: ids.appId, id: deps.random.ulid(now), type, from, now };
  await tx.$executeRaw(insertEvents(more ? { ...event, more } : event));
}

/** Deletes the row, and by cascade identities and v1 tokens. The event, with the user as last known, is written before. */
export async function deleteUser(
  tx: Tx,
  deps: EventDeps,
  ids: UserIds,
  reason: 'self' | 'admin',
): Promise<void> {
  await writeUserEvent(
    tx,
    deps,
    ids,
    'user.deleted',
    Prisma.sql`jsonb_build_object('reason', ${reason}::text)`,
  );
  await tx.$executeRaw`DELETE FROM users WHERE app_id = ${ids.appId} AND id = ${ids.uid}`;
}
