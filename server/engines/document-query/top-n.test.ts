// When a page of matches is full.
import { expect, test } from 'vitest';
import type { Query } from './query.js';
import { topN } from './top-n.js';

const query = (limit: number): Query => ({
  conditions: [],
  orders: [],
  descendingIds: false,
  limit,
  start: null,
});

test.each([
  ['as many records as the limit', 2, [1, 1], ['a', 'b'], false],
  ['one more', 2, [1, 1, 1], ['a', 'b'], true],
  ['a mebibyte less one byte', 9, [1_000_000, 48_575], ['a', 'b'], false],
  ['a mebibyte', 9, [1_000_000, 48_576], ['a', 'b'], true],
  ['more after a mebibyte', 9, [1_000_000, 48_576, 1], ['a', 'b'], true],
  ['one record of more than a mebibyte', 9, [2_000_000, 1], ['a'], true],
])('%s', (_, limit, sizes, page, more) => {
  for (const order of [sizes, sizes.toReversed()]) {
    const top = topN(query(limit));
    for (const [place, bytes] of order.entries()) {
      const id = 'abc'.charAt(order === sizes ? place : sizes.length - 1 - place);
      top.add({ keys: [], id, bytes, rowVersion: '1' });
    }
    const { matches, more: isMore } = top.page();
    expect([matches.map(({ id }) => id), isMore]).toEqual([page, more]);
  }
});

const found = (id: string, place: number, bytes = 1) => ({
  keys: [Buffer.of(place)],
  id,
  bytes,
  rowVersion: '1',
});
const byKey: Query = { ...query(1), orders: [{ field: 'n', descending: false }] };

test('a record that others have displaced is taken again where a write has moved it ahead', () => {
  const top = topN(byKey);
  for (const match of [found('a', 9), found('b', 5), found('c', 6), found('a', 1)]) top.add(match);
  expect(top.page().matches.map(({ id }) => id)).toEqual(['a']);
});

test('the bytes of a record that others have displaced no longer count', () => {
  const top = topN({ ...byKey, limit: 2 });
  top.add(found('large', 9, 1_000_000));
  for (const [place, id] of ['a', 'b', 'c'].entries()) top.add(found(id, place, 30_000));
  expect(top.page().matches.map(({ id }) => id)).toEqual(['a', 'b']);
  top.add(found('d', 8, 30_000));
  expect(top.worst()?.id).toBe('c');
});
