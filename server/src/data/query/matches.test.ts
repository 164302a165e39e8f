// Judging is fast enough for the largest records that may be stored: it runs where every other call waits.
import { expect, test } from 'vitest';
import { matches } from './matches.js';
import { indexKeyOf } from './sort-key.js';

/** A record of 1 MiB holds so many; the last alone is looked for. */
const numbers = [...Array<unknown>(500_000).fill(1), 'last'];
const objects = [...Array.from({ length: 100_000 }, () => ({ a: 1 })), { a: 'last' }];
const wanted = Array.from({ length: 29 }, (_, i) => i + 2);

/** Of the fastest of three times: a machine that is busy with other things takes any of them longer. */
function milliseconds(work: () => unknown): number {
  const times = [1, 2, 3].map(() => {
    const began = performance.now();
    work();
    return performance.now() - began;
  });
  return Math.min(...times);
}

test.each([
  ['array-contains-any', numbers, [...wanted, 'last'], true],
  ['array-contains-any', numbers, wanted, false],
  ['array-contains', objects, { a: 'last' }, true],
  ['array-contains-any', objects, [...wanted.map((a) => ({ a })), { a: 'last' }], true],
  ['>', numbers, [0], true],
  ['<', objects, [{ a: 1 }, { a: 0 }], false],
  ['==', numbers, numbers.slice(0, 10), false],
] as const)('%s on a list as long as a record may hold', (op, list, value, holds) => {
  expect(matches(list, { op, value })).toBe(holds);
  expect(milliseconds(() => matches(list, { op, value }))).toBeLessThan(3_000);
});

test('the key of an index is made of the bytes that are kept alone', () => {
  indexKeyOf([1]);
  expect(milliseconds(() => indexKeyOf(numbers))).toBeLessThan(200);
});

test('a list holds 0 where -0 is looked for, and no element of another type', () => {
  expect(matches([0], { op: 'array-contains', value: -0 })).toBe(true);
  expect(matches(['1', true, null, [1], { a: 1 }], { op: 'array-contains', value: 1 })).toBe(false);
  expect(matches([[1], { b: 2, a: 1 }], { op: 'array-contains-any', value: [{ a: 1, b: 2 }] })).toBe(true);
});
