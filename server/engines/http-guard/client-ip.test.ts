import express, { type Request } from 'express';
import { expect, test } from 'vitest';
import { clientIp, trustProxies } from './client-ip.js';

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

test.each<[number | string | false, string, string | undefined, string | null]>([
  [false, '192.0.2.1', '203.0.113.7', '192.0.2.1'],
  [1, '192.0.2.1', '198.51.100.2, 203.0.113.7:4711', '203.0.113.7'],
  [2, '192.0.2.1', '203.0.113.7:4711, 10.0.0.2:443', '203.0.113.7'],
  ['loopback, 10.0.0.0/8', '127.0.0.1', '203.0.113.7, 10.0.0.2', '203.0.113.7'],
  ['loopback, 10.0.0.0/8', '127.0.0.1', '203.0.113.7:4711, 10.0.0.2:443', '203.0.113.7'],
  ['loopback, 10.0.0.0/8', '::ffff:127.0.0.1', '203.0.113.7, [::ffff:10.0.0.2]:443', '203.0.113.7'],
  ['loopback, 2001:db8::/32', '::1', '203.0.113.7, [2001:db8::1]:443', '203.0.113.7'],
  ['linklocal', 'fe80::1%eth0', '203.0.113.7', '203.0.113.7'],
  ['loopback, 10.0.0.0/8', '127.0.0.1', '203.0.113.7, 11.0.0.2:443', '11.0.0.2'],
  ['loopback', '127.0.0.1', undefined, '127.0.0.1'],
])('with the proxies %s, the client of %s that sends %s is %s', (proxies, peer, forwarded, ip) => {
  const app = express();
  trustProxies(app, proxies);
  const headers = { ...(forwarded && { 'x-forwarded-for': forwarded }) };
  const req = Object.assign(Object.create(app.request), { headers, socket: { remoteAddress: peer } });
  expect(clientIp(req)).toBe(ip);
});
