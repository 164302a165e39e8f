// A form and the changes of others: neither takes back the other.
import { expect, test } from 'vitest';
import { changedIn, rebased } from './form-values.ts';

test.each([
  ['follows a change of another value', { a: 1, b: 1 }, { a: 2, b: 1 }, { a: 1, b: 3 }, { a: 2, b: 3 }],
  ['keeps what was typed for the same value', { a: 1 }, { a: 2 }, { a: 3 }, { a: 2 }],
  [
    'follows inside of objects',
    { a: { b: 1, c: 1 } },
    { a: { b: 2, c: 1 } },
    { a: { b: 1, c: 3 } },
    { a: { b: 2, c: 3 } },
  ],
  ['takes a list as one value', { a: [1] }, { a: [1, 2] }, { a: [0] }, { a: [1, 2] }],
  ['follows a list that was not touched', { a: [1] }, { a: [1] }, { a: [0] }, { a: [0] }],
  ['keeps a removed entry removed', { a: 1, b: 1 }, { b: 1 }, { a: 1, b: 2 }, { b: 2 }],
  ['has an entry that others added', { a: 1 }, { a: 2 }, { a: 1, b: 1 }, { a: 2, b: 1 }],
  ['drops an entry that others removed', { a: 1, b: 1 }, { a: 2, b: 1 }, { a: 1 }, { a: 2 }],
  ['forgets a secret that was sent', { key: 'pem' }, { key: 'pem' }, { key: undefined }, { key: undefined }],
] as [string, object, object, object, object][])('a form %s', (_, before, typed, newer, result) => {
  expect(rebased(before, typed, newer)).toStrictEqual(result);
});

test('only what was typed is sent', () => {
  expect(changedIn({ a: 1, b: [1], c: 'x' }, { a: 1, b: [1, 2], c: '' })).toEqual({ b: [1, 2], c: '' });
});
