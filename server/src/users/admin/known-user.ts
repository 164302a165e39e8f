// Requires that a user of a call of the app's backend exists: `auth/user-not-found`.
import type { Tx } from '@foyer/prisma';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import { type Account, lockUser, type UserIds } from '../account.js';
import type { AdminUserRow } from './admin-user.js';
import { findAdminUser, isUser } from './store.js';

export async function readUser(deps: Pick<Deps, 'prisma'>, ids: UserIds): Promise<AdminUserRow> {
  const user = await findAdminUser(deps.prisma, ids.appId, ids.uid);
  if (!user) throw new ApiError('auth/user-not-found');
  return user;
}

/** The ids themselves, for the operation on the user. */
export async function requireUser(deps: Pick<Deps, 'prisma'>, ids: UserIds): Promise<UserIds> {
  if (!(await isUser(deps.prisma, ids))) throw new ApiError('auth/user-not-found');
  return ids;
}

export async function lockKnownUser(tx: Tx, ids: UserIds): Promise<Account> {
  const account = await lockUser(tx, ids);
  if (!account) throw new ApiError('auth/user-not-found');
  return account;
}
