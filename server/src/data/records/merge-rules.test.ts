// The table of merges.
import { expect, test } from 'vitest';
import { mergeFields } from './merge-rules.js';

test.each([
  ['{"a":1}', '{"b":2}', '{"a":1,"b":2}'],
  ['{"a":1}', '{"a":2}', '{"a":2}'],
  ['{"a":1}', '{}', '{"a":1}'],
  ['{"a":1}', '{"a":null}', '{"a":null}'],
  ['{"a":{"b":1,"c":2}}', '{"a":{"b":3}}', '{"a":{"b":3,"c":2}}'],
  ['{"a":{"b":{"c":1}}}', '{"a":{"b":{"d":2}}}', '{"a":{"b":{"c":1,"d":2}}}'],
  ['{"a":{"b":1}}', '{"a":{}}', '{"a":{"b":1}}'],
  ['{"a":[1,2]}', '{"a":[3]}', '{"a":[3]}'],
  ['{"a":[{"b":1}]}', '{"a":[{"c":2}]}', '{"a":[{"c":2}]}'],
  ['{"a":{"b":1}}', '{"a":"text"}', '{"a":"text"}'],
  ['{"a":"text"}', '{"a":{"b":1}}', '{"a":{"b":1}}'],
  ['{"a":[1]}', '{"a":{"0":2}}', '{"a":{"0":2}}'],
  ['{"a":null}', '{"a":{"b":1}}', '{"a":{"b":1}}'],
  ['{"a.b":1}', '{"a":{"b":2}}', '{"a.b":1,"a":{"b":2}}'],
  ['{"__proto__":{"x":1}}', '{"__proto__":{"y":2}}', '{"__proto__":{"x":1,"y":2}}'],
  ['{}', '{"constructor":{"prototype":{"polluted":1}}}', '{"constructor":{"prototype":{"polluted":1}}}'],
])('%s with %s is %s', (present, patch, result) => {
  expect(JSON.stringify(mergeFields(JSON.parse(present), JSON.parse(patch)))).toBe(result);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test('a merge mutates neither object', () => {
  const [present, patch] = [{ a: { b: 1 } }, { a: { c: 2 } }];
  mergeFields(present, patch);
  expect([present, patch]).toEqual([{ a: { b: 1 } }, { a: { c: 2 } }]);
});
