// The JWKS of an identity provider, cached: fetched again when it is old or does not contain a token's key, one fetch at a time.
// Anyone can send tokens with unknown keys, so refetches are rate limited. Known keys are used while the provider is down.
import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { ApiError } from '../../src/lib/api-error.js';
import type { Clock } from '../../src/lib/clock.js';
import type { Logger } from '../../src/lib/logger.js';
import { singleFlight } from '../../src/lib/single-flight.js';
import { callProvider, type Fetch } from './provider-call.js';

/** Finds the key of a token: throws jose's errors for an unknown key, `request/unavailable` if the key set cannot be fetched. */
export type ProviderKeys = JWTVerifyGetKey;

const freshMilliseconds = 10 * 60_000;
const pauseMilliseconds = 30_000;
/** The pause while no key is known and every sign-in waits for one. */
const shortPauseMilliseconds = 2_000;

/** `url` is where `read` reads them from, for the log. */
export function providerKeys(
  deps: { fetch: Fetch; clock: Clock; logger: Logger },
  url: string,
  read: () => Promise<KeySet> = () => readKeySet(deps, url),
): ProviderKeys {
  let known: JWTVerifyGetKey | null = null;
  let knownSince = Number.NEGATIVE_INFINITY;
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let failure: unknown = null;

  const now = () => deps.clock.now().getTime();
  /** The pause is also over after the clock has stepped back, which makes the time since then unknown. */
  const isOver = (since: number, milliseconds: number) => now() - since >= milliseconds || now() < since;

  const fetching = singleFlight(async () => {
    fetchedAt = now();
    try {
      known = createLocalJWKSet(await read());
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

export type KeySet = Parameters<typeof createLocalJWKSet>[0];

/** The public keys that the provider publishes now. Rejects if there are none. */
export async function readKeySet(deps: { fetch: Fetch }, url: string): Promise<KeySet> {
  const { status, body } = await callProvider(deps, url);
  if (status !== 200) throw new Error(`the provider answered ${status}`);
  const keys = keysIn(JSON.parse(body));
  if (keys === null) throw new Error('the document contains no key for RS256 or ES256');
  return keys;
}

/** The keys of a key set that can verify an ID token; null if there are none. */
export function keysIn(document: unknown): KeySet | null {
  const { keys: all } = (document ?? {}) as { keys?: unknown };
  const keys = Array.isArray(all) ? all.filter(isUsable) : [];
  return keys.length === 0 ? null : { keys };
}

/** 8,192 bits in base64url: verifying with a longer modulus takes tens of milliseconds. */
const maxModulusCharacters = 1_366;

/** Public, and for RS256 or ES256, the accepted algorithms. A key of an unknown type must not invalidate the others. */
function isUsable(key: unknown): key is KeySet['keys'][number] {
  if (typeof key !== 'object' || key === null || 'd' in key) return false;
  const { kty, n, crv, alg, use = 'sig' } = key as Record<string, unknown>;
  if (use !== 'sig') return false;
  if (kty === 'RSA')
    return typeof n === 'string' && n.length <= maxModulusCharacters && (alg ?? 'RS256') === 'RS256';
  return kty === 'EC' && crv === 'P-256' && (alg ?? 'ES256') === 'ES256';
}
