import { expect, test } from 'vitest';
import { emptyRow, fieldsOf, moved, rowsIn, textOfRows, withField } from './list-rows.ts';

const tiers = [
  { name: 'Silver', points: 0 },
  { name: 'Gold', points: 500, isHidden: true, perks: ['a'] },
];

test.each([
  ['[{"a":1}]', true],
  ['[{}]', true],
  ['[]', false],
  ['[1]', false],
  ['[{"a":1},null]', false],
  ['[[{"a":1}]]', false],
  ['{"a":1}', false],
  ['[{"a":1}', false],
  // A number that reading would round.
  ['[{"a":9007199254740993}]', false],
])('%s is edited as rows: %s', (text, isList) => {
  expect(rowsIn(text) !== null).toBe(isList);
});

test('rows are written as they were read', () => {
  expect(rowsIn(textOfRows(tiers))).toEqual(tiers);
});

test('a new row has the fields of all others, empty', () => {
  expect(fieldsOf(tiers)).toEqual(['name', 'points', 'isHidden', 'perks']);
  expect(emptyRow(tiers)).toEqual({ name: '', points: 0, isHidden: false, perks: [] });
});

test('a field is changed in its row only', () => {
  expect(withField(tiers, 0, 'points', 10)).toEqual([{ name: 'Silver', points: 10 }, tiers[1]]);
});

test.each([
  [0, 1, [tiers[1], tiers[0]]],
  [1, -1, [tiers[1], tiers[0]]],
  [0, -1, tiers],
  [1, 1, tiers],
] as const)('the row at %s moves by %s', (place, by, expected) => {
  expect(moved(tiers, place, by)).toEqual(expected);
});
