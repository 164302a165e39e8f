// The liveness rule of sessions: not ended, and used within the idle time.
import { limits } from '@foyer/contract';
import { before, dayMilliseconds } from '../lib/timestamp.js';

const idleMilliseconds = limits.refreshIdleDays * dayMilliseconds;

/** A session that was last used at or before this time has expired. */
export function idleSince(now: Date): Date {
  return before(now, idleMilliseconds);
}

export function expiresAt(lastUsedAt: Date): Date {
  return new Date(lastUsedAt.getTime() + idleMilliseconds);
}
