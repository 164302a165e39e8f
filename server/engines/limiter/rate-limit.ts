// Rate limits: fixed windows in memory, or in Redis for several instances. Libraries use their own clock and timers; this uses
// the service's clock, so that tests can control it.
import type { ErrorCode, RateLimitPolicy } from '@foyer/contract';
import { ApiError } from '../../src/lib/api-error.js';
import type { Clock } from '../../src/lib/clock.js';
import { type CodeGuess, consumeCodeGuess } from './code-guess-limits.js';
import { consumeHourly, type Reached } from './hourly-budget.js';
import {
  hashed,
  type LimitedApp,
  type RateLimitState,
  type Subject,
  subjectsOf,
  windowsOf,
} from './limit-windows.js';
import { type LimitedUser, windowsOfUser } from './limits-of-user.js';
import {
  type CodeMail,
  consumeMail,
  type KnownClient,
  type MailVerdict,
  noticeSubject,
} from './mail-limits.js';
import type { Window, WindowStore } from './memory-windows.js';

/**
 * The target of guesses: an email's password or code, or those of a signed-in user. Codes and passwords have separate counts, so
 * that neither blocks the other; failures of a known device count for that device only.
 */
export type Guessed = { email: string; ip: string | null; proof: 'password' | 'code' } | KnownClient;

export type { RateLimitState } from './limit-windows.js';

export type CountedFailure = {
  refund(): Promise<void>;
  /** The tightest window contains other failures too. Known and unknown emails are counted alike. */
  hasEarlier: boolean;
};

export type LimitOfUser = { policy: string; ip: string | null; until: Date };

export type CountedMail = Omit<MailVerdict, 'windows'> & { refund(): Promise<void> };

export type CountedSignUp = {
  reached: Reached;
  /** `request/rate-limited` over the limit; then nothing was counted. */
  refusal: ApiError | null;
  refund(): Promise<void>;
};

/** `isProven` if a code or an identity provider proved the email, which costs an attacker a mailbox for each account. */
export type SignUpAttempt = { ip: string | null; isProven: boolean };

/** `sender` is the user of a signed-in call, or `notice` if the mail is about a change of an account with an unverified email. */
export type MailToStranger = {
  isStranger: boolean;
  sender: 'anonymous' | 'user' | 'notice';
  ip: string | null;
};

export type Limiter = {
  /** Counts one call; throws `request/rate-limited` over the limit. Null while limits are off. */
  consume(
    policy: RateLimitPolicy,
    app: LimitedApp,
    subject: Subject,
    cost?: number,
  ): Promise<RateLimitState | null>;
  /** Counts like `consume`, but returns the state: `remaining` is negative over the limit. */
  tryConsume(
    policy: RateLimitPolicy,
    app: LimitedApp | null,
    subject: Subject,
    cost?: number,
  ): Promise<RateLimitState | null>;
  /** Counts one failed attempt before it is verified. The caller refunds it after a success or an unrelated error; idempotent. */
  consumeFailure(app: LimitedApp, of: Guessed): Promise<CountedFailure>;
  /** Runs a verification, and counts it unless it succeeds or fails with an unrelated error. */
  countFailure<T>(app: LimitedApp, of: Guessed, verify: (failure: CountedFailure) => Promise<T>): Promise<T>;
  /**
   * Counts one guess at an emailed code before it is judged; throws `request/rate-limited` over the limit. The caller refunds it
   * unless it was judged wrong.
   */
  consumeCodeGuess(app: LimitedApp, guess: CodeGuess): Promise<{ refund(): Promise<void> }>;
  /** Counts one code mailed to an email. The caller must not reveal the result, and refunds it if an allowed mail fails. */
  consumeMail(app: LimitedApp, mail: CodeMail): Promise<CountedMail>;
  /** Counts one mail to an email that nobody has proven. Does equal work, and always allows it, for one with an account. */
  consumeMailToStranger(
    app: LimitedApp,
    mail: MailToStranger,
  ): Promise<{ isAllowed: boolean; reached: Reached }>;
  /** Counts one new account of the app. Refunded if none is created. */
  consumeSignUp(app: LimitedApp, attempt: SignUpAttempt): Promise<CountedSignUp>;
  /** Counts one notice of a kind to an email; false over the limit. */
  consumeNotice(app: LimitedApp, email: string, kind: string, isVerified: boolean): Promise<boolean>;
  /** Counts one notice of a change that the app's backend or team makes, to whomever it is mailed. */
  consumeBackendNotice(app: LimitedApp): Promise<{ isAllowed: boolean; reached: Reached }>;
  /** The limits that a user has reached, of one network the longest. */
  reachedBy(app: LimitedApp, user: LimitedUser): Promise<LimitOfUser[]>;
  /** Starts every count of the user that the limiter holds again. */
  clear(app: LimitedApp, user: LimitedUser): Promise<void>;
  close(): Promise<void>;
};

/** Strangers must use up neither what signed-in users change their email with, nor notices. */
const policyOfSender = {
  anonymous: 'mails-to-strangers',
  user: 'mails-to-strangers-by-users',
  notice: 'notices-to-strangers',
};

