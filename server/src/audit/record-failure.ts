// Records failed sign-ins and refused credentials in the audit log.
import type { ErrorCode } from '@foyer/contract';
import type { BufferedEntry, Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { type Actor, theService } from '../model/actor.js';
export type Failure = Pick<BufferedEntry, 'action' | 'uid' | 'email'> & {
  appId: string;
  actor: Actor;
  method: string;
};

export function anonymous(ipAddress: string | null): Actor {
  return { name: 'anonymous', ipAddress };
}

/** Refusals of a credential; all others concern the request or the service. */
const failureCodes: ErrorCode[] = [
  'auth/invalid-credential',
  'auth/invalid-code',
  'auth/code-expired',
  'auth/user-disabled',
  'auth/account-exists-with-different-credential',
  'auth/credential-already-in-use',
];

export async function recordFailures<T>(
  deps: Pick<Deps, 'auditBuffer' | 'dailyCounters'>,
  failure: Failure,
  verify: () => Promise<T>,
): Promise<T> {
  try {
    return await verify();
  } catch (error) {
    if (error instanceof ApiError && failureCodes.includes(error.code))
      recordFailure(deps, failure, error.code);
    if (error instanceof ApiError && error.code === 'request/rate-limited') recordLimitedGuess(deps, failure);
    throw error;
  }
}

export function recordFailure(
  deps: Pick<Deps, 'auditBuffer' | 'dailyCounters'>,
  failure: Failure,
  reason: ErrorCode,
): void {
  const { method, ...entry } = failure;
  if (failure.action === 'user.sign_in_failed') deps.dailyCounters.count(failure.appId, 'failed_sign_ins');
  deps.auditBuffer.add({ ...entry, details: { method, reason } });
}

/** Rate-limited guesses leave one entry per minute and account, or per network if no account is named. */
export function recordLimitedGuess(deps: Pick<Deps, 'auditBuffer'>, guess: Omit<Failure, 'action'>): void {
  const { method, ...entry } = guess;
  deps.auditBuffer.add({
    ...entry,
    action: 'user.guesses_limited',
    details: { method },
    onceAMinute: 'user.guesses_limited',
  });
}

/** Records that an app reached one of its limits. */
export function recordLimitReached(
  deps: Pick<Deps, 'auditBuffer'>,
  appId: string,
  limit: 'sign_ups_per_hour' | 'mails_to_strangers_per_hour',
): void {
  deps.auditBuffer.add({
    appId,
    actor: theService,
    action: 'app.limit_reached',
    target: `app:${appId}`,
    details: { limit },
  });
}
