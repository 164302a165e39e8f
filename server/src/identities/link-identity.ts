// Links a provider account to a user: by the user, or at a sign-in by the verified email. A mail notifies the user of the new
// sign-in method.
import type { Identity } from '@foyer/contract';
import type { Tx } from '@foyer/prisma';
import { ownEntry, writeAuditEntry } from '../audit/entry.js';
import { recordFailures } from '../audit/record-failure.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { queueMail } from '../mail/queue-mail.js';
import type { App } from '../model/app.js';
import type { SessionIds } from '../model/session.js';
import { lockUserOfCall } from '../sessions/find-session.js';
import { lockUser } from '../users/account.js';
import { recordIdentityChange } from '../users/write-user.js';
import { queueCodeExchange } from './exchange-code.js';
import { serializeIdentity } from './list-identities.js';
import type { ProviderProof } from './proof.js';
import { methodOf } from './provider.js';
import { hasIdentity, insertIdentity, type NewIdentity } from './store.js';
import type { ProviderAccount } from './verify-id-token.js';
import { verifyProviderAccount } from './verify-provider-account.js';

/** The client that links: its IP address for the audit log, its language for the notice. */
export type Linker = { ipAddress: string | null; language: string | undefined };

type Names = { firstName: string | null; lastName: string | null };

/** POST /me/identities/{provider}. */
export function linkIdentity(
  deps: Deps,
  app: App,
  ids: SessionIds,
  proof: ProviderProof,
  linker: Linker,
): Promise<Identity> {
  const own = ownEntry(ids, linker.ipAddress);
  const failure = { ...own, action: 'identity.link_failed', method: methodOf[proof.provider] } as const;
  return recordFailures(deps, failure, async () => {
    const account = await deps.limiter.countFailure(app, { uid: ids.uid }, () =>
      verifyProviderAccount(deps, app, proof),
    );
    const identity = newIdentity(deps, app, account, ids.uid);
    await deps.prisma.$transaction(async (tx) => {
      const user = await lockUserOfCall(tx, ids);
      if (await hasIdentity(tx, ids, account.provider)) throw new ApiError('auth/provider-already-linked');
      if (!(await insertIdentity(tx, identity))) throw new ApiError('auth/credential-already-in-use');
      await recordLink(tx, deps, app, identity, user.email, linker);
      await queueCodeExchange(tx, deps, app, account, proof);
    });
    deps.queue.wake();
    return serializeIdentity(identity);
  });
}

/** The identity of an account that this transaction creates. */
export async function linkToNewAccount(
  tx: Tx,
  deps: Deps,
  app: App,
  account: ProviderAccount,
  uid: string,
): Promise<boolean> {
  return insertIdentity(tx, newIdentity(deps, app, account, uid));
}

/**
 * Links to the account whose verified email is the provider's verified email, and sets the names of one that has none. Does
 * nothing when the account has changed since it was read, or either side is linked already.
 */
export async function linkByVerifiedEmail(
  tx: Tx,
  deps: Deps,
  app: App,
  account: ProviderAccount & { email: string },
  uid: string,
  names: Names,
  linker: Linker,
): Promise<void> {
  const user = await lockUser(tx, { appId: app.id, uid });
  if (!user?.emailVerified || user.disabled || user.email !== account.email) return;
  const identity = newIdentity(deps, app, account, uid);
  if (await insertIdentity(tx, identity))
    await recordLink(tx, deps, app, identity, user.email, linker, names);
}

async function recordLink(
  tx: Tx,
  deps: Deps,
  app: App,
  identity: NewIdentity,
  to: string,
  linker: Linker,
  names?: Names,
): Promise<void> {
  const { uid, provider } = identity;
  const ids = { appId: app.id, uid };
  await recordIdentityChange(tx, deps, ids, names);
  const own = ownEntry(ids, linker.ipAddress);
  await writeAuditEntry(tx, deps, { ...own, action: 'identity.linked', details: { provider } });
  await queueMail(tx, deps, app, { kind: 'provider_linked', to, provider, language: linker.language });
}

function newIdentity(
  deps: Pick<Deps, 'clock'>,
  app: App,
  account: ProviderAccount,
  uid: string,
): NewIdentity {
  const { provider, subject, email, clientId } = account;
  return { appId: app.id, provider, subject, uid, email, clientId, linkedAt: deps.clock.now() };
}
