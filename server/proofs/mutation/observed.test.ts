// What no test can notice, by how comparisons and conditions come out.
import { runInThisContext } from 'node:vm';
import { expect, test } from 'vitest';
import { instrumented, type Outcomes, observe, unnoticedIn } from './observed.js';

test('comparisons that were never equal and conditions that were always the same are listed', () => {
  const source = '(a, b, c) =>\n  (a < b && c ? 1 : 2)';
  const outcomes: Outcomes = new Map();
  const unnoticed = () => unnoticedIn(source, 'a.ts', 'a.ts', outcomes);
  const choose = runInThisContext(instrumented(source, 'a.ts', 'a.ts'));
  observe(outcomes);
  expect(choose(1, 2, true)).toBe(1);
  expect(unnoticed()).toEqual([
    'a.ts:2 is always true: a < b && c',
    'a.ts:2 is always true: a < b',
    'a.ts:2 is always true: c',
    'a.ts:2 the sides are never equal: a < b',
  ]);
  expect(choose(2, 2, true)).toBe(2);
  expect(unnoticed()).toEqual(['a.ts:2 is always true: c']);
  expect(choose(1, 2, false)).toBe(2);
  expect(unnoticed()).toEqual([]);
});

test.each([
  ['a shorthand property', '({ a: ((a) => ({ a }))(1 >= 1).a })', { a: true }],
  ['a comparison in a comparison', '(1 < 2) <= (3 > 2)', true],
  ['texts and dates', "['a' < 'b', new Date(1) > new Date(2)]", [true, false]],
  ['a comparison over two lines', '1 <\n  2 || false', true],
  ['nothing beside a value', 'undefined >= 1', false],
])('an instrumented source is what it was: %s', (_, source, value) => {
  const text = instrumented(source, 'a.ts', 'a.ts');
  expect(text.split('\n')).toHaveLength(source.split('\n').length);
  expect(runInThisContext(text)).toEqual(value);
});
