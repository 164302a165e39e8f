import { expect, test } from 'vitest';
import { drawnNetworksOf, mappedIPv4, networkOf, networkSharesOf, networksOf } from './ip-network.js';

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
  // 6to4 and Teredo
  ['2002:cb00:7107:1::1', '203.0.113.7', true],
  ['2002:cb00:7107:1::1', '2002:cb00:7107:ffff:a:b:c:d', true],
  ['2002:cb00:7107::1', '2002:cb00:7108::1', false],
  ['2001:0:4136:e378:8000:63bf:34ff:8ef8', '203.0.113.7', true],
  ['2001:0:4136:e378:8000:1:34ff:8ef8', '2001::53aa:64c:0:0:34ff:8ef8', true],
  ['2001:0:4136:e378:8000:63bf:34ff:8ef8', '2001:0:4136:e378:8000:63bf:34ff:8ef7', false],
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

test('a tunnel has the shares of its IPv4 address, and is not taken for it', () => {
  for (const tunnel of ['2002:cb00:7107:1::1', '2001:0:4136:e378:8000:63bf:34ff:8ef8']) {
    expect(networkSharesOf(tunnel)).toEqual(networkSharesOf('203.0.113.7'));
    expect(drawnNetworksOf(tunnel)).toEqual(drawnNetworksOf('203.0.113.7'));
    expect(mappedIPv4(tunnel)).toBeUndefined();
  }
});

test('callers without an IP address share one budget of strangers', () => {
  expect(networkSharesOf(null)).toEqual(['unknown']);
});

test('callers without an IP address share one network', () => {
  expect(networkOf(null)).toBe('unknown');
});
