// Removes identities: one by the user, or all that were linked before the email was confirmed. The last one can be removed
// too, since an emailed code always allows a sign-in.
import type { Tx } from '@foyer/prisma';
import { ownEntry, writeAuditEntry } from '../audit/entry.js';
import type { Deps, ProviderName } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { queueMail } from '../mail/queue-mail.js';
import type { App } from '../model/app.js';
import { requireLiveSession } from '../sessions/find-session.js';
import { raiseCredentialVersion, writeUserEvent } from '../users/write-user.js';
import type { Linker } from './link-identity.js';
import { queueRevocations } from './revoke-provider-tokens.js';
import { deleteIdentities } from './store.js';

/** DELETE /me/identities/{provider}; `auth/no-such-provider` when there is none. */
export async function unlinkIdentity(
  deps: Deps,
  app: App,
  ids: { appId: string; uid: string; sessionId: string },
  provider: ProviderName,
  by: Linker,
): Promise<void> {
  await deps.prisma.$transaction(async (tx) => {
    // Also invalidates a sign-in in progress by this identity: it is verified again, and the identity is no longer
    // found.
    const user = await raiseCredentialVersion(tx, ids, deps.clock.now());
    await requireLiveSession(tx, ids);
    const removed = await deleteIdentities(tx, ids, provider);
    if (removed.length === 0) throw new ApiError('auth/no-such-provider');
    await queueRevocations(tx, deps, ids.appId, removed);
    await writeUserEvent(tx, deps, ids, 'user.updated');
    const own = ownEntry(ids, by.ipAddress);
    await writeAuditEntry(tx, deps, { ...own, action: 'identity.unlinked', details: { provider } });
    if (user) {
      const notice = { kind: 'provider_unlinked', to: user.email, provider, language: by.language } as const;
      await queueMail(tx, deps, app, notice);
    }
  });
  deps.queue.wake();
}

/** Removes every identity, once the credential version is raised or the account goes; returns how many there were. */
export async function removeIdentities(tx: Tx, deps: Deps, app: App, uid: string): Promise<number> {
  const removed = await deleteIdentities(tx, { appId: app.id, uid });
  await queueRevocations(tx, deps, app.id, removed);
  return removed.length;
}
