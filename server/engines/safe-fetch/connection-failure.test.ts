import { expect, test } from 'vitest';
import { connectionFailure } from './connection-failure.js';

test.each([
  [
    Object.assign(new Error('to 192.0.2.1'), { code: 'ECONNREFUSED' }),
    'the connection failed (ECONNREFUSED)',
  ],
  [new Error('fetch failed', { cause: { code: 'ENOTFOUND' } }), 'the connection failed (ENOTFOUND)'],
  [{ code: 'x'.repeat(65) }, `the connection failed (${'x'.repeat(64)})`],
  [new Error('to 192.0.2.1'), 'the connection failed'],
  [{ code: 7 }, 'the connection failed'],
  [null, 'the connection failed'],
])('of %o only the code is told, up to 64 characters', (error, sentence) => {
  expect(connectionFailure(error)).toBe(sentence);
});
