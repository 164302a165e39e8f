// The most accounts that an app lets its users make in an hour (conventions of the API, "Mail"): whoever has many addresses
// could otherwise fill the app with accounts. What the backend makes is not counted.
import { recordLimitReached } from '../audit/record-failure.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { App } from '../model/app.js';

/**
 * Makes an account; `make` answers null, or throws, where none was made. `request/rate-limited` over the limit. Counted
 * before anything is paid for, and outside every transaction: the counters may lie in Redis.
 */
export async function countSignUp<T>(
  deps: Pick<Deps, 'limiter' | 'auditBuffer'>,
  app: App,
  make: () => Promise<T | null>,
): Promise<T | null> {
  if (app.settings.sign_up === 'closed') throw new ApiError('auth/operation-not-allowed');
  const counted = await deps.limiter.consumeSignUp(app);
  let made: T | null = null;
  try {
    made = await make();
  } finally {
    if (made === null) await counted.refund();
  }
  if (made !== null && counted.reachedLimit) recordLimitReached(deps, app.id, 'sign_ups_per_hour');
  return made;
}
