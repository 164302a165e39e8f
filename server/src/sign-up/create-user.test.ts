import { expect, test } from 'vitest';
import { newMemberId } from './create-user.js';

test.each([
  [0, '1000000000'],
  [1, '1000000001'],
  [8_999_999_999, '9999999999'],
  [9_000_000_000, '1000000000'],
  [2 ** 48 - 1, '9976710655'],
])('of the number %i, drawn by chance, the member id is %s', (drawn, memberId) => {
  const bytes = (count: number) => {
    const made = Buffer.alloc(count);
    made.writeUIntBE(drawn, 0, 6);
    return made;
  };
  expect(newMemberId({ random: { bytes } as Parameters<typeof newMemberId>[0]['random'] })).toBe(memberId);
});