/** `drawKey` decides draws: the same in all instances, and secret. */
export function limiter(store: WindowStore, clock: Clock, drawKey: Uint8Array): Limiter {
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
    const device = 'uid' in of && of.deviceId !== undefined ? { device: of.deviceId } : {};
    const { rule, remaining } = refuseOver(await count(windows), device);
    return { hasEarlier: rule.limit - remaining > 1, refund: refundOnce(windows) };
  }

  /** Call it when the windows have been counted: a window that begins later is not refunded. */
  function refundOnce(windows: readonly Window[]): () => Promise<void> {
    const countedAt = clock.now().getTime();
    let refunded = false;
    return async () => {
      if (refunded) return;
      refunded = true;
      await store.refund(windows, clock.now().getTime(), countedAt);
    };
  }

  return {
    async consume(policy, app, subject, cost) {
      return refuseOver(await count(windowsOf(policy, app, subjectsOf(subject), cost)));
    },
    tryConsume: (policy, app, subject, cost) => count(windowsOf(policy, app, subjectsOf(subject), cost)),
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
    async consumeCodeGuess(app, guess) {
      const { windows, state } = await consumeCodeGuess(count, app, guess);
      const deviceId = guess.known?.deviceId;
      refuseOver(state, deviceId === undefined ? {} : { device: deviceId });
      return { refund: refundOnce(windows) };
    },
    async consumeMail(app, mail) {
      const draws = { draw: store.draw, drawKey, now: clock.now() };
      const { windows, ...verdict } = await consumeMail(count, draws, app, mail);
      return { ...verdict, refund: refundOnce(windows) };
    },
    async consumeMailToStranger(app, { isStranger, sender, ip }) {
      const { mails_to_strangers_per_hour: limit } = app.settings.limits;
      const policy = policyOfSender[sender];
      const { state, reached, windows } = await consumeHourly(count, app, { policy, limit, ip });
      const isCounted = state.remaining >= 0;
      // For an email with an account the same is counted, and refunded. For other emails an equal refund hits a policy that nothing
      // uses, so that the work is the same.
      const refunded =
        isStranger || !isCounted
          ? windows.map((window) => ({ ...window, policy: 'mails-to-users' }))
          : windows;
      const now = clock.now().getTime();
      await store.refund(refunded, now, now);
      return isStranger ? { isAllowed: isCounted, reached } : { isAllowed: true, reached: null };
    },
    async consumeSignUp(app, { ip, isProven }) {
      const { sign_ups_per_hour: limit } = app.settings.limits;
      const policy = isProven ? 'proven-sign-ups' : 'sign-ups';
      const { state, reached, windows } = await consumeHourly(count, app, { policy, limit, ip });
      const refusal = state.remaining < 0 ? rateLimited(state) : null;
      return { reached, refusal, refund: refundOnce(windows) };
    },
    async consumeNotice(app, email, kind, isVerified) {
      const subject = `${kind} ${noticeSubject(email, isVerified)}`;
      return (await count(windowsOf('notice-email', app, [subject]))).remaining >= 0;
    },
    async consumeBackendNotice(app) {
      const { remaining } = await count(windowsOf('notice-app', app, ['app']));
      return { isAllowed: remaining >= 0, reached: remaining === 0 ? 'app' : null };
    },
    async reachedBy(app, user) {
      const windows = windowsOfUser(app, user);
      const now = clock.now().getTime();
      const left = await store.reached(windows, now);
      const reached = new Map<string, LimitOfUser>();
      for (const [place, { policy, ip }] of windows.entries()) {
        const until = new Date(now + (left[place] ?? 0));
        const name = `${policy} ${ip}`;
        if (until.getTime() > Math.max(now, reached.get(name)?.until.getTime() ?? 0))
          reached.set(name, { policy, ip, until });
      }
      return [...reached.values()];
    },
    clear: async (app, user) => store.clear(windowsOfUser(app, user)),
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

function refuseOver(state: RateLimitState, auditDetails: Record<string, string> = {}): RateLimitState {
  if (state.remaining < 0) throw rateLimited(state, auditDetails);
  return state;
}

export function rateLimited(state: RateLimitState, auditDetails: Record<string, string> = {}): ApiError {
  return new ApiError('request/rate-limited', {
    retryAfterSeconds: state.resetSeconds,
    headers: rateLimitHeaders({ ...state, remaining: 0 }),
    auditDetails: { limit: state.policy, ...auditDetails },
  });
}

/** Other errors do not depend on the guessed value. */
function isFailedProof(error: unknown): boolean {
  const codes: ErrorCode[] = ['auth/invalid-credential', 'auth/invalid-code', 'auth/code-expired'];
  return error instanceof ApiError && codes.includes(error.code);
}

const uncounted: CountedFailure = { hasEarlier: false, refund: async () => {} };

/** Counts nothing; used by load tests only. */
export const noLimiter: Limiter = {
  consume: async () => null,
  tryConsume: async () => null,
  consumeFailure: async () => uncounted,
  countFailure: (_app, _of, verify) => verify(uncounted),
  consumeCodeGuess: async () => ({ refund: async () => {} }),
  consumeMail: async () => ({
    isAllowed: true,
    reachedTotal: false,
    isSlow: false,
    resetSeconds: 0,
    refund: async () => {},
  }),
  consumeMailToStranger: async () => ({ isAllowed: true, reached: null }),
  consumeSignUp: async () => ({ reached: null, refusal: null, refund: async () => {} }),
  consumeNotice: async () => true,
  consumeBackendNotice: async () => ({ isAllowed: true, reached: null }),
  reachedBy: async () => [],
  clear: async () => {},
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
