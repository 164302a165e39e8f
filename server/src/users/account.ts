// The account of a user, as credentials and their rules need it, and the one lock of its row. Open to every module.
import { Prisma, type Query, type Tx } from '@foyer/prisma';
import { ApiError } from '../lib/api-error.js';

export type UserIds = { appId: string; uid: string };

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

const accountColumns = Prisma.sql`id AS uid, email, email_verified AS "emailVerified",
  email_proven AS "emailProven", password_hash AS "passwordHash", password_from_v1 AS "passwordFromV1",
  credential_version AS "credentialVersion", disabled`;

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

/** The ids of a user who exists; `auth/user-not-found`. */
export async function requireUser(query: Query, ids: UserIds): Promise<UserIds> {
  if (!(await findAccountById(query, ids.appId, ids.uid))) throw new ApiError('auth/user-not-found');
  return ids;
}

/**
 * Locks a user's row until the transaction ends and returns it as of then; null when the user is gone.
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
