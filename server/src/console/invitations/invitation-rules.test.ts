// Whether an invitation can be accepted, and with which email: each row of the rules.
import { expect, test } from 'vitest';
import { checkInvitation, checkInvitedEmail } from './invitation-rules.js';

const expiresAt = new Date('2026-03-08T10:00:00.123Z');

test.each([
  [-1, 'open'],
  [0, 'expired'],
  [1, 'expired'],
] as const)('%i ms after its expiry it is %s', (milliseconds, verdict) => {
  expect(checkInvitation({ expiresAt }, new Date(expiresAt.getTime() + milliseconds))).toBe(verdict);
});

test.each([
  ['ada@example.com', undefined, { email: 'ada@example.com' }],
  ['ada@example.com', 'ada@example.com', 'not-allowed'],
  ['ada@example.com', 'eve@example.com', 'not-allowed'],
  [null, 'ada@example.com', { email: 'ada@example.com' }],
  [null, undefined, 'missing'],
] as const)('an invitation of %j accepted with %j', (invited, given, verdict) => {
  expect(checkInvitedEmail(invited, given)).toEqual(verdict);
});
