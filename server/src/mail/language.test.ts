// RFC 4647 "lookup", as a table.
import { mailLanguages } from '@foyer/contract';
import { expect, test } from 'vitest';
import { chosenLanguage, directionOf, preferredLanguages, shortHeader } from './language.js';

const available = ['de', 'pt-BR', 'zh-Hant', 'en'];

test.each([
  ['de', 'de'],
  ['de-CH', 'de'],
  ['de-CH-1996', 'de'],
  ['DE-at', 'de'],
  ['pt-br', 'pt-BR'],
  ['zh-Hant-TW', 'zh-Hant'],
  // Another region is better than another language, another script is not.
  ['pt', 'pt-BR'],
  ['pt-PT', 'pt-BR'],
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
  // Names of POSIX and Android, and in capitals
  ['de_DE', 'de'],
  ['de_DE.UTF-8', 'de'],
  ['zh_TW', 'zh-Hant'],
  ['ZH-HANT-HK', 'zh-Hant'],
  // Java's `Locale.toString()`, by default on Android
  ['zh_TW_#Hant', 'zh-Hant'],
  ['zh_CN_#Hant', 'zh-Hant'],
  ['zh__#Hant', 'zh-Hant'],
  ['zh_TW_#Hans', null],
  ['de__#Latn', 'de'],
  ['zh_TW_#', null],
  // A script follows from the region
  ['zh-TW', 'zh-Hant'],
  ['zh-HK', 'zh-Hant'],
  ['zh-CN', null],
  ['yue', 'zh-Hant'],
  // q-values
  ['de;Q=0.2, en;q=0.3', 'en'],
  ['de; q = 0.2, en;q=0.3', 'en'],
  ['de;q=2, en;q=0.3', 'en'],
  ['de;q=-1, en;q=0.3', 'en'],
  ['pt-BR;q=0, pt', null],
  ['de;q=0, *', null],
])('%j selects %j', (header, language) => {
  expect(chosenLanguage(header, available)).toBe(language);
});

test('no header selects no language', () => {
  expect(chosenLanguage(undefined, available)).toBe(null);
});

test.each([
  [['zh-CN', 'zh-TW'], 'zh-Hans-CN', 'zh-CN'],
  [['zh-CN', 'zh-TW'], 'zh-Hant', 'zh-TW'],
  [['zh-CN', 'zh-TW'], 'zh-SG', 'zh-CN'],
  [['zh-CN', 'zh-TW'], 'zh', 'zh-CN'],
  [['zh-Hans', 'zh-Hant'], 'zh-Hans-CN', 'zh-Hans'],
  [['zh', 'zh-Hant'], 'zh-TW', 'zh-Hant'],
  [['zh'], 'zh-CN', 'zh'],
  [['zh'], 'zh-TW', 'zh'],
  [['zh'], 'zh-cmn-Hans-CN', 'zh'],
  [['zh_CN'], 'zh-CN', 'zh_CN'],
  [['pt'], 'pt-PT', 'pt'],
  [['pt-BR', 'pt-PT'], 'pt-PT', 'pt-PT'],
  [['pt-PT', 'pt-BR'], 'pt', 'pt-BR'],
  [['pt-PT', 'pt-BR'], 'pt-AO', 'pt-BR'],
  [['en-GB', 'en-US'], 'en-AU', 'en-US'],
  [['es-MX', 'es'], 'es-AR', 'es'],
  [['he'], 'iw', 'he'],
  [['he'], 'iw-IL', 'he'],
  [['iw'], 'he-IL', 'iw'],
  [['id'], 'in', 'id'],
  [['yi'], 'ji', 'yi'],
  [['nb'], 'no', 'nb'],
  [['nb'], 'no-NO', 'nb'],
  [['no'], 'nb-NO', 'no'],
  [['nb'], 'nn', 'nb'],
  [['nb', 'nn'], 'nn-NO', 'nn'],
  [['nb', 'nn'], 'no', 'nb'],
  [['fil'], 'tl', 'fil'],
  [['sr'], 'sr-Latn-RS', 'sr'],
  [['sr-Latn', 'sr'], 'sr', 'sr'],
  [['sr-Latn', 'sr'], 'sh', 'sr-Latn'],
  [['de'], 'gsw, de;q=0.5', 'de'],
  [['de', 'fr'], 'de-CH, fr;q=0.9', 'de'],
  [['constructor', 'de'], 'constructor', null],
])('of %j, %j selects %j', (texts, header, language) => {
  expect(chosenLanguage(header, texts)).toBe(language);
});

test('a header is read up to the fiftieth range', () => {
  const others = (count: number) => Array.from({ length: count }, () => 'fr').join(',');
  expect(chosenLanguage(`${others(49)},de`, ['de'])).toBe('de');
  expect(chosenLanguage(`${others(50)},de`, ['de'])).toBe(null);
});

test.each([
  ['zh-CN', 'zh-Hans'],
  ['zh-SG', 'zh-Hans'],
  ['zh', 'zh-Hans'],
  // Another script, which its readers know better than English.
  ['zh-TW', null],
  ['zh-Hant-HK, en;q=0.5', 'en'],
  ['pt-PT', 'pt-BR'],
  ['pt', 'pt-BR'],
  ['no', null],
  ['nb_NO', null],
  ['nb-NO, nn;q=0.9, en;q=0.5', 'en'],
  ['es-419', 'es'],
  ['es_MX', 'es'],
  ['ar-EG', 'ar'],
  ['nl_BE.UTF-8', 'nl'],
  ['tr-TR;q=0.8, pl;q=0.9', 'pl'],
  ['ja-JP-u-ca-japanese', 'ja'],
  ['gsw, de-CH;q=0.9', 'de'],
  ['xx-invalid, \u0000, it', 'it'],
])('of the built-in languages, %j selects %j', (header, language) => {
  expect(chosenLanguage(header, mailLanguages)).toBe(language);
});

test('a header of 10 kB is cut before it is parsed, at the end of a range', () => {
  const long = `${'fr-CA;q=0.1,'.repeat(900)}de`;
  expect(shortHeader(long).length).toBeLessThanOrEqual(200);
  expect(shortHeader(long)).toMatch(/fr-CA;q=0.1$/);
  expect(chosenLanguage(long, mailLanguages)).toBe('fr');
  expect(shortHeader('x'.repeat(10_240))).toBe('');
  expect(shortHeader(`${'x'.repeat(197)},de`)).toBe(`${'x'.repeat(197)},de`);
  expect(shortHeader(`${'x'.repeat(198)},de`)).toBe('x'.repeat(198));
  expect(shortHeader('de, en')).toBe('de, en');
});

test.each([
  [undefined, null],
  ['', null],
  ['*', null],
  ['de;q=0', null],
  ['de-CH, de;q=0.9, *;q=0.1', 'de-CH,de'],
  ['en;q=0.2, zh_tw', 'zh-TW,en'],
  ['a1,b;c,<script>,pl', 'pl'],
  ['de, fr, es, it, nl, pl', 'de,fr,es,it,nl'],
])('of %j, %j is stored', (header, stored) => {
  expect(preferredLanguages(header)).toBe(stored);
});

test.each([
  ['ar', 'rtl'],
  ['he-IL', 'rtl'],
  ['fa', 'rtl'],
  ['ur-PK', 'rtl'],
  ['az-Arab', 'rtl'],
  ['de', 'ltr'],
  ['not a tag', 'ltr'],
])('%s is written %s', (language, direction) => {
  expect(directionOf(language)).toBe(direction);
});
