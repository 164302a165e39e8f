// Use of v1, and the idle time of its tokens. A use is recorded at most once an hour, which saves a write on every call.
import { limits } from '@foyer/contract';
import { before, dayMilliseconds } from '../../lib/timestamp.js';

const recordedEveryMilliseconds = 60 * 60 * 1_000;

/** A use recorded at this time or before is recorded again. */
export function useDueSince(now: Date): Date {
  return before(now, recordedEveryMilliseconds);
}

/** A token last used at this time or before has expired. */
export function v1IdleSince(now: Date): Date {
  return before(now, limits.v1TokenIdleDays * dayMilliseconds);
}

/** The details of audit entries of a sign-in or sign-up. */
export const v1Sign = { method: 'password', version: 'v1' };
