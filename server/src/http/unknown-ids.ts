// Bounds the queries for ids that anybody can make up, of endpoints without an app key: discovery documents and the bytes of
// files. An unknown id is remembered for a second, and each network can ask for a limited number of them in a minute.
import { limits } from '@foyer/contract';
import { ApiError } from '../lib/api-error.js';
import type { Clock } from '../lib/clock.js';
import { networksOf } from '../lib/ip-network.js';
import { recentValues } from '../lib/recent-values.js';

/** An unknown id may become known soon, for instance when another process creates an app. */
const missMilliseconds = 1_000;
const maxRemembered = 10_000;
/**
 * The limit of one IPv4 address or /64; wider networks have more, as in the rate limits. Half a page of missing
 * pictures is few.
 */
const missesPerMinute = 600;
const windowMilliseconds = 60_000;
const maxNetworks = 100_000;

export type UnknownIds = {
  /** The result of `look`, which is null for an unknown id; throws `request/rate-limited` over the limit. */
  find<T>(ip: string | null, id: string, look: () => Promise<T | null>): Promise<T | null>;
};

/** `isLimited`: false while rate limits are off. */
export function unknownIds(clock: Clock, isLimited: boolean): UnknownIds {
  const missed = recentValues<true>(clock, { milliseconds: missMilliseconds, entries: maxRemembered });
  /** Ids that were found, which are looked up although their network is over the limit. */
  const known = new Set<string>();
  const counts = new Map<string, number>();
  let windowStart = 0;

  function count(networks: readonly string[], change: 1 | -1): void {
    if (counts.size > maxNetworks) counts.clear();
    for (const network of networks) counts.set(network, Math.max(0, (counts.get(network) ?? 0) + change));
  }

  function requireFew(networks: readonly string[]): void {
    const now = clock.now().getTime();
    const age = now - windowStart;
    if (age < 0 || age >= windowMilliseconds) {
      counts.clear();
      windowStart = now;
    }
    const isOver = networks.some(
      (network, place) => (counts.get(network) ?? 0) >= missesPerMinute * limits.widerNetworkFactor ** place,
    );
    if (!isLimited || !isOver) return;
    throw new ApiError('request/rate-limited', {
      retryAfterSeconds: (windowStart + windowMilliseconds - now) / 1_000,
    });
  }

  return {
    async find(ip, id, look) {
      if (missed.get(id)) return null;
      const isKnown = known.has(id);
      const networks = isKnown ? [] : networksOf(ip);
      requireFew(networks);
      // Counted before the query, so that parallel ones are counted too.
      count(networks, 1);
      const found = await look();
      if (found === null) {
        known.delete(id);
        missed.set(id, true);
        return null;
      }
      count(networks, -1);
      if (known.size >= maxRemembered && !isKnown) known.clear();
      known.add(id);
      return found;
    },
  };
}
