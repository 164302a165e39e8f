// Ends all sessions of a user, or one, for the app's backend.
import type { Prisma } from '@foyer/prisma';
import { writeAuditEntry } from '../../audit/entry.js';
import type { Deps } from '../../deps.js';
import type { StoreResponse } from '../../idempotency/stored-response.js';
import { ApiError } from '../../lib/api-error.js';
import type { Actor } from '../../model/actor.js';
import { endAllSessionsIn, revokeSession } from '../../sessions/end-sessions.js';
import { type Account, lockUser, type UserIds } from '../account.js';
import { requireUser } from './read-user.js';

export async function revokeSessions(
  deps: Pick<Deps, 'prisma' | 'clock' | 'random'>,
  ids: UserIds,
  actor: Actor,
  keep: StoreResponse<void>,
): Promise<void> {
  const { appId, uid } = ids;
  await deps.prisma.$transaction(async (tx) => {
    await lockKnownUser(tx, ids);
    await endAllSessionsIn(tx, deps, ids, 'revoked');
    const action = 'user.sessions_revoked';
    await writeAuditEntry(tx, deps, { appId, actor, action, target: `user:${uid}`, uid });
    await keep(tx);
  });
}

/** `auth/user-not-found`, or `auth/session-not-found` when the user has no live session with this id. */
export async function revokeSessionOf(
  deps: Pick<Deps, 'prisma' | 'clock' | 'random'>,
  ids: UserIds & { sessionId: string },
  actor: Actor,
): Promise<void> {
  await requireUser(deps, ids);
  await revokeSession(deps, ids, actor);
}

/** `auth/user-not-found` when there is no such user. */
export async function lockKnownUser(tx: Prisma.TransactionClient, ids: UserIds): Promise<Account> {
  const account = await lockUser(tx, ids);
  if (!account) throw new ApiError('auth/user-not-found');
  return account;
}
