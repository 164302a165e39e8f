// Tokens that name an unknown signing key. Another instance may have created it, so the keys are read again before the
// token is refused. As anyone can send such tokens, all within a second share one query, a bounded number waits for it, and
// a key that was not found is not looked up again.
import type { ReloadForKey } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { Clock } from '../lib/clock.js';

const restMilliseconds = 1_000;
const maxWaiting = 1_000;
const maxAbsent = 10_000;
/** A key id is the SHA-256 of the key, in base64url. */
const ownHeader = /^\{"alg":"(ES256|RS256)","typ":"at\+jwt","kid":"[\w-]{43}"\}$/;
const maxHeaderCharacters = 200;

/** Whether a key of this service can have this header; other tokens need no lookup. */
export function mayBeOurHeader(header: string): boolean {
  return header.length <= maxHeaderCharacters && ownHeader.test(Buffer.from(header, 'base64url').toString());
}

export function reloadForKey(
  clock: Clock,
  keys: {
    isKnown(header: string): boolean;
    /** The start of the last query. */
    readAt(): number;
    /** Waits for the query in progress. */
    settled(): Promise<void>;
    read(): Promise<void>;
  },
): ReloadForKey {
  // Every instance signs with keys that the database holds, so a key that was not found cannot have signed an older token.
  const absent = new Set<string>();
  let waiting = 0;
  let next: Promise<void> | null = null;

  async function readNext(): Promise<void> {
    await keys.settled();
    const since = clock.now().getTime() - keys.readAt();
    // Negative after the clock has stepped back, which makes the interval unknown.
    if (since >= 0 && since < restMilliseconds) await pause(restMilliseconds - since);
    await keys.settled();
    next = null;
    await keys.read();
  }

  return async (header) => {
    if (absent.has(header)) return;
    if (waiting >= maxWaiting) throw new ApiError('request/unavailable', { retryAfterSeconds: 1 });
    waiting += 1;
    try {
      next ??= readNext();
      await next;
    } finally {
      waiting -= 1;
    }
    if (keys.isKnown(header)) return;
    if (absent.size >= maxAbsent) absent.delete(absent.values().next().value as string);
    absent.add(header);
  };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
