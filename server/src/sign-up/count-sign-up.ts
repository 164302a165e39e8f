// Counts sign-ups: for the statistics, and for the limit of accounts that users of an app may create in an hour: a client with
// many IP addresses could otherwise fill the app with accounts. Sign-ups that prove the email have a limit of their own, so
// that the others cannot use it up. Accounts created by the backend are not counted.
import type { SignUpAttempt } from '../../engines/limiter/index.js';
import { recordLimitReached } from '../audit/record-failure.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { App } from '../model/app.js';

/**
 * Creates an account; `create` returns null, or throws, where none was created. `request/rate-limited` over the limit. Counted
 * before any hash is computed, and outside every transaction, since the counters may be in Redis.
 */
export async function countSignUp<T>(
  deps: Pick<Deps, 'limiter' | 'auditBuffer' | 'dailyCounters'>,
  app: App,
  attempt: SignUpAttempt,
  create: () => Promise<T | null>,
): Promise<T | null> {
  if (app.settings.sign_up === 'closed') throw new ApiError('auth/operation-not-allowed');
  const counted = await deps.limiter.consumeSignUp(app, attempt);
  recordLimitReached(deps, app.id, 'sign_ups_per_hour', { ...counted, ...attempt });
  if (counted.refusal) throw counted.refusal;
  let created: T | null = null;
  try {
    created = await create();
  } finally {
    if (created === null) await counted.refund();
  }
  if (created === null) return null;
  deps.dailyCounters.count(app.id, 'sign_ups');
  return created;
}
