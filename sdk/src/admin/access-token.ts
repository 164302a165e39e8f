// Verifies access tokens offline with the service's public keys (JWKS), without one request per token.
import type { CryptoKey, JWTPayload, JWTVerifyOptions } from 'jose';
import { FoyerError, isFoyerError } from '../errors.js';
import type { Emit } from '../events.js';
import { bounded } from '../http/bounded.js';
import { stopwatch } from '../http/stopwatch.js';
import { createKeySet, type PublishedKeys } from './key-set.js';

/**
 * The claims of a verified access token. Its session may have ended since it was issued; `tokens.verify` checks that.
 */
export interface AccessTokenClaims {
  /** The user's id. */
  uid: string;
  /** The session that the token was issued for. */
  sessionId: string;
  /** The user's email. */
  email: string;
  /** Whether the email is verified. */
  emailVerified: boolean;
  /** The custom claims when the token was issued; empty when there are none. */
  claims: Record<string, unknown>;
  /** Time of the last sign-in or reauthentication. */
  authTime: Date;
  /** The time at which the token was issued. */
  issuedAt: Date;
  /** The time at which the token expires. */
  expiresAt: Date;
  /** Authentication methods (RFC 8176), for example `['pwd']`. */
  amr: string[];
}

export interface VerifyAccessTokenOptions {
  /** Accepted clock difference between this machine and the service, in seconds. Default: 30. */
  clockToleranceSeconds?: number | undefined;
}

/** @internal */
export interface TokenIssuer {
  baseUrl: string;
  appId: string;
  /** The expected `iss` claim. */
  issuer: string;
  fetch: typeof fetch;
  now: () => Date;
  emit: Emit;
}

type Jose = Pick<typeof import('jose'), 'jwtVerify' | 'importJWK' | 'errors'>;
type PublicKey = { algorithm: string; key: CryptoKey };

const keySetPath = '/.well-known/jwks.json';
const readMs = 5_000;
const maxTokenLength = 8_192;
const maxLifetimeSeconds = 86_400;
const keyTypes: Record<string, string> = { ES256: 'EC', RS256: 'RSA' };

export type VerifyAccessToken = (
  token: string,
  options?: VerifyAccessTokenOptions,
) => Promise<AccessTokenClaims>;

/** @internal */
export function createVerifier(from: TokenIssuer): VerifyAccessToken {
  let jose: Promise<Jose> | undefined;
  const keyOf = createKeySet(
    async () => readKeys(from, await loaded()),
    () => from.now().getTime(),
  );
  const loaded = () => {
    jose ??= loadJose();
    return jose;
  };

  return async (token, { clockToleranceSeconds = 30 } = {}) => {
    const { jwtVerify, errors } = await loaded();
    if (typeof token !== 'string' || token.length > maxTokenLength) throw invalid();
    const rules: JWTVerifyOptions = {
      algorithms: Object.keys(keyTypes),
      typ: 'at+jwt',
      issuer: from.issuer,
      audience: from.appId,
      requiredClaims: ['sub', 'sid', 'iat', 'exp', 'auth_time', 'email', 'email_verified'],
      // The check of the age also rejects tokens issued in the future.
      maxTokenAge: maxLifetimeSeconds,
      clockTolerance: clockToleranceSeconds,
      currentDate: from.now(),
    };
    try {
      const { payload } = await jwtVerify(
        token,
        async ({ kid, alg }) => {
          const publicKey = kid === undefined ? undefined : await keyOf(kid);
          // The key determines the algorithm; the token's `alg` header must match it.
          if (!publicKey || publicKey.algorithm !== alg) throw invalid();
          return publicKey.key;
        },
        rules,
      );
      return claimsOf(payload);
    } catch (cause) {
      if (isFoyerError(cause)) throw cause;
      if (cause instanceof errors.JWTExpired) {
        throw new FoyerError('auth/token-expired', 'The access token has expired.', { status: 401, cause });
      }
      throw invalid(cause);
    }
  };
}

function invalid(cause?: unknown): FoyerError {
  return new FoyerError('auth/invalid-token', 'The access token is invalid.', { status: 401, cause });
}

/** Called after the signature is verified, so the service guarantees the payload's shape. */
function claimsOf(payload: JWTPayload): AccessTokenClaims {
  const claims = payload as Record<string, never>;
  const time = (name: string) => new Date(Number(claims[name]) * 1_000);
  return {
    uid: claims.sub as unknown as string,
    sessionId: claims.sid as unknown as string,
    email: claims.email as unknown as string,
    emailVerified: claims.email_verified as unknown as boolean,
    claims: claims.claims ?? {},
    authTime: time('auth_time'),
    issuedAt: time('iat'),
    expiresAt: time('exp'),
    amr: claims.amr ?? [],
  };
}

async function readKeys(from: TokenIssuer, { importJWK }: Jose): Promise<PublishedKeys<PublicKey>> {
  const set = await fetchKeySet(from);
  const keys = new Map<string, PublicKey>();
  for (const jwk of set.keys) {
    const { kid, alg, kty, use } = jwk;
    // Ignores key types that a later version of the service may publish.
    if (typeof kid !== 'string' || !alg || keyTypes[alg] !== kty || use !== 'sig') continue;
    keys.set(kid, { algorithm: alg, key: (await importJWK(jwk, alg)) as CryptoKey });
  }
  // A response without keys comes from a proxy or a misconfiguration and must not replace the cached keys.
  if (keys.size === 0) throw new Error('The key set contains no usable key.');
  return { keys, ageMs: set.ageMs };
}

async function fetchKeySet({ baseUrl, fetch: fetchNow, emit }: TokenIssuer) {
  const elapsedMs = stopwatch();
  let status = 0;
  try {
    return await bounded(async (signal) => {
      const headers = { Accept: 'application/json' };
      const response = await fetchNow(baseUrl + keySetPath, { headers, redirect: 'manual', signal });
      status = response.status;
      if (status !== 200) throw new Error(`The key set request failed with status ${status}.`);
      const { keys } = (await response.json()) as { keys: Record<string, string>[] };
      return { keys, ageMs: 1_000 * (Number(response.headers.get('Age')) || 0) };
    }, readMs);
  } finally {
    emit({ type: 'request', method: 'GET', path: keySetPath, status, durationMs: elapsedMs() });
  }
}

async function loadJose(): Promise<Jose> {
  try {
    return await import('jose').catch(importInNode);
  } catch (cause) {
    throw new FoyerError(
      'client/invalid-argument',
      'verifyAccessToken requires the package jose: npm install jose',
      { cause },
    );
  }
}

declare const __filename: string;

/** Imports `jose` as Node itself does: Jest refuses `import()` in CommonJS unless Node runs with a flag. */
function importInNode(cause: { code?: unknown }): Promise<Jose> {
  const { process } = globalThis as { process?: Process };
  const vm = process?.getBuiltinModule?.('node:vm');
  if (!vm || !/VM_DYNAMIC_IMPORT/.test(`${cause.code}`)) throw cause;
  const importModuleDynamically = vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  const script = new vm.Script("import('jose')", { filename: __filename, importModuleDynamically });
  return script.runInThisContext();
}

interface Process {
  getBuiltinModule?(name: 'node:vm'): {
    Script: new (source: string, options: object) => { runInThisContext(): Promise<Jose> };
    constants: { USE_MAIN_CONTEXT_DEFAULT_LOADER: symbol };
  };
}
