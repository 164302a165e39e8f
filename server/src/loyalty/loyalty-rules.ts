// A user's loyalty status: the tier is the highest whose points the balance reaches. And whether the ledger accepts an entry.
import { type LoyaltyStatus, limits, type Tiers } from '@foyer/contract';

/** `tiers` as the contract validates them: the first at 0, each further one higher. */
export function loyaltyStatus(
  tiers: Tiers,
  { memberId, points }: { memberId: string; points: number },
): LoyaltyStatus {
  const reached = tiers.findLastIndex(({ min_points }) => min_points <= points);
  const current = tiers[reached];
  if (!current) throw new Error('no tier begins at 0 points');
  const next = tiers[reached + 1];
  return {
    member_id: memberId,
    points,
    tier: current.tier,
    next_tier: next ? { tier: next.tier, points_needed: next.min_points - points } : null,
  };
}

/** `first` is the entry that the user has with the same reference. */
export function entryVerdict(balance: number, points: number, first: { points: number } | null) {
  if (first) return first.points === points ? 'repeated' : 'conflict';
  if (balance + points < 0) return 'below zero';
  return balance + points > limits.maxPoints ? 'too high' : 'allowed';
}
