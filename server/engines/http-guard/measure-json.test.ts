import { expect, test } from 'vitest';
import { measureJson } from './measure-json.js';

const wide = { values: 1_000, keys: 1_000, levels: 100 };

function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, child) => sum + valuesIn(child), 1);
}

test.each([
  'null',
  '""',
  '[]',
  '{}',
  '[ ]',
  '[1]',
  '[1,2,3]',
  '{"a":1}',
  '{"a":{"b":[]},"c":[{},{}]}',
  ' [ [ ] , [ 1 , [ ] ] ]\n',
  '["a,b","[","{\\"","\\\\",",]"]',
  '{",,,":"[[["}',
  JSON.stringify({ text: 'a "quoted" \\ , [ ] { }', list: [null, true, -1.5e3, ['x']] }),
])('counts the same values in %s as a parser', (text) => {
  const bytes = Buffer.from(text);
  const values = valuesIn(JSON.parse(text));
  expect(measureJson(bytes, { ...wide, values })).toBe('ok');
  expect(measureJson(bytes, { ...wide, values: values - 1 })).toBe('too-many-values');
});

test.each([
  ['1', 0],
  ['{}', 1],
  ['[[]]', 2],
  ['[[],{"a":[]}]', 3],
  ['["[[[[[["]', 1],
])('%s has %i levels', (text, levels) => {
  const bytes = Buffer.from(text);
  expect(measureJson(bytes, { ...wide, levels })).toBe('ok');
  if (levels > 0) expect(measureJson(bytes, { ...wide, levels: levels - 1 })).toBe('too-deep');
});

test.each([
  ['[1,2]', 0],
  ['{"a":1}', 1],
  ['{"a:b":":","c":[{"d":{}}]}', 3],
])('%s has %i keys', (text, keys) => {
  const bytes = Buffer.from(text);
  expect(measureJson(bytes, { ...wide, keys })).toBe('ok');
  if (keys > 0) expect(measureJson(bytes, { ...wide, keys: keys - 1 })).toBe('too-many-keys');
});

test.each(['', '"', '"\\', ']]]]', '[', '{"a', ',,,'])('%j, which is not JSON, is accepted', (text) => {
  expect(measureJson(Buffer.from(text), wide)).toBe('ok');
});
