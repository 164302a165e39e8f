// Verifies a provider's ID token: signature against the provider's JWKS, issuer, and the claims by id-token-rules.ts. Every
// failure has the same response.
import { limits } from '@foyer/contract';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import type { Deps, ProviderName } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { sha256 } from '../lib/crypto/digest.js';
import type { App } from '../model/app.js';
import {
  checkIdToken,
  clientIdOf,
  emailOf,
  type IdTokenClaims,
  isEmailVerified,
  profileOf,
} from './id-token-rules.js';
import type { ProviderProof } from './proof.js';
import { clientIdsOf } from './provider.js';

/** An account at a provider, from a verified ID token. */
export type ProviderAccount = {
  provider: ProviderName;
  /** The `sub` of the provider, the only claim that never changes. */
  subject: string;
  email: string | null;
  emailVerified: boolean;
  /** The client id that the token was made for. */
  clientId: string;
  profile: ReturnType<typeof profileOf>;
};

const algorithms = ['RS256', 'ES256'];
/** Headers that carry a key, or require extensions that are not supported. Providers send none of them. */
const refusedHeaders = ['jwk', 'jku', 'x5u', 'x5c', 'crit'];

/** `auth/invalid-credential`, `auth/operation-not-allowed` while the provider is off, or `request/unavailable`. */
export async function verifyIdToken(
  deps: Pick<Deps, 'clock' | 'providers'>,
  app: App,
  proof: ProviderProof,
): Promise<ProviderAccount> {
  const { provider } = proof;
  const clientIds = clientIdsOf(app, provider);
  if (clientIds.length === 0) throw new ApiError('auth/operation-not-allowed');

  const now = deps.clock.now();
  const claims = await signedClaims(deps, proof, now);
  // The client sent provider B the hash, so that the raw value proves who requested the token.
  const nonce = provider === 'provider-b' ? sha256(proof.nonce).toString('hex') : proof.nonce;
  const verdict = checkIdToken(claims, { clientIds, nonce }, now);
  const clientId = clientIdOf(claims, clientIds);
  if (verdict !== 'valid' || clientId === null) throw refusal(verdict);
  return {
    provider,
    subject: claims.sub as string,
    email: emailOf(claims),
    emailVerified: isEmailVerified(claims, provider),
    clientId,
    profile: profileOf(claims),
  };
}

async function signedClaims(
  deps: Pick<Deps, 'providers'>,
  proof: ProviderProof,
  now: Date,
): Promise<IdTokenClaims> {
  const { issuers, keys } = deps.providers[proof.provider];
  try {
    // Checked before any keys are fetched: a forged token must not cause a request to the provider.
    const header = decodeProtectedHeader(proof.idToken);
    if (!algorithms.includes(header.alg ?? '')) throw refusal('algorithm');
    if (refusedHeaders.some((name) => name in header)) throw refusal('header');
    const { payload } = await jwtVerify(proof.idToken, keys, {
      algorithms,
      issuer: issuers,
      requiredClaims: ['sub', 'aud', 'exp', 'iat', 'nonce'],
      currentDate: now,
      // Only for `nbf`: the rules check the other times.
      clockTolerance: limits.idTokenClockSeconds,
    });
    return payload;
  } catch (error) {
    // An error of jose, or of a key that cannot be used, means an invalid token.
    throw error instanceof ApiError ? error : refusal(error);
  }
}

function refusal(cause: unknown): ApiError {
  return new ApiError('auth/invalid-credential', { cause });
}
