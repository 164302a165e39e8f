// DELETE /me, its twin in v1 and the backend's: the account goes in one transaction, and with it everything that is read
// through it; rows of which there may be many are cleared in batches (purge-accounts.ts). What has to be told to others (the

// event, the revocation at provider B) is written before.
import type { Prisma } from '@foyer/prisma';
import { ownEntry, writeAuditEntry } from '../audit/entry.js';
import { deleteCodesOf } from '../codes/live-code.js';
import type { Deps } from '../deps.js';
import { queueProviderRevocations } from '../identities/revoke-provider-tokens.js';
import { queueMail } from '../mail/queue-mail.js';
import type { Actor } from '../model/actor.js';
import type { App } from '../model/app.js';
import { endAllSessionsIn } from '../sessions/end-sessions.js';
import { deleteUser } from '../users/delete-user.js';
import type { Account } from '../users/find-account.js';
import { beginPurge } from './purge-accounts.js';

/**
 * `lock` is that of the call: null when the account is gone, and a refusal when the call may no longer speak for it. `by` is
 * who deletes it where that is not the user; `language` is the user's.
 */
export async function deleteAccount(
  deps: Deps,
  app: App,
  uid: string,
  lock: (tx: Prisma.TransactionClient) => Promise<Account | null>,
  { by = null, language }: { by?: Actor | null; language?: string | undefined } = {},
): Promise<void> {
  const ids = { appId: app.id, uid };
  await deps.prisma.$transaction(async (tx) => {
    const account = await lock(tx);
    // Another call was first: what was asked for is done.
    if (account === null) return;
    // Next, so that no sign-in that is under way starts a session, and no refresh outlives the account.
    await endAllSessionsIn(tx, deps, ids, 'user_deleted');
    await queueProviderRevocations(tx, deps, app, account.uid);
    await deleteCodesOf(tx, app.id, [account.uid, account.email]);
    await beginPurge(tx, deps, ids);
    // Without the user's own address, as all that is left of the account.
    const entry = ownEntry(ids, null);
    await writeAuditEntry(tx, deps, { ...entry, ...(by && { actor: by }), action: 'user.deleted' });
    await deleteUser(tx, deps, ids, by ? 'admin' : 'self');
    await queueMail(tx, deps, app, { kind: 'account_deleted', to: account.email, language });
  });
  deps.queue.wake();
}
