// DELETE /me: the account goes with everything that belongs to it, in one transaction. What has to be told to others (the
// event, the revocation at provider B) is written before.
import type { App } from '../apps/app.js';
import { forgetUserInAudit } from '../audit/forget-user.js';
import { forgetCodes } from '../codes/live-code.js';
import type { Deps } from '../deps.js';
import { queueProviderRevocations } from '../identities/revoke-provider-tokens.js';
import { endAllSessionsIn } from '../sessions/end-sessions.js';
import { deleteUser } from '../users/delete-user.js';
import { lockAccountOfCall } from '../users/lock-account.js';

export async function deleteAccount(
  deps: Deps,
  app: App,
  ids: { appId: string; userId: string; sessionId: string },
): Promise<void> {
  await deps.prisma.$transaction(async (tx) => {
    const account = await lockAccountOfCall(tx, ids);
    // Another call was first: what was asked for is done.
    if (account === null) return;
    // Next, so that no sign-in that is under way starts a session, and no refresh outlives the account.
    await endAllSessionsIn(tx, deps, ids, 'user_deleted');
    await queueProviderRevocations(tx, deps, app, account.uid);
    await forgetCodes(tx, app.id, [account.uid, account.email]);
    await forgetUserInAudit(tx, ids);
    await deleteUser(tx, deps, ids, 'self');
  });
  deps.queue.nudge();
}
