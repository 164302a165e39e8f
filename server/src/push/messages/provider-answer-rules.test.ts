import { describe, expect, test } from 'vitest';
import { fcmRefusal } from '../../../test/push-providers.js';
import { classifyApns, classifyFcm, classifyWebPush, pauseSeconds } from './provider-answer-rules.js';

const registeredAt = new Date('2026-03-01T10:00:00.000Z');

describe('FCM', () => {
  test.each([
    ['UNREGISTERED', fcmRefusal(404, 'NOT_FOUND', 'UNREGISTERED'), 'invalid'],
    ['not found without details', fcmRefusal(404, 'NOT_FOUND'), 'failed'],
    [
      'an error of the message',
      fcmRefusal(400, 'INVALID_ARGUMENT', 'INVALID_ARGUMENT', 'message.data'),
      'stop',
    ],
    [
      'an error without a field, as for a malformed token',
      fcmRefusal(400, 'INVALID_ARGUMENT', 'INVALID_ARGUMENT'),
      'failed',
    ],
    [
      'an error of the token',
      fcmRefusal(400, 'INVALID_ARGUMENT', 'INVALID_ARGUMENT', 'message.token'),
      'failed',
    ],
    ['a token of another project', fcmRefusal(403, 'PERMISSION_DENIED', 'SENDER_ID_MISMATCH'), 'failed'],
    [
      'no authentication to the next provider',
      fcmRefusal(401, 'UNAUTHENTICATED', 'THIRD_PARTY_AUTH_ERROR'),
      'failed',
    ],
    ['401', fcmRefusal(401, 'UNAUTHENTICATED'), 'stop'],
    ['403', fcmRefusal(403, 'PERMISSION_DENIED'), 'stop'],
    ['too large', { status: 413, body: 'x' }, 'stop'],
    ['429', fcmRefusal(429, 'RESOURCE_EXHAUSTED', 'QUOTA_EXCEEDED'), 'retry'],
    ['500', fcmRefusal(500, 'INTERNAL', 'INTERNAL'), 'retry'],
    ['503', fcmRefusal(503, 'UNAVAILABLE', 'UNAVAILABLE'), 'retry'],
    ['an HTML page of a proxy', { status: 502, body: '<html>' }, 'retry'],
    ['invalid JSON', { status: 400, body: '<html>' }, 'failed'],
    ['null', { status: 400, body: null }, 'failed'],
    ['accepted', { status: 200, body: { name: 'projects/p/messages/1' } }, 'accepted'],
  ])('%s', (_, { status, body }, is) => {
    const said = { from: 'messages', status, body: JSON.stringify(body), retryAfter: null } as const;
    expect(classifyFcm(said).is).toBe(is);
  });

  test.each([
    [400, 'stop'],
    [401, 'stop'],
    [403, 'stop'],
    [429, 'retry'],
    [503, 'retry'],
  ])('%i from the token endpoint: %s', (status, is) => {
    const said = { from: 'token', status, body: '{"error":"invalid_grant"}', retryAfter: null } as const;
    expect(classifyFcm(said).is).toBe(is);
  });
});

describe('APNs', () => {
  const registered = registeredAt.getTime();
  test.each([
    [200, null, null, 'accepted'],
    [410, 'Unregistered', registered + 1, 'invalid'],
    [410, 'ExpiredToken', null, 'invalid'],
    [410, 'Unregistered', registered, 'failed'],
    [410, 'Unregistered', registered - 1, 'failed'],
    [400, 'BadDeviceToken', null, 'failed'],
    [400, 'DeviceTokenNotForTopic', null, 'failed'],
    [400, 'BadTopic', null, 'stop'],
    [400, 'IdleTimeout', null, 'retry'],
    [400, 'BadCertificateEnvironment', null, 'failed'],
    [403, 'BadEnvironmentKeyIdInToken', null, 'failed'],
    [403, 'BadEnvironmentKeyInToken', null, 'failed'],
    [403, 'UnrelatedKeyIdInToken', null, 'stop'],
    [400, 'PayloadEmpty', null, 'stop'],
    [413, 'PayloadTooLarge', null, 'stop'],
    [403, 'InvalidProviderToken', null, 'stop'],
    [403, 'BadCertificate', null, 'stop'],
    [401, null, null, 'stop'],
    [429, 'TooManyRequests', null, 'retry'],
    [500, 'InternalServerError', null, 'retry'],
    [503, 'Shutdown', null, 'retry'],
  ])('%i %s %s: %s', (status, reason, timestamp, is) => {
    const said = { status, reason, timestamp, apnsId: 'id', retryAfter: null };
    expect(classifyApns(said, registeredAt).is).toBe(is);
  });
});

describe('Web Push', () => {
  test.each([
    [200, 'accepted'],
    [201, 'accepted'],
    [202, 'accepted'],
    [301, 'failed'],
    [400, 'failed'],
    [401, 'failed'],
    [403, 'failed'],
    [404, 'invalid'],
    [410, 'invalid'],
    [413, 'failed'],
    [429, 'retry'],
    [500, 'retry'],
    [503, 'retry'],
  ])('%i: %s', (status, is) => {
    expect(classifyWebPush({ status, location: null, retryAfter: null }).is).toBe(is);
  });
});

test.each([
  ['120', 120],
  [' 7 ', 7],
  ['999999', 3_600],
  ['-1', null],
  ['Wed, 21 Oct 2026 07:28:00 GMT', null],
  [null, null],
])('Retry-After %s is %s seconds', (retryAfter, afterSeconds) => {
  expect(classifyWebPush({ status: 429, location: null, retryAfter })).toMatchObject({ afterSeconds });
});

test.each([
  [1, 0, 10],
  [2, 0, 40],
  [3, 0, 160],
  [4, 0, 640],
  [5, 0, 2_560],
  [6, 0, 3_600],
  [1, 300, 300],
])('after pass %i with Retry-After %i s, the pause is %i s', (pass, asked, seconds) => {
  expect(pauseSeconds(pass, asked)).toBe(seconds);
});
