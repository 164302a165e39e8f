// What counts as use of v1, and for how long a token lives without it. A use is noted to the hour: that is enough to know
// who is left on v1, and saves a write on every call.
import { limits } from '@foyer/contract';
import { before, dayMilliseconds } from '../../lib/timestamp.js';

const notedEveryMilliseconds = 60 * 60 * 1_000;

/** A use noted at this time or before is to be noted again. */
export function useDueSince(now: Date): Date {
  return before(now, notedEveryMilliseconds);
}

/** A token whose use was noted last at this time or before has expired. */
export function v1IdleSince(now: Date): Date {
  return before(now, limits.v1TokenIdleDays * dayMilliseconds);
}

/** What the audit log says of how somebody signed in or up. */
export const v1Sign = { method: 'password', version: 'v1' };
