import { expect, test } from 'vitest';
import { memoryDraws } from './memory-draws.js';

const entry = { key: 'ada', entrant: 'a', rank: 1, slots: 1, period: 7, periodMilliseconds: 600_000 };
const lower = { ...entry, entrant: 'b', rank: 0 };

test('the lowest rank of a period is drawn for the next one, however often and in which order they ask', () => {
  const draw = memoryDraws();
  for (const each of [entry, lower, entry, lower]) draw(each);
  expect(draw({ ...entry, period: 8 })).toBe(false);
  expect(draw({ ...lower, period: 8 })).toBe(true);
});

test('as many are drawn as there are slots', () => {
  const draw = memoryDraws();
  const third = { ...entry, entrant: 'c', rank: 2 };
  for (const each of [third, entry, lower]) draw({ ...each, slots: 2 });
  const drawn = [entry, lower, third].map((each) => draw({ ...each, slots: 2, period: 8 }));
  expect(drawn).toEqual([true, true, false]);
});

test.each([
  ['asked for the first time', 7],
  ['asked last two periods before', 9],
  ['asked later, before the clock stepped back', 6],
])('anyone may take the slot if nobody asked in the period before: %s', (_name, period) => {
  const draw = memoryDraws();
  draw(lower);
  expect(draw({ ...entry, period })).toBe(period !== 8);
});

test('the keys that were not used for the longest time are forgotten', () => {
  const draw = memoryDraws(2);
  draw(lower);
  draw({ ...lower, key: 'grace' });
  draw(lower);
  draw({ ...lower, key: 'alan' });
  expect(draw({ ...entry, period: 8 })).toBe(false);
  expect(draw({ ...entry, key: 'grace', period: 8 })).toBe(true);
});
