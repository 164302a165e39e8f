// The columns and suggestions of a collection.
import { expect, test } from 'vitest';
import { fieldsOf, valueAt, valueText } from './record-fields.ts';

const records = [
  { fields: { title: 'Groceries', done: false } },
  { fields: { done: true, created: '2026-01-02' } },
  { fields: { done: true, title: 'Call' } },
];

test('indexed fields come first, then those that most records have', () => {
  expect(fieldsOf(records, [])).toEqual(['done', 'title', 'created']);
  expect(fieldsOf(records, ['created', 'address.city'])).toEqual([
    'created',
    'address.city',
    'done',
    'title',
  ]);
  expect(fieldsOf([], ['created'])).toEqual(['created']);
});

test.each([
  [{ a: 1 }, 'a', '1'],
  [{ a: { b: 'text' } }, 'a.b', 'text'],
  [{ 'a.b': null, a: { b: 1 } }, 'a.b', 'null'],
  [{ a: [1, { b: 2 }] }, 'a', '[1,{"b":2}]'],
  [{ a: 'text' }, 'a.length', ''],
  [{}, 'a', ''],
  [{}, 'toString', ''],
])('of %j, %s is shown as %j', (fields, path, text) => {
  expect(valueText(valueAt(fields, path))).toBe(text);
});
