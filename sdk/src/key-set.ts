// Caches the public keys that sign access tokens for as long as the service permits. Unlike jose's
// `createRemoteJWKSet`, it accepts valid tokens while the service is unreachable, and limits requests for unknown keys
// during failures.
import { pause } from './bounded.js';
import { FoyerError } from './errors.js';

/** One response of the JWKS endpoint: keys by `kid`, and the response's age. */
export interface PublishedKeys<Key> {
  keys: ReadonlyMap<string, Key>;
  ageMs: number;
}

/** The key set's `max-age` minus a second of processing, so that a removed key is rejected after five minutes. */
const freshMs = 299_000;
/** Minimum interval between requests for unknown keys, because anyone can send a token with an unknown `kid`. */
const restMs = 1_000;
/** How long a missing `kid` is cached. The cache is per `kid`, because the next unknown one may be a new key. */
const vainMs = 30_000;
const mostVain = 1_000;
const mostWaiting = 1_000;
/** The service's ids have 43 characters; longer ones are rejected without being cached. */
const longestId = 200;
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
  let writtenAtMs = 0;
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  let nextReading: Promise<void> | undefined;
  let failure: { atMs: number; cause: unknown } | undefined;
  let waiting = 0;
  /** Missing `kid`s and when they were last requested, oldest first. */
  const vain = new Map<string, number>();

  /** False when the clock was set back. */
  const within = (sinceMs: number, ms: number) => nowMs() >= sinceMs && nowMs() - sinceMs < ms;
  const mayAsk = () => !failure || !within(failure.atMs, failureMs);

  function ask(): Promise<void> {
    if (!reading) askedAtMs = nowMs();
    const sinceMs = askedAtMs;
    reading ??= read()
      .then(
        (published) => {
          // A shared cache may have aged the response; keeps at least a second of freshness.
          const ageMs = Math.min(published.ageMs, freshMs - 1_000);
          keys = published.keys;
          writtenAtMs = sinceMs - ageMs;
          failure = undefined;
        },
        (cause) => {
          failure = { atMs: nowMs(), cause };
        },
      )
      .finally(() => {
        reading = undefined;
      });
    return reading;
  }

  /**
   * One request for all waiting callers. It starts after they called, at least a second after the previous request
   * started.
   */
  function askNext(): Promise<void> {
    nextReading ??= (async () => {
      // The pending request may have started before the caller's key was published.
      await reading;
      if (within(askedAtMs, restMs)) await wait(restMs - (nowMs() - askedAtMs));
      await reading;
      nextReading = undefined;
      if (mayAsk()) await ask();
    })();
    return nextReading;
  }

  async function waitForNext(): Promise<void> {
    if (waiting >= mostWaiting) throw unreached();
    waiting += 1;
    try {
      await askNext();
    } finally {
      waiting -= 1;
    }
  }

  function unreached(): FoyerError {
    return new FoyerError('client/network', 'The key set cannot be read.', {
      cause: failure?.cause,
    });
  }

  function rememberVain(id: string): void {
    vain.delete(id);
    if (vain.size >= mostVain) vain.delete(vain.keys().next().value as string);
    vain.set(id, nowMs());
  }

  return async (id) => {
    let isJustRead = false;
    if (!keys || !within(writtenAtMs, freshMs)) {
      isJustRead = !reading;
      if (!keys || mayAsk()) await ask();
      if (!keys || nowMs() - writtenAtMs >= staleMs) throw unreached();
    }
    if (keys.has(id)) return keys.get(id);
    const vainAtMs = vain.get(id);
    if (id.length > longestId || (vainAtMs !== undefined && within(vainAtMs, vainMs))) return undefined;

    // An instance of the service may serve a key set read a second ago while another signs with a newer key. A key is
    // missing only when it is absent from two responses, a second apart, requested after its token arrived.
    for (const _ of isJustRead ? ['later'] : ['now', 'later']) {
      if (mayAsk()) await waitForNext();
      if (keys.has(id)) return keys.get(id);
      if (failure) throw unreached();
    }
    rememberVain(id);
    return undefined;
  };
}
