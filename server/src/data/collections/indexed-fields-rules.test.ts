// What becomes of the indexes, row by row.
import { expect, test } from 'vitest';
import { changedIndexes } from './indexed-fields-rules.js';

const a = { number: 1, field: 'a', ready: true };
const b = { number: 2, field: 'b', ready: false };

test.each([
  ['nothing stays nothing', [], [], false, [], [], []],
  ['a new one is to be built', [], ['a'], false, [{ ...a, number: 5, ready: false }], ['a'], []],
  ['a new one of an empty collection is complete', [], ['a'], true, [{ ...a, number: 5 }], ['a'], []],
  ['what stays keeps its number and state', [a, b], ['b', 'a'], false, [b, a], [], []],
  ['what is left out goes', [a, b], ['b'], false, [b], [], ['a']],
  ['one goes and one comes', [a], ['b'], false, [{ ...b, number: 5 }], ['b'], ['a']],
] as const)('%s', (_, present, fields, empty, indexes, added, removed) => {
  const change = changedIndexes([...present], 4, [...fields], empty);
  expect(change.indexes).toEqual(indexes);
  expect(change.added.map(({ field }) => field)).toEqual(added);
  expect(change.removed.map(({ field }) => field)).toEqual(removed);
  expect(change.lastNumber).toBe(4 + added.length);
});

test('a number is never given twice, even to the same field', () => {
  const first = changedIndexes([], 0, ['a'], false);
  const none = changedIndexes(first.indexes, first.lastNumber, [], false);
  const again = changedIndexes(none.indexes, none.lastNumber, ['a'], false);
  expect(again.indexes[0]?.number).toBe(2);
});
