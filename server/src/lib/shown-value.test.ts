import { expect, test } from 'vitest';
import { shownValue } from './shown-value.js';

test.each([
  ['https://[2001:db8::1]:8443/a~b', 'https://[2001:db8::1]:8443/a~b'],
  ['ada+1@example.com', 'ada+1@example.com'],
  ['<i>\u202ea b\n', '?i??a?b?'],
  ['x'.repeat(120), 'x'.repeat(120)],
  ['x'.repeat(121), `${'x'.repeat(120)}...`],
  [7, ''],
  [undefined, ''],
])('%j is shown as %j', (value, shown) => {
  expect(shownValue(value)).toBe(shown);
});
