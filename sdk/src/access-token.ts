// Whether an access token is good, judged here with the service's public keys: no call to the service for each token.
import type { CryptoKey, JWTPayload, JWTVerifyOptions } from 'jose';
import { bounded } from './bounded.js';
import { FoyerError, isFoyerError } from './errors.js';
import type { Emit } from './events.js';
import { createKeySet, type PublishedKeys } from './key-set.js';
import { stopwatch } from './stopwatch.js';

/** What a good access token says. The session may have ended since it was made: `tokens.verify` knows. */
export interface AccessTokenClaims {
  /** The user. */
  uid: string;
  sessionId: string;
  email: string;
  emailVerified: boolean;
  /** The custom claims, as they were when the token was made; empty when there are none. */
  claims: Record<string, unknown>;
  /** When the user signed in, or proved it anew. */
  authTime: Date;
  issuedAt: Date;
  expiresAt: Date;
  /** How the user signed in (RFC 8176): `['pwd']`, for example. */
  amr: string[];
}

export interface VerifyAccessTokenOptions {
  /** How far this machine's clock may be from the service's: 30 when absent. */
  clockToleranceSeconds?: number | undefined;
}

/** @internal */
export interface TokenIssuer {
  baseUrl: string;
  appId: string;
  /** The `iss` of the tokens. */
  issuer: string;
  fetch: typeof fetch;
  now: () => Date;
  emit: Emit;
}

type Jose = Pick<typeof import('jose'), 'jwtVerify' | 'importJWK' | 'errors'>;
type PublicKey = { algorithm: string; key: CryptoKey };

const keySetPath = '/.well-known/jwks.json';
const readMs = 5_000;
const longestToken = 8_192;
const longestLifeSeconds = 86_400;
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
    if (typeof token !== 'string' || token.length > longestToken) throw invalid();
    const rules: JWTVerifyOptions = {
      algorithms: Object.keys(keyTypes),
      typ: 'at+jwt',
      issuer: from.issuer,
      audience: from.appId,
      requiredClaims: ['sub', 'sid', 'iat', 'exp', 'auth_time', 'email', 'email_verified'],
      // Also refuses one that was made in the future.
      maxTokenAge: longestLifeSeconds,
      clockTolerance: clockToleranceSeconds,
      currentDate: from.now(),
    };
    try {
      const { payload } = await jwtVerify(
        token,
        async ({ kid, alg }) => {
          const found = kid === undefined ? undefined : await keyOf(kid);
          // The key says which algorithm it is for; a token never chooses.
          if (!found || found.algorithm !== alg) throw invalid();
          return found.key;
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
  return new FoyerError('auth/invalid-token', 'This is no access token of the app.', { status: 401, cause });
}

/** Only a token whose signature fits comes here: its shape is the service's. */
function claimsOf(payload: JWTPayload): AccessTokenClaims {
  const said = payload as Record<string, never>;
  const time = (name: string) => new Date(Number(said[name]) * 1_000);
  return {
    uid: said.sub as unknown as string,
    sessionId: said.sid as unknown as string,
    email: said.email as unknown as string,
    emailVerified: said.email_verified as unknown as boolean,
    claims: said.claims ?? {},
    authTime: time('auth_time'),
    issuedAt: time('iat'),
    expiresAt: time('exp'),
    amr: said.amr ?? [],
  };
}

async function readKeys(from: TokenIssuer, { importJWK }: Jose): Promise<PublishedKeys<PublicKey>> {
  const set = await fetchKeySet(from);
  const keys = new Map<string, PublicKey>();
  for (const jwk of set.keys) {
    const { kid, alg, kty, use } = jwk;
    // A later service may publish keys of other kinds.
    if (typeof kid !== 'string' || !alg || keyTypes[alg] !== kty || use !== 'sig') continue;
    keys.set(kid, { algorithm: alg, key: (await importJWK(jwk, alg)) as CryptoKey });
  }
  // What holds no key is a proxy's page or a mistake, and must not take the place of the keys.
  if (keys.size === 0) throw new Error('the key set holds no key');
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
      if (status !== 200) throw new Error(`the key set was answered with ${status}`);
      const { keys } = (await response.json()) as { keys: Record<string, string>[] };
      return { keys, ageMs: 1_000 * (Number(response.headers.get('Age')) || 0) };
    }, readMs);
  } finally {
    emit({ type: 'request', method: 'GET', path: keySetPath, status, durationMs: elapsedMs() });
  }
}

async function loadJose(): Promise<Jose> {
  try {
    return await import('jose');
  } catch (cause) {
    throw new FoyerError(
      'client/invalid-argument',
      'verifyAccessToken needs the package jose: npm install jose',
      { cause },
    );
  }
}
