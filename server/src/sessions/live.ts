// When a session counts as live: not ended, and used within the idle time (specification "Limits").
import { limits } from '@foyer/contract';
import { before, dayMilliseconds } from '../lib/timestamp.js';

const idleMilliseconds = limits.refreshIdleDays * dayMilliseconds;

/** A session used last at this time or before has expired. */
export function idleSince(now: Date): Date {
  return before(now, idleMilliseconds);
}

export function expiresAt(lastUsedAt: Date): Date {
  return new Date(lastUsedAt.getTime() + idleMilliseconds);
}
