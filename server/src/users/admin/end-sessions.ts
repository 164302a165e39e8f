// Ends all sessions of a user, for the app's backend.
import { writeAuditEntry } from '../../audit/entry.js';
import type { Deps } from '../../deps.js';
import type { StoreResponse } from '../../idempotency/stored-response.js';
import type { Actor } from '../../model/actor.js';
import { endAllSessionsIn } from '../../sessions/end-sessions.js';
import type { UserIds } from '../account.js';
import { lockKnownUser } from './known-user.js';

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
