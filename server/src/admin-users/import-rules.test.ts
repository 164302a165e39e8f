// What a refusal names of the passwords in an import; import-users.test.ts has the names and hashes that are found.
import { expect, test } from 'vitest';
import { passwordFieldsOf } from './import-rules.js';

test('a hundred fields are named, and 300 characters of each name', () => {
  const users = Array.from({ length: 101 }, () => ({ password: 'x' }));
  expect(passwordFieldsOf({ users })).toEqual(users.slice(1).map((_, place) => `users.${place}.password`));
  const name = `password ${'x'.repeat(292)}`;
  expect(passwordFieldsOf({ [name]: { a: 1 }, a: { [name]: 'x' } })).toEqual([
    name.slice(0, 300),
    `a.${name.slice(0, 300)}`,
  ]);
});
