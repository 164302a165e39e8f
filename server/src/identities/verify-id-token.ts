// Verifies a provider's ID token: signature against the provider's JWKS, issuer, and the claims by id-token-rules.ts. Every
// failure has the same response.
import { limits, type TokenRefusal } from '@foyer/contract';
import { decodeJwt, decodeProtectedHeader, errors, jwtVerify } from 'jose';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { App } from '../model/app.js';
import {
  checkIdToken,
  clientIdOf,
  emailOf,
  type IdTokenClaims,
  isEmailVerified,
  profileOf,
} from './id-token-rules.js';
import { hashedNonce, type ProviderProof, type TokenProof } from './proof.js';
import { type AppProvider, requireProvider } from './provider.js';
import { RefusedToken } from './refused-token.js';

/** An account at a provider, from a verified ID token. */
export type ProviderAccount = {
  /** The id of the provider. */
  provider: string;
  /** The `sub` of the provider, the only claim that never changes; with the issuer where the settings name that. */
  subject: string;
  email: string | null;
  /** The provider has verified the email, and is trusted to. */
  emailVerified: boolean;
  /** Without a verified email, an account with an unverified one can be created. */
  createsUnverified: boolean;
  /** The client id that the token was made for. */
  clientId: string;
  profile: ReturnType<typeof profileOf>;
  /** Of provider B by redirect: to be stored, so that it can be revoked. */
  refreshToken: string | null;
  /** What proved it. */
  proof: ProviderProof;
};

/** An account whose user returns from the provider; the proof will be the code. */
export type ReturnedAccount = Omit<ProviderAccount, 'proof'>;

const algorithms = ['RS256', 'ES256'];
/** Headers that carry a key, or require extensions that are not supported. Providers send none of them. */
const refusedHeaders = ['jwk', 'jku', 'x5u', 'x5c', 'crit'];

/** `auth/invalid-credential`, `auth/no-such-provider`, `auth/operation-not-allowed` or `request/unavailable`. */
export async function verifyIdToken(
  deps: Pick<Deps, 'clock' | 'providers'>,
  app: App,
  proof: TokenProof,
): Promise<ProviderAccount> {
  const { provider: id } = proof;
  const provider = requireProvider(deps, app, id);
  const { clientIds, hashesNonce, trustsEmail, createsUnverified } = provider;
  const now = deps.clock.now();
  const claims = await signedClaims(provider, proof, now);
  const nonce = hashesNonce ? hashedNonce(proof.nonce) : proof.nonce;
  const verdict = checkIdToken(claims, { clientIds, nonce }, now);
  if (verdict !== 'valid') throw new RefusedToken(verdict, proof);
  return {
    provider: id,
    subject: provider.subjectOf(claims.sub as string),
    email: emailOf(claims),
    emailVerified: trustsEmail && isEmailVerified(claims, id),
    createsUnverified,
    clientId: clientIdOf(claims, clientIds) as string,
    profile: profileOf(claims),
    refreshToken: null,
    proof,
  };
}

async function signedClaims(
  { issuers, keys }: AppProvider,
  proof: TokenProof,
  now: Date,
): Promise<IdTokenClaims> {
  const early = reasonBeforeKeys(proof.idToken, issuers);
  if (early) throw new RefusedToken(early, proof);
  try {
    const { payload } = await jwtVerify(proof.idToken, keys, {
      algorithms,
      issuer: issuers,
      currentDate: now,
      // The tolerance applies to `nbf`: the rules check the other times.
      clockTolerance: limits.idTokenClockSeconds,
    });
    return payload;
  } catch (error) {
    throw error instanceof ApiError ? error : new RefusedToken(reasonOf(error), proof);
  }
}

/** Checked before any keys are fetched: a forged or misdirected token must not cause a request to the provider. */
function reasonBeforeKeys(idToken: string, issuers: readonly string[]): TokenRefusal | null {
  try {
    const header = decodeProtectedHeader(idToken);
    if (!algorithms.includes(header.alg ?? '')) return 'unsupported-algorithm';
    if (refusedHeaders.some((name) => name in header)) return 'forbidden-header';
    return issuers.includes(decodeJwt(idToken).iss ?? '') ? null : 'wrong-issuer';
  } catch {
    return 'malformed';
  }
}

const reasons: Record<string, TokenRefusal> = {
  ERR_JWKS_NO_MATCHING_KEY: 'unknown-key',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'unknown-key',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'wrong-signature',
  ERR_JWT_EXPIRED: 'expired',
};

const claimReasons: Record<string, TokenRefusal> = {
  iss: 'wrong-issuer',
  nbf: 'not-yet-valid',
  exp: 'expired',
  iat: 'too-old',
};

/** Returns the reason of an error of jose. */
function reasonOf(error: unknown): TokenRefusal {
  if (error instanceof errors.JWTClaimValidationFailed) return claimReasons[error.claim] ?? 'malformed';
  if (error instanceof errors.JOSEError) return reasons[error.code] ?? 'malformed';
  // A published key that cannot be used.
  return 'unknown-key';
}
