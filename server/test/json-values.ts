// JSON values for tests of order: some in the documented order, and any number from a seeded generator.
import type { Chance } from './bad-values.js';

/** No two are equal. */
export const valuesInOrder: unknown[] = [
  null,
  false,
  true,
  -Number.MAX_VALUE,
  -(2 ** 53) + 1,
  -2,
  -1.5,
  -1,
  -5e-324,
  0,
  5e-324,
  0.1,
  1,
  1.5,
  2,
  10,
  2 ** 53 - 1,
  1e300,
  Number.MAX_VALUE,
  '',
  '\u0001',
  ' ',
  '0',
  '10',
  '9',
  'A',
  'B',
  'a',
  'aa',
  'ab',
  'b',
  'z',
  'é',
  'ﬀ',
  '\uffff',
  '😀',
  [],
  [null],
  [null, null],
  [1],
  [1, 2],
  [1, 'a'],
  [2],
  ['a'],
  ['a', 'b'],
  ['ab'],
  [[]],
  [{}],
  {},
  { a: 1 },
  { a: 1, b: 1 },
  { a: 2 },
  { a: 'x' },
  { a: {} },
  { aa: 0 },
  { b: 0 },
];

export function jsonValue(chance: Chance, depth = 0): unknown {
  const kind = chance.number(depth > 2 ? 7 : 10);
  if (kind < 2) return chance.pick([null, true, false]);
  if (kind < 4)
    return chance.pick([0, 1, -1, 0.5, 1e21, -1e-7, chance.number(5), chance.number(2 ** 32) - 2 ** 31]);
  if (kind < 7) return text(chance);
  const members = Array.from({ length: chance.number(4) }, () => jsonValue(chance, depth + 1));
  return kind < 8 ? members : Object.fromEntries(members.map((member) => [text(chance), member]));
}

function text(chance: Chance): string {
  const characters = ['a', 'b', 'A', '0', '.', ' ', '\u0001', '\u007f', 'ä', '\uffff', '😀', '_'];
  return Array.from({ length: chance.number(4) }, () => chance.pick(characters)).join('');
}
