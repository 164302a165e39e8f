// Verifies a provider account by the code of a redirect, or by an ID token. An ID token can be used once, and again for a few minutes,
// because a client that lost the response has no other; the retry finds the account that the first call created.
import { limits } from '@foyer/contract';
import { type Failure, recordFailures } from '../audit/record-failure.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { retryConflicts } from '../lib/retry.js';
import { before } from '../lib/timestamp.js';
import type { Call, UserCall } from '../model/call.js';
import { type ProviderProof, tokenHashOf } from './proof.js';
import { methodOf } from './provider.js';
import { verifyCode } from './redirect-code.js';
import { RefusedToken, recordRefusals } from './refused-token.js';
import { findIdentityOwner, useIdToken } from './store.js';
import { type ProviderAccount, verifyIdToken } from './verify-id-token.js';

type VerifyDeps = Pick<
  Deps,
  'config' | 'prisma' | 'keyRing' | 'clock' | 'providers' | 'auditBuffer' | 'logger'
>;

/** `auth/invalid-credential`, `auth/operation-not-allowed` or `request/unavailable` when the proof is not valid. */
async function verifyProviderAccount(
  deps: VerifyDeps,
  call: Pick<Call, 'app' | 'ip'>,
  proof: ProviderProof,
): Promise<ProviderAccount> {
  const { app } = call;
  if ('code' in proof) return verifyCode(deps, app, proof);
  return recordRefusals(deps, call, proof, async () => {
    const account = await verifyIdToken(deps, app, proof);
    const now = deps.clock.now();
    const retrySince = before(now, limits.idTokenRetrySeconds * 1_000);
    const isUsable = await useIdToken(deps.prisma, app.id, tokenHashOf(proof), { now, retrySince });
    if (!isUsable) throw new RefusedToken('used-before', proof);
    return account;
  });
}

/** A proof, and the audit action of one that is refused. */
export type ProofAttempt = { proof: ProviderProof; failure: Failure['action'] };

/**
 * Verifies a proof, which counts as a guess of a user who is signed in, and runs the operation with the provider's account.
 * The operation returns null when the user's account changed since it was read; then it runs again, since a parallel call may
 * link, create, change or delete the account.
 */
export async function withVerifiedProof<T>(
  deps: VerifyDeps & Pick<Deps, 'dailyCounters' | 'limiter'>,
  call: Pick<Call, 'app' | 'actor' | 'ip' | 'uid'>,
  { proof, failure: action }: ProofAttempt,
  operation: (account: ProviderAccount, failure: Failure) => Promise<T | null>,
): Promise<T> {
  const { app, uid } = call;
  const failure: Failure = { action, method: methodOf(proof.provider), ...(uid !== null && { uid }) };
  const verify = () => verifyProviderAccount(deps, call, proof);
  const account = await recordFailures(deps, call, failure, () =>
    uid === null ? verify() : deps.limiter.countFailure(app, { uid }, verify),
  );
  return retryConflicts('the account kept changing', () => operation(account, failure), 5);
}

/** Requires a proof of an identity of the user, for reauthentication; `auth/invalid-credential`. The caller spends it. */
export async function requireIdentity(
  deps: Deps,
  call: UserCall,
  proof: ProviderProof,
): Promise<ProviderAccount> {
  const { app, uid } = call;
  const account = await verifyProviderAccount(deps, call, proof);
  if ((await findIdentityOwner(deps.prisma, app.id, account))?.uid !== uid)
    throw new ApiError('auth/invalid-credential');
  return account;
}
