// Tries again what another call prevented or what is not ready yet: at once, or after pauses.
import { setTimeout } from 'node:timers/promises';
import { ApiError } from './api-error.js';

/** Calls `attempt`, and again after each of the pauses, in milliseconds, until it returns something other than null. */
export async function retry<T>(
  pauses: readonly number[],
  attempt: () => Promise<T | null>,
): Promise<T | null> {
  for (const pause of [0, ...pauses]) {
    if (pause > 0) await setTimeout(pause);
    const result = await attempt();
    if (result !== null) return result;
  }
  return null;
}

/**
 * Retries changes that return null if the account changed between their read and their write; `attempt` reads anew. It
 * does not pause: each further try means that another call has succeeded. `cause` is for the log when that happens too often.
 */
export async function retryConflicts<T>(
  cause: string,
  attempt: () => Promise<T | null>,
  maxTries = 3,
): Promise<T> {
  const result = await retry(Array(maxTries - 1).fill(0), attempt);
  if (result === null) throw new ApiError('request/unavailable', { retryAfterSeconds: 1, cause });
  return result;
}
