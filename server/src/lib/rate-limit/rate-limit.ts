// Rate limits (conventions of the API): fixed windows in memory, or in Redis for several instances. Libraries use their own clock
// and timers; this uses the service's clock, so that tests can control it.
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
 * The target of guesses: an email's password or code, or those of a signed-in user. Codes and passwords have separate counts, so
 * that neither blocks the other; failures of a known device count for that device only.
 */
export type Guessed =
  | { email: string; ipAddress: string | null; proof: 'password' | 'code' }
  | { uid: string; deviceId?: string };

export type CountedFailure = {
  refund(): Promise<void>;
  /** The tightest window contains other failures too. Known and unknown emails are counted alike. */
  hasEarlier: boolean;
};

export type CountedMail = Omit<MailVerdict, 'windows'> & { refund(): Promise<void> };

export type CountedSignUp = {
  /** True for the sign-up that exhausts the app's hourly limit. */
  reachedLimit: boolean;
  refund(): Promise<void>;
};
export type Limiter = {
  /** Counts one call; throws `request/rate-limited` over the limit. Null while limits are off. */
  consume(policy: RateLimitPolicy, app: LimitedApp, subject: Subject): Promise<RateLimitState | null>;
  /** Like `consume`, but returns the state: `remaining` is negative over the limit. */
  tryConsume(
    policy: RateLimitPolicy,
    app: LimitedApp | null,
    subject: Subject,
  ): Promise<RateLimitState | null>;
  /** Counts one failed attempt before it is verified. The caller refunds it after a success or an unrelated error; idempotent. */
  consumeFailure(app: LimitedApp, of: Guessed): Promise<CountedFailure>;
  /** Runs a verification, and counts it unless it succeeds or fails with an unrelated error. */
  countFailure<T>(app: LimitedApp, of: Guessed, verify: (failure: CountedFailure) => Promise<T>): Promise<T>;
  /** Counts one code mailed to an email. The caller must not reveal the result, and refunds it if an allowed mail fails. */
  consumeMail(app: LimitedApp, mail: CodeMail): Promise<CountedMail>;
  /** Counts one code mailed to an email without an account. Does equal work, and always allows it, for one with an account. */
  consumeMailToStranger(
    app: LimitedApp,
    isStranger: boolean,
  ): Promise<{ isAllowed: boolean; reachedLimit: boolean }>;
  /** Counts one new account of the app; throws `request/rate-limited` over the limit. Refunded if none is created. */
  consumeSignUp(app: LimitedApp): Promise<CountedSignUp>;
  /** Counts one notice of a kind to an email, which may be unverified; false over the limit. */
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
    async countFailure(app, of, verify) {
      const failure = await consumeFailure(app, of);
      try {
        const proof = await verify(failure);
        await failure.refund();
        return proof;
      } catch (error) {
        if (!isFailedProof(error)) await failure.refund();
        throw error;
      }
    },
    async consumeMail(app, mail) {
      const { windows, ...verdict } = await consumeMail(count, app, mail);
      return { ...verdict, refund: refundOnce(windows) };
    },
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

/** Other errors do not depend on the guessed value. */
function isFailedProof(error: unknown): boolean {
  const codes: ErrorCode[] = ['auth/invalid-credential', 'auth/invalid-code', 'auth/code-expired'];
  return error instanceof ApiError && codes.includes(error.code);
}

const uncounted: CountedFailure = { hasEarlier: false, refund: async () => {} };

/** For load tests only: nothing is counted. */
export const noLimiter: Limiter = {
  consume: async () => null,
  tryConsume: async () => null,
  consumeFailure: async () => uncounted,
  countFailure: (_app, _of, verify) => verify(uncounted),
  consumeMail: async () => ({ isAllowed: true, reachedTotal: false, refund: async () => {} }),
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
