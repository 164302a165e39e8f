// Records failed sign-ins and refused credentials in the audit log.
import type { ErrorCode } from '@foyer/contract';
import type { Reached } from '../../engines/limiter/index.js';
import type { BufferedEntry, Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { type Actor, theService } from '../model/actor.js';
import type { App } from '../model/app.js';

/** The action that failed, and the account that it concerns, if known. */
export type Failure = Pick<BufferedEntry, 'action' | 'uid' | 'email'> & { method: string };

/** The app of a call, and the actor of its entries. */
type By = { app: Pick<App, 'id'>; actor: Actor };
type FailureDeps = Pick<Deps, 'auditBuffer' | 'dailyCounters'>;

export function anonymous(ip: string | null): Actor {
  return { name: 'anonymous', ip };
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

/** The errors that have an entry: the innermost verification names the credential that was refused, those around it do not. */
const recorded = new WeakSet<ApiError>();

function isRecorded(error: ApiError): boolean {
  const before = recorded.has(error);
  recorded.add(error);
  return before;
}

/** Records a refused or rate-limited guess, and passes on every error. */
export async function recordFailures<T>(
  deps: FailureDeps,
  by: By,
  failure: Failure,
  verify: () => Promise<T>,
): Promise<T> {
  try {
    return await recordRefused(deps, by, failure, verify);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'request/rate-limited' && !isRecorded(error))
      recordLimitedGuess(deps, by, failure, error);
    throw error;
  }
}

/** Records a refusal of what a verified credential starts; unlike `recordFailures` no limit, which is then none of guesses. */
export async function recordRefused<T>(
  deps: FailureDeps,
  by: By,
  failure: Failure,
  operation: () => Promise<T>,
): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    if (error instanceof ApiError && failureCodes.includes(error.code) && !isRecorded(error))
      recordFailure(deps, by, failure, error);
    throw error;
  }
}

export function recordFailure(
  deps: FailureDeps,
  { app, actor }: By,
  { method, ...entry }: Failure,
  { code: reason, auditDetails = {} }: Pick<ApiError, 'code' | 'auditDetails'>,
): void {
  if (entry.action === 'user.sign_in_failed') deps.dailyCounters.count(app.id, 'failed_sign_ins');
  if (entry.action === 'user.second_factor_failed') deps.dailyCounters.count(app.id, 'failed_second_factors');
  deps.auditBuffer.add({ ...entry, appId: app.id, actor, details: { ...auditDetails, method, reason } });
}

/** Rate-limited guesses leave one entry per minute, account and limit, or per network if no account is named. */
export function recordLimitedGuess(
  deps: Pick<Deps, 'auditBuffer'>,
  { app, actor }: By,
  { method, ...guess }: Omit<Failure, 'action'>,
  { auditDetails }: Pick<ApiError, 'auditDetails'>,
): void {
  deps.auditBuffer.add({
    ...guess,
    appId: app.id,
    actor,
    action: 'user.guesses_limited',
    details: { ...auditDetails, method },
    onceAMinute: `user.guesses_limited ${auditDetails.limit} ${auditDetails.device}`,
  });
}

/** Records that the app, or a network its share, used up one of the hourly limits. */
export function recordLimitReached(
  deps: Pick<Deps, 'auditBuffer'>,
  appId: string,
  limit: 'sign_ups_per_hour' | 'mails_to_strangers_per_hour' | 'notice-app',
  { reached, ip }: { reached: Reached; ip: string | null },
): void {
  if (reached === null) return;
  deps.auditBuffer.add({
    appId,
    actor: reached === 'app' ? theService : anonymous(ip),
    action: 'app.limit_reached',
    target: `app:${appId}`,
    details: { limit, reached_by: reached },
  });
}
