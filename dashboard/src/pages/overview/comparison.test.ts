// What the overview says about earlier days.
import { describe, expect, test } from 'vitest';
import { changeText, dropOfSignIns } from './comparison.ts';
import type { Day } from './series.ts';

const days = (...counts: number[]) =>
  counts.map((count) => ({ sign_ups: count, sign_ins: { password: count } }) as unknown as Day);
const signUps = ({ sign_ups }: Day) => sign_ups;

test.each([
  [[15], [10], '+50%, 10 in the 1 days before.'],
  [[5], [10], '-50%, 10 in the 1 days before.'],
  [[10], [10], '0%, 10 in the 1 days before.'],
  [[5], [0], '0 in the 1 days before.'],
])('%j after %j is %s', (now, before, text) => {
  expect(changeText(days(...now), days(...before), signUps)).toBe(text);
});

test('nothing is said without an earlier period', () => {
  expect(changeText(days(5), null, signUps)).toBeUndefined();
});

describe('a drop of sign-ins', () => {
  const week = [40, 40, 40, 40, 40, 40, 40];
  test.each([
    ['half of the usual day', [...week, 20, 0], null],
    ['less than half', [...week, 19, 0], { yesterday: 19, usual: 40 }],
    ['a quiet app', [1, 1, 1, 1, 1, 1, 1, 0, 0], null],
    ['too few days', [40, 40, 0, 0], null],
    ['today, which is not over', [...week, 40, 0], null],
  ])('%s', (_name, counts, drop) => {
    expect(dropOfSignIns(days(...counts))).toEqual(drop);
  });
});
