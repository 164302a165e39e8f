import { expect, test } from 'vitest';
import { matchesIfMatch, matchesIfNoneMatch } from './etag.js';

const etag = '"7-ab"';

test.each([
  [undefined, false, null],
  ['"7-ab"', true, true],
  [' "7-ab" ', true, true],
  ['"6-ab", "7-ab"', true, true],
  ['"6-ab","7-ab","8"', true, true],
  ['W/"7-ab"', true, false],
  ['"x", W/"7-ab"', true, false],
  ['"a,b", "7-ab"', true, true],
  ['*', true, true],
  [' * ', true, true],
  ['"6-ab"', false, false],
  ['""', false, false],
  ['', false, false],
  ['7-ab', false, false],
  ['"7-ab', false, false],
  ['w/"7-ab"', false, false],
  ['"7-ab" "8"', false, false],
  ['"6", 7-ab', false, false],
  ['"7-AB"', false, false],
])('%j: If-None-Match %s, If-Match %s', (header, none, match) => {
  expect(matchesIfNoneMatch(header, etag)).toBe(none);
  if (header !== undefined) expect(matchesIfMatch(header, etag)).toBe(match);
});

test('a long header is parsed in linear time', () => {
  const began = process.cpuUsage().user;
  expect(matchesIfNoneMatch('"x", '.repeat(3_000), etag)).toBe(false);
  expect(matchesIfNoneMatch(`${' '.repeat(15_000)}x`, etag)).toBe(false);
  expect(process.cpuUsage().user - began).toBeLessThan(500_000);
});
