// Rate limits (conventions of the API): fixed windows counted in memory, or in Redis where several instances share them.
// A library would count by its own clock and timers; ours is the service's clock, so that limits can be tested by moving it.
import type { ErrorCode, RateLimitPolicy } from '@foyer/contract';
import { ApiError } from '../api-error.js';
import type { Clock } from '../clock.js';
import {
  hashed,
  hourOf,
  type LimitedApp,
  type RateLimitState,
  type Subject,
  subjectsOf,
  windowsOf,
} from './limit-windows.js';
import { type CodeMail, consumeMail, type MailVerdict } from './mail-limits.js';
import type { Window, WindowStore } from './memory-windows.js';

/**
 * Whose password or code is guessed: an email's, or a signed-in user's own. Wrong codes and wrong passwords of an email are
 * counted apart, so that neither ends the other; those of a known device for that device alone.
 */
export type Guessed =
  | { email: string; ipAddress: string | null; proof: 'password' | 'code' }
  | { uid: string; deviceId?: string };

export type CountedFailure = {
  refund(): Promise<void>;
  /** The tightest of the windows holds other failures too. Known and unknown emails are counted alike. */
  hasEarlier: boolean;
};

export type CountedSignUp = {
  /** True for the sign-up that uses up what the app allows in an hour. */
  reachedLimit: boolean;
  refund(): Promise<void>;
};
export type Limiter = {
  /** Counts one call; throws `request/rate-limited` over the limit. Null while limits are off. */
  consume(policy: RateLimitPolicy, app: LimitedApp, subject: Subject): Promise<RateLimitState | null>;
  /** The same, for a caller that judges the state itself: `remaining` is negative over the limit. */
  tryConsume(
    policy: RateLimitPolicy,
    app: LimitedApp | null,
    subject: Subject,
  ): Promise<RateLimitState | null>;
  /**
   * Counts one failed proof before it is judged. The caller refunds it when the proof was right, or was not judged at all;
   * only the first refund counts.
   */
  consumeFailure(app: LimitedApp, of: Guessed): Promise<CountedFailure>;
  /** Makes a proof, and counts it as a failure unless it was right or was not judged at all. */
  countFailure<T>(app: LimitedApp, of: Guessed, prove: (failure: CountedFailure) => Promise<T>): Promise<T>;
  /** Counts one code mailed to an email. The caller must not let show what became of it. */
  consumeMail(app: LimitedApp, mail: CodeMail): Promise<MailVerdict>;
  /** Counts one code mailed to an email without an account. Does as much, and allows it, where the email has one. */
  consumeMailToStranger(
    app: LimitedApp,
    isStranger: boolean,
  ): Promise<{ isAllowed: boolean; reachedLimit: boolean }>;
  /** Counts one new account of the app; throws `request/rate-limited` over the limit. Refunded where none was made. */
  consumeSignUp(app: LimitedApp): Promise<CountedSignUp>;
  /** Counts one notice of a kind to an address, which nobody may have proven yet; false over the limit. */
  consumeNotice(app: LimitedApp, email: string, kind: string): Promise<boolean>;
  close(): Promise<void>;
};

