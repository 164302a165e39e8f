// Links somebody's account at a provider to an account of ours: by its user, or at a sign-in by the verified email. The
// account's address is told, since a new way in was opened.
import type { Identity } from '@foyer/contract';
import type { Prisma } from '@foyer/prisma';
import { ownEntry, writeAuditEntry } from '../audit/entry.js';
import { recordFailures } from '../audit/record-failure.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { queueMail } from '../mail/queue-mail.js';
import type { App } from '../model/app.js';
import { requireLiveSession } from '../sessions/find-session.js';
import { queueCodeExchange } from './exchange-code.js';
import { serializeIdentity } from './list-identities.js';
import type { ProviderProof } from './proof.js';
import { proveProviderAccount } from './prove-account.js';
import { methodOf } from './provider.js';
import {
  fillNames,
  hasIdentity,
  insertIdentity,
  lockAccount,
  lockVerifiedAccount,
  type NewIdentity,
  touchUser,
} from './store.js';
import type { ProviderAccount } from './verify-id-token.js';

/** Who links, as the notice and the audit log need it. */
export type Linker = { ipAddress: string | null; language: string | undefined };

type CallIds = { appId: string; uid: string; sessionId: string };

/** POST /me/identities/{provider}. */
export function linkIdentity(
  deps: Deps,
  app: App,
  ids: CallIds,
  proof: ProviderProof,
  linker: Linker,
): Promise<Identity> {
  const own = ownEntry(ids, linker.ipAddress);
  const failure = { ...own, action: 'identity.link_failed', method: methodOf[proof.provider] } as const;
  return recordFailures(deps, failure, () => proveAndLink(deps, app, ids, proof, linker));
}

async function proveAndLink(
  deps: Deps,
  app: App,
  ids: CallIds,
  proof: ProviderProof,
  linker: Linker,
): Promise<Identity> {
  const account = await deps.limiter.countFailure(app, { uid: ids.uid }, () =>
    proveProviderAccount(deps, app, proof),
  );
  const identity = newIdentity(deps, app, account, ids.uid);
  await deps.prisma.$transaction(async (tx) => {
    const user = await lockAccount(tx, ids);
    if (!user) throw new ApiError('auth/invalid-token');
    // Not the guard's word: whoever ended the sessions of the account since then ended this call too.
    await requireLiveSession(tx, ids);
    if (await hasIdentity(tx, ids, account.provider)) throw new ApiError('auth/provider-already-linked');
    if (!(await insertIdentity(tx, identity))) throw new ApiError('auth/credential-already-in-use');
    await tellOfLink(tx, deps, app, identity, user.email, linker);
    await queueCodeExchange(tx, deps, app, account, proof);
  });
  deps.queue.wake();
  return serializeIdentity(identity);
}

/** The identity of an account that is made in this transaction. */
export async function linkToNewAccount(
  tx: Prisma.TransactionClient,
  deps: Deps,
  app: App,
  account: ProviderAccount,
  uid: string,
): Promise<boolean> {
  return insertIdentity(tx, newIdentity(deps, app, account, uid));
}

/**
 * Links to the account whose verified email is the provider's verified email, and gives names to one that has none. False,
 * with nothing changed, when there is no such account any more, or either side is linked already.
 */
export async function linkByVerifiedEmail(
  tx: Prisma.TransactionClient,
  deps: Deps,
  app: App,
  account: ProviderAccount & { email: string },
  names: { firstName: string | null; lastName: string | null },
  linker: Linker,
): Promise<boolean> {
  const uid = await lockVerifiedAccount(tx, app.id, account.email);
  if (uid === null) return false;
  const identity = newIdentity(deps, app, account, uid);
  if (!(await insertIdentity(tx, identity))) return false;
  await fillNames(tx, { appId: app.id, uid }, names);
  await tellOfLink(tx, deps, app, identity, account.email, linker);
  return true;
}

async function tellOfLink(
  tx: Prisma.TransactionClient,
  deps: Deps,
  app: App,
  identity: NewIdentity,
  to: string,
  linker: Linker,
): Promise<void> {
  const { uid, provider } = identity;
  const now = deps.clock.now();
  await touchUser(tx, { appId: app.id, uid, eventId: deps.random.ulid(now) }, now);
  await writeAuditEntry(tx, deps, {
    appId: app.id,
    actor: { name: `user:${uid}`, ipAddress: linker.ipAddress },
    action: 'identity.linked',
    target: `user:${uid}`,
    uid,
    details: { provider },
  });
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
