// Both sides of every range.
import { describe, expect, test } from 'vitest';
import { isLoopbackAddress, isPublicAddress } from './public-address.js';

describe('is not public', () => {
  test.each([
    ['this network', '0.0.0.0', '0.255.255.255'],
    ['private, class A', '10.0.0.0', '10.255.255.255'],
    ['shared by carriers', '100.64.0.0', '100.127.255.255'],
    ['loopback', '127.0.0.0', '127.255.255.255'],
    ['link-local, and cloud metadata in it', '169.254.0.0', '169.254.169.254', '169.254.255.255'],
    ['private, class B', '172.16.0.0', '172.31.255.255'],
    ['protocol assignments', '192.0.0.0', '192.0.0.255'],
    ['documentation', '192.0.2.1', '198.51.100.1', '203.0.113.1'],
    ['relays of 6to4', '192.88.99.1'],
    ['private, class C', '192.168.0.0', '192.168.255.255'],
    ["Azure's host", '168.63.129.16', '::ffff:168.63.129.16'],
    ['benchmarks', '198.18.0.0', '198.19.255.255'],
    ['multicast', '224.0.0.0', '239.255.255.255'],
    ['reserved', '240.0.0.0', '255.255.255.254'],
    ['broadcast', '255.255.255.255'],
    ['unspecified and loopback, IPv6', '::', '::1'],
    ['IPv4-compatible', '::127.0.0.1', '::8.8.8.8'],
    ['IPv4-mapped, of what is not public', '::ffff:127.0.0.1', '::ffff:a9fe:a9fe', '::ffff:10.0.0.1'],
    ['IPv4-translated', '::ffff:0:7f00:1'],
    ['NAT64, of what is not public', '64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe'],
    ['NAT64, local', '64:ff9b:1::808:808'],
    ['discard', '100::1'],
    ['Teredo', '2001::1'],
    ['documentation, IPv6', '2001:db8::1', '3fff::1'],
    ['6to4', '2002:7f00:1::', '2002:a9fe:a9fe::1', '2002:808:808::1'],
    ['unique local, and cloud metadata in it', 'fc00::1', 'fd00:ec2::254', 'fdff::1'],
    ['link-local, IPv6', 'fe80::1', 'febf::1', 'fe80::1%eth0'],
    ['site-local', 'fec0::1'],
    ['multicast, IPv6', 'ff02::1'],
    ['given to nobody', '4000::1', '1000::1', '8000::1'],
    ['no address', '', 'localhost', '127.1', '2130706433', '0177.0.0.1', '0x7f.0.0.1', '[::1'],
  ])('%s', (_, ...addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([]);
  });
});

test('addresses next to those ranges are public, also mapped into IPv6', () => {
  const addresses = [
    ...[
      '1.0.0.0',
      '9.255.255.255',
      '11.0.0.0',
      '100.63.255.255',
      '100.128.0.0',
      '126.255.255.255',
      '128.0.0.0',
    ],
    ...['169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.167.255.255', '192.169.0.0'],
    ...['198.17.255.255', '198.20.0.0', '223.255.255.255', '8.8.8.8'],
    ...['2001:4860:4860::8888', '2606:4700::1111', '2a00::1', '[2a00::1]'],
    ...['::ffff:8.8.8.8', '64:ff9b::808:808'],
  ];
  expect(addresses.filter((address) => !isPublicAddress(address))).toEqual([]);
});

test('127.0.0.0/8 and ::1, also mapped, are loopback, and nothing else is', () => {
  const loopback = ['127.0.0.1', '127.255.255.255', '::1', '[::1]', '::ffff:127.0.0.1'];
  expect(loopback.filter((address) => !isLoopbackAddress(address))).toEqual([]);
  const others = ['0.0.0.0', '::', '128.0.0.1', '10.0.0.1', '::ffff:10.0.0.1', 'localhost', '127.1'];
  expect(others.filter(isLoopbackAddress)).toEqual([]);
});
