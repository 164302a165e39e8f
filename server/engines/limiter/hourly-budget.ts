// Hourly budgets of an app. The app key is public, so whatever is counted for the app alone could be used up by one attacker:
// every network has a share, and networks that used nothing are served beyond the total as well, only more slowly.
import { limits } from '@foyer/contract';
import { networkSharesOf } from '../../src/lib/ip-network.js';
import { type Count, hourOf, type LimitedApp, type RateLimitState } from './limit-windows.js';
import type { Window } from './memory-windows.js';

export type HourlyUse = {
  policy: string;
  /** The budget of the app. */
  limit: number;
  ip: string | null;
};

/** `app` for the call that uses up the budget, `network` for one that is refused because its network used too much. */
export type Reached = 'app' | 'network' | null;

export type HourlyVerdict = {
  /** `remaining` is negative if the call is refused. */
  state: RateLimitState;
  reached: Reached;
  /** The windows that counted the call; of a refused one, those that refused it. */
  windows: readonly Window[];
};

const hourMilliseconds = 3_600_000;

export async function consumeHourly(count: Count, app: LimitedApp, use: HourlyUse): Promise<HourlyVerdict> {
  // First: of windows with the same remainder the first is reported, and exhausting the budget is audited.
  const total = hourOf(use.policy, app, use.limit);
  const windows = [total, ...sharesOf(app, use)];
  const state = await count(windows);
  const isTotal = state.policy === use.policy;
  if (state.remaining >= 0) {
    return { state, reached: isTotal && state.remaining === 0 ? 'app' : null, windows };
  }

  const exception = isTotal ? [...firstUses(app, use), slowLane(app, use)] : spareHalf(app, use);
  const excepted = await count(exception);
  if (excepted.remaining >= 0) return { state: excepted, reached: null, windows: exception };
  // `Retry-After` is the earlier of the two resets.
  const next = excepted.resetSeconds > state.resetSeconds ? state : excepted;
  return { state: next, reached: isTotal ? null : 'network', windows: exception };
}

function networkPolicy({ policy }: HourlyUse): string {
  return `${policy}-network`;
}

/**
 * The windows of the networks of the IP address, the narrowest first. A single prefix never has more than a quarter of
 * the budget.
 */
function sharesOf(app: LimitedApp, use: HourlyUse): Window[] {
  const share = Math.ceil(use.limit / limits.hourlyBudget.shares);
  return networkWindows(app, use, (factor) => Math.min(share * factor, mostOf(use)));
}

/** A release day comes from few carrier networks: beyond its share a network may use what half of the budget leaves. */
function spareHalf(app: LimitedApp, use: HourlyUse): Window[] {
  const half = Math.ceil(use.limit / 2);
  return [hourOf(use.policy, app, half), ...networkWindows(app, use, () => half)];
}

/** The shares of networks that have used nothing: one for the narrowest, wider ones in proportion. */
function firstUses(app: LimitedApp, use: HourlyUse): Window[] {
  return networkWindows(app, use, (factor) => Math.min(factor, mostOf(use)));
}

function mostOf({ limit }: HourlyUse): number {
  return Math.max(1, Math.floor(limit / 4));
}

function networkWindows(app: LimitedApp, use: HourlyUse, limitOf: (factor: number) => number): Window[] {
  return networkSharesOf(use.ip).map((network, place) => ({
    policy: networkPolicy(use),
    key: `${app.id} ${network}`,
    limit: limitOf(limits.widerNetworkFactor ** place),
    windowMilliseconds: hourMilliseconds,
  }));
}

/** A quarter of the budget more, but at least one call in ten minutes, in short windows, so that no attacker uses it up at once. */
function slowLane(app: LimitedApp, use: HourlyUse): Window {
  const { slowFactor, slowWindowSeconds } = limits.hourlyBudget;
  const pauseSeconds = (3_600 * slowFactor) / use.limit;
  const windowSeconds = Math.min(Math.max(pauseSeconds, slowWindowSeconds.min), slowWindowSeconds.max);
  return {
    policy: `${use.policy}-slow`,
    key: app.id,
    limit: Math.max(1, Math.round(windowSeconds / pauseSeconds)),
    windowMilliseconds: Math.ceil(windowSeconds) * 1_000,
  };
}
