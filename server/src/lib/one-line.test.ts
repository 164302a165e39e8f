// Names that others chose, in the subjects and sentences of our mails.
import { expect, test } from 'vitest';
import { withoutLinks } from './one-line.js';

test.each([
  ['Orchard', 'Orchard'],
  ['Dr. Ada & Co.', 'Dr. Ada & Co.'],
  ['Version 2.0', 'Version 2.0'],
  ['Example.com', 'Example com'],
  ['Win at https://evil.example/path?a=b now', 'Win at https evil example/path?a=b now'],
  ['www.evil.example', 'www evil example'],
  ['evil\u3002example', 'evil example'],
  ['ada@evil.example', 'ada evil example'],
  ['bücher.example', 'bücher example'],
  ['two\r\nlines', 'two lines'],
])('the name %j becomes %j, which no mail program turns into a link', (name, plain) => {
  expect(withoutLinks(name)).toBe(plain);
});
