import { expect, test } from 'vitest';
import { compareTexts } from './compare-texts.js';

test.each([
  ['a', 'b', -1],
  ['b', 'a', 1],
  ['a', 'a', 0],
  ['', 'a', -1],
  ['a', 'ab', -1],
  ['Z', 'a', -1],
  ['é', 'z', 1],
])('%j and %j are compared as %i', (one, other, order) => {
  expect(compareTexts(one, other)).toBe(order);
});
