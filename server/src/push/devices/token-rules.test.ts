import { createECDH } from 'node:crypto';
import { expect, test } from 'vitest';
import { checkToken, isTopic, normalEndpoint } from './token-rules.js';

const ecdh = createECDH('prime256v1');
const point = ecdh.generateKeys();
const p256dh = point.toString('base64url');
const auth = Buffer.alloc(16, 7).toString('base64url');
/** As long as an uncompressed point, with another type. */
const hybrid = ecdh.getPublicKey('base64url', 'hybrid');
const compressed = ecdh.getPublicKey('base64url', 'compressed');

test.each([
  ['fcm', 'fGw0qy4TQfmX:APA91bH5Vt-_x', undefined, null],
  ['fcm', 'two words', undefined, 'token'],
  ['fcm', 'line\nbreak', undefined, 'token'],
  ['fcm', 'ünicode', undefined, 'token'],
  ['apns', 'ab'.repeat(32), undefined, null],
  ['apns', 'ab'.repeat(100), undefined, null],
  ['apns', 'ab'.repeat(31), undefined, 'token'],
  ['apns', 'ab'.repeat(101), undefined, 'token'],
  ['apns', `${'ab'.repeat(32)}a`, undefined, 'token'],
  ['apns', 'xy'.repeat(32), undefined, 'token'],
  ['webpush', 'https://push.example/1', { p256dh, auth }, null],
  ['webpush', 'https://push.example/1', { p256dh: point.toString('base64'), auth: `${auth}==` }, null],
  ['webpush', 'https://push.example/1', undefined, 'keys.p256dh'],
  ['webpush', 'https://push.example/1', { p256dh: compressed, auth }, 'keys.p256dh'],
  ['webpush', 'https://push.example/1', { p256dh: hybrid, auth }, 'keys.p256dh'],
  ['webpush', 'https://push.example/1', { p256dh: p256dh.slice(2), auth }, 'keys.p256dh'],
  ['webpush', 'https://push.example/1', { p256dh: `${p256dh}!`, auth }, 'keys.p256dh'],
  ['webpush', 'https://push.example/1', { p256dh, auth: 'AAAA' }, 'keys.auth'],
] as const)('%s %j with the keys %j: the invalid field is %s', (provider, token, keys, field) => {
  const verdict = checkToken({ provider, token, keys });
  expect('field' in verdict ? verdict.field : null).toBe(field);
});

test('an endpoint is decoded as far as its meaning stays', () => {
  const spelled = 'https://PUSH.example.:443/%7e%41%5a%61%30%2d%2e%5f%2f%c3%bc?#part';
  expect(normalEndpoint(spelled)).toBe('https://push.example/~AZa0-._%2F%C3%BC');
});

test('an APNs token is case-insensitive', () => {
  const verdict = checkToken({ provider: 'apns', token: 'AB'.repeat(32) });
  expect(verdict).toEqual({ token: 'ab'.repeat(32), keys: null });
});

test.each([
  ['a', true],
  ['x'.repeat(100), true],
  ['A-z_0.9~%25', true],
  ['x'.repeat(101), false],
  ['', false],
  ['two words', false],
  ['a/b', false],
  ['ü', false],
  ['line\n', false],
])('%j is a topic: %s', (topic, right) => {
  expect(isTopic(topic)).toBe(right);
});
