// The JWKS of an identity provider, cached: fetched again when it is old or does not contain a token's key, one fetch at a time.
// Anyone can send tokens with unknown keys, so refetches are rate limited. Known keys are used while the provider is down.
import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { ApiError } from '../api-error.js';
import type { Clock } from '../clock.js';
import type { Logger } from '../logger.js';
import { singleFlight } from '../single-flight.js';
import { callProvider, type Fetch } from './provider-call.js';

/** Finds the key of a token: throws jose's errors for an unknown key, `request/unavailable` if the key set cannot be fetched. */
export type ProviderKeys = JWTVerifyGetKey;

const freshMilliseconds = 10 * 60_000;
const pauseMilliseconds = 30_000;
/** While no key is known and every sign-in waits for one. */
const shortPauseMilliseconds = 2_000;

export function providerKeys(
  deps: { fetch: Fetch; clock: Clock; logger: Logger },
  url: string,
): ProviderKeys {
  let known: JWTVerifyGetKey | null = null;
  let knownSince = Number.NEGATIVE_INFINITY;
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let failure: unknown = null;

  const now = () => deps.clock.now().getTime();
  /** Also after the clock has stepped back, which makes the time since then unknown. */
  const isOver = (since: number, milliseconds: number) => now() - since >= milliseconds || now() < since;

  const fetching = singleFlight(async () => {
    fetchedAt = now();
    try {
      known = createLocalJWKSet(await readKeySet(deps, url));
      knownSince = fetchedAt;
      failure = null;
    } catch (error) {
      failure = error;
      deps.logger.warn({ url, err: error }, 'the key set of an identity provider cannot be read');
    }
  });

  function canRefetch(): boolean {
    return fetching.running !== null || isOver(fetchedAt, pause());
  }

  function pause(): number {
    return known === null ? shortPauseMilliseconds : pauseMilliseconds;
  }

  function unavailable(): ApiError {
    return new ApiError('request/unavailable', { retryAfterSeconds: pause() / 1_000, cause: failure });
  }

  return async (header, token) => {
    const old = isOver(knownSince, freshMilliseconds);
    if ((known === null || old) && canRefetch()) await fetching.run();
    if (known === null) throw unavailable();
    try {
      return await known(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      if (canRefetch()) await fetching.run();
      // The key may be in the set that cannot be fetched now.
      if (failure !== null) throw unavailable();
      return known(header, token);
    }
  };
}

/** The public keys that the provider publishes now. Rejects if there are none. */
export async function readKeySet(deps: { fetch: Fetch }, url: string) {
  const { status, body } = await callProvider(deps, url);
  if (status !== 200) throw new Error(`the provider answered ${status}`);
  const document = JSON.parse(body) as { keys?: unknown } | null;
  const keys = Array.isArray(document?.keys) ? document.keys.filter(isPublicKey) : [];
  if (keys.length === 0) throw new Error('the document contains no key');
  return { keys };
}

/** A key of an unknown type must not invalidate the others. */
function isPublicKey(key: unknown): boolean {
  if (typeof key !== 'object' || key === null) return false;
  const { kty } = key as { kty?: unknown };
  return (kty === 'RSA' || kty === 'EC') && !('d' in key);
}
