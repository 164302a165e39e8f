// The rules of the forms that add points.
import { expect, test } from 'vitest';
import { balanceFault, isLarge } from './points-rules.ts';

test.each([
  [1_230, -1_230, null],
  [1_230, -1_231, 'The user has 1,230 points, and the balance is never below zero.'],
  [0, 1_000_000_000, null],
  [1, 1_000_000_000, 'The user has 1 points, and the balance is never above 1,000,000,000.'],
])('a balance of %s takes an entry of %s, or says why not', (balance, points, fault) => {
  expect(balanceFault(balance, points)).toBe(fault);
});

test.each([
  [9_999, false],
  [10_000, true],
  [-9_999, false],
  [-10_000, true],
  ['', false],
] as const)('%s points are asked about: %s', (points, asked) => {
  expect(isLarge(points)).toBe(asked);
});
