// A message as each provider receives it, and the effect of the answers on message and device.
import { beforeEach, describe, expect, test } from 'vitest';
import { apnsSettings, fcmRefusal, type Provider, type Said } from '../../../test/push-providers.js';
import { type Device, hello, pushScenario } from '../../../test/push-scenario.js';
import { shared } from '../../../test/shared.js';
import { storeUnread } from '../../../test/stored-key.js';

const logged: string[] = [];
const scenario = shared(() => pushScenario({ onLogLine: (line) => logged.push(line) }));
beforeEach(async () => {
  await scenario.service.database.prisma.pushDevice.deleteMany();
  await scenario.service.database.prisma.pushMessage.updateMany({
    data: { finishedAt: scenario.service.clock.now() },
  });
});

const providerOf = { fcm: 'fcm', apns: 'apns', webpush: 'web' } as const;
type Name = keyof typeof providerOf;
type FcmMessage = { apns: { headers: Record<string, string> } };
const says = (name: Name, { token }: Device, ...said: Parameters<Provider['says']>[1][]) =>
  scenario.providers[providerOf[name]].says(token, ...said);
const received = (name: Name, { token }: Device) =>
  scenario.providers[providerOf[name]].received.filter((one) => one.token === token);
const reason = (status: number, name: string, more = {}): Said => ({
  status,
  body: { reason: name, ...more },
});

describe('a message as it is received', () => {
  const body = {
    notification: { ...hello.notification, image_url: 'https://images.example.com/a.jpg' },
    data: { order: '1042' },
    options: { ttl_seconds: 60, priority: 'normal', collapse_key: 'order 1042', badge: 3, sound: 'default' },
    all: true,
  };

  test('by FCM', async () => {
    const device = await scenario.register('fcm');
    await scenario.sent(body);
    expect(received('fcm', device)[0]?.message).toEqual({
      token: device.token,
      notification: { title: 'Hello', body: 'How are you?', image: 'https://images.example.com/a.jpg' },
      data: { order: '1042' },
      android: {
        ttl: '60s',
        priority: 'NORMAL',
        collapse_key: 'order 1042',
        notification: { sound: 'default' },
      },
      apns: {
        headers: {
          'apns-priority': '5',
          'apns-expiration': String(Math.floor(scenario.service.clock.now().getTime() / 1_000) + 60),
          'apns-collapse-id': 'order 1042',
        },
        payload: {
          aps: { alert: hello.notification, badge: 3, sound: 'default', 'mutable-content': 1 },
        },
      },
      webpush: { headers: { Urgency: 'normal', TTL: '60', Topic: expect.stringMatching(/^[\w-]{32}$/) } },
    });
  });

  test.each(['production', 'sandbox'])('by APNs in its %s', async (environment) => {
    const device = await scenario.register('apns', { environment });
    await scenario.sent(body);
    const [one] = received('apns', device);
    expect(one?.message).toEqual({
      order: '1042',
      image_url: 'https://images.example.com/a.jpg',
      aps: { alert: hello.notification, badge: 3, sound: 'default', 'mutable-content': 1 },
    });
    const { headers } = one ?? {};
    const authority = scenario.providers.addresses[environment === 'sandbox' ? 'apnsSandboxUrl' : 'apnsUrl'];
    expect(headers).toMatchObject({
      ':authority': new URL(authority).host,
      'apns-push-type': 'alert',
      'apns-priority': '5',
      'apns-expiration': String(Math.floor(scenario.service.clock.now().getTime() / 1_000) + 60),
      'apns-collapse-id': 'order 1042',
    });
  });

  test('by APNs without a notification, as a background push', async () => {
    const device = await scenario.register('apns');
    await scenario.sent({ data: { sync: 'now' }, all: true });
    const [one] = received('apns', device);
    expect(one?.message).toEqual({ sync: 'now', aps: { 'content-available': 1 } });
    expect(one?.headers).toMatchObject({ 'apns-push-type': 'background', 'apns-priority': '5' });
  });

  test('by APNs and FCM with a collapse key that no header may have, as one that it may', async () => {
    const devices = { apns: await scenario.register('apns'), fcm: await scenario.register('fcm') };
    for (const collapse_key of ['😀', '東', 'q', 'a\nb', ' a', 'ä'.repeat(64)]) {
      const { message } = await scenario.sent({ ...hello, options: { collapse_key }, all: true });
      expect(message).toMatchObject({ status: 'done', accepted_count: 2 });
    }
    const ids = received('apns', devices.apns).map(({ headers }) => `${headers['apns-collapse-id']}`);
    expect(ids).toEqual(Array(6).fill(expect.stringMatching(/^([\w-]{32}|q)$/)));
    expect(new Set(ids).size).toBe(6);
    const messages = received('fcm', devices.fcm).map(({ message }) => message as FcmMessage);
    expect(messages.map(({ apns }) => apns.headers['apns-collapse-id'])).toEqual(ids);
  });

  test('by Web Push, encrypted for the subscription and signed with the app’s key', async () => {
    const device = await scenario.register('webpush');
    await scenario.sent(body);
    const [one] = received('webpush', device);
    expect(one?.message).toEqual({ notification: body.notification, data: body.data });
    expect(one?.headers).toMatchObject({ ttl: '60', urgency: 'normal' });
    expect(one?.headers.topic).toMatch(/^[\w-]{32}$/);
    const { data } = await scenario.service.call('GET', '/push/web-key');
    expect(data).toEqual({ public_key: one?.headers.key });
  });
});

