// The faults that `npm run mutate` tries.
import { expect, test } from 'vitest';
import { mutationsOf } from './mutations.js';

/** The source after each mutation of it. */
function mutants(source: string): string[] {
  return mutationsOf(source, 'a.ts').map(
    ({ start, end, text }) => source.slice(0, start) + text + source.slice(end),
  );
}

test.each([
  [
    'a condition that never or always holds',
    'if (a) b();',
    ['if (false) b();', 'if (true) b();', 'if (a) ;'],
  ],
  ['one half of a condition', 'x = a && b', ['x = a', 'x = b']],
  ['the wrong side of a boundary', 'x = a < 1', ['x = a <= 1']],
  ['the opposite', 'x = a === b as C', ['x = a !== b as C']],
  ['the other branch', 'x = a ? b : c', ['x = !(a) ? b : c']],
  ['a refusal', "throw new E('x')", [';']],
  ['a step, awaited or not', 'await end(id);', [';']],
  ['a header', "x = { 'Retry-After': a, b }", ['x = {  b }']],
  ['a number', 'x = [0, 1, 30]', ['x = [0, 1, 31]']],
  ['a number in a type', 'let x: 30 = a', []],
])('tries %s', (_, source, expected) => {
  expect(mutants(source).filter((mutant) => mutant !== ';' || expected.includes(';'))).toEqual(expected);
});

const select = (text: string) => `x = \`SELECT a FROM b ${text}\``;

test.each([
  ['a lock', 'FOR UPDATE OF b SKIP LOCKED', ['', 'FOR UPDATE OF b']],
  [
    'a condition in the middle',
    'WHERE c = 0 AND d = e ORDER BY f',
    ['WHERE c = 0 ORDER BY f', 'WHERE true AND d = e ORDER BY f'],
  ],
  [
    'a condition at the end',
    'WHERE c = 0 AND d IN (SELECT 1)',
    ['WHERE c = 0', 'WHERE true AND d IN (SELECT 1)'],
  ],
  ['no half of a range', 'WHERE c BETWEEN 0 AND 1', []],
])('tries %s of a statement', (_, text, expected) => {
  const made = mutants(select(text)).filter((mutant) => mutant.startsWith('x = `'));
  expect(made.map((mutant) => mutant.slice(select('').length - 1, -1).trim())).toEqual(expected);
});

test('tells what is executed when the file is loaded from what a call executes', () => {
  const source =
    'const a = 5; function b() { return 6; } const c = () => ({ d: 7 }); const e = [{ f: 8 }]; const g = h(() => 9);';
  const found = mutationsOf(source, 'a.ts').map(({ text, isOnLoad }) => [text, isOnLoad]);
  expect(found).toEqual([
    ['6', true],
    ['7', false],
    ['8', false],
    ['9', true],
    ['10', true],
  ]);
});
