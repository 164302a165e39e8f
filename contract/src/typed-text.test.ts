import { expect, test } from 'vitest';
import { CodeInput, EmailInput } from './schemas/credentials.js';
import { NoteInput } from './schemas/support.js';
import { NameInput } from './schemas/user.js';

test.each([
  ['as mailed', '402718'],
  ['with a space', '402 718'],
  ['with spaces around', '  402718\t'],
  ['with a line end', '402718\r\n'],
  ['at the end of a sentence', '402718.'],
  ['in quotation marks', '“402718”'],
  ['in parentheses', '(402 718)'],
  ['in the marks of a chat', '`*402718*`'],
  ['with a no-break space', '402\u00a0718'],
  ['with a dash', '402-718'],
  ['with an en dash', '402\u2013718'],
  ['with a minus sign', '402\u2212718'],
  ['with the long vowel mark that Japanese keyboards type for a dash', '402\u30fc718'],
  ['with its half-width form', '402\uff70718'],
  ['digit by digit', '4 0 2 7 1 8'],
  ['of an HTML mail, with zero-width spaces', '402\u200b718\u200b'],
  ['with a byte order mark', '\ufeff402718'],
  ['between direction marks', '\u2066402718\u2069'],
  ['full-width', '４０２７１８'],
  ['Arabic-Indic', '٤٠٢٧١٨'],
  ['Persian', '۴۰۲۷۱۸'],
  ['Devanagari', '४०२७१८'],
  ['Bengali', '৪০২৭১৮'],
  ['mathematical', '\u{1d7d2}\u{1d7d8}\u{1d7da}\u{1d7e9}\u{1d7ed}\u{1d7fe}'],
])('a code %s is understood', (_how, typed) => {
  expect(CodeInput.parse(typed)).toBe('402718');
});

test.each([
  '',
  '40271',
  '4027180',
  '402.718',
  '4O2718',
  '²02718',
  '①02718',
  'code 402718',
  '402718 402718',
  ' '.repeat(100),
])('%j is not a code', (typed) => {
  expect(CodeInput.safeParse(typed).success).toBe(false);
});

test('all digits of all scripts have their value', () => {
  const digits: string[] = [];
  for (let codePoint = 0; codePoint <= 0x10ffff; codePoint += 1) {
    const character = String.fromCodePoint(codePoint);
    if (/\p{Nd}/u.test(character)) digits.push(character);
  }
  for (let place = 0; place < digits.length; place += 10) {
    const ten = digits.slice(place, place + 10).join('');
    expect([CodeInput.parse([...ten].slice(0, 6).join('')), ten]).toEqual(['012345', ten]);
    expect([CodeInput.parse([...ten].slice(4).join('')), ten]).toEqual(['456789', ten]);
  }
});

test.each([
  ['in capitals, with spaces', ' Ada@Example.COM\n'],
  ['with a zero-width space', 'ada@example.com\u200b'],
  ['with zero-width characters inside', 'ada\u200d@exam\u2060ple.com'],
  ['with a byte order mark', '\ufeffada@example.com'],
  ['with a soft hyphen', 'ada@exam\u00adple.com'],
  ['between direction marks', '\u202aada@example.com\u202c'],
  ['with no-break spaces around', '\u00a0ada@example.com\u00a0'],
  ['with a full-width @', 'ada＠example.com'],
  ['with a small @', 'ada\ufe6bexample.com'],
  ['in full-width letters', 'ａｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ'],
  ['with an ideographic full stop', 'ada@example。com'],
  ['copied as a link', 'mailto:ada@example.com'],
  ['copied as a link with slashes', 'mailto://ada@example.com'],
  ['copied as an encoded link', 'MAILTO:ada%40example.com?subject=100%25'],
  ['in quotation marks', '"ada@example.com"'],
  ['in angle brackets', '<ada@example.com>'],
  ['before a comma', 'ada@example.com, '],
  ['copied as a link with a subject', 'mailto:ada@example.com?subject=Hello'],
])('an email %s is understood', (_how, typed) => {
  expect(EmailInput.parse(typed)).toBe('ada@example.com');
});

