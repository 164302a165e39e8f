// DELETE /me, DELETE of v1 and of the backend: one transaction deletes the account with everything that is read through it;
// rows of which there may be many are purged in batches (purge-accounts.ts). The event and the revocation at provider B are
// written before the row is deleted.
import type { Tx } from '@foyer/prisma';
import { lockUser } from '../accounts/account.js';
import { deleteUser } from '../accounts/write-user.js';
import { change } from '../change.js';
import { deleteCodesOf } from '../codes/store.js';
import { leaveTeams } from '../console/members.js';
import type { Deps } from '../deps.js';
import { removeIdentities } from '../identities/remove-identities.js';
import { ApiError } from '../lib/api-error.js';
import { actsForApp, type Call } from '../model/call.js';
import { endAllSessionsIn } from '../sessions/end-sessions.js';
import { beginPurge } from './purge-accounts.js';

/**
 * The user deletes it, with a check that the session or v1 token is still live; or, without one, the app's backend or a member,
 * for whom `auth/user-not-found` says that there is no such user.
 */
export async function deleteAccount(
  deps: Deps,
  call: Call,
  uid: string,
  requireLive?: (tx: Tx) => Promise<void>,
): Promise<void> {
  const { app, actor } = call;
  const ids = { appId: app.id, uid };
  await change(deps, call, async (tx, record) => {
    const account = await lockUser(tx, ids);
    if (!account && actsForApp(call)) throw new ApiError('auth/user-not-found');
    // A parallel call of the user deleted it.
    if (!account) return;
    await requireLive?.(tx);
    const firstEvent = deps.random.ulid(deps.clock.now());
    await leaveTeams(tx, deps, app, uid);
    // This precedes the rest, so that no sign-in in progress starts a session, and no refresh outlives the account.
    await endAllSessionsIn(tx, deps, ids, 'user_deleted');
    await removeIdentities(tx, deps, ids);
    await deleteCodesOf(tx, app.id, [uid, account.email]);
    await beginPurge(tx, deps, ids, firstEvent);
    // The entry omits the user's IP address, like everything that is left of the account.
    const by = actsForApp(call) ? actor : { ...actor, ip: null };
    await record.audit({ action: 'user.deleted', uid, actor: by });
    // Before the row is deleted, which says whether the email is verified.
    await record.mail(app, {
      kind: 'account_deleted',
      to: account.email,
      language: account.language ?? call.language,
    });
    await deleteUser(tx, deps, ids, actsForApp(call) ? 'admin' : 'self');
  });
}
