// The public keys that sign access tokens, kept as long as the service allows. jose's `createRemoteJWKSet` refuses good
// tokens while the service is away and asks at every unknown key while it fails; these rules are ours for that reason.
import { pause } from './bounded.js';
import { FoyerError } from './errors.js';

/** What one reading of the key set gave: keys by their id, and how long ago the service wrote them down. */
export interface PublishedKeys<Key> {
  keys: ReadonlyMap<string, Key>;
  ageMs: number;
}

/** As the service says of its key set (`max-age`), which may be a second old: a removed key is dead after five minutes. */
const freshMs = 299_000;
/** Anybody can send a token that names an unknown key: for all of them together the service is asked this seldom. */
const restMs = 1_000;
/** So long is a key that was asked for in vain not asked for again. It alone: the next may be a new one. */
const vainMs = 30_000;
const mostVain = 1_000;
const mostWaiting = 1_000;
/** The ids of the service are 43 characters long; a longer one than this is nobody's, and need not be remembered. */
const longestId = 200;
/** How long a service that gave no answer is left alone. */
const failureMs = 5_000;
/** While the service cannot be reached no token is made either, and none lives longer. */
const staleMs = 86_400_000;

/** Gives the key of an id, or nothing where the service has none; rejects with `client/network` when it cannot know. */
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
  /** When each was asked for in vain, the oldest first. */
  const vain = new Map<string, number>();

  /** A clock that was turned back says nothing of how long ago it was. */
  const within = (sinceMs: number, ms: number) => nowMs() >= sinceMs && nowMs() - sinceMs < ms;
  const mayAsk = () => !failure || !within(failure.atMs, failureMs);

  function ask(): Promise<void> {
    if (!reading) askedAtMs = nowMs();
    const sinceMs = askedAtMs;
    reading ??= read()
      .then(
        (published) => {
          // A shared cache may have kept the answer; some of it is left even where that one never asks again.
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

  /** One reading for all who wait for it: it begins after they came, and no sooner than a second after the last began. */
  function askNext(): Promise<void> {
    nextReading ??= (async () => {
      // What is under way may have begun before a waiter's key was published.
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
    return new FoyerError('client/network', 'The key set of the service could not be read.', {
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

    // An instance of the service may publish what it read a second ago, while another signs with a newer key already. So a
    // key is nobody's only when it is absent from two readings that began after its token came, a second apart.
    for (const _ of isJustRead ? ['later'] : ['now', 'later']) {
      if (mayAsk()) await waitForNext();
      if (keys.has(id)) return keys.get(id);
      if (failure) throw unreached();
    }
    rememberVain(id);
    return undefined;
  };
}
