import { expect, test } from 'vitest';
import { conditionFault, conditionValue, type Operator, queryIn } from './record-query.ts';

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

test.each<[Operator, string, boolean]>([
  ['==', '9007199254740991', false],
  ['==', ' 9007199254740993 ', true],
  ['==', '"9007199254740993"', false],
  ['==', 'a, 9007199254740993', false],
  ['==', '{"id": 9007199254740993}', true],
  ['<', '1e21', false],
  ['<', '1e400', true],
  ['in', '1, 9007199254740993', true],
  ['in', '[1, 9007199254740993]', true],
  ['in', '"9007199254740993", a', false],
])('a value of %j typed as %j is refused as inexact: %j', (op, value, refused) => {
  expect(conditionFault({ field: 'name', op, value }) !== null).toBe(refused);
});

test('a URL with an operator that does not exist is read without the condition', () => {
  const where = ['toString', '=='].map((op) => ({ field: 'name', op, value: 'a' }));
  expect(queryIn(JSON.stringify({ where })).where.map(({ op }) => op)).toEqual(['==']);
});
