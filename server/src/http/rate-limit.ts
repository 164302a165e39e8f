// Rate limits (conventions of the API): fixed windows counted in memory, or in Redis where several instances share them.
// A library would count by its own clock and timers; ours is the service's clock, so that limits can be tested by moving it.
import { type ErrorCode, limits, type RateLimitPolicy } from '@foyer/contract';
import type { App, RateLimitRule } from '../apps/app.js';
import { ApiError } from '../lib/api-error.js';
import type { Clock } from '../lib/clock.js';
import { sha256 } from '../lib/digest.js';
import { networksOf } from '../lib/ip-network.js';
import type { Window, WindowStore } from './memory-windows.js';

export type RateLimitState = {
  policy: string;
  rule: RateLimitRule;
  /** Negative over the limit. */
  remaining: number;
  resetSeconds: number;
};

/** Who is counted: a user, session or key by its id, or the networks of an IP address. */
export type Subject = string | { ipAddress: string | null };

/** Whose password or code is guessed: an email's, or a signed-in user's own. */
export type Guessed = { email: string; ipAddress: string | null } | { uid: string };

export type CountedFailure = {
  refund(): Promise<void>;
  /** The tightest of the windows holds other failures too. Known and unknown emails are counted alike. */
  hasEarlier: boolean;
};

export type Limiter = {
  /** Counts one call; throws `request/rate-limited` over the limit. Null while limits are off. */
  consume(policy: RateLimitPolicy, app: App, subject: Subject): Promise<RateLimitState | null>;
  /**
   * Counts one failed proof before it is judged. The caller refunds it when the proof was right, or was not judged at all;
   * only the first refund counts.
   */
  consumeFailure(app: App, of: Guessed): Promise<CountedFailure>;
  /** Makes a proof, and counts it as a failure unless it was right or was not judged at all. */
  countFailure<T>(app: App, of: Guessed, prove: (failure: CountedFailure) => Promise<T>): Promise<T>;
  /** Counts one mail to an address; false over a limit, which the caller must not let show. */
  consumeMail(app: App, email: string, ipAddress: string | null): Promise<boolean>;
  /** Counts one notice to an address, which nobody may have proven yet; false over the limit. */
  consumeNotice(app: App, email: string): Promise<boolean>;
  close(): Promise<void>;
};

export function limiter(store: WindowStore, clock: Clock): Limiter {
  async function count(windows: readonly Window[]): Promise<RateLimitState> {
    const { place, remaining, resetMilliseconds } = await store.consume(windows, clock.now().getTime());
    const { policy, limit, windowMilliseconds } = windows[place] as Window;
    return {
      policy,
      rule: { limit, windowSeconds: windowMilliseconds / 1_000 },
      remaining,
      resetSeconds: Math.max(1, Math.ceil(resetMilliseconds / 1_000)),
    };
  }

  async function consumeFailure(app: App, of: Guessed): Promise<CountedFailure> {
    const windows = failureWindows(app, of);
    const { rule, remaining } = refuseOver(await count(windows));
    let refunded = false;
    return {
      hasEarlier: rule.limit - remaining > 1,
      async refund() {
        if (refunded) return;
        refunded = true;
        await store.refund(windows, clock.now().getTime());
      },
    };
  }

  return {
    async consume(policy, app, subject) {
      return refuseOver(await count(windowsOf(policy, app, subjectsOf(subject))));
    },
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
    async consumeMail(app, email, ipAddress) {
      const mailbox = hashed(email);
      const byNetwork = subjectsOf({ ipAddress }, mailbox);
      const state = await count([
        ...windowsOf('code-send-email-ip-pause', app, byNetwork),
        ...windowsOf('code-send-email-ip', app, byNetwork),
        ...windowsOf('code-send-email', app, [mailbox]),
      ]);
      return state.remaining >= 0;
    },
    async consumeNotice(app, email) {
      return (await count(windowsOf('notice-email', app, [hashed(email)]))).remaining >= 0;
    },
    close: () => store.close(),
  };
}

/** One window for each subject, from the narrowest network to the widest, each with four times the limit before it. */
function windowsOf(policy: RateLimitPolicy, app: App, subjects: readonly string[]): Window[] {
  const rule = app.rateLimits[policy] ?? limits.rateLimits[policy];
  return subjects.map((subject, place) => ({
    policy,
    key: `${app.id} ${subject}`,
    limit: rule.limit * limits.widerNetworkFactor ** place,
    windowMilliseconds: rule.windowSeconds * 1_000,
  }));
}

/** `of` counts what each network does to one email alone. */
function subjectsOf(subject: Subject, of?: string): string[] {
  if (typeof subject === 'string') return [subject];
  const networks = networksOf(subject.ipAddress);
  return of === undefined ? networks : networks.map((network) => `${of} ${network}`);
}

function failureWindows(app: App, of: Guessed): Window[] {
  if ('uid' in of) return windowsOf('auth-failures-user', app, [of.uid]);
  const email = hashed(of.email);
  return [
    ...windowsOf('auth-failures-email-ip', app, subjectsOf(of, email)),
    ...windowsOf('auth-failures-email', app, [email]),
  ];
}

function refuseOver(state: RateLimitState): RateLimitState {
  if (state.remaining >= 0) return state;
  throw new ApiError('request/rate-limited', {
    retryAfterSeconds: state.resetSeconds,
    headers: rateLimitHeaders({ ...state, remaining: 0 }),
  });
}

/** Anything else says nothing of what was guessed. */
function isFailedProof(error: unknown): boolean {
  const codes: ErrorCode[] = ['auth/invalid-credential', 'auth/invalid-code', 'auth/code-expired'];
  return error instanceof ApiError && codes.includes(error.code);
}

/** No counter holds an email as it is: the counters may lie in Redis. */
function hashed(email: string): string {
  return sha256(email).toString('base64url');
}

const uncounted: CountedFailure = { hasEarlier: false, refund: async () => {} };

/** For load tests alone: nothing is counted. */
export const noLimiter: Limiter = {
  consume: async () => null,
  consumeFailure: async () => uncounted,
  countFailure: (_app, _of, prove) => prove(uncounted),
  consumeMail: async () => true,
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
