import { expect, test } from 'vitest';
import { tierOf } from './tier.ts';

const tiers = [
  { tier: 'member', min_points: 0 },
  { tier: 'silver', min_points: 1_000 },
  { tier: 'gold', min_points: 5_000 },
];

test.each([
  [0, 'member', { tier: 'silver', missing: 1_000 }],
  [999, 'member', { tier: 'silver', missing: 1 }],
  [1_000, 'silver', { tier: 'gold', missing: 4_000 }],
  [5_000, 'gold', null],
  [9_000, 'gold', null],
])('%s points are tier %s', (points, tier, next) => {
  expect(tierOf(tiers, points)).toEqual({ tier, next });
});
