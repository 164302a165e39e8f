// A message to more devices than are sent to at a time, and to devices that change while it is sent.
import { beforeEach, expect, test } from 'vitest';
import { fcmRefusal } from '../../../test/push-providers.js';
import { hello, pushScenario } from '../../../test/push-scenario.js';
import { shared } from '../../../test/shared.js';
import { newDeviceId } from '../devices/device.js';
import { encryptToken, hashToken } from '../devices/encrypted-tokens.js';

const scenario = shared(() => pushScenario());
beforeEach(() => scenario.service.database.prisma.pushDevice.deleteMany());

/** Returns their tokens, in the order in which they are sent to. */
async function registerMany(count: number, provider: 'fcm' | 'apns' = 'fcm'): Promise<string[]> {
  const { deps, database, app, clock } = scenario.service;
  const rows = Array.from({ length: count }, (_, place) => {
    const token = `ab${place.toString().padStart(6, '0')}`;
    const key = { appId: app.app.id, provider, tokenHash: new Uint8Array(hashToken(token)) };
    const id = newDeviceId(deps.random, clock.now());
    const encrypted = new Uint8Array(encryptToken(deps.keyRing, key, { token, keys: null }));
    const at = { createdAt: clock.now(), lastRegisteredAt: clock.now() };
    const row = {
      ...key,
      id,
      token: encrypted,
      platform: provider === 'fcm' ? 'android' : 'ios',
      environment: 'production',
      ...at,
    };
    return { row, token };
  }).sort((one, other) => (one.row.id < other.row.id ? -1 : 1));
  await database.prisma.pushDevice.createMany({ data: rows.map(({ row }) => row) });
  return rows.map(({ token }) => token);
}

const refusedForAMinute = {
  ...fcmRefusal(429, 'RESOURCE_EXHAUSTED'),
  headers: { 'retry-after': '60' },
};

test('devices with a rate limit of their own, two in a batch, do not delay the others', async () => {
  const { fcm } = scenario.providers;
  const tokens = await registerMany(150);
  for (const token of tokens.slice(0, 2))
    fcm.says(token, refusedForAMinute, { status: 200, body: { name: 'a' } });
  const before = fcm.received.length;
  const { message } = await scenario.sent({ ...hello, all: true });
  expect(message).toMatchObject({ status: 'sending', accepted_count: 148 });
  expect(fcm.received.length - before).toBe(150);
  await scenario.service.advance(61_000);
  const after = await scenario.result(message.id);
  expect(after.message).toMatchObject({ status: 'done', accepted_count: 150, failed_count: 0 });
});

test('a rate limit of the team at APNs delays the next batch at its first device', async () => {
  const { apns } = scenario.providers;
  const [first] = (await registerMany(250, 'apns')) as [string];
  apns.says(first, { status: 429, body: { reason: 'TooManyProviderTokenUpdates' } }, { status: 200 });
  const before = apns.received.length;
  const { message } = await scenario.sent({ ...hello, all: true });
  expect(apns.received.length - before).toBeLessThanOrEqual(200);
  await scenario.service.advance(11_000);
  await scenario.service.advance(11_000);
  const after = await scenario.result(message.id);
  expect(after.message).toMatchObject({ status: 'done', accepted_count: 250, failed_count: 0 });
});

test('the devices of a batch that come after a rate limit of the provider are sent to after its pause, each once', async () => {
  const { fcm } = scenario.providers;
  const tokens = await registerMany(150);
  const limited = tokens.slice(0, 3);
  for (const token of limited) fcm.says(token, refusedForAMinute, { status: 200, body: { name: 'a' } });
  const before = fcm.received.length;
  const { message } = await scenario.sent({ ...hello, all: true });
  expect(message).toMatchObject({ status: 'sending', target_count: 150 });
  // Nobody else is called until the pause ends.
  expect(fcm.received.length - before).toBeLessThan(150);
  await scenario.service.advance(61_000);
  await scenario.service.advance(61_000);
  const after = await scenario.result(message.id);
  expect(after.message).toMatchObject({ status: 'done', accepted_count: 150, failed_count: 0 });
  const called = fcm.received.slice(before).map(({ token }) => token);
  expect(called.toSorted()).toEqual([...limited, ...tokens].sort());
});

test.each([{ all: true }, { topic: 'news' }])(
  'a device that registers after a message was sent to %j does not receive it',
  async (target) => {
    const { service } = scenario;
    const subscribed = async () => {
      const device = await scenario.register('fcm');
      expect((await service.call('PUT', `/push/devices/${device.id}/topics/news`)).status).toBe(204);
      return device.id;
    };
    const earlier = await subscribed();
    const answer = await scenario.send({ ...hello, ...target });
    service.clock.advance(1);
    await subscribed();
    await service.deps.queue.runNow();
    const { message, receipts } = await scenario.result((answer.data as { id: string }).id);
    expect(message).toMatchObject({ status: 'done', target_count: 1, accepted_count: 1 });
    expect([...receipts.keys()]).toEqual([earlier]);
  },
);

test('the receipts of a message count for it, and not for an earlier one', async () => {
  await scenario.register('fcm');
  const { message } = await scenario.sent({ ...hello, all: true });
  expect((await scenario.sent({ ...hello, all: true })).message.accepted_count).toBe(1);
  expect((await scenario.result(message.id)).message).toMatchObject({ accepted_count: 1, failed_count: 0 });
});
