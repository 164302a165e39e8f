// The old and new values in audit entries.
import { limits } from '@foyer/contract';
import { expect, test } from 'vitest';
import { changesBetween } from './changes-rules.js';

const long = 'ä'.repeat(limits.auditValueCharacters);

test.each([
  ['nothing', { a: 1, b: { c: [1] } }, { a: 1, b: { c: [1] } }, {}],
  ['a value', { a: 1 }, { a: 2 }, { a: { from: 1, to: 2 } }],
  ['a value in a group', { a: { b: 1, c: 1 } }, { a: { b: 2, c: 1 } }, { 'a.b': { from: 1, to: 2 } }],
  ['an array as one value', { a: ['x'] }, { a: ['x', 'y'] }, { a: { from: ['x'], to: ['x', 'y'] } }],
  ['a new field', {}, { a: false }, { a: { from: null, to: false } }],
  [
    'a new field with the name of a method of objects',
    {},
    { constructor: { b: 1 } },
    { constructor: { from: null, to: { b: 1 } } },
  ],
  ['a removed group', { a: { b: 1 } }, {}, { a: { from: { b: 1 }, to: null } }],
  ['absent and null, which are the same', { a: null }, {}, {}],
  ['text of the limit', { a: '' }, { a: long }, { a: { from: '', to: long } }],
  ['longer text, cut', { a: '' }, { a: `${long}a` }, { a: { from: '', to: `${long.slice(1)}…` } }],
  [
    'a long array, as the beginning of its JSON',
    { a: [] },
    { a: [long] },
    { a: { from: [], to: `["${long.slice(3)}…` } },
  ],
])('%s', (_, before, after, expected) => {
  expect(changesBetween(before, after)).toEqual(expected);
});

test('a change of many fields stores a limited number of them', () => {
  const fields = (value: number) =>
    Object.fromEntries(Array.from({ length: limits.auditChanges + 1 }, (_, place) => [`f${place}`, value]));
  expect(Object.keys(changesBetween(fields(1), fields(2)))).toHaveLength(limits.auditChanges);
});
