import { expect, test } from 'vitest';
import { redisAddress } from './redis-address.js';

test.each([
  ['redis://localhost:6379', { kind: 'server', tls: false, url: 'redis://localhost:6379' }],
  [
    'rediss://user:secret@redis:6380/1',
    { kind: 'server', tls: true, url: 'rediss://user:secret@redis:6380/1' },
  ],
  [
    'redis+sentinel://one,two:26380/mymaster',
    {
      kind: 'sentinel',
      tls: false,
      master: 'mymaster',
      sentinels: [
        { host: 'one', port: 26_379 },
        { host: 'two', port: 26_380 },
      ],
    },
  ],
  [
    'rediss+sentinel://foyer:a%40b@10.0.0.1:26379/main-1',
    {
      kind: 'sentinel',
      tls: true,
      username: 'foyer',
      password: 'a@b',
      master: 'main-1',
      sentinels: [{ host: '10.0.0.1', port: 26_379 }],
    },
  ],
  [
    'redis+cluster://:secret@one:7000,[::1]:7001,three',
    {
      kind: 'cluster',
      tls: false,
      password: 'secret',
      nodes: [
        { host: 'one', port: 7_000 },
        { host: '::1', port: 7_001 },
        { host: 'three', port: 6_379 },
      ],
    },
  ],
  ['redis+cluster://one:65535', { kind: 'cluster', tls: false, nodes: [{ host: 'one', port: 65_535 }] }],
])('%s is an address', (text, address) => {
  expect(redisAddress(text)).toEqual(address);
});

test.each([
  'localhost:6379',
  'http://localhost',
  'redis://',
  'redis+sentinel://one,two',
  'redis+sentinel://one,two/',
  'redis+sentinel:///mymaster',
  'redis+cluster://one:port',
  'redis+cluster://one:65536',
  'redis+cluster://:50%off@one',
  'redis+cluster://50%off:secret@one',
  'redis://50%25%off:secret@one',
  'redis+cluster://one,,two',
  'redis+cluster://one/0',
  'redis+other://one',
])('%s is not an address', (text) => {
  expect(redisAddress(text)).toBeNull();
});
