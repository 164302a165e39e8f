import { describe, expect, test } from 'vitest';
import { fcmRefusal, type Said } from '../../test/push-providers.js';
import { classifyApns, classifyFcm, classifyWebPush, pauseSeconds, type Verdict } from './answer-rules.js';

const registeredAt = new Date('2026-03-01T10:00:00.000Z');

const byFcm = (from: 'token' | 'messages', { status, body }: Said) =>
  classifyFcm({ from, status, body: JSON.stringify(body), retryAfter: null }).is;

describe('FCM', () => {
  test.each<[is: Verdict['is'], what: string, ...Parameters<typeof fcmRefusal>]>([
    ['invalid', 'an unregistered token', 404, 'NOT_FOUND', 'UNREGISTERED'],
    ['failed', 'not found without details', 404, 'NOT_FOUND'],
    ['stop', 'an error of the message', 400, 'INVALID_ARGUMENT', 'INVALID_ARGUMENT', 'message.data'],
    ['failed', 'an error of the token', 400, 'INVALID_ARGUMENT', 'INVALID_ARGUMENT', 'message.token'],
    ['failed', 'no field, as for a malformed token', 400, 'INVALID_ARGUMENT', 'INVALID_ARGUMENT'],
    ['failed', 'a token of another project', 403, 'PERMISSION_DENIED', 'SENDER_ID_MISMATCH'],
    ['failed', 'no authentication to APNs', 401, 'UNAUTHENTICATED', 'THIRD_PARTY_AUTH_ERROR'],
    ['stop', '401', 401, 'UNAUTHENTICATED'],
    ['stop', '403', 403, 'PERMISSION_DENIED'],
    ['retry', '429', 429, 'RESOURCE_EXHAUSTED', 'QUOTA_EXCEEDED'],
    ['retry', '408', 408, 'DEADLINE_EXCEEDED'],
    ['retry', '500', 500, 'INTERNAL', 'INTERNAL'],
    ['retry', '503', 503, 'UNAVAILABLE', 'UNAVAILABLE'],
  ])('%s: %s', (is, _, ...refusal) => {
    expect(byFcm('messages', fcmRefusal(...refusal))).toBe(is);
  });

  test.each<[is: Verdict['is'], what: string, Said]>([
    ['accepted', '200', { status: 200, body: { name: 'projects/p/messages/1' } }],
    ['stop', 'too large', { status: 413, body: 'x' }],
    ['retry', 'an HTML page of a proxy', { status: 502, body: '<html>' }],
    ['failed', 'a text', { status: 400, body: '<html>' }],
    ['failed', 'null', { status: 400, body: null }],
  ])('%s: %s', (is, _, said) => {
    expect(byFcm('messages', said)).toBe(is);
  });

  test.each([
    [401, 'credentials-refused'],
    [402, 'status-402'],
    [403, 'credentials-refused'],
    [413, 'status-413'],
  ])('an answer of %i without details stops the message: %s', (status, error) => {
    const said = { from: 'messages', status, body: '<html>', retryAfter: null } as const;
    expect(classifyFcm(said)).toEqual({ is: 'stop', error });
  });

  test.each([
    ['stop', [400, 401, 403]],
    ['retry', [429, 503]],
  ])('%s: %j from the token endpoint', (is, statuses) => {
    for (const status of statuses) expect(byFcm('token', { status, body: 'invalid_grant' })).toBe(is);
  });
});

test.each([
  ['projects/p/messages/0:1%e2', 'projects/p/messages/0:1%e2'],
  ['x'.repeat(200), 'x'.repeat(200)],
  ['x'.repeat(201), null],
  ['', null],
  ['<b>', null],
  [7, null],
])('an answer of FCM that names the message %j has the id %j', (name, providerMessageId) => {
  const answer = { status: 200, body: JSON.stringify({ name }), retryAfter: null };
  expect(classifyFcm({ from: 'messages', ...answer })).toEqual({ is: 'accepted', providerMessageId });
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
    ['accepted', [200, 201, 202]],
    ['failed', [101, 199, 300, 301, 400, 401, 403, 407, 409, 413, 428, 430, 499]],
    ['invalid', [404, 410]],
    ['retry', [408, 429, 500, 503]],
  ])('%s: %j', (is, statuses) => {
    for (const status of statuses)
      expect(classifyWebPush({ status, location: null, retryAfter: null }).is).toBe(is);
  });
});

test('of the location of a message, a thousand characters are kept', () => {
  const location = 'https://push.example/'.padEnd(1_001, 'x');
  expect(classifyWebPush({ status: 201, location, retryAfter: null })).toEqual({
    is: 'accepted',
    providerMessageId: location.slice(0, 1_000),
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

test('the pause grows fourfold with each pass, up to an hour; a longer Retry-After counts', () => {
  const pauses = [1, 2, 3, 4, 5, 6].map((pass) => pauseSeconds(pass, 0));
  expect(pauses).toEqual([10, 40, 160, 640, 2_560, 3_600]);
  expect(pauseSeconds(1, 300)).toBe(300);
});
