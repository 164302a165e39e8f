import { expect, test } from 'vitest';
import { checkCode, intendedPurpose, isLive } from './code-rules.js';

const sentAt = new Date('2026-03-01T10:00:00.123Z');
const after = (milliseconds: number) => new Date(sentAt.getTime() + milliseconds);
const tenMinutes = 600_000;

test.each([
  ['no code, a used one, or five guesses made', null, 0, true, 'dead'],
  ['the right code at once', { sentAt }, 0, true, 'right'],
  ['a wrong code at once', { sentAt }, 0, false, 'wrong'],
  ['the right code a millisecond before ten minutes', { sentAt }, tenMinutes - 1, true, 'right'],
  ['the right code at ten minutes', { sentAt }, tenMinutes, true, 'right'],
  ['the right code a millisecond after ten minutes', { sentAt }, tenMinutes + 1, true, 'expired'],
  ['a wrong code a millisecond after ten minutes', { sentAt }, tenMinutes + 1, false, 'expired'],
  ['the right code after the clock stepped back by ten minutes', { sentAt }, -tenMinutes, true, 'right'],
  ['the right code after the clock stepped back further', { sentAt }, -tenMinutes - 1, true, 'expired'],
] as const)('%s is checked as the specification says', (_name, code, age, fits, verdict) => {
  expect(checkCode(code, after(age), () => fits)).toBe(verdict);
});

test.each([
  ['fresh', { sentAt, guesses: 0 }, 0, true],
  ['after four guesses', { sentAt, guesses: 4 }, 0, true],
  ['after five guesses', { sentAt, guesses: 5 }, 0, false],
  ['at ten minutes', { sentAt, guesses: 0 }, tenMinutes, true],
  ['after ten minutes', { sentAt, guesses: 0 }, tenMinutes + 1, false],
  ['of ten minutes in the future', { sentAt, guesses: 0 }, -tenMinutes, true],
  ['of more than that', { sentAt, guesses: 0 }, -tenMinutes - 1, false],
] as const)('a code %s is classified as live or not', (_name, code, age, live) => {
  expect(isLive(code, after(age))).toBe(live);
});

const fresh = { sentAt, guesses: 0 };
const dead = { ...fresh, guesses: 5 };
const earlier = (code: typeof fresh) => ({ ...code, sentAt: new Date(sentAt.getTime() - 1) });

test.each([
  ['neither was sent', null, null, 0, 'verification'],
  ['a verification alone', null, fresh, 0, 'verification'],
  ['a change alone', fresh, null, 0, 'email_change'],
  ['both are live, the change is the older', earlier(fresh), fresh, 0, 'email_change'],
  ['both are live, the change is the newer', fresh, earlier(fresh), 0, 'email_change'],
  ['the change is dead, the verification is live', dead, earlier(fresh), 0, 'verification'],
  ['the change has just expired, the verification not', earlier(fresh), fresh, tenMinutes, 'verification'],
  ['both have expired, the change is the newer', fresh, earlier(fresh), tenMinutes + 1, 'email_change'],
  ['both have expired, the verification is the newer', earlier(fresh), fresh, tenMinutes + 1, 'verification'],
  ['both have expired, sent at the same time', fresh, fresh, tenMinutes + 1, 'email_change'],
  ['a change alone, expired', fresh, null, tenMinutes + 1, 'email_change'],
] as const)('selects the change or the verification when %s', (_name, change, verification, age, meant) => {
  expect(intendedPurpose({ email_change: change, verification }, after(age))).toBe(meant);
});
