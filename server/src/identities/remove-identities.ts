// Removes identities: one by the user, or all that were linked before the email was confirmed. The last one can be removed
// too, since an emailed code always allows a sign-in.
import type { Tx } from '@foyer/prisma';
import type { UserIds } from '../accounts/account.js';
import { raiseCredentialVersion, writeUserEvent } from '../accounts/write-user.js';
import { change } from '../change.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { sessionIdsOf, type UserCall } from '../model/call.js';
import { requireLiveSession } from '../sessions/find-session.js';
import { queueRevocations } from './revoke-provider-tokens.js';
import { deleteIdentities } from './store.js';

/** DELETE /me/identities/{provider}; `auth/no-such-provider` when there is none. */
export async function unlinkIdentity(deps: Deps, call: UserCall, provider: string): Promise<void> {
  const ids = sessionIdsOf(call);
  await change(deps, call, async (tx, record) => {
    // A sign-in in progress by this identity is invalidated, too: it is verified again, and the identity is no longer
    // found.
    const user = await raiseCredentialVersion(tx, ids, deps.clock.now());
    await requireLiveSession(tx, ids);
    if ((await removeIdentities(tx, deps, ids, provider)) === 0) throw new ApiError('auth/no-such-provider');
    await writeUserEvent(tx, deps, ids, { type: 'user.updated' });
    await record.audit({ action: 'identity.unlinked', uid: ids.uid, details: { provider } });
    if (user) await record.mail(call.app, { kind: 'provider_unlinked', to: user.email, provider });
  });
}

/**
 * Removes one identity, or every one, once the credential version is raised or the account goes; returns how many there were.
 */
export async function removeIdentities(
  tx: Tx,
  deps: Deps,
  { appId, uid }: UserIds,
  provider?: string,
): Promise<number> {
  const removed = await deleteIdentities(tx, { appId, uid }, provider);
  await queueRevocations(tx, deps, appId, removed);
  return removed.length;
}
