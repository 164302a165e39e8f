// Requires that a user of a call of the app's backend exists: `auth/user-not-found`.
import type { Tx } from '@foyer/prisma';
import { type Account, lockUser, type UserIds } from '../accounts/account.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { AdminUserRow } from './admin-user.js';
import { findAdminUser } from './store.js';

export async function readUser(deps: Pick<Deps, 'prisma'>, ids: UserIds): Promise<AdminUserRow> {
  const user = await findAdminUser(deps.prisma, ids.appId, ids.uid);
  if (!user) throw new ApiError('auth/user-not-found');
  return user;
}

export async function lockKnownUser(tx: Tx, ids: UserIds): Promise<Account> {
  const account = await lockUser(tx, ids);
  if (!account) throw new ApiError('auth/user-not-found');
  return account;
}
