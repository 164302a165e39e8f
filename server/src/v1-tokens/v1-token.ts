// A token of v1: 64 random hexadecimal characters, stored as the SHA-256 of that text. Also its idle time, and the interval at
// which its use is recorded: once an hour instead of on every call.
import { limits } from '@foyer/contract';
import type { Deps } from '../deps.js';
import { sha256 } from '../lib/crypto/digest.js';
import { before, dayMilliseconds, hourMilliseconds } from '../lib/timestamp.js';

const form = new RegExp(`^[0-9a-f]{${limits.v1TokenCharacters}}$`);

export function newV1Token(deps: Pick<Deps, 'random'>): string {
  return deps.random.bytes(limits.v1TokenCharacters / 2).toString('hex');
}

/** Returns null when the format is not that of a v1 token. */
export function hashOfV1Token(token: string): Buffer | null {
  return form.test(token) ? sha256(token) : null;
}

/** A use recorded at this time or before is recorded again. */
export function useDueSince(now: Date): Date {
  return before(now, hourMilliseconds);
}

/** A token last used at this time or before has expired. */
export function v1IdleSince(now: Date): Date {
  return before(now, limits.v1TokenIdleDays * dayMilliseconds);
}

/** The details of audit entries of a sign-in or sign-up. */
export const v1Sign = { method: 'password', version: 'v1' };
