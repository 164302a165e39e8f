// The loyalty tier of a balance, as the service computes it for the user.
import type { AppSettings } from '@foyer/contract';

type Tiers = AppSettings['tiers'];

/** `tiers` has the lowest first, which begins at 0 points. */
export function tierOf(
  tiers: Tiers,
  points: number,
): { tier: string; next: { tier: string; missing: number } | null } {
  const reached = tiers.filter(({ min_points }) => min_points <= points);
  const next = tiers[reached.length];
  return {
    tier: reached.at(-1)?.tier ?? '',
    next: next ? { tier: next.tier, missing: next.min_points - points } : null,
  };
}