export function limiter(store: WindowStore, clock: Clock): Limiter {
  async function count(windows: readonly Window[]): Promise<RateLimitState> {
    const { place, remaining, resetMilliseconds } = await store.consume(windows, clock.now().getTime());
    const { policy, limit, windowMilliseconds } = windows[place] as Window;
    return {
      policy,
      place,
      rule: { limit, windowSeconds: windowMilliseconds / 1_000 },
      remaining,
      resetSeconds: Math.max(1, Math.ceil(resetMilliseconds / 1_000)),
    };
  }

  async function consumeFailure(app: LimitedApp, of: Guessed): Promise<CountedFailure> {
    const windows = failureWindows(app, of);
    const { rule, remaining } = refuseOver(await count(windows));
    return { hasEarlier: rule.limit - remaining > 1, refund: refundOnce(windows) };
  }

  function refundOnce(windows: readonly Window[]): () => Promise<void> {
    let refunded = false;
    return async () => {
      if (refunded) return;
      refunded = true;
      await store.refund(windows, clock.now().getTime());
    };
  }

  return {
    async consume(policy, app, subject) {
      return refuseOver(await count(windowsOf(policy, app, subjectsOf(subject))));
    },
    tryConsume: (policy, app, subject) => count(windowsOf(policy, app, subjectsOf(subject))),
    consumeFailure,
    async countFailure(app, of, prove) {
      const failure = await consumeFailure(app, of);
      try {
        const proof = await prove(failure);
        await failure.refund();
        return proof;
      } catch (error) {
        if (!isFailedProof(error)) await failure.refund();
        throw error;
      }
    },
    consumeMail: (app, mail) => consumeMail(count, app, mail),
    async consumeMailToStranger(app, isStranger) {
      const { mails_to_strangers_per_hour: limit } = app.settings.limits;
      const window = isStranger
        ? hourOf('mails-to-strangers', app, limit)
        : hourOf('mails-to-users', app, Number.MAX_SAFE_INTEGER);
      const { remaining } = await count([window]);
      return { isAllowed: remaining >= 0, reachedLimit: remaining === 0 };
    },
    async consumeSignUp(app) {
      const windows = [hourOf('sign-ups', app, app.settings.limits.sign_ups_per_hour)];
      const { remaining } = refuseOver(await count(windows));
      return { reachedLimit: remaining === 0, refund: refundOnce(windows) };
    },
    async consumeNotice(app, email, kind) {
      return (await count(windowsOf('notice-email', app, [`${kind} ${hashed(email)}`]))).remaining >= 0;
    },
    close: () => store.close(),
  };
}

function failureWindows(app: LimitedApp, of: Guessed): Window[] {
  if ('uid' in of) {
    return of.deviceId === undefined
      ? windowsOf('auth-failures-user', app, [of.uid])
      : windowsOf('auth-failures-device', app, [`${of.uid} ${of.deviceId}`]);
  }
  const email = hashed(of.email);
  const kind = of.proof === 'code' ? 'code' : 'auth';
  return [
    ...windowsOf(`${kind}-failures-email-ip`, app, subjectsOf(of, email)),
    ...windowsOf(`${kind}-failures-email`, app, [email]),
  ];
}

function refuseOver(state: RateLimitState): RateLimitState {
  if (state.remaining < 0) throw rateLimited(state);
  return state;
}

export function rateLimited(state: RateLimitState): ApiError {
  return new ApiError('request/rate-limited', {
    retryAfterSeconds: state.resetSeconds,
    headers: rateLimitHeaders({ ...state, remaining: 0 }),
  });
}

/** Anything else says nothing of what was guessed. */
function isFailedProof(error: unknown): boolean {
  const codes: ErrorCode[] = ['auth/invalid-credential', 'auth/invalid-code', 'auth/code-expired'];
  return error instanceof ApiError && codes.includes(error.code);
}

const uncounted: CountedFailure = { hasEarlier: false, refund: async () => {} };

/** For load tests alone: nothing is counted. */
export const noLimiter: Limiter = {
  consume: async () => null,
  tryConsume: async () => null,
  consumeFailure: async () => uncounted,
  countFailure: (_app, _of, prove) => prove(uncounted),
  consumeMail: async () => ({ isAllowed: true, reachedTotal: false }),
  consumeMailToStranger: async () => ({ isAllowed: true, reachedLimit: false }),
  consumeSignUp: async () => ({ reachedLimit: false, refund: async () => {} }),
  consumeNotice: async () => true,
  close: async () => {},
};

/** The fields of the IETF draft "RateLimit header fields for HTTP". */
export function rateLimitHeaders(state: RateLimitState): Record<string, string> {
  const { policy, rule, remaining, resetSeconds } = state;
  return {
    'RateLimit-Policy': `"${policy}";q=${rule.limit};w=${rule.windowSeconds}`,
    RateLimit: `"${policy}";r=${remaining};t=${resetSeconds}`,
  };
}
