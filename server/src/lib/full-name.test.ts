import { expect, test } from 'vitest';
import { namesOf } from './full-name.js';

test.each<[string | null, string | null, string | null]>([
  ['Ada Lovelace', 'Ada', 'Lovelace'],
  ['  Ada  King Lovelace ', 'Ada', 'King Lovelace'],
  ['Ada', 'Ada', null],
  ['王小明', '王小明', null],
  // Directories of companies.
  ['Lovelace, Ada', 'Ada', 'Lovelace'],
  ['King Lovelace, Ada Augusta', 'Ada Augusta', 'King Lovelace'],
  ['Martin King, Jr.', 'Martin', 'King, Jr.'],
  ['Ada Lovelace, PhD', 'Ada', 'Lovelace, PhD'],
  ['Lovelace,', 'Lovelace,', null],
  ['Lovelace, Ada, Byron', 'Lovelace,', 'Ada, Byron'],
  ['ada@example.com', null, null],
  ['  ', null, null],
  [null, null, null],
])('the full name %j has the names %j and %j', (fullName, firstName, lastName) => {
  expect(namesOf(fullName)).toEqual({ firstName, lastName });
});
