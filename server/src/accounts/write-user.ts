// The INSERT, the UPDATE, the DELETE and the events of rows of `users`. Only this file, update-fragments.ts and
// sign-up/store.ts write the table.
import type { EventType } from '@foyer/contract';
import { type Db, Prisma, type Query, type Tx } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import { insertEvents } from '../events/outbox.js';
import {
  type ChangedName,
  type PersonNames,
  type ProfileName,
  type UserColumns,
  type UserRow,
  userColumn,
  userColumns,
  userColumnType,
  userNames,
} from '../model/user.js';
import { firstCredentialVersion, type UserIds } from './account.js';

type EventDeps = Pick<Deps, 'clock' | 'random'>;

type Required = 'uid' | 'email' | 'emailVerified' | 'emailProven' | 'memberId' | 'createdAt' | 'updatedAt';

export type NewUser = Pick<UserColumns, Required> &
  Partial<Omit<UserColumns, Required | ProfileName>> & {
    [Name in ProfileName]?: UserColumns[Name] | undefined;
  } & {
    /** The id of `user.created`; there is no event without one. */
    eventId?: string;
  };

const defaults = {
  disabled: false,
  secondFactor: false,
  claims: {},
  passwordFromV1: false,
  points: 0,
  ledgerSize: 0,
  credentialVersion: firstCredentialVersion,
};

const userFields = Prisma.raw(userNames.map((name) => `"${name}" ${userColumnType(name)}`).join(', '));
const insertedColumns = Prisma.raw(userNames.map(userColumn).join(', '));
const insertedValues = Prisma.raw(userNames.map((name) => `n."${name}"`).join(', '));

/**
 * The INSERT of users, as a CTE named `u` with the rows that were inserted, and two more for their events. A user whose
 * email, member id or v1 id is taken is left out. Rows travel as JSON, so that any number of them is one statement text.
 */
export function insertUsersOf(appId: string, users: NewUser[]): Prisma.Sql {
  const rows = users.map((user) => ({ ...defaults, ...user }));
  return Prisma.sql`n AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS n (${userFields}, "eventId" text)
    ), u AS (
      INSERT INTO users (app_id, ${insertedColumns})
      SELECT ${appId}::text, ${insertedValues} FROM n ON CONFLICT DO NOTHING RETURNING *
    ), user_event AS (${insertEvents({
      appId,
      id: Prisma.sql`n."eventId"`,
      type: 'user.created',
      from: Prisma.sql`u JOIN n ON n.uid = u.id AND n."eventId" IS NOT NULL`,
      now: Prisma.sql`u.created_at`,
    })})`;
}

/** Inserts users, and returns the emails of those that were inserted. */
export async function insertUsers(query: Query, appId: string, users: NewUser[]): Promise<Set<string>> {
  if (users.length === 0) return new Set();
  const rows = await query<{ email: string }>(
    Prisma.sql`WITH ${insertUsersOf(appId, users)} SELECT u.email FROM u`,
  );
  return new Set(rows.map(({ email }) => email));
}

/** The new values of a user; a field that is undefined is unchanged. */
export type UserChange = { [Name in ChangedName]?: UserColumns[Name] | undefined };

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
  const given = Object.entries(change) as [ChangedName, UserChange[ChangedName]][];
  const values = given.flatMap(([name, value]) => {
    if (value === undefined) return [];
    const isJson = userColumnType(name) === 'jsonb';
    const cast = isJson ? Prisma.sql`${JSON.stringify(value)}::jsonb` : Prisma.sql`${value}`;
    return { column: Prisma.raw(userColumn(name)), value: cast };
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

/** Returns null, with nothing changed, when there is no such user or `when` is false. */
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

/** Updates a user like `updateUser`, in one statement with the event `user.updated`. */
export async function updateUserWithEvent(
  db: Db,
  ids: UserIds,
  change: UserChange,
  update: UserUpdate & { eventId: string },
): Promise<UserRow | null> {
  const { now, onlyDifferent, eventId: id } = update;
  if (onlyDifferent && Object.values(change).every((value) => value === undefined)) return null;
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
  names?: PersonNames,
): Promise<void> {
  const now = deps.clock.now();
  const when = Prisma.sql`u.first_name IS NULL AND u.last_name IS NULL`;
  if (names) await updateUser(tx, ids, names, { now, when });
  await updateUserWithEvent(tx, ids, {}, { now, eventId: deps.random.ulid(now) });
}

/** Writes an event with the user as of now, in the transaction of what it reports. `more` is a jsonb object. */
export async function writeUserEvent(
  tx: Tx,
  deps: EventDeps,
  ids: UserIds,
  event: { type: EventType; more?: Prisma.Sql },
): Promise<void> {
  const now = deps.clock.now();
  const from = Prisma.sql`users AS u WHERE u.app_id = ${ids.appId} AND u.id = ${ids.uid}`;
  await tx.$executeRaw(insertEvents({ ...event, appId: ids.appId, id: deps.random.ulid(now), from, now }));
}

/**
 * Deletes the row. Foreign keys with ON DELETE CASCADE delete what belongs to it (see schema.prisma); rows without one are purged
 * by profile/purge-accounts.ts. The event, with the user as last known, is written before.
 */
export async function deleteUser(
  tx: Tx,
  deps: EventDeps,
  ids: UserIds,
  reason: 'self' | 'admin',
): Promise<void> {
  const more = Prisma.sql`jsonb_build_object('reason', ${reason}::text)`;
  await writeUserEvent(tx, deps, ids, { type: 'user.deleted', more });
  await tx.$executeRaw`DELETE FROM users WHERE app_id = ${ids.appId} AND id = ${ids.uid}`;
}
