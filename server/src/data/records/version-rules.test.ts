// The versions of new records: with room for further writes, and not to be guessed from an earlier record of the same id.
import { expect, test } from 'vitest';
import { firstVersion } from './version-rules.js';

const [min, max] = [2 ** 20, 2 ** 30];

test.each([
  [0, min],
  [1, min + 1],
  [max - min - 1, max - 1],
  [max - min, min],
])('the random number %i makes the first version %i', (drawn, version) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(drawn);
  expect(firstVersion({ bytes: () => bytes })).toBe(version);
});
