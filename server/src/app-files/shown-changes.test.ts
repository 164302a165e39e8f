// How a difference is shown on a terminal.
import { expect, test } from 'vitest';
import { added, changed, changedText, differingLines, removed } from './shown-changes.js';

test.each<[string, string[], string[]]>([
  ['an escape sequence', added('a\u001b[2J'), ['+ a\\u001b[2J']],
  ['a line break', removed('a\r\nb'), ['- a\\u000d\\u000ab']],
  ['a right-to-left override', removed('\u202egpj.exe\u2066'), ['- \\u202egpj.exe\\u2066']],
  ['a name of a text', changedText('a\u0007', 'x', 'y'), ['~ a\\u0007', '    - x', '    + y']],
  ['a value', changed('a', 'x\u202e', 'y'), ['~ a: x\\u202e → y']],
  ['a line of a text', changedText('a', 'x\u2028', 'y\u009b'), ['~ a', '    - x\\u2028', '    + y\\u009b']],
])('%s cannot control the terminal or reorder the line', (_what, lines, shown) => {
  expect(lines).toEqual(shown);
});

test('a value of 120 characters is shown in full, and a longer one is cut', () => {
  expect(changed('a', 'x'.repeat(120), '📱'.repeat(121))).toEqual([
    `~ a: ${'x'.repeat(120)} → ${'📱'.repeat(119)}…`,
  ]);
});

test.each<[string, string, string, string[]]>([
  ['a line in the middle', 'a\nb\nc', 'a\nx\nc', ['- b', '+ x']],
  ['lines at the beginning', 'a\nb', 'x\ny\na\nb', ['+ x', '+ y']],
  ['lines at the end', 'a\nb\nc', 'a', ['- b', '- c']],
  ['a line that moved', 'a\nb\nc', 'b\nc\na', ['- a', '+ a']],
  ['a line that is there twice', 'a\na\nb', 'a\nb', ['- a']],
  ['nothing', 'a\nb', 'a\nb', []],
])('only %s is shown as differing', (_what, from, to, lines) => {
  expect(differingLines(from, to)).toEqual(lines.map((line) => `    ${line}`));
});

test('texts of a thousand lines are compared by line, and longer ones are shown in full', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, n) => `line ${n}`);
  const to = ['first', ...lines(999)].join('\n');
  expect(differingLines(lines(1_000).join('\n'), to)).toEqual(['    + first', '    - line 999']);
  expect(differingLines(lines(1_001).join('\n'), to)).toHaveLength(2_001);
});
