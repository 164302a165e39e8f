// DELETE /me, DELETE of v1 and of the backend: one transaction deletes the account with everything that is read through it;
// rows of which there may be many are purged in batches (purge-accounts.ts). The event and the revocation at provider B are
// written before the row is deleted.
import type { Tx } from '@foyer/prisma';
import { ownEntry, writeAuditEntry } from '../audit/entry.js';
import { deleteCodesOf } from '../codes/live-code.js';
import { leaveTeams } from '../console/members.js';
import type { Deps } from '../deps.js';
import { removeIdentities } from '../identities/remove-identities.js';
import { ApiError } from '../lib/api-error.js';
import { queueMail } from '../mail/queue-mail.js';
import type { Actor } from '../model/actor.js';
import type { App } from '../model/app.js';
import { endAllSessionsIn } from '../sessions/end-sessions.js';
import { lockUser } from '../users/account.js';
import { deleteUser } from '../users/write-user.js';
import { beginPurge } from './purge-accounts.js';

export type Deletion = {
  /** Throws when the user's session, or v1 token, has ended since the guard checked it. */
  requireLive?: (tx: Tx) => Promise<void>;
  /** The actor where it is not the user; `auth/user-not-found` then when there is no such user. */
  by?: Actor;
  /** The language of the user. */
  language?: string | undefined;
};

export async function deleteAccount(
  deps: Deps,
  app: App,
  uid: string,
  { requireLive, by, language }: Deletion,
): Promise<void> {
  const ids = { appId: app.id, uid };
  await deps.prisma.$transaction(async (tx) => {
    const account = await lockUser(tx, ids);
    if (!account && by) throw new ApiError('auth/user-not-found');
    // A parallel call of the user deleted it.
    if (!account) return;
    await requireLive?.(tx);
    const firstEvent = deps.random.ulid(deps.clock.now());
    await leaveTeams(tx, deps, app, uid);
    // Before the rest, so that no sign-in in progress starts a session, and no refresh outlives the account.
    await endAllSessionsIn(tx, deps, ids, 'user_deleted');
    await removeIdentities(tx, deps, app, account.uid);
    await deleteCodesOf(tx, app.id, [account.uid, account.email]);
    await beginPurge(tx, deps, ids, firstEvent);
    // Without an IP address, like everything that is left of the account.
    const entry = ownEntry(ids, null);
    await writeAuditEntry(tx, deps, { ...entry, ...(by && { actor: by }), action: 'user.deleted' });
    await deleteUser(tx, deps, ids, by ? 'admin' : 'self');
    await queueMail(tx, deps, app, { kind: 'account_deleted', to: account.email, language });
  });
  deps.queue.wake();
}
