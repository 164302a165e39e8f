// Reads one user for the app's backend: the user, the live sessions and the linked providers.
import type { Identity, Session } from '@foyer/contract';
import type { Deps } from '../../deps.js';
import { listIdentities } from '../../identities/list-identities.js';
import { ApiError } from '../../lib/api-error.js';
import type { Page } from '../../lib/page.js';
import { listSessions } from '../../sessions/list-sessions.js';
import type { UserIds } from '../account.js';
import type { AdminUserRow } from './admin-user.js';
import { findAdminUser, isUser } from './store.js';

export async function readUser(deps: Pick<Deps, 'prisma'>, ids: UserIds): Promise<AdminUserRow> {
  const user = await findAdminUser(deps.prisma, ids.appId, ids.uid);
  if (!user) throw new ApiError('auth/user-not-found');
  return user;
}

export async function readSessions(
  deps: Deps,
  ids: UserIds,
  page: { limit: number; cursor?: string | undefined },
): Promise<Page<Session>> {
  await requireUser(deps, ids);
  return listSessions(deps, { ...ids, sessionId: null }, page);
}

export async function readIdentities(
  deps: Deps,
  ids: UserIds,
): Promise<{ items: Identity[]; next_cursor: null }> {
  await requireUser(deps, ids);
  return listIdentities(deps, ids);
}

export async function requireUser(deps: Pick<Deps, 'prisma'>, ids: UserIds): Promise<void> {
  if (!(await isUser(deps.prisma, ids))) throw new ApiError('auth/user-not-found');
}
