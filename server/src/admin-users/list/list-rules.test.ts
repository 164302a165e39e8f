// Where a list of users starts: at its cursor, or at a bound of the creation time if that is further on.
import { expect, test } from 'vitest';
import { noFilters } from '../../../test/user-filters.js';
import { firstPlace, type UserFilters, type UserOrder } from './list-rules.js';

const [before, time, after] = ['2026-01-01', '2026-01-02', '2026-01-03'].map(
  (day) => `${day}T00:00:00.000000Z`,
) as [string, string, string];

test.each<[order: UserOrder, cursor: string, bounds: Partial<UserFilters>, start: string]>([
  ['created_at', before, { createdAfter: time }, time],
  ['created_at', time, { createdAfter: time }, 'the cursor'],
  ['created_at', after, { createdAfter: time }, 'the cursor'],
  ['created_at', '-infinity', { createdAfter: time }, time],
  ['created_at', before, { createdBefore: time }, 'the cursor'],
  ['-created_at', after, { createdBefore: time }, time],
  ['-created_at', time, { createdBefore: time }, 'the cursor'],
  ['-created_at', before, { createdBefore: time }, 'the cursor'],
  ['-created_at', 'infinity', { createdBefore: time }, time],
  ['-created_at', after, { createdAfter: time }, 'the cursor'],
  ['email', before, { createdAfter: time }, 'the cursor'],
])('by %s after %s, with %j, the list starts at %s', (order, key, bounds, start) => {
  const cursor = { key, id: 'uid' };
  const expected = start === 'the cursor' ? cursor : { key: start, id: '' };
  expect(firstPlace({ ...noFilters, ...bounds }, order, cursor)).toEqual(expected);
});
