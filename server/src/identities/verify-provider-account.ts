// Verifies a provider account by an ID token, which can be used once, and again for a few minutes, because a client that lost
// the response has no other. A retry finds the account that the first call created.
import { limits } from '@foyer/contract';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { before } from '../lib/timestamp.js';
import type { App } from '../model/app.js';
import { queueCodeExchange } from './exchange-code.js';
import { type ProviderProof, tokenHashOf } from './proof.js';
import { findIdentityOwner, useIdToken } from './store.js';
import { type ProviderAccount, verifyIdToken } from './verify-id-token.js';

export { deleteIdTokensSeenBefore, findIdentityOwner, hasIdentity } from './store.js';

/** `auth/invalid-credential`, `auth/operation-not-allowed` or `request/unavailable` when the token is not valid. */
export async function verifyProviderAccount(
  deps: Pick<Deps, 'prisma' | 'clock' | 'providers'>,
  app: App,
  proof: ProviderProof,
): Promise<ProviderAccount> {
  const account = await verifyIdToken(deps, app, proof);
  const now = deps.clock.now();
  const retrySince = before(now, limits.idTokenRetrySeconds * 1_000);
  if (!(await useIdToken(deps.prisma, app.id, tokenHashOf(proof), { now, retrySince }))) {
    throw new ApiError('auth/invalid-credential', { cause: 'the ID token was used before' });
  }
  return account;
}

/** Whether the token belongs to an identity of the user, for reauthentication. Throws when the token is not valid. */
export async function verifyIdentity(
  deps: Deps,
  app: App,
  uid: string,
  proof: ProviderProof,
): Promise<boolean> {
  const account = await verifyProviderAccount(deps, app, proof);
  if ((await findIdentityOwner(deps.prisma, app.id, account))?.uid !== uid) return false;
  // Often the last request before the account is deleted, and so the last code from provider B.
  await deps.prisma.$transaction((tx) => queueCodeExchange(tx, deps, app, account, proof));
  return true;
}
