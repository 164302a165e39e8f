// Tokens that name a signing key unknown here. Another instance may have made it a moment ago, so the keys are read again
// before such a token is refused. Anybody can send one: all that come within a second share one reading, a bounded number
// of them waits for it, and a key that was absent once is not asked for again.
import type { LookForKey } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { Clock } from '../lib/clock.js';

const restMilliseconds = 1_000;
const maxWaiting = 1_000;
const maxAbsent = 10_000;
/** A key's id is the SHA-256 of the key, in base64url. */
const ownHeader = /^\{"alg":"(ES256|RS256)","typ":"at\+jwt","kid":"[\w-]{43}"\}$/;
const longestHeader = 200;

/** Whether a key of ours could have this header at all: any other token needs no look. */
export function mayBeOurHeader(header: string): boolean {
  return header.length <= longestHeader && ownHeader.test(Buffer.from(header, 'base64url').toString());
}

export function lookForKey(
  clock: Clock,
  keys: {
    isKnown(header: string): boolean;
    /** When the last reading began. */
    readAt(): number;
    /** Waits for the reading that is under way. */
    settled(): Promise<void>;
    read(): Promise<void>;
  },
): LookForKey {
  // Every instance signs with what the database holds, so a key that was not there never comes by an older token.
  const absent = new Set<string>();
  let waiting = 0;
  let next: Promise<void> | null = null;

  async function readNext(): Promise<void> {
    await keys.settled();
    const since = clock.now().getTime() - keys.readAt();
    // Below zero the clock has stepped back, and says nothing of how long ago it was.
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
