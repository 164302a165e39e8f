// The account of a user, as credentials and their rules need it, and the lock of its row. Open to every module.
import { Prisma, type Query, type Tx } from '@foyer/prisma';
import { ApiError } from '../lib/api-error.js';
import { type UserColumns, type UserRow, userColumnList, userColumns } from '../model/user.js';

export type UserIds = { appId: string; uid: string };

const accountNames = [
  'uid',
  'email',
  'emailVerified',
  'emailProven',
  'passwordHash',
  'passwordFromV1',
  'credentialVersion',
  'secondFactor',
  'disabled',
  'language',
] as const;

export type Account = UserIds & Pick<UserColumns, (typeof accountNames)[number]>;

/** The version of a new account. */
export const firstCredentialVersion = 0;

const accountColumns = Prisma.sql`app_id AS "appId", ${userColumnList(accountNames)}`;

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

/** Returns a user who must exist. */
export async function findUser(query: Query, { appId, uid }: UserIds): Promise<UserRow> {
  const [row] = await query<UserRow>(
    Prisma.sql`SELECT ${userColumns} FROM users AS u WHERE u.app_id = ${appId} AND u.id = ${uid}`,
  );
  return row as UserRow;
}

/** Returns the ids of the user, or throws `auth/user-not-found`. */
export async function requireUser(query: Query, ids: UserIds): Promise<UserIds> {
  if (!(await findAccountById(query, ids.appId, ids.uid))) throw new ApiError('auth/user-not-found');
  return ids;
}

/**
 * Locks a user's row until the transaction ends and returns it as of then, or null when the user is gone.
 *
 * Lock order of every transaction, so that no two wait for each other: the user's row (by this function or by an UPDATE of
 * it); then rows that belong to the user (sessions, codes, identities, tokens, devices, records); the app's row last. Only
 * the deletion of a team account locks the row of the app `console` earlier, for its teams, right after the user's.
 * Whatever ends all sessions of a user locks the row too, so it commits either before this returns, and its effect is
 * visible, or after this transaction.
 *
 * FOR UPDATE and no weaker lock, because a deletion must also wait for audit entries about the user that are being written
 * (they hold KEY SHARE): it would not see them, and so would not clear them.
 */
export async function lockUser(tx: Tx, ids: UserIds): Promise<Account | null> {
  const [row] = await tx.$queryRaw<Account[]>`SELECT ${accountColumns}
    FROM users WHERE app_id = ${ids.appId} AND id = ${ids.uid} FOR UPDATE`;
  return row ?? null;
}

const inUse = ['is already in use'];

/** The refusal of an email that another user of the app has. */
export function emailInUse(): ApiError {
  return new ApiError('auth/email-already-in-use', { fields: { email: inUse } });
}

export function memberIdInUse(): ApiError {
  return new ApiError('admin/member-id-already-in-use', { fields: { member_id: inUse } });
}
