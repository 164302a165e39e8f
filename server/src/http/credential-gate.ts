// Limits the lookup of guessable credentials: app keys, v1 tokens and secret keys. Invalid ones are counted by network, and
// a network over the limit is refused before the database query.
import type { ErrorCode } from '@foyer/contract';
import { type Limiter, type RateLimitState, rateLimited, windowsOf } from '../../engines/limiter/index.js';
import type { CredentialGate, Presented } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { Clock } from '../lib/clock.js';
import { sha256 } from '../lib/crypto/digest.js';
import { networksOf } from '../lib/ip-network.js';
import { recentValues } from '../lib/recent-values.js';

/** An invalid credential may become valid soon, for instance when another process creates an app. */
const missMilliseconds = 1_000;
const maxRemembered = 10_000;
const policy = 'invalid-credential-ip';

const unknownCredential: ErrorCode[] = [
  'request/invalid-app-key',
  'auth/invalid-token',
  'admin/invalid-secret-key',
];

export function credentialGate(limiter: Pick<Limiter, 'tryConsume'>, clock: Clock): CredentialGate {
  /** Recently invalid credentials. The first miss has no effect: an app created at that moment works at once. */
  const misses = recentValues<{ code: ErrorCode; times: number }>(clock, {
    milliseconds: missMilliseconds,
    entries: maxRemembered,
  });
  /** Valid credentials, which are looked up even if their network is refused. */
  const known = new Set<string>();
  /** Networks over the limit, cached so that no request waits for Redis. */
  const refused = new Map<string, RateLimitState & { until: number }>();

  function requireAllowedNetwork({ app, ip }: Presented, now: number): void {
    if (refused.size === 0) return;
    for (const { key, limit, windowMilliseconds } of windowsOf(policy, app, networksOf(ip))) {
      const state = refused.get(key);
      if (!state) continue;
      const resetSeconds = Math.ceil((state.until - now) / 1_000);
      // More than at first is left after the clock has stepped back.
      const isOver = resetSeconds <= 0 || resetSeconds > state.resetSeconds;
      const { rule } = state;
      const isChanged = rule.limit !== limit || rule.windowSeconds * 1_000 !== windowMilliseconds;
      if (isOver || isChanged) refused.delete(key);
      else throw rateLimited({ ...state, resetSeconds });
    }
  }

  /** Counts an invalid credential; throws over the limit. */
  async function countRefusal({ app, ip }: Presented, now: number): Promise<RateLimitState | null> {
    const state = await limiter.tryConsume(policy, app, { ip });
    if (!state || state.remaining >= 0) return state;
    const network = networksOf(ip)[state.place];
    if (refused.size >= maxRemembered) refused.clear();
    refused.set(`${app?.id ?? '-'} ${network}`, { ...state, until: now + state.resetSeconds * 1_000 });
    throw rateLimited(state);
  }

  async function find<T>(presented: Presented, now: number, look: () => Promise<T>): Promise<T> {
    const { app, credential } = presented;
    if (credential === null) return look();
    const key = sha256(`${app?.id ?? '-'} ${credential}`).toString('base64url');
    const miss = misses.get(key);
    if (miss && miss.times > 1) throw new ApiError(miss.code);
    if (!known.has(key)) requireAllowedNetwork(presented, now);
    try {
      const found = await look();
      if (known.size >= maxRemembered && !known.has(key)) known.clear();
      known.add(key);
      misses.delete(key);
      return found;
    } catch (error) {
      if (error instanceof ApiError && unknownCredential.includes(error.code)) {
        known.delete(key);
        misses.set(key, { code: error.code, times: (misses.get(key)?.times ?? 0) + 1 });
      }
      throw error;
    }
  }

  return {
    async pass(presented, look, onCounted) {
      const now = clock.now().getTime();
      try {
        return await find(presented, now, look);
      } catch (error) {
        if (!isCounted(error)) throw error;
        const state = await countRefusal(presented, now);
        if (state) onCounted?.(state);
        throw error;
      }
    },
  };
}

/** Expired tokens are not counted: many users share an IP address, and each has one now and then. */
function isCounted(error: unknown): boolean {
  const uncounted: ErrorCode[] = ['auth/token-expired', 'request/rate-limited', 'request/unavailable'];
  return error instanceof ApiError && !uncounted.includes(error.code);
}