describe('tokens and connections are reused', () => {
  test('one access token of FCM serves many messages until it expires or is revoked', async () => {
    const { fcm } = scenario.providers;
    const device = await scenario.register('fcm');
    await scenario.sent({ ...hello, all: true });
    const given = fcm.tokensGiven;
    await scenario.sent({ ...hello, all: true });
    expect(fcm.tokensGiven).toBe(given);
    scenario.service.clock.advance(3_600_000);
    await scenario.sent({ ...hello, all: true });
    expect(fcm.tokensGiven).toBe(given + 1);
    for (let count = 0; count < 20; count += 1) await scenario.register('fcm');
    fcm.forgetTokens();
    expect((await scenario.sent({ ...hello, all: true })).message).toMatchObject({ accepted_count: 21 });
    expect(fcm.tokensGiven).toBe(given + 2);
    expect(fcm.count(device.token)).toBe(4);
  });

  test('APNs: one connection, and one provider token for 50 minutes', async () => {
    const { apns } = scenario.providers;
    for (let count = 0; count < 20; count += 1) await scenario.register('apns');
    const from = apns.received.length;
    await scenario.sent({ ...hello, all: true });
    const own = apns.received.slice(from);
    expect(own).toHaveLength(20);
    expect(new Set(own.map(({ headers }) => headers.authorization)).size).toBe(1);
    expect(apns.connections()).toBeLessThanOrEqual(2);
    scenario.service.clock.advance(50 * 60_000 - 1);
    await scenario.sent({ ...hello, all: true });
    expect(apns.received.at(-1)?.headers.authorization).toBe(own[0]?.headers.authorization);
    scenario.service.clock.advance(1);
    await scenario.sent({ ...hello, all: true });
    expect(apns.received.at(-1)?.headers.authorization).not.toBe(own[0]?.headers.authorization);
  });
});

test('APNs that finds the provider token expired gets each message again, with one new token for all', async () => {
  const { apns } = scenario.providers;
  const devices: Device[] = [];
  for (let count = 0; count < 5; count += 1) devices.push(await scenario.register('apns'));
  for (const device of devices) says('apns', device, reason(403, 'ExpiredProviderToken'), { status: 200 });
  const from = apns.received.length;
  const { message } = await scenario.sent({ ...hello, all: true });
  expect(message).toMatchObject({ status: 'done', accepted_count: 5, error: null });
  const tokens = apns.received.slice(from).map(({ headers }) => headers.authorization);
  expect(tokens).toHaveLength(10);
  expect(new Set(tokens).size).toBe(2);
});

