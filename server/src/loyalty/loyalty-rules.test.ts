// The tables of tiers and of verdicts on an entry.
import { expect, test } from 'vitest';
import { entryVerdict, loyaltyStatus } from './loyalty-rules.js';

const tiers = [
  { tier: 'member', min_points: 0 },
  { tier: 'silver', min_points: 1_000 },
  { tier: 'gold', min_points: 5_000 },
];
const silver = (points_needed: number) => ({ tier: 'silver', points_needed });
const gold = (points_needed: number) => ({ tier: 'gold', points_needed });

test.each([
  [0, 'member', silver(1_000)],
  [1, 'member', silver(999)],
  [999, 'member', silver(1)],
  [1_000, 'silver', gold(4_000)],
  [4_999, 'silver', gold(1)],
  [5_000, 'gold', null],
  [1_000_000_000, 'gold', null],
])('%d points are tier %s, and the next is %j', (points, tier, next_tier) => {
  const status = loyaltyStatus(tiers, { memberId: '4820157396', points });
  expect(status).toEqual({ member_id: '4820157396', points, tier, next_tier });
});

test('a single tier has no next tier', () => {
  const status = loyaltyStatus([{ tier: 'member', min_points: 0 }], { memberId: '1', points: 7 });
  expect(status).toEqual({ member_id: '1', points: 7, tier: 'member', next_tier: null });
});

test('a balance below every tier is an error that says so', () => {
  const status = () => loyaltyStatus([{ tier: 'gold', min_points: 1 }], { memberId: '1', points: 0 });
  expect(status).toThrow('no tier begins at 0 points');
});

test.each([
  [0, 1, null, 'allowed'],
  [1, -1, null, 'allowed'],
  [0, -1, null, 'below zero'],
  [999, -1_000, null, 'below zero'],
  [0, 1_000_000_000, null, 'allowed'],
  [1, 1_000_000_000, null, 'too high'],
  [1_000_000_000, 1, null, 'too high'],
  [1_000_000_000, -1_000_000_000, null, 'allowed'],
  [0, -5, { points: -5 }, 'repeated'],
  [1_000_000_000, 5, { points: 5 }, 'repeated'],
  [10, 5, { points: -5 }, 'conflict'],
  [0, -5, { points: 5 }, 'conflict'],
] as const)(
  'balance %d, entry of %d points, first entry with the reference %j: %s',
  (balance, points, first, verdict) => {
    expect(entryVerdict(balance, points, first)).toBe(verdict);
  },
);
