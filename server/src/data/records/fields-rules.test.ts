// Both sides of each limit on a record's fields.
import { expect, test } from 'vitest';
import type { Fields } from '../../lib/json-rules.js';
import { checkFields } from './fields-rules.js';

function nested(levels: number, array = false): Fields {
  let value: unknown = 1;
  for (let level = 1; level < levels; level += 1) value = array ? [value] : { a: value };
  return { a: value };
}

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));
const ofBytes = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });

test.each<[string, Fields]>([
  ['no fields', {}],
  ['20 levels of objects', nested(20)],
  ['20 levels of arrays', nested(20, true)],
  ['2,000 keys', keys(2_000)],
  ['2,000 keys on two levels', { ...keys(1_000), more: keys(999) }],
  ['a key of 256 characters', { ['k'.repeat(256)]: 1 }],
  ['a key of 256 characters outside the first plane', { ['😀'.repeat(256)]: 1 }],
  ['an empty key, and one with a dot', { '': 1, 'a.b': 2 }],
  ['a key with $ inside', { a$: 1 }],
  ['exactly 1 MiB', ofBytes(1_048_576)],
  ['20,000 values', { a: new Array(19_999).fill(1) }],
  ['names of Object.prototype', JSON.parse('{"__proto__":{"a":1},"constructor":1,"toString":2}')],
])('%s is accepted', (_, fields) => {
  const verdict = checkFields(fields);
  expect(verdict).toMatchObject({ json: JSON.stringify(fields) });
});

test.each<[string, Fields, string]>([
  ['21 levels of objects', nested(21), `fields${'.a'.repeat(20)}`],
  ['21 levels of arrays', nested(21, true), `fields.a${'.0'.repeat(19)}`],
  ['2,001 keys', keys(2_001), 'fields'],
  ['2,001 keys on two levels', { ...keys(1_000), more: keys(1_000) }, 'fields'],
  ['keys inside arrays', { a: Array.from({ length: 2_000 }, () => ({ b: 1 })) }, 'fields'],
  ['20,001 values', { a: new Array(20_000).fill(1) }, 'fields'],
  ['a key of 257 characters', { ['k'.repeat(257)]: 1 }, `fields.${'k'.repeat(257)}`],
  ['a key with a leading $', { a: { $set: 1 } }, 'fields.a.$set'],
])('%s is refused', (_, fields, path) => {
  expect(checkFields(fields)).toEqual({ invalid: { path, sentence: expect.any(String) } });
});

test('a byte more than 1 MiB is too large, counted in UTF-8', () => {
  expect(checkFields(ofBytes(1_048_577))).toBe('too-large');
  expect(checkFields({ a: 'ü'.repeat(524_284) })).toMatchObject({ bytes: 1_048_576 });
  expect(checkFields({ a: 'ü'.repeat(524_285) })).toBe('too-large');
});
