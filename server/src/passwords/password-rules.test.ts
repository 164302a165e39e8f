import { limits } from '@foyer/contract';
import { expect, test } from 'vitest';
import { normalisedPassword } from '../../engines/hashing/index.js';
import { commonPasswords } from './generated/common-passwords.js';
import { checkNewPassword, type PasswordVerdict } from './password-rules.js';

test.each<[string, string, PasswordVerdict]>([
  ['nothing', '', 'short'],
  ['7 letters', 'abcdefg', 'short'],
  ['8 letters', 'abcdefgh', 'ok'],
  ['7 emoji, 14 units of UTF-16', '🔑'.repeat(7), 'short'],
  ['8 emoji', '🔑'.repeat(8), 'ok'],
  ['8 spaces', ' '.repeat(8), 'ok'],
  ['6 letters between two spaces', ' abcdef ', 'ok'],
  ['7 letters, one of them with its accent apart', 'abcdefe\u0301', 'short'],
  ['8 letters, one of them with its accent apart', 'abcdefge\u0301', 'ok'],
  ['5 letters and a ligature of three', 'abcde\uFB03', 'ok'],
  ['4 letters and a ligature of three', 'abcd\uFB03', 'short'],
  ['8 full-width letters', 'ａｂｃｄｅｆｇｈ', 'ok'],
  ['a family of one glyph and seven code points', '👨‍👩‍👧‍👦', 'short'],
])('a new password of %s is checked by its code points', (_what, password, verdict) => {
  expect(checkNewPassword(normalisedPassword(password), false)).toBe(verdict);
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

test.each<[string, string, PasswordVerdict]>([
  ['a common one', 'football', 'common'],
  ['a common one in capitals', 'FootBall', 'common'],
  ['a common one in full-width letters', 'ｆｏｏｔｂａｌｌ', 'common'],
  ['a common one with something after it', 'football-4711', 'ok'],
  ['too short and common', 'qwerty', 'short'],
  ["the app's name", 'Café Übersee', 'app name'],
  ["the app's name without its blank", 'caféübersee', 'app name'],
  ["the app's slug", 'cafe-uebersee', 'app name'],
  ["more than the app's name", 'Café Übersee 2', 'ok'],
])('with common passwords refused, %s is checked', (_what, password, verdict) => {
  const refused = { common: commonPasswords, appNames: ['Café Übersee', 'cafe-uebersee'] };
  expect(checkNewPassword(normalisedPassword(password), refused)).toBe(verdict);
});

test('the list has the ten thousand most common passwords in normalised lower case', () => {
  expect(commonPasswords.size).toBe(10_000);
  for (const password of commonPasswords) {
    expect(password).toBe(normalisedPassword(password).toLowerCase());
    expect([...password].length).toBeGreaterThanOrEqual(limits.minPasswordCharacters);
  }
});
