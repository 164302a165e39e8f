// The member id of a new user: ten random digits, the first not a zero.
import type { Deps } from '../deps.js';

/** How often another one is drawn when it is taken. */
export const memberIdTries = 5;

/** Drawn evenly, since 2^48 is a great many times 9 × 10^9. */
export function newMemberId(deps: Pick<Deps, 'random'>): string {
  return String(1_000_000_000 + (deps.random.bytes(6).readUIntBE(0, 6) % 9_000_000_000));
}
