// The table of display names.
import { limits } from '@foyer/contract';
import { describe, expect, test } from 'vitest';
import { displayName } from './name-rules.js';

test.each([
  ['holiday.jpg', 'holiday.jpg'],
  ['Übersicht 日本 😀.png', 'Übersicht 日本 😀.png'],
  ['e\u0301.txt', '\u00e9.txt'],
  [' two  blanks\t.txt ', 'two blanks.txt'],
  ['../../etc/passwd', 'passwd'],
  ['/etc/passwd', 'passwd'],
  ['C:\\fakepath\\photo.png', 'photo.png'],
  ['a/b\\c.txt', 'c.txt'],
  ['.env', '.env'],
  ['dots...', 'dots'],
  ['a%22b%22.txt', 'a_b_.txt'],
  ['a%0D%0Ab.txt', 'ab.txt'],
  ['a b%0D%0Ac%22.txt', 'a bc_.txt'],
  ['100%.txt', '100%.txt'],
  ['Caf%C3%A9%20(1)%20%F0%9F%98%80.png', 'Café (1) 😀.png'],
  ['..%2Fpasswd', 'passwd'],
  ['100% of a%20b.txt', '100% of a%20b.txt'],
  ['half%C3.txt', 'half%C3.txt'],
  ['caf%c3%a9.txt', 'caf%c3%a9.txt'],
  ['a<b>:"c|?*.txt', 'a_b___c___.txt'],
  ['nul\u0000.txt', 'nul.txt'],
  ['bell\u0007\u001b[31m\u0085.txt', 'bell[31m.txt'],
  ['line\nbreak\u2028\u2029.txt', 'linebreak.txt'],
  ['photo\u202egnp.exe', 'photognp.exe'],
  ['\u2066a\u2069\u200e\u200f\u061c.txt', 'a.txt'],
  ['zero\u200bwidth\ufeff\u00ad.txt', 'zerowidth.txt'],
  ['\u{1f468}\u200d\u{1f469}.png', '\u{1f468}\u200d\u{1f469}.png'],
  ['half \ud800.txt', 'half .txt'],
])('%j becomes %j', (given, kept) => {
  expect(displayName(given)).toBe(kept);
});

test.each([[undefined], [''], [' '], ['.'], ['..'], ['...'], ['/'], ['a/'], ['\u0000'], ['\u202e']])(
  '%j is not a valid name',
  (given) => {
    expect(displayName(given)).toBe('file');
  },
);

describe('a long name', () => {
  const most = limits.maxFileNameCharacters;
  test.each([
    ['a'.repeat(most), 'a'.repeat(most)],
    ['a'.repeat(most + 1), 'a'.repeat(most)],
    [`${'a'.repeat(most - 4)}.png`, `${'a'.repeat(most - 4)}.png`],
    [`${'a'.repeat(300)}.png`, `${'a'.repeat(most - 4)}.png`],
    ['😀'.repeat(300), '😀'.repeat(most)],
    [`${'a'.repeat(300)}.${'b'.repeat(15)}`, `${'a'.repeat(most - 16)}.${'b'.repeat(15)}`],
    [`${'a'.repeat(300)}.${'b'.repeat(16)}`, 'a'.repeat(most)],
    [`${'a'.repeat(300)}.${'b'.repeat(300)}`, 'a'.repeat(most)],
    [`.${'a'.repeat(300)}`, `.${'a'.repeat(most - 1)}`],
  ])('is truncated before its extension', (given, kept) => {
    expect(displayName(given)).toBe(kept);
  });
});

test('a name of many accents is truncated before it is normalized', () => {
  const began = process.cpuUsage();
  expect(displayName(`a${'\u0344'.repeat(25_000)}${'\u0323'.repeat(24_500)}.png`)).toMatch(/\.png$/);
  const { user, system } = process.cpuUsage(began);
  // Normalizing all of it takes seconds.
  expect((user + system) / 1_000).toBeLessThan(250);
});
