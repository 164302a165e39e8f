// One-time passwords against the vectors of RFC 6238, appendix B, whose last six digits an authenticator app shows.
import { expect, test } from 'vitest';
import { stepOfCode } from './totp.js';

const secret = Buffer.from('12345678901234567890');

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at %i seconds the code is %s, of that step, and no more once the step was used', (seconds, code) => {
  const now = new Date(seconds * 1_000);
  const step = Math.floor(seconds / 30);
  expect(stepOfCode(secret, code, { now, lastStep: 0 })).toBe(step);
  expect(stepOfCode(secret, code, { now, lastStep: step - 1 })).toBe(step);
  expect(stepOfCode(secret, code, { now, lastStep: step })).toBeNull();
});
