// Notes a proof of somebody that failed, whoever it was of.
import type { ErrorCode } from '@foyer/contract';
import type { Deps, Note } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { type Actor, theService } from '../model/actor.js';
export type Failure = Pick<Note, 'action' | 'uid' | 'email'> & {
  appId: string;
  actor: Actor;
  method: string;
};

/** Whoever tries to come in is nobody yet. */
export function anonymous(ipAddress: string | null): Actor {
  return { name: 'anonymous', ipAddress };
}

/** Refusals that say something of who was proven; all others are of the request, or of the service. */
const failures: ErrorCode[] = [
  'auth/invalid-credential',
  'auth/invalid-code',
  'auth/code-expired',
  'auth/user-disabled',
  'auth/account-exists-with-different-credential',
  'auth/credential-already-in-use',
];

export async function notingFailure<T>(
  deps: Pick<Deps, 'auditNotes'>,
  failure: Failure,
  prove: () => Promise<T>,
): Promise<T> {
  try {
    return await prove();
  } catch (error) {
    if (error instanceof ApiError && failures.includes(error.code)) noteFailure(deps, failure, error.code);
    if (error instanceof ApiError && error.code === 'request/rate-limited') noteLimited(deps, failure);
    throw error;
  }
}

export function noteFailure(deps: Pick<Deps, 'auditNotes'>, failure: Failure, reason: ErrorCode): void {
  const { method, ...entry } = failure;
  deps.auditNotes.note({ ...entry, details: { method, reason } });
}

/** Guesses that are not even judged leave one entry a minute: of each account, or of the network where nobody is named. */
export function noteLimited(deps: Pick<Deps, 'auditNotes'>, guess: Omit<Failure, 'action'>): void {
  const { method, ...entry } = guess;
  deps.auditNotes.note({
    ...entry,
    action: 'user.guesses_limited',
    details: { method },
    onceAMinute: 'user.guesses_limited',
  });
}

/** Records that an app has used up one of its limits. */
export function recordLimitReached(
  deps: Pick<Deps, 'auditNotes'>,
  appId: string,
  limit: 'sign_ups_per_hour' | 'mails_to_strangers_per_hour',
): void {
  deps.auditNotes.note({
    appId,
    actor: theService,
    action: 'app.limit_reached',
    target: `app:${appId}`,
    details: { limit },
  });
}
