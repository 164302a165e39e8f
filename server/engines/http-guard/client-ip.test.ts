import type { Request } from 'express';
import { expect, test } from 'vitest';
import { clientIp } from './client-ip.js';

const ipOf = (ip: string | undefined) => clientIp({ ip } as Request);

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['0:0:0:0:0:ffff:cb00:7107', '203.0.113.7'],
  ['64:ff9b::203.0.113.7', '203.0.113.7'],
  ['64:FF9B:0:0:0:0:cb00:7107', '203.0.113.7'],
  ['64:ff9b:1::cb00:7107', '64:ff9b:1::cb00:7107'],
  ['64:ff9b::1:0:0', '64:ff9b::1:0:0'],
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
])('the IP address %s is normalised to %s', (given, shown) => {
  expect(ipOf(given)).toBe(shown);
});
