// Rate limits (conventions of the API): fixed windows counted in memory, or in Redis where several instances share them.
// A library would count by its own clock and timers; ours is the service's clock, so that limits can be tested by moving it.
import { type ErrorCode, limits, type RateLimitPolicy } from '@foyer/contract';
import type { App, RateLimitRule } from '../apps/app.js';
import { ApiError } from '../lib/api-error.js';
import type { Clock } from '../lib/clock.js';
import { sha256 } from '../lib/digest.js';
import { networkOf } from './client-ip.js';

export type WindowCount = { count: number; resetMilliseconds: number };

/** Where the windows are counted. `add` returns the count of the key's window after the change. */
export type WindowStore = {
  add(
    key: string,
    change: 1 | -1,
    windowMilliseconds: number,
    now: number,
  ): WindowCount | Promise<WindowCount>;
  close(): Promise<void>;
};

export type RateLimitState = {
  policy: RateLimitPolicy;
  rule: RateLimitRule;
  remaining: number;
  resetSeconds: number;
};

/** Whose password or code is guessed: an email's, or a signed-in user's own. */
export type Guessed = { email: string; ipAddress: string | null } | { uid: string };

export type Limiter = {
  /** Counts one call; throws `request/rate-limited` over the limit. Null while limits are off. */
  take(policy: RateLimitPolicy, app: App, subject: string): Promise<RateLimitState | null>;
  /**
   * Counts one failed proof before it is judged. The caller gives it back when the proof was right, or was not judged at
   * all; only the first time counts.
   */
  takeFailures(app: App, of: Guessed): Promise<{ giveBack(): Promise<void> }>;
  /** Makes a proof, and counts it as a failure unless it was right or was not judged at all. */
  counted<T>(app: App, of: Guessed, prove: () => Promise<T>): Promise<T>;
  /** Counts one mail to an address; false over a limit, which the caller must not let show. */
  allowsMail(app: App, email: string, ipAddress: string | null): Promise<boolean>;
  /** Counts one notice to an address, which nobody may have proven yet; false over the limit. */
  allowsNotice(app: App, email: string): Promise<boolean>;
  close(): Promise<void>;
};

export function limiter(store: WindowStore, clock: Clock): Limiter {
  async function add(
    policy: RateLimitPolicy,
    app: App,
    subject: string,
    change: 1 | -1,
  ): Promise<RateLimitState> {
    const rule = app.rateLimits[policy] ?? limits.rateLimits[policy];
    const key = `${policy} ${app.id} ${subject}`;
    const window = await store.add(key, change, rule.windowSeconds * 1_000, clock.now().getTime());
    return {
      policy,
      rule,
      remaining: rule.limit - window.count,
      resetSeconds: Math.max(1, Math.ceil(window.resetMilliseconds / 1_000)),
    };
  }

  async function take(policy: RateLimitPolicy, app: App, subject: string): Promise<RateLimitState> {
    const state = await add(policy, app, subject, 1);
    if (state.remaining < 0) {
      throw new ApiError('request/rate-limited', {
        retryAfterSeconds: state.resetSeconds,
        headers: rateLimitHeaders({ ...state, remaining: 0 }),
      });
    }
    return state;
  }

  async function takeFailures(app: App, of: Guessed): Promise<{ giveBack(): Promise<void> }> {
    const subjects = guessedSubjects(of);
    for (const [policy, subject] of subjects) await take(policy, app, subject);
    let taken = true;
    return {
      async giveBack() {
        if (!taken) return;
        taken = false;
        for (const [policy, subject] of subjects) await add(policy, app, subject, -1);
      },
    };
  }

  return {
    take,
    takeFailures,
    async counted(app, of, prove) {
      const failure = await takeFailures(app, of);
      try {
        const proof = await prove();
        await failure.giveBack();
        return proof;
      } catch (error) {
        if (!isFailedProof(error)) await failure.giveBack();
        throw error;
      }
    },
    async allowsNotice(app, email) {
      return (await add('notice-email', app, hashed(email), 1)).remaining >= 0;
    },
    async allowsMail(app, email, ipAddress) {
      const address = hashed(email);
      const both = `${address} ${networkOf(ipAddress)}`;
      // Stops at the first refusal: else one address could use up the day of somebody else's email.
      const counted = [
        ['code-send-email-ip-pause', both],
        ['code-send-email-ip', both],
        ['code-send-email', address],
      ] as const;
      for (const [policy, subject] of counted) {
        if ((await add(policy, app, subject, 1)).remaining < 0) return false;
      }
      return true;
    },
    close: () => store.close(),
  };
}

function guessedSubjects(of: Guessed): [RateLimitPolicy, string][] {
  if ('uid' in of) return [['auth-failures-user', of.uid]];
  return [
    ['auth-failures-email-ip', `${hashed(of.email)} ${networkOf(of.ipAddress)}`],
    ['auth-failures-email', hashed(of.email)],
  ];
}

/** Anything else says nothing of what was guessed. */
function isFailedProof(error: unknown): boolean {
  const codes: ErrorCode[] = ['auth/invalid-credential', 'auth/invalid-code', 'auth/code-expired'];
  return error instanceof ApiError && codes.includes(error.code);
}

/** Emails stand in no counter as they are: the counters may lie in Redis. */
function hashed(email: string): string {
  return sha256(email).toString('base64url');
}

/** For load tests alone: nothing is counted. */
export const noLimiter: Limiter = {
  take: async () => null,
  takeFailures: async () => ({ giveBack: async () => {} }),
  counted: (_app, _of, prove) => prove(),
  allowsMail: async () => true,
  allowsNotice: async () => true,
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

/**
 * Keeps at most so many windows of each policy: a flood of keys must not fill the memory, nor push out the windows of
 * another policy, those of failed passwords before all. A key begins with its policy.
 */
export function memoryWindows(mostKept = 50_000): WindowStore {
  const policies = new Map<string, WindowStore>();
  return {
    add(key, change, windowMilliseconds, now) {
      const policy = key.slice(0, key.indexOf(' '));
      let windows = policies.get(policy);
      if (!windows) {
        windows = windowsOfPolicy(mostKept);
        policies.set(policy, windows);
      }
      return windows.add(key, change, windowMilliseconds, now);
    },
    close: async () => {},
  };
}

function windowsOfPolicy(mostKept: number): WindowStore {
  const windows = new Map<string, { count: number; endsAt: number }>();
  let sweepAt = 0;

  function sweep(now: number): void {
    if (now < sweepAt && windows.size < mostKept) return;
    sweepAt = now + 60_000;
    for (const [key, window] of windows) if (window.endsAt <= now) windows.delete(key);
    if (windows.size < mostKept) return;
    // The oldest go first, a tenth at once: else each key of a flood would pay for a look at all of them.
    let excess = Math.ceil(mostKept / 10);
    for (const key of windows.keys()) {
      if (excess === 0) break;
      windows.delete(key);
      excess -= 1;
    }
  }

  return {
    add(key, change, windowMilliseconds, now) {
      let window = windows.get(key);
      if (!window || window.endsAt <= now) {
        windows.delete(key);
        sweep(now);
        window = { count: 0, endsAt: now + windowMilliseconds };
        windows.set(key, window);
      }
      window.count = Math.max(0, window.count + change);
      return { count: window.count, resetMilliseconds: window.endsAt - now };
    },
    close: async () => {},
  };
}
