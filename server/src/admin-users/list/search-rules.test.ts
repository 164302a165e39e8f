import { expect, test } from 'vitest';
import { searchTerms } from './search-rules.js';

test.each([
  ['"Ada L" <ada@example.com>', 'ada@example.com'],
  ['Ada Lovelace <mailto:Ada@Example.com>', 'ada@example.com'],
  ['<ada@example.com>', 'ada@example.com'],
  ['mailto:ada@example.com?subject=Hello', 'ada@example.com'],
  ['MAILTO:ada@example.com', 'ada@example.com'],
  ['ada@example.com;', 'ada@example.com'],
  ['ａｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'ada@example.com'],
  ['ada＠example。com', 'ada@example.com'],
  ['ada@münchen.de', 'ada@xn--mnchen-3ya.de'],
  ['Ada <ada@MÜNCHEN.de>', 'ada@xn--mnchen-3ya.de'],
  ['ada@example.com, ', 'ada@example.com'],
  ['\u200bada@example.com', 'ada@example.com'],
  ['o’brien@example.com', "o'brien@example.com"],
  ["o'brien@example.com", "o'brien@example.com"],
  ['ada@example.com (Ada Lovelace)', 'ada@example.com'],
  ['Ada Lovelace ada@example.com', 'ada@example.com'],
  ['"ada@example.com"', 'ada@example.com'],
  ['(ada@example.com)', 'ada@example.com'],
  ["'ada@example.com'", 'ada@example.com'],
  ['(ada@example.com', 'ada@example.com'],
  ["'ada@example.com", 'ada@example.com'],
  ['Ada <ada@example.com>, Bob <bob@example.com>', 'ada@example.com'],
])('%j is pasted for %j', (q, address) => {
  expect(searchTerms(q)).toMatchObject({ address, domain: null });
});

test.each([
  ['@example.com', 'example.com'],
  ['@Exam', 'exam'],
  ['@', null],
  ['ada', null],
  ['@münchen.de', 'xn--mnchen-3ya.de'],
  ['münchen.de', 'xn--mnchen-3ya.de'],
  ['＠example.com', 'example.com'],
  ['Example.com', 'example.com'],
  ['example.com lovelace', null],
  ['ada@example.com', null],
])('%j is a search for the domain %j', (q, domain) => {
  expect(searchTerms(q).domain).toBe(domain);
});

test.each([
  ['Ada  Lovelace', 'lovelace ada'],
  ['J. R. R. Tolkien', 'tolkien j r'],
  ["''", null],
  ['--', null],
  ['\u0301\u0301', null],
  ["O'Brien", 'obrien'],
  ['de_souza', 'souza de'],
  ['a_', 'a_'],
  ['王小明', '王 小 明'],
  ['mueller', 'mueller=muller'],
  ['aase', 'aase=ase'],
  ['Haa', 'haa'],
  ['skjaergaard', 'skjaergaard=skjaergard=skjargard'],
  ['Jørn', 'jørn=joern'],
  ['Årud', 'årud=aarud'],
  ['Kaʻahumanu', 'kaahumanu=kahumanu'],
  ['צה"ל', 'צהל'],
  ['"צהל"', 'צהל'],
  ['Mu\u0308ller', 'mu\u0308ller=mueller'],
  ['a=b', 'a b'],
  ['ada@example', null],
  ['one two three four five six seven eight nine', 'three seven eight four five nine'],
])('%j is a search for the words %j', (q, words) => {
  expect(searchTerms(q).words).toBe(words);
});

test('of a long word the first 64 characters are compared', () => {
  expect(searchTerms('x'.repeat(100)).words).toBe('x'.repeat(64));
});
