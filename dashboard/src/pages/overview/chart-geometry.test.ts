// The scale and the shapes of the charts.
import { describe, expect, test } from 'vitest';
import { axisOf, pathsOf } from './chart-geometry.ts';
import type { Day, Series } from './series.ts';

const days = (...counts: number[]) => counts.map((sign_ups) => ({ sign_ups }) as Day);
const ups: Series = { name: 'Sign-ups', color: 'slate.6', of: ({ sign_ups }) => sign_ups };

describe('the scale', () => {
  test.each([
    [[0], 1, [0, 1]],
    [[3], 3, [0, 1, 2, 3]],
    [[7, 2], 8, [0, 2, 4, 6, 8]],
    [[41], 60, [0, 20, 40, 60]],
    [[1_000_000], 1_000_000, [0, 500_000, 1_000_000]],
  ])('%j ends at %d', (counts, max, ticks) => {
    expect(axisOf('area', days(...counts), [ups])).toEqual({ max, ticks });
  });

  test('of bars holds their sum', () => {
    expect(axisOf('bar', days(3), [ups, ups]).max).toBe(6);
  });
});

test('bars are stacked, and a zero has none', () => {
  const plot = { width: 20, height: 100, max: 4 };
  expect(pathsOf('bar', days(1, 0), [ups, ups], plot)).toEqual([
    { area: 'M1.5 100V75h7V100Z' },
    { area: 'M1.5 75V50h7V75Z' },
  ]);
});

test('an area has a point for each day, in the middle of its place', () => {
  const [shape] = pathsOf('area', days(4, 0), [ups], { width: 20, height: 100, max: 4 });
  expect(shape).toEqual({ line: 'M5 0L15 100', area: 'M5 100L5 0L15 100L15 100Z' });
});
