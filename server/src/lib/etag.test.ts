import { expect, test } from 'vitest';
import { matchesIfMatch, matchesIfNoneMatch } from './etag.js';

const etag = '"7-ab"';

test.each([
  ['"7-ab"', true],
  [' "7-ab" ', true],
  ['"6-ab", "7-ab"', true],
  ['"6-ab","7-ab","8"', true],
  ['"6-ab"\t,\t"7-ab"', true],
  ['"a,b", "7-ab"', true],
  [', "6-ab",, ,"7-ab",', true],
  ['*', true],
  [' * ', true],
  ['"*"', false],
  ['"6-ab"', false],
  ['""', false],
  ['', false],
  ['"7-AB"', false],
  ['"7-ab" "8"', false],
  // Weak: nginx, Cloudflare and Varnish, when they compress.
  ['W/"7-ab"', true],
  ['w/"7-ab"', true],
  ['"x", W/"7-ab"', true],
  ['W/"6-ab"', false],
  ['W/ "7-ab"', false],
  // These name the coding: Apache, Caddy, Jetty and others.
  ['"7-ab-gzip"', true],
  ['W/"7-ab-gzip"', true],
  ['"7-ab-br"', true],
  ['"7-ab-zstd"', true],
  ['"7-ab-deflate"', true],
  ['"7-ab--gzip"', true],
  ['"7-ab;gzip"', true],
  ['"7-ab:gzip"', true],
  ['"7-ab"-gzip', true],
  ['"7-ab";gzip', true],
  ['"6-ab-gzip", "7-ab-br"', true],
  // Altered by two proxies, or twice by one that receives its own form again.
  ['"7-ab-gzip-gzip"', true],
  ['"7-ab-deflate-gzip"', true],
  ['"7-ab"-gzip-gzip', true],
  ['W/"7-ab-gzip;br"', true],
  // LiteSpeed abbreviates the coding, and dictionaries have codings of their own (RFC 9842).
  ['"7-ab;gz"', true],
  ['"7-ab-dcz"', true],
  ['"6-ab-gzip-gzip"', false],
  ['"7-ab-gzip-"', false],
  ['"6-ab-gzip"', false],
  ['"7-gzip"', false],
  ['"7-ab-gzip-x"', false],
  ['"7-abgzip"', false],
  ['"7-ab-lzma"', false],
  ['"-gzip"', false],
  // These have no quotes, or one.
  ['7-ab', true],
  ['W/7-ab', true],
  ['7-ab-gzip', true],
  ['"6", 7-ab', true],
  ['6-ab', false],
  ['"7-ab', false],
  ['7-ab"', false],
  ['7-ab 8', false],
  // Escaped quotes are part of no tag.
  ['\\"7-ab\\"', false],
])('%s: %s', (header, matches) => {
  expect(matchesIfMatch(header, etag)).toBe(matches);
  expect(matchesIfNoneMatch(header, etag)).toBe(matches);
});

test('a tag that ends like a coding is compared as it is', () => {
  expect(matchesIfNoneMatch('"7-br"', '"7-br"')).toBe(true);
  expect(matchesIfNoneMatch('"7"', '"7-br"')).toBe(false);
  expect(matchesIfNoneMatch('"7-gzip"', '"7-br"')).toBe(false);
});

test('a request without If-None-Match has no representation', () => {
  expect(matchesIfNoneMatch(undefined, etag)).toBe(false);
});

test('a long header is parsed in linear time', () => {
  const began = process.cpuUsage().user;
  expect(matchesIfNoneMatch('"x", '.repeat(3_000), etag)).toBe(false);
  expect(matchesIfNoneMatch(`${' '.repeat(15_000)}x`, etag)).toBe(false);
  for (const part of ['-', '-a', 'x', ' ', '"', '"-', '\t,', 'W/']) {
    expect(matchesIfNoneMatch(`"x"${part.repeat(8_000)} `, etag)).toBe(false);
    expect(matchesIfNoneMatch(`x${part.repeat(8_000)}`, etag)).toBe(false);
  }
  expect(process.cpuUsage().user - began).toBeLessThan(500_000);
});
