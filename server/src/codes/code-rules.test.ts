import { expect, test } from 'vitest';
import { isLive, judgeCode } from './code-rules.js';

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
] as const)('%s is judged as the specification says', (_name, code, age, fits, verdict) => {
  expect(judgeCode(code, after(age), () => fits)).toBe(verdict);
});

test.each([
  ['fresh', { sentAt, usedAt: null, guesses: 0 }, 0, true],
  ['after four guesses', { sentAt, usedAt: null, guesses: 4 }, 0, true],
  ['after five guesses', { sentAt, usedAt: null, guesses: 5 }, 0, false],
  ['used', { sentAt, usedAt: sentAt, guesses: 1 }, 0, false],
  ['at ten minutes', { sentAt, usedAt: null, guesses: 0 }, tenMinutes, true],
  ['after ten minutes', { sentAt, usedAt: null, guesses: 0 }, tenMinutes + 1, false],
] as const)('a code %s is live or not', (_name, code, age, live) => {
  expect(isLive(code, after(age))).toBe(live);
});
