// The table of index changes.
import { expect, test } from 'vitest';
import { changedIndexes } from './indexed-fields-rules.js';

const a = { number: 1, field: 'a', ready: true };
const b = { number: 2, field: 'b', ready: false };

test.each([
  ['no fields, no indexes', [], [], false, [], [], []],
  ['a new index is not ready', [], ['a'], false, [{ ...a, number: 5, ready: false }], ['a'], []],
  ['a new index of an empty collection is ready', [], ['a'], true, [{ ...a, number: 5 }], ['a'], []],
  ['an existing index retains its number and state', [a, b], ['b', 'a'], false, [b, a], [], []],
  ['an omitted field is removed', [a, b], ['b'], false, [b], [], ['a']],
  ['one field replaces another', [a], ['b'], false, [{ ...b, number: 5 }], ['b'], ['a']],
] as const)('%s', (_, present, fields, empty, indexes, added, removed) => {
  const change = changedIndexes([...present], 4, [...fields], empty);
  expect(change.indexes).toEqual(indexes);
  expect(change.added.map(({ field }) => field)).toEqual(added);
  expect(change.removed.map(({ field }) => field)).toEqual(removed);
  expect(change.lastNumber).toBe(4 + added.length);
});

test('a number is never reused, even for the same field', () => {
  const first = changedIndexes([], 0, ['a'], false);
  const none = changedIndexes(first.indexes, first.lastNumber, [], false);
  const again = changedIndexes(none.indexes, none.lastNumber, ['a'], false);
  expect(again.indexes[0]?.number).toBe(2);
});
