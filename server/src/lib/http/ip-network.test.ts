import { expect, test } from 'vitest';
import { networkOf, networksOf } from './ip-network.js';

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
])('%s and %s are one network: %s', (left, right, same) => {
  expect(networkOf(left) === networkOf(right)).toBe(same);
});

test.each([
  ['203.0.113.7', ['203.0.113.7']],
  [null, ['unknown']],
  ['2001:db8:1:2ab::9', ['2001:db8:1:2ab', '2001:db8:1:200/56', '2001:db8:1/48']],
  ['2001:db8:1:ab::9', ['2001:db8:1:ab', '2001:db8:1:0/56', '2001:db8:1/48']],
  ['::1', ['0:0:0:0', '0:0:0:0/56', '0:0:0/48']],
])('the networks of %s are %j', (address, networks) => {
  expect(networksOf(address)).toEqual(networks);
  expect(networkOf(address)).toBe(networks[0]);
});

test('callers without an IP address share one network', () => {
  expect(networkOf(null)).toBe('unknown');
});
