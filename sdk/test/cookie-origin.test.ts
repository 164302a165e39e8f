// The option `origin` of `createCookieSessions`.
import { expect, test } from 'vitest';
import { createCookieSessions } from '../src/server/index.js';

const connection = { baseUrl: 'https://foyer.example/api/v2', appKey: 'pk_test' };

test.each([
  'http://app.example.com',
  'app.example.com',
  'https://app.example.com/',
  '',
  // A browser writes it in lower case, so no request would be of this origin.
  'https://App.example.com',
  'https://app.example.com:443',
  'https://user@app.example.com',
  'https://bücher.example',
  'https://%',
])('the origin %j is refused', (origin) => {
  expect(() => createCookieSessions({ ...connection, origin })).toThrow('client/invalid-argument');
});

test.each(['https://app.example.com:8443', 'http://localhost:3000', 'http://[::1]:3000'])(
  'the origin %j is accepted',
  (origin) => {
    expect(() => createCookieSessions({ ...connection, origin })).not.toThrow();
  },
);
