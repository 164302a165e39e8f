import { expect, test } from 'vitest';
import { manualClock } from '../../test/harness.js';
import { recentValues } from './recent-values.js';

test('a value is returned until its time is over, and not after the clock has stepped back', () => {
  const clock = manualClock();
  const values = recentValues<number>(clock, { milliseconds: 5_000, entries: 10 });
  expect(values.get('a')).toBeUndefined();
  values.set('a', 1);
  clock.advance(4_999);
  expect(values.get('a')).toBe(1);
  clock.advance(1);
  expect(values.get('a')).toBeUndefined();
  values.set('a', 2);
  expect(values.get('a')).toBe(2);
  clock.advance(-1);
  expect(values.get('a')).toBeUndefined();
});

test('beyond the limit the value that was set first is dropped', () => {
  const values = recentValues<number>(manualClock(), { milliseconds: 5_000, entries: 2 });
  values.set('a', 1);
  values.set('b', 2);
  values.set('a', 3);
  values.set('c', 4);
  expect(['a', 'b', 'c'].map(values.get)).toEqual([3, undefined, 4]);
});
