// The windows that a call is counted in: by policy, app and whoever is counted.
import { type AppSettings, limits, type RateLimitPolicy } from '@foyer/contract';
import { sha256 } from '../crypto/digest.js';
import { networksOf } from '../http/ip-network.js';
import type { Window } from './memory-windows.js';

export type RateLimitRule = { limit: number; windowSeconds: number };

/** What limits depend on: the app's own rules, and what all its callers together may do in an hour. */
export type LimitedApp = {
  id: string;
  rateLimits: Partial<Record<RateLimitPolicy, RateLimitRule>>;
  settings: Pick<AppSettings, 'limits'>;
};

export type RateLimitState = {
  policy: string;
  rule: RateLimitRule;
  /** Which window this is: of the networks of an address, the narrowest is 0. */
  place: number;
  /** Negative over the limit. */
  remaining: number;
  resetSeconds: number;
};

export type Count = (windows: readonly Window[]) => Promise<RateLimitState>;

/** Who is counted: a user, session or key by its id, or the networks of an IP address. */
export type Subject = string | { ipAddress: string | null };

/**
 * One window for each subject, from the narrowest network to the widest, each with four times the limit of the one before.
 * Without an app, the default limit applies.
 */
export function windowsOf(
  policy: RateLimitPolicy,
  app: LimitedApp | null,
  subjects: readonly string[],
): Window[] {
  const rule = app?.rateLimits[policy] ?? limits.rateLimits[policy];
  return subjects.map((subject, place) => ({
    policy,
    key: `${app?.id ?? '-'} ${subject}`,
    limit: rule.limit * limits.widerNetworkFactor ** place,
    windowMilliseconds: rule.windowSeconds * 1_000,
  }));
}

/** What all callers of an app together do in an hour. */
export function hourOf(policy: string, app: LimitedApp, limit: number): Window {
  return { policy, key: app.id, limit, windowMilliseconds: 3_600_000 };
}

/** `of` counts what each network does to one email alone. */
export function subjectsOf(subject: Subject, of?: string): string[] {
  if (typeof subject === 'string') return [subject];
  const networks = networksOf(subject.ipAddress);
  return of === undefined ? networks : networks.map((network) => `${of} ${network}`);
}

/** No counter holds an email as it is: the counters may lie in Redis. */
export function hashed(email: string): string {
  return sha256(email).toString('base64url');
}
