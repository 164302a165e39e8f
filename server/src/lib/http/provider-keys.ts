// The key set of an identity provider: kept, asked for once at a time, and asked for again when it is old or does not hold
// a token's key. Anybody can send a token with an unknown key, so that asks seldom. While the provider cannot be reached
// the keys known before go on serving.
import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { ApiError } from '../api-error.js';
import type { Clock } from '../clock.js';
import type { Logger } from '../logger.js';
import { callProvider, type Fetch } from './provider-call.js';

/** Finds the key of a token: throws jose's errors for a key that is not there, `request/unavailable` when nobody can say. */
export type ProviderKeys = JWTVerifyGetKey;

const freshMilliseconds = 10 * 60_000;
const pauseMilliseconds = 30_000;
/** While no key at all is known, and every sign-in waits for one. */
const shortPauseMilliseconds = 2_000;

export function providerKeys(
  deps: { fetch: Fetch; clock: Clock; logger: Logger },
  url: string,
): ProviderKeys {
  let known: JWTVerifyGetKey | null = null;
  let knownSince = Number.NEGATIVE_INFINITY;
  let askedAt = Number.NEGATIVE_INFINITY;
  let failure: unknown = null;
  let asking: Promise<void> | null = null;

  const now = () => deps.clock.now().getTime();

  async function ask(): Promise<void> {
    askedAt = now();
    try {
      known = createLocalJWKSet(await readKeySet(deps, url));
      knownSince = askedAt;
      failure = null;
    } catch (error) {
      failure = error;
      deps.logger.warn({ url, err: error }, 'the key set of an identity provider cannot be read');
    }
  }

  function askOnce(): Promise<void> {
    asking ??= ask().finally(() => {
      asking = null;
    });
    return asking;
  }

  function mayAskAgain(): boolean {
    return asking !== null || now() - askedAt >= pause();
  }

  function pause(): number {
    return known === null ? shortPauseMilliseconds : pauseMilliseconds;
  }

  function unavailable(): ApiError {
    return new ApiError('request/unavailable', { retryAfterSeconds: pause() / 1_000, cause: failure });
  }

  return async (header, token) => {
    const old = now() - knownSince >= freshMilliseconds;
    if ((known === null || old) && mayAskAgain()) await askOnce();
    if (known === null) throw unavailable();
    try {
      return await known(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      if (mayAskAgain()) await askOnce();
      // The key may be one of those that cannot be read now.
      if (failure !== null) throw unavailable();
      return known(header, token);
    }
  };
}

async function readKeySet(deps: { fetch: Fetch }, url: string) {
  const { status, body } = await callProvider(deps, url);
  if (status !== 200) throw new Error(`the provider answered ${status}`);
  const document = JSON.parse(body) as { keys?: unknown } | null;
  const keys = Array.isArray(document?.keys) ? document.keys.filter(isPublicKey) : [];
  if (keys.length === 0) throw new Error('the document holds no key');
  return { keys };
}

/** One key of a kind that we do not know must not cost us the others. */
function isPublicKey(key: unknown): boolean {
  if (typeof key !== 'object' || key === null) return false;
  const { kty } = key as { kty?: unknown };
  return (kty === 'RSA' || kty === 'EC') && !('d' in key);
}
