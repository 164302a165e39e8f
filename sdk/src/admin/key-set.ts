// Caches the public keys that sign access tokens for as long as the service permits. Unlike jose's
// `createRemoteJWKSet`, it accepts valid tokens while the service is unreachable, and limits requests for unknown keys
// during failures.
import { FoyerError } from '../errors.js';
import { pause } from '../http/bounded.js';

/** One response of the JWKS endpoint: keys by `kid`, and the response's age. */
export interface PublishedKeys<Key> {
  keys: ReadonlyMap<string, Key>;
  ageMs: number;
}

/** The key set's `max-age` minus a second of processing, so that a removed key is rejected after five minutes. */
const freshMs = 299_000;
/** Minimum interval between requests for unknown keys, because anyone can send a token with an unknown `kid`. */
const minIntervalMs = 1_000;
/** How long a missing `kid` is cached. The cache is per `kid`, because the next unknown one may be a new key. */
const missingMs = 30_000;
const maxMissing = 1_000;
const maxWaiting = 1_000;
/** The service's ids have 43 characters; longer ones are rejected without being cached. */
const maxIdLength = 200;
/** Delay after a failed request. */
const failureMs = 5_000;
/** An unreachable service issues no tokens, and no token lives longer than this. */
const staleMs = 86_400_000;

/**
 * Returns the key of a `kid`, undefined when the service has none; rejects with `client/network` when that is unknown.
 */
export function createKeySet<Key>(
  read: () => Promise<PublishedKeys<Key>>,
  nowMs: () => number,
  wait: (ms: number) => Promise<void> = pause,
): (id: string) => Promise<Key | undefined> {
  let keys: ReadonlyMap<string, Key> | undefined;
  let publishedAtMs = 0;
  let requestedAtMs = Number.NEGATIVE_INFINITY;
  let pending: Promise<void> | undefined;
  let nextRequest: Promise<void> | undefined;
  let failure: { atMs: number; cause: unknown } | undefined;
  let waiting = 0;
  /** Missing `kid`s and when they were last requested, oldest first. */
  const missing = new Map<string, number>();

  /** False when the clock was set back. */
  const within = (sinceMs: number, ms: number) => nowMs() >= sinceMs && nowMs() - sinceMs < ms;
  const canRequest = () => !failure || !within(failure.atMs, failureMs);

  function request(): Promise<void> {
    if (!pending) requestedAtMs = nowMs();
    const sinceMs = requestedAtMs;
    pending ??= read()
      .then(
        (published) => {
          // A shared cache may have aged the response; keeps at least a second of freshness.
          const ageMs = Math.min(published.ageMs, freshMs - 1_000);
          keys = published.keys;
          publishedAtMs = sinceMs - ageMs;
          failure = undefined;
        },
        (cause) => {
          failure = { atMs: nowMs(), cause };
        },
      )
      .finally(() => {
        pending = undefined;
      });
    return pending;
  }

  /**
   * One request for all waiting callers. It starts after they called, at least a second after the previous request
   * started.
   */
  function requestNext(): Promise<void> {
    nextRequest ??= (async () => {
      if (within(requestedAtMs, minIntervalMs)) await wait(minIntervalMs - (nowMs() - requestedAtMs));
      // The pending request may have started before the caller's key was published.
      await pending;
      nextRequest = undefined;
      if (canRequest()) await request();
    })();
    return nextRequest;
  }

  async function waitForNext(): Promise<void> {
    if (waiting >= maxWaiting) throw unreachable();
    waiting += 1;
    try {
      await requestNext();
    } finally {
      waiting -= 1;
    }
  }

  function unreachable(): FoyerError {
    return new FoyerError('client/network', 'The key set cannot be read.', {
      cause: failure?.cause,
    });
  }

  function cacheMissing(id: string): void {
    missing.delete(id);
    if (missing.size >= maxMissing) missing.delete(missing.keys().next().value as string);
    missing.set(id, nowMs());
  }

  return async (id) => {
    let isJustRequested = false;
    if (!keys || !within(publishedAtMs, freshMs)) {
      isJustRequested = !pending;
      if (!keys || canRequest()) await request();
      if (!keys || nowMs() - publishedAtMs >= staleMs) throw unreachable();
    }
    if (keys.has(id)) return keys.get(id);
    const missingAtMs = missing.get(id);
    if (id.length > maxIdLength || (missingAtMs !== undefined && within(missingAtMs, missingMs)))
      return undefined;

    // An instance of the service may serve a key set read a second ago while another signs with a newer key. A key is
    // missing only when it is absent from two responses, a second apart, requested after its token arrived.
    for (const _ of isJustRequested ? ['later'] : ['now', 'later']) {
      if (canRequest()) await waitForNext();
      if (keys.has(id)) return keys.get(id);
      if (failure) throw unreachable();
    }
    cacheMissing(id);
    return undefined;
  };
}
