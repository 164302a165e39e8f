import { expect, test } from 'vitest';
import { conditionValue, type Operator, queryIn } from './record-query.ts';

test.each<[Operator, string, unknown]>([
  ['==', '5', 5],
  ['==', '"5"', '5'],
  ['==', 'a, b', 'a, b'],
  ['in', 'a, b', ['a', 'b']],
  ['in', '[1, 2]', [1, 2]],
  ['in', '1, "2", null', [1, '2', null]],
  ['in', '"Doe, Jane", Ada', ['Doe, Jane', 'Ada']],
  ['in', String.raw`"a \", b", c`, ['a ", b', 'c']],
  ['in', '', ['']],
])('a value of %j typed as %j is read', (op, value, read) => {
  expect(conditionValue({ field: 'name', op, value })).toEqual(read);
});

test('an address with an operator that does not exist is read without the condition', () => {
  const where = ['toString', '=='].map((op) => ({ field: 'name', op, value: 'a' }));
  expect(queryIn(JSON.stringify({ where })).where.map(({ op }) => op)).toEqual(['==']);
});
