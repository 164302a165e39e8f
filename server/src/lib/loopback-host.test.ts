import { expect, test } from 'vitest';
import { isLoopbackHost } from './loopback-host.js';

test.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['127.255.255.254', true],
  ['::ffff:127.0.0.1', true],
  ['::1', true],
  ['[::1]', true],
  ['128.0.0.1', false],
  ['127.0.0.1.example.com', false],
  ['localhost.example.com', false],
  ['::2', false],
  ['0.0.0.0', false],
  ['', false],
])('%j is this machine: %j', (host, isLoopback) => {
  expect(isLoopbackHost(host)).toBe(isLoopback);
});