test('a replaced key gets its own connection: APNs binds a connection to its first key', async () => {
  const { apns } = scenario.providers;
  await scenario.register('apns');
  expect((await scenario.sent({ ...hello, all: true })).message.accepted_count).toBe(1);
  await scenario.service.changeSettings({ push: { apns: apns.otherKey } });
  const accepted = { accepted_count: 1, error: null };
  expect((await scenario.sent({ ...hello, all: true })).message).toMatchObject(accepted);
  const key = { key_id: apnsSettings.key_id, private_key: apns.privateKey };
  await scenario.service.changeSettings({ push: { apns: key } });
  expect((await scenario.sent({ ...hello, all: true })).message.accepted_count).toBe(1);
});

test('an undecryptable token fails only its own device', async () => {
  const [lost, good] = [await scenario.register('fcm'), await scenario.register('fcm')];
  await scenario.service.database.prisma.pushDevice.updateMany({
    where: { id: lost.id },
    data: { token: Buffer.alloc(64) },
  });
  const { message, receipts } = await scenario.sent({ ...hello, all: true });
  expect(message).toMatchObject({ status: 'done', accepted_count: 1, failed_count: 1 });
  expect(receipts.get(lost.id)).toMatchObject({ status: 'failed', error: 'token-unreadable' });
  expect(receipts.get(good.id)?.status).toBe('accepted');
});

