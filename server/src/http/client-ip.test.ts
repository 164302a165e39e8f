import type { Request } from 'express';
import { expect, test } from 'vitest';
import { clientIp, networkOf } from './client-ip.js';

const ipOf = (ip: string | undefined) => clientIp({ ip } as Request);

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['0:0:0:0:0:ffff:cb00:7107', '203.0.113.7'],
  ['2001:db8::1', '2001:db8::1'],
  ['::1', '::1'],
  ['fe80::1%eth0', 'fe80::1%eth0'],
  ['203.0.113.7:4711', '203.0.113.7'],
  ['[2001:db8::1]:4711', '2001:db8::1'],
  ['[::ffff:203.0.113.7]:4711', '203.0.113.7'],
  ['203.0.113.777:4711', null],
  ['1.2.3.4, 5.6.7.8', null],
  ['unknown', null],
  ['<script>', null],
  ['', null],
  [undefined, null],
])('the address %s is shown as %s', (given, shown) => {
  expect(ipOf(given)).toBe(shown);
});

test.each([
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
  ['2001:db8:1:2::1', '2001:0db8:0001:0002:0:0:0:9', true],
  ['2001:DB8:1:2::1', '2001:db8:1:2::', true],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['2001:db8::', '2001:db8:0:0:1::', true],
  ['2001:db8:0:1::', '2001:db8::1', false],
  ['::1', '::2', true],
  ['fe80::1%eth0', 'fe80::2%eth1', true],
  ['64:ff9b::203.0.113.7', '64:ff9b::1', true],
  ['64:ff9b:1:2::203.0.113.7', '64:ff9b:1:2:a:b:1.2.3.4', true],
  ['203.0.113.7', '203.0.113.8', false],
  ['203.0.113.7', '203.0.113.7', true],
])('%s and %s counted as one network: %s', (left, right, same) => {
  expect(networkOf(left) === networkOf(right)).toBe(same);
});

test('callers without an address are counted together', () => {
  expect(networkOf(null)).toBe('unknown');
});
