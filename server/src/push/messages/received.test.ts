// A message as each provider receives it, in its own protocol.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Device, hello, type PushScenario, pushScenario } from '../../../test/push-scenario.js';

let scenario: PushScenario;
beforeAll(async () => {
  scenario = await pushScenario();
});
afterAll(() => scenario.stop());
beforeEach(async () => {
  await scenario.service.database.prisma.pushDevice.deleteMany();
});

const providerOf = { fcm: 'fcm', apns: 'apns', webpush: 'web' } as const;
const received = (name: keyof typeof providerOf, { token }: Device) =>
  scenario.providers[providerOf[name]].received.filter((one) => one.token === token);

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
        headers: { 'apns-priority': '5', 'apns-collapse-id': 'order 1042' },
        payload: {
          aps: { alert: hello.notification, badge: 3, sound: 'default', 'mutable-content': 1 },
        },
      },
      webpush: { headers: { Urgency: 'normal', TTL: '60' } },
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