describe('an answer', () => {
  test.each<[Name, string, Said]>([
    ['fcm', 'UNREGISTERED', fcmRefusal(404, 'NOT_FOUND', 'UNREGISTERED')],
    ['apns', 'a later 410', reason(410, 'Unregistered', { timestamp: 4_000_000_000_000 })],
    ['webpush', '410', { status: 410 }],
  ])('of %s, %s, makes the device invalid', async (name, _, said) => {
    const device = await scenario.register(name);
    says(name, device, said);
    const { message, receipts } = await scenario.sent({ ...hello, all: true });
    expect(message).toMatchObject({ status: 'done', invalid_count: 1, accepted_count: 0 });
    expect(receipts.get(device.id)?.status).toBe('invalid');
    expect(await scenario.statusOf(device)).toBe('invalid');
    expect((await scenario.sent({ ...hello, all: true })).message.target_count).toBe(0);
  });

  test('that a token is unregistered is ignored if the device registered meanwhile', async () => {
    const device = await scenario.register('fcm');
    says('fcm', device, async () => {
      scenario.service.clock.advance(1);
      const body = { provider: 'fcm', platform: 'android', token: device.token };
      expect((await scenario.service.call('POST', '/push/devices', { body })).status).toBe(200);
      return fcmRefusal(404, 'NOT_FOUND', 'UNREGISTERED');
    });
    const { message } = await scenario.sent({ ...hello, all: true });
    expect(message.invalid_count).toBe(1);
    expect(await scenario.statusOf(device)).toBe('active');
  });

  test.each<[Name, string, Said]>([
    ['fcm', 'an invalid token', fcmRefusal(400, 'INVALID_ARGUMENT', 'INVALID_ARGUMENT', 'message.token')],
    ['fcm', '403', fcmRefusal(403, 'PERMISSION_DENIED')],
    ['apns', 'an earlier 410', reason(410, 'Unregistered', { timestamp: 1_000 })],
    ['apns', '413', reason(413, 'PayloadTooLarge')],
    ['webpush', '400', { status: 400 }],
    ['webpush', 'a redirect', { status: 307, headers: { location: 'http://127.0.0.1:1/' } }],
  ])('of %s, %s, fails the message and not the device', async (name, _, said) => {
    const device = await scenario.register(name);
    says(name, device, said);
    const { message, receipts } = await scenario.sent({ ...hello, all: true });
    expect(message).toMatchObject({ status: 'failed', failed_count: 1, invalid_count: 0 });
    expect(receipts.get(device.id)).toMatchObject({ status: 'failed', error: expect.any(String) });
    expect(await scenario.statusOf(device)).toBe('active');
    expect(received(name, device)).toHaveLength(1);
  });

  test('that blames the app stops the message before all devices are tried', async () => {
    const all: Device[] = [];
    for (let count = 0; count < 120; count += 1) all.push(await scenario.register('fcm'));
    for (const device of all) says('fcm', device, fcmRefusal(403, 'PERMISSION_DENIED'));
    const { message } = await scenario.sent({ ...hello, all: true });
    expect(message).toMatchObject({ status: 'failed', target_count: 120, error: expect.any(String) });
    // The failed ones are at most those that were in flight.
    expect(message.failed_count).toBeLessThanOrEqual(100);
    for (const device of all) expect(await scenario.statusOf(device)).toBe('active');
  });

  test.each<[Name, string, Said]>([
    // FCM answers a malformed token so: no field is named.
    ['fcm', 'a malformed token', fcmRefusal(400, 'INVALID_ARGUMENT', 'INVALID_ARGUMENT')],
    // The access token is valid: it is not renewed, and the message is sent once.
    ['fcm', 'no authentication to APNs', fcmRefusal(401, 'UNAUTHENTICATED', 'THIRD_PARTY_AUTH_ERROR')],
    ['apns', 'a key of the other environment', reason(403, 'BadEnvironmentKeyIdInToken')],
    ['webpush', '401', { status: 401 }],
  ])('of %s, %s, which an attacker can cause, does not stop the message', async (name, _, said) => {
    const [strange, good] = [await scenario.register(name), await scenario.register(name)];
    says(name, strange, said);
    const { message, receipts } = await scenario.sent({ ...hello, all: true });
    expect(message).toMatchObject({ status: 'done', accepted_count: 1, failed_count: 1, error: null });
    expect(receipts.get(good.id)?.status).toBe('accepted');
    expect(received(name, strange)).toHaveLength(1);
  });

  test('cannot be requested with an unusable key: the message is stopped', async () => {
    const { app, secretKey } = await scenario.service.newApp();
    const as = { appKey: app.appKey, token: secretKey };
    const apns = { ...apnsSettings, private_key: scenario.providers.apns.privateKey };
    await scenario.service.call('PATCH', '/admin/settings', { ...as, body: { push: { apns } } });
    const key = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----';
    await storeUnread(scenario.service.deps, app.id, 'push.apns.private_key', key);
    const body = { provider: 'apns', platform: 'ios', token: 'ab'.repeat(32) };
    await scenario.service.call('POST', '/push/devices', { appKey: app.appKey, body });
    const { data } = await scenario.send({ ...hello, all: true }, { app, secretKey });
    await scenario.service.deps.queue.runNow();
    const path = `/admin/push/messages/${(data as { id: string }).id}`;
    const message = (await scenario.service.call('GET', path, as)).data;
    expect(message).toMatchObject({ status: 'failed', error: 'credentials-unusable' });
  });

  test('of the token endpoint that refuses the service account stops the message', async () => {
    const { fcm } = scenario.providers;
    await scenario.register('fcm');
    scenario.service.clock.advance(3_600_000);
    fcm.refuseAccount = { status: 400, body: { error: 'invalid_grant' } };
    const { message } = await scenario.sent({ ...hello, all: true });
    fcm.refuseAccount = null;
    expect(message).toMatchObject({ status: 'failed', error: 'credentials-refused' });
  });

  test('of the token endpoint that names a pause is retried after it', async () => {
    const { fcm } = scenario.providers;
    const device = await scenario.register('fcm');
    scenario.service.clock.advance(3_600_000);
    fcm.refuseAccount = { status: 429, body: {}, headers: { 'retry-after': '900' } };
    const { message } = await scenario.sent({ ...hello, all: true });
    fcm.refuseAccount = null;
    for (let count = 0; count < 4; count += 1) await scenario.service.advance(220_000);
    expect(received('fcm', device)).toHaveLength(0);
    for (let count = 0; count < 12; count += 1) await scenario.service.advance(220_000);
    expect((await scenario.result(message.id)).message).toMatchObject({ status: 'done', accepted_count: 1 });
  });

  test.each<[Name, string, Said | null]>([
    ['fcm', '429', { ...fcmRefusal(429, 'RESOURCE_EXHAUSTED'), headers: { 'retry-after': '30' } }],
    ['fcm', 'a broken connection', null],
    ['apns', '429', reason(429, 'TooManyRequests')],
    ['apns', 'a broken connection', null],
    ['webpush', '429', { status: 429, headers: { 'retry-after': '30' } }],
    ['webpush', 'a broken connection', null],
  ])('of %s, %s, is retried after a pause, and other devices receive no duplicate', async (name, _, said) => {
    const [device, other] = [await scenario.register(name), await scenario.register(name)];
    says(name, device, said, { status: name === 'webpush' ? 201 : 200, body: { name: 'a/b' } });
    const { message, receipts } = await scenario.sent({ ...hello, all: true });
    expect(message.status).toBe('sending');
    expect(receipts.get(device.id)).toMatchObject({ status: 'retrying', attempts: 1 });
    await scenario.service.advance(9_000);
    expect(received(name, device)).toHaveLength(1);
    for (let count = 0; count < 3; count += 1) await scenario.service.advance(31_000);
    const after = await scenario.result(message.id);
    expect(after.message).toMatchObject({ status: 'done', accepted_count: 2, failed_count: 0 });
    expect(after.receipts.get(device.id)).toMatchObject({ status: 'accepted', attempts: 2, error: null });
    expect([received(name, device).length, received(name, other).length]).toEqual([2, 1]);
    expect(await scenario.statusOf(device)).toBe('active');
  });

  test('that does not come is logged once for each provider of a batch, with the reason', async () => {
    const names = ['fcm', 'fcm', 'apns', 'apns'] as const;
    for (const name of names) says(name, await scenario.register(name), null);
    logged.length = 0;
    await scenario.sent({ ...hello, all: true });
    const lines = logged.filter((line) => line.includes('a push provider did not answer'));
    const told = lines.map((line) => JSON.parse(line));
    expect(told.map(({ provider }) => provider).sort()).toEqual(['apns', 'fcm']);
    for (const { app_id, err } of told) {
      expect([app_id, typeof err]).toEqual([scenario.service.app.app.id, 'object']);
    }
  });

  test('that fails six times ends the attempts, and the device remains active', async () => {
    const device = await scenario.register('fcm');
    says('fcm', device, fcmRefusal(503, 'UNAVAILABLE', 'UNAVAILABLE'));
    const { message } = await scenario.sent({ ...hello, all: true });
    for (let retry = 0; retry < 5; retry += 1) await scenario.service.advance(3_601_000);
    const after = await scenario.result(message.id);
    expect(after.message).toMatchObject({ status: 'failed', failed_count: 1 });
    expect(after.receipts.get(device.id)).toMatchObject({ status: 'failed', attempts: 6 });
    expect(received('fcm', device)).toHaveLength(6);
    expect(await scenario.statusOf(device)).toBe('active');
  });

  test('is not retried after the device was linked to another user', async () => {
    const user = await scenario.service.signUp();
    const device = await scenario.register('fcm', { user });
    says('fcm', device, fcmRefusal(503, 'UNAVAILABLE', 'UNAVAILABLE'), { status: 200, body: {} });
    const { message } = await scenario.sent({ ...hello, uids: [user.uid] });
    await scenario.service.call('POST', '/push/devices', {
      body: { provider: 'fcm', platform: 'android', token: device.token },
    });
    for (let count = 0; count < 2; count += 1) await scenario.service.advance(60_000);
    expect(received('fcm', device)).toHaveLength(1);
    const { receipts } = await scenario.result(message.id);
    expect(receipts.get(device.id)).toMatchObject({ status: 'failed', error: 'no-longer-meant' });
  });
});

test('an endpoint that resolves to an internal IP address is refused at send time too', async () => {
  const device = await scenario.register('webpush');
  const guarded = await scenario.service.secondInstance({
    config: { ...scenario.service.deps.config, outboundLoopback: false },
  });
  const { data } = await scenario.send({ ...hello, all: true });
  await guarded.deps.queue.runNow();
  const { receipts } = await scenario.result((data as { id: string }).id);
  await guarded.stop();
  const refused = { status: 'failed', error: expect.stringMatching(/^address-/) };
  expect(receipts.get(device.id)).toMatchObject(refused);
  expect(received('webpush', device)).toHaveLength(0);
});
