// The windows in which a call is counted: by policy, app and subject.
import { type AppSettings, limits, type RateLimitPolicy, type RateLimitRule } from '@foyer/contract';
import { sha256 } from '../../src/lib/crypto/digest.js';
import { networksOf } from '../../src/lib/ip-network.js';
import type { Window } from './memory-windows.js';

/** The app's own rules, and its limits for all callers together. */
export type LimitedApp = {
  id: string;
  rateLimits: Partial<Record<RateLimitPolicy, RateLimitRule>>;
  settings: Pick<AppSettings, 'limits'>;
};

export type RateLimitState = {
  policy: string;
  rule: RateLimitRule;
  /** The index of the window: of the networks of an IP address, the narrowest is 0. */
  place: number;
  /** Negative over the limit. */
  remaining: number;
  resetSeconds: number;
};

export type Count = (windows: readonly Window[]) => Promise<RateLimitState>;

/** Whether this policy refused the call. */
export function isOver({ policy, remaining }: RateLimitState, by: RateLimitPolicy): boolean {
  return remaining < 0 && policy === by;
}

/** A user, session or key by its id, or the networks of an IP address. */
export type Subject = string | { ip: string | null };

/** One window per subject, from the narrowest network to the widest, each with four times the limit of the previous one. */
export function windowsOf(
  policy: RateLimitPolicy,
  app: LimitedApp | null,
  subjects: readonly string[],
  cost = 1,
): Window[] {
  const rule = app?.rateLimits[policy] ?? limits.rateLimits[policy];
  return subjects.map((subject, place) => ({
    policy,
    key: `${app?.id ?? '-'} ${subject}`,
    limit: rule.limit * limits.widerNetworkFactor ** place,
    windowMilliseconds: rule.windowSeconds * 1_000,
    cost,
  }));
}

/** The hourly window of all callers of an app. */
export function hourOf(policy: string, app: LimitedApp, limit: number): Window {
  return { policy, key: app.id, limit, windowMilliseconds: 3_600_000 };
}

/** `of` restricts the count of each network to one email. */
export function subjectsOf(subject: Subject, of?: string): string[] {
  if (typeof subject === 'string') return [subject];
  const networks = networksOf(subject.ip);
  return of === undefined ? networks : networks.map((network) => `${of} ${network}`);
}

/** Counters contain only hashes of emails, since they may be in Redis. */
export function hashed(email: string): string {
  return sha256(email).toString('base64url');
}
