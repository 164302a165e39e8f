// RFC 4647 "lookup", as a table.
import { expect, test } from 'vitest';
import { chosenLanguage } from './language.js';

const available = ['de', 'pt-BR', 'zh-Hant', 'en'];

test.each([
  ['de', 'de'],
  ['de-CH', 'de'],
  ['de-CH-1996', 'de'],
  ['DE-at', 'de'],
  ['pt-br', 'pt-BR'],
  ['zh-Hant-TW', 'zh-Hant'],
  // A more specific language than requested does not match.
  ['pt', null],
  ['zh-Hans', null],
  ['en-GB, de;q=0.9', 'en'],
  ['fr, de;q=0.5, en;q=0.8', 'en'],
  ['fr;q=0.9,de;q=0.95', 'de'],
  ['de;q=0, en', 'en'],
  ['de;q=0', null],
  ['*', null],
  ['*, de;q=0.1', 'de'],
  ['  de ; q=1 ', 'de'],
  ['de;q=high, en;q=0.1', 'en'],
  ['', null],
  ['__proto__, constructor', null],
  ['de\r\nBcc: all@example.com', null],
  [';;;,,,q=1', null],
])('%j selects %j', (header, language) => {
  expect(chosenLanguage(header, available)).toBe(language);
});

test('no header selects no language', () => {
  expect(chosenLanguage(undefined, available)).toBe(null);
});
