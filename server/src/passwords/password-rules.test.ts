import { expect, test } from 'vitest';
import { judgeNewPassword, normalisedPassword } from './password-rules.js';

test.each<[string, string, 'ok' | 'weak']>([
  ['nothing', '', 'weak'],
  ['7 letters', 'abcdefg', 'weak'],
  ['8 letters', 'abcdefgh', 'ok'],
  ['7 emoji, 14 units of UTF-16', '🔑'.repeat(7), 'weak'],
  ['8 emoji', '🔑'.repeat(8), 'ok'],
  ['8 spaces', ' '.repeat(8), 'ok'],
  ['6 letters between two spaces', ' abcdef ', 'ok'],
  ['7 letters, one of them with its accent apart', 'abcdefe\u0301', 'weak'],
  ['8 letters, one of them with its accent apart', 'abcdefge\u0301', 'ok'],
  ['5 letters and a ligature of three', 'abcde\uFB03', 'ok'],
  ['4 letters and a ligature of three', 'abcd\uFB03', 'weak'],
  ['8 full-width letters', 'ａｂｃｄｅｆｇｈ', 'ok'],
  ['a family of one glyph and seven code points', '👨‍👩‍👧‍👦', 'weak'],
])('a new password of %s is judged by its code points', (_what, password, verdict) => {
  expect(judgeNewPassword(normalisedPassword(password))).toBe(verdict);
});

test.each([
  ['an accent apart and in one', 'cafe\u0301-society', 'caf\u00e9-society'],
  ['full-width letters and plain ones', 'ｐａｓｓｗｏｒｄ', 'password'],
  ['a ligature and its letters', 'o\uFB03ce-door', 'office-door'],
])('%s are the same password', (_what, one, other) => {
  expect(normalisedPassword(one)).toBe(normalisedPassword(other));
});

test('case, spaces and invisible characters are part of a password', () => {
  for (const [one, other] of [
    ['Password', 'password'],
    [' password', 'password'],
    ['password ', 'password'],
    ['pass\u200Bword', 'password'],
  ] as const) {
    expect(normalisedPassword(one)).not.toBe(normalisedPassword(other));
  }
});
