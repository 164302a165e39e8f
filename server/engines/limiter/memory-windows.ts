// Fixed windows in bounded memory: a flood of keys must neither exhaust the memory nor evict a window with a high count, such as
// the failures of an account under attack.
import { type Draw, memoryDraws } from './memory-draws.js';

/** The count of a key under a policy, for a period from its first call. */
export type Window = {
  policy: string;
  key: string;
  limit: number;
  windowMilliseconds: number;
  /**
   * What the call counts, where calls are not alike; 1 by default. A call that begins below the limit is allowed whatever it
   * costs.
   */
  cost?: number;
};

export type WindowCount = {
  /** The index of the window: the first at its limit, else the one with the least remaining. */
  place: number;
  /** Negative if that window is at its limit and nothing was counted. */
  remaining: number;
  resetMilliseconds: number;
};

export type WindowStore = {
  /** Atomically counts one call in each window, or in none if one is at its limit. */
  consume(windows: readonly Window[], now: number): WindowCount | Promise<WindowCount>;
  /** Subtracts one call in each window that had begun when it was counted, not in one that has begun since. */
  refund(windows: readonly Window[], now: number, countedAt: number): void | Promise<void>;
  /** The milliseconds until each window that is at its limit ends; 0 for the others. */
  reached(windows: readonly Window[], now: number): number[] | Promise<number[]>;
  /** Starts each window again. */
  clear(windows: readonly Window[]): void | Promise<void>;
  /** Enters a draw, and returns whether the entrant was drawn for this period (memory-draws.ts). */
  draw(draw: Draw): boolean | Promise<boolean>;
  close(): Promise<void>;
};

/** `maxWindows` per policy, so that a flood of one policy evicts no windows of another. */
export function memoryWindows(maxWindows = 50_000): WindowStore {
  const policies = new Map<string, PolicyWindows>();

  function windowsOf(policy: string): PolicyWindows {
    let windows = policies.get(policy);
    if (!windows) {
      windows = new PolicyWindows(maxWindows);
      policies.set(policy, windows);
    }
    return windows;
  }

  return {
    consume(windows, now) {
      let place = 0;
      for (const window of windows) {
        const counted = windowsOf(window.policy).find(window, now);
        if (counted && counted.count >= window.limit)
          return { place, remaining: -1, resetMilliseconds: counted.endsAt - now };
        place += 1;
      }
      const least: WindowCount = { place: 0, remaining: Number.POSITIVE_INFINITY, resetMilliseconds: 0 };
      place = 0;
      for (const window of windows) {
        const counted = windowsOf(window.policy).count(window, now);
        const remaining = Math.max(0, window.limit - counted.count);
        if (remaining < least.remaining) {
          least.place = place;
          least.remaining = remaining;
          least.resetMilliseconds = counted.endsAt - now;
        }
        place += 1;
      }
      return least;
    },
    refund(windows, now, countedAt) {
      for (const window of windows) {
        const counted = windowsOf(window.policy).find(window, now);
        if (counted && counted.endsAt - window.windowMilliseconds <= countedAt)
          counted.count = Math.max(0, counted.count - (window.cost ?? 1));
      }
    },
    reached: (windows, now) =>
      windows.map((window) => {
        const counted = windowsOf(window.policy).find(window, now);
        return counted && counted.count >= window.limit ? counted.endsAt - now : 0;
      }),
    clear(windows) {
      for (const { policy, key } of windows) windowsOf(policy).delete(key);
    },
    draw: memoryDraws(maxWindows),
    close: async () => {},
  };
}

type Counted = { count: number; limit: number; endsAt: number };

const sweepMilliseconds = 60_000;
/** Windows are ranked for eviction by the binary order of their count; those at their limit come last. */
const fullRank = 33;

class PolicyWindows {
  private readonly windows = new Map<string, Counted>();
  private sweepAt = 0;

  constructor(private readonly maxWindows: number) {}

  find({ key, windowMilliseconds }: Window, now: number): Counted | undefined {
    const counted = this.windows.get(key);
    // More than a whole window is left after the clock has stepped back or the app has shortened the window: no caller must wait
    // for the rest.
    return counted && counted.endsAt > now && counted.endsAt - now <= windowMilliseconds
      ? counted
      : undefined;
  }

  delete(key: string): void {
    this.windows.delete(key);
  }

  count(window: Window, now: number): Counted {
    const { key, limit, windowMilliseconds } = window;
    let counted = this.find(window, now);
    if (!counted) {
      this.windows.delete(key);
      this.makeRoom(now);
      counted = { count: 0, limit, endsAt: now + windowMilliseconds };
      this.windows.set(key, counted);
    }
    counted.count += window.cost ?? 1;
    counted.limit = limit;
    return counted;
  }

  private makeRoom(now: number): void {
    const isFull = this.windows.size >= this.maxWindows;
    if (!isFull && now < this.sweepAt) return;
    this.sweepAt = now + sweepMilliseconds;
    const ranks = new Array<number>(fullRank + 1).fill(0);
    for (const [key, counted] of this.windows) {
      if (counted.endsAt <= now) this.windows.delete(key);
      else ranks[rankOf(counted)] = (ranks[rankOf(counted)] ?? 0) + 1;
    }
    if (this.windows.size >= this.maxWindows) this.evict(ranks);
  }

  /**
   * Evicts the lowest counts first, of equal ones the oldest; a tenth at once, so that the cost per new key is constant. Windows
   * at their limit are evicted only if they exceed the bound themselves: an attacker has then spent a whole limit on each.
   */
  private evict(ranks: readonly number[]): void {
    let excess = Math.ceil(this.maxWindows / 10);
    let rank = 0;
    while (rank < fullRank && (ranks[rank] ?? 0) <= excess) excess -= ranks[rank++] ?? 0;
    // Evicts every window below the rank, and the remaining number from the rank itself.
    for (const [key, counted] of this.windows) {
      const own = rankOf(counted);
      if (own > rank || (own === rank && excess === 0)) continue;
      if (own === rank) excess -= 1;
      this.windows.delete(key);
    }
  }
}

function rankOf({ count, limit }: Counted): number {
  return count >= limit ? fullRank : 32 - Math.clz32(count);
}
