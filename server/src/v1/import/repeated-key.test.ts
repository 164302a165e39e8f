import { expect, test } from 'vitest';
import { hasRepeatedKey } from './repeated-key.js';

test.each<[string, boolean]>([
  ['{"points":5,"points":7}', true],
  ['{"points" : 5, "id":1, "points"\t: 7}', true],
  ['{"history":[{"points":1},{"points":2,"points":3}]}', true],
  ['{"a":{"b":{}},"b":1,"a":2}', true],
  ['{"p\\u006fints":5,"points":7}', true],
  ['{"":1,"":2}', true],
  ['{"points":5,"history":[{"points":1},{"points":2}]}', false],
  ['{"a":"\\"a\\":","b":"a","c":["a","a"],"d":"{","e":"}"}', false],
  ['{"a":"\\\\","b":"\\\\\\"a\\":1"}', false],
  ['{"a":{"a":{"a":1}}}', false],
  ['["a","a"]', false],
  ['"a"', false],
])('%s: %s', (text, repeated) => {
  JSON.parse(text);
  expect(hasRepeatedKey(text)).toBe(repeated);
});

test.each([
  ['one string', JSON.stringify({ a: 'x'.repeat(4_000_000) })],
  ['one string of quotes', JSON.stringify({ a: '"'.repeat(2_000_000) })],
  ['many keys', JSON.stringify(Object.fromEntries(Array.from({ length: 300_000 }, (_, n) => [`k${n}`, n])))],
])('a line of maximum length is scanned: %s', (_what, text) => {
  expect(hasRepeatedKey(text)).toBe(false);
  expect(hasRepeatedKey(`[${text},{"z":1,"z":1}]`)).toBe(true);
});
