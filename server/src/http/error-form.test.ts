import { expect, test } from 'vitest';
import { v1Sentence } from './error-form.js';

test.each([
  [{ email: ['must be an email address'] }, 'The email must be an email address.'],
  [{ first_name: ['must not be empty'] }, 'The first name must not be empty.'],
  [
    { password_confirmation: ['must be the same as the password'] },
    'The password confirmation must be the same as the password.',
  ],
  [{ email: ['is missing'] }, 'The email is missing.'],
  [{ email: ['must be a string'] }, 'The email must be a string.'],
  [{ body: ['must be an object'] }, 'The body must be an object.'],
  [{ path: ['is not percent-encoded UTF-8'] }, 'The address is not percent-encoded UTF-8.'],
  [{ code: ['must have six digits'], email: ['must be an email address'] }, 'The code must have six digits.'],
  [{ code: ['has an unknown key: "x"'] }, 'The code has an unknown key: "x".'],
  [{ x: ['Something of the library'] }, 'The x is not valid.'],
  [{ constructor: ['must not be empty'] }, 'The constructor must not be empty.'],
  [{ toString: ['must not be empty'] }, 'The toString must not be empty.'],
  [{ valueOf: ['must not be empty'] }, 'The valueOf must not be empty.'],
  [{ ['__proto__']: ['must not be empty'] }, 'The proto must not be empty.'],
  [{ ['x'.repeat(1_000)]: ['is nested too deeply'] }, `The ${'x'.repeat(60)} is nested too deeply.`],
  [{ 'a\r\n\u2028\u0000b': ['is nested too deeply'] }, 'The a b is nested too deeply.'],
  [{ '\u2029 \u0007': ['is nested too deeply'] }, 'The field is nested too deeply.'],
  [{}, undefined],
])('%j becomes: %s', (fields, sentence) => {
  expect(v1Sentence(fields as Record<string, string[]>)).toBe(sentence);
});
