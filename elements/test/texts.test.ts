// The texts of the elements: a sentence for each error code in each language, and the same names to fill in everywhere.
import { errorCodes } from '@foyer/contract';
import { FoyerError } from '@foyer/sdk';
import { describe, expect, test } from 'vitest';
import { builtInWords } from '../../server/src/mail/built-in-words.js';
import { directionOf, fill, languageFor, languages, loadTexts } from '../src/languages.js';
import { sentenceFor } from '../src/sentences.js';
import { digitsOf } from '../src/templates.js';
import { texts as english, type TextKey } from '../src/texts/en.js';

const clientCodes = [
  ...[
    'network',
    'timeout',
    'aborted',
    'bad-response',
    'storage-unavailable',
    'signed-out',
    'invalid-argument',
  ],
  ...['passkey-cancelled', 'passkey-unsupported', 'passkey-wrong-domain', 'passkey-failed'],
].map((name) => `client/${name}`);

const namesIn = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

test('the languages are those of the mails', () => {
  expect([...languages].sort()).toEqual(Object.keys(builtInWords).sort());
});

describe.each(languages)('in %s', (language) => {
  test('each error code has a sentence, with everything filled in', async () => {
    const texts = await loadTexts(language);
    for (const code of [...errorCodes, ...clientCodes, 'later/code']) {
      const sentence = sentenceFor(new FoyerError(code, '', { retryAfterMs: 90_000 }), texts, language);
      expect(sentence, code).toMatch(/[.。]$/);
      expect(namesIn(sentence), code).toEqual([]);
    }
  });

  test('each text has the names of the English one, and is a translation', async () => {
    const texts = await loadTexts(language);
    const keys = Object.keys(english) as TextKey[];
    expect(Object.keys(texts)).toEqual(keys);
    for (const key of keys) {
      expect(texts[key].trim(), key).not.toBe('');
      expect(namesIn(texts[key]), key).toEqual(namesIn(english[key]));
    }
    const same = keys.filter((key) => texts[key] === english[key]);
    expect(same.length < 8 || language === 'en', same.join(' ')).toBe(true);
  });
});

test('a rate limit says how long it lasts, in the language of the sentence', async () => {
  const limited = (retryAfterMs: number) => new FoyerError('request/rate-limited', '', { retryAfterMs });
  expect(sentenceFor(limited(20_000), english, 'en')).toBe('Too many attempts. Try again in 20 seconds.');
  expect(sentenceFor(limited(600_000), english, 'en')).toBe('Too many attempts. Try again in 10 minutes.');
  expect(sentenceFor(limited(86_400_000), english, 'en')).toBe('Too many attempts. Try again in 24 hours.');
  const sentence = sentenceFor(limited(120_000), await loadTexts('de'), 'de');
  expect(sentence).toBe('Zu viele Versuche. Versuchen Sie es in 2 Minuten noch einmal.');
});

test('what is no error of the SDK has a sentence too, and an action may have one of its own', () => {
  expect(sentenceFor(new TypeError('x is not a function'), english, 'en')).toBe(english.unexpected);
  const own = { 'auth/invalid-credential': 'wrongPassword' } as const;
  expect(sentenceFor(new FoyerError('auth/invalid-credential'), english, 'en', own)).toBe(
    english.wrongPassword,
  );
});

test.each([
  [['de-CH'], 'de'],
  [['pt-PT'], 'pt-BR'],
  [['zh'], 'zh-Hans'],
  [['zh-SG'], 'zh-Hans'],
  [['zh-TW', 'ja-JP'], 'ja'],
  [['de_DE'], 'de'],
  [['pt_PT.UTF-8'], 'pt-BR'],
  [['zh_CN'], 'zh-Hans'],
  [['zh_TW', 'iw', 'no', 'in', 'pl_PL'], 'pl'],
  [['sv', 'no tag', 'ar-EG'], 'ar'],
  [[], 'en'],
])('the reader of %j reads %s', (wanted, language) => {
  expect(languageFor(wanted)).toBe(language);
  expect(directionOf(language)).toBe(language === 'ar' ? 'rtl' : 'ltr');
});

test('names in braces are filled in, and others stay', () => {
  expect(fill('{a} of {b}', { a: 1 })).toBe('1 of {b}');
});

test.each(['123 456', '123-456\n', '１２３４５６', 'G-123456', '١٢٣٤٥٦'])('%j has six digits', (typed) => {
  expect(digitsOf(typed)).toHaveLength(6);
});

test('the entries can be imported where there is no document', async () => {
  const entries = await Promise.all([import('../src/index.js'), import('../src/react.js')]);
  expect(entries.map((entry) => Object.keys(entry).sort())).toEqual([
    ['FoyerAccount', 'FoyerSignIn'],
    ['Account', 'SignIn'],
  ]);
});
