import { expect, test } from 'vitest';
import { equalInConstantTime } from './digest.js';

test.each([
  ['', '', true],
  ['secret', 'secret', true],
  ['secret', 'secreT', false],
  ['secret', 'secret ', false],
  ['secret', '', false],
])('%j and %j are equal: %j', (left, right, isEqual) => {
  expect(equalInConstantTime(Buffer.from(left), Buffer.from(right))).toBe(isEqual);
});
