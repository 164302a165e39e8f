// The parts of a message that are left out, for each provider; providers.test.ts has complete ones.
import { limits } from '@foyer/contract';
import { expect, test } from 'vitest';
import type { Content } from './columns.js';
import { apnsMessage, fcmMessage, webPushMessage } from './provider-payloads.js';

const now = new Date('2026-03-01T10:00:00.000Z');
const seconds = now.getTime() / 1_000;
const notification = { title: 'Hello', body: 'How are you?' };
const plain: Content = { notification, data: null, options: {} };
const silent: Content = { notification: null, data: { sync: 'now' }, options: {} };
const undelayed: Content = { ...plain, options: { ttl_seconds: 0 } };
const silentWithSound: Content = { ...silent, options: { sound: 'default', badge: 0 } };

const sent = (value: object) => JSON.parse(JSON.stringify(value));
const longest = limits.maxPushTtlSeconds;
const apnsHeaders = (priority: string, expiration = `${seconds + longest}`) => ({
  'apns-priority': priority,
  'apns-expiration': expiration,
});
const webHeaders = (ttl = `${longest}`) => ({ TTL: ttl, Urgency: 'high' });
const alert = { alert: notification };

test.each([
  [
    'a notification alone',
    plain,
    { notification, android: { priority: 'HIGH' } },
    { headers: apnsHeaders('10'), payload: { aps: alert } },
    webHeaders(),
  ],
  [
    'data alone',
    silent,
    { data: { sync: 'now' }, android: { priority: 'HIGH' } },
    { headers: apnsHeaders('5'), payload: { aps: { 'content-available': 1 } } },
    webHeaders(),
  ],
  [
    'a lifetime of zero seconds',
    undelayed,
    { notification, android: { priority: 'HIGH', ttl: '0s' } },
    { headers: apnsHeaders('10', '0'), payload: { aps: alert } },
    webHeaders('0'),
  ],
  [
    'a sound without a notification',
    silentWithSound,
    { data: { sync: 'now' }, android: { priority: 'HIGH' } },
    { headers: apnsHeaders('5'), payload: { aps: { 'content-available': 1, badge: 0 } } },
    webHeaders(),
  ],
])('FCM receives %s', (_, content, message, apns, headers) => {
  expect(sent(fcmMessage(content, 'token', now))).toEqual({
    token: 'token',
    ...message,
    apns,
    webpush: { headers },
  });
});

test.each([
  ['a notification alone', plain, 'alert', apnsHeaders('10'), { aps: alert }],
  ['data alone', silent, 'background', apnsHeaders('5'), { sync: 'now', aps: { 'content-available': 1 } }],
  ['a lifetime of zero seconds', undelayed, 'alert', apnsHeaders('10', '0'), { aps: alert }],
])('APNs receives %s', (_, content, type, headers, body) => {
  const message = apnsMessage(content, 'com.example.app', now);
  expect(message.headers).toEqual({ 'apns-topic': 'com.example.app', 'apns-push-type': type, ...headers });
  expect(JSON.parse(message.body)).toEqual(body);
});

test.each([
  ['a notification alone', plain, webHeaders(), { notification }],
  ['data alone', silent, webHeaders(), { data: { sync: 'now' } }],
  ['a lifetime of zero seconds', undelayed, webHeaders('0'), { notification }],
])('Web Push receives %s', (_, content, headers, body) => {
  const message = webPushMessage(content);
  expect([message.headers, JSON.parse(message.body)]).toEqual([headers, body]);
});