test.each([
  ['bücher.example', 'xn--bcher-kva.example'],
  ['BÜCHER.Example', 'xn--bcher-kva.example'],
  // A keyboard of macOS composes letters, and file names do not.
  ['bu\u0308cher.example', 'xn--bcher-kva.example'],
  ['straße.example', 'xn--strae-oqa.example'],
  ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
  ['مثال.إختبار', 'xn--mgbh0fb.xn--kgbechtv'],
  ['shop。例え。テスト', 'shop.xn--r8jz45g.xn--zckzah'],
])('an email at %s is one at %s', (typed, domain) => {
  expect(EmailInput.parse(`Ada@${typed}`)).toBe(`ada@${domain}`);
});

test.each([
  ['a space inside', 'ada @example.com', 'must be an email address'],
  ['two addresses', 'ada@example.com,bob@example.com', 'must be an email address'],
  ['two recipients of a link', 'mailto:ada@example.com%2Cbob@example.com', 'must be an email address'],
  ['a link with half a character', 'mailto:ada%E9@example.com', 'must be an email address'],
  ['a full stop after it', 'ada@example.com.', 'must be an email address'],
  ['a name before it', 'Ada <ada@example.com>', 'must be an email address'],
  ['an accent', 'adá@example.com', 'must have ASCII characters only'],
  [
    'a Cyrillic letter that looks like a Latin one',
    '\u0430da@example.com',
    'must have ASCII characters only',
  ],
  ['a dotless i', 'ıda@example.com', 'must have ASCII characters only'],
  [
    'an international domain that the DNS does not allow',
    'ada@xn--\u00fc.example',
    'must have ASCII characters only',
  ],
  ['a symbol in its domain', 'ada@\u2603.example', 'must have ASCII characters only'],
  ['an invisible dot in its domain', 'ada@b\u00fccher\u2024example', 'must have ASCII characters only'],
  ['one sign for two letters in its domain', 'ada@\ufb01.example', 'must have ASCII characters only'],
  ['an encoded domain', 'ada@b%C3%BCcher.example', 'must be an email address'],
  ['an international IP address', 'ada@\u0661.2.3.4', 'must have ASCII characters only'],
  ['a second @ in another width', 'ada@evil.example＠example.com', 'must be an email address'],
  ['nothing visible', '\u200b\u200b', 'must be an email address'],
])('an email with %s is refused', (_what, typed, message) => {
  const { error } = EmailInput.safeParse(typed);
  expect(error?.issues[0]?.message).toContain(message);
});

test.each([
  '',
  '   ',
  '\u200b',
  '\u200b\u200c\u200d\u2060\ufeff',
  '\u00ad',
  '\u3164\u115f\uffa0',
  '\u2800',
  ' \u2066\u2069 ',
  '\ufe0f',
  '\u{e0020}',
  '\u180e',
])('a name of invisible characters only counts as empty: %j', (typed) => {
  expect(NameInput.parse(typed)).toBe(null);
});

test.each(['Ada', '王', 'می\u200cخواهم', '👩\u200d🚀', '\u{1f1e9}\u{1f1ea}', '-'])(
  'a name that shows something stays as it is: %j',
  (name) => {
    expect(NameInput.parse(name)).toBe(name);
  },
);

test.each([
  ['a zero byte', 'A\u0000da', 'Ada'],
  ['an override of the direction', '\u202egnp.ada\u202c', 'gnp.ada'],
  ['an isolate', 'Ada\u2067', 'Ada'],
  ['line ends and tabs', 'Ada\r\n\tLovelace\u2028\u0085', 'Ada Lovelace'],
  ['an escape sequence of a terminal', '\u001b[31mAda', '[31mAda'],
  ['an override only', '\u202e', null],
])('a name is stored without %s', (_what, typed, stored) => {
  expect(NameInput.parse(typed)).toBe(stored);
});

test.each([
  ['a joiner', 'نمی\u200cدانم'],
  ['a mark of direction', 'Ada \u200f(עדה)'],
  ['an emoji of several characters', '👩\u200d💻'],
])('%s in a name remains', (_what, name) => {
  expect(NameInput.parse(name)).toBe(name);
});

test('a note keeps its lines, and no other control character', () => {
  expect(NoteInput.parse(' Called.\r\nMoved\u202e to\ta new phone.\n')).toBe(
    'Called.\nMoved to a new phone.',
  );
});
