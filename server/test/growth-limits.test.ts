// What one user or IP address can add to tables whose rows are stored for long: events of profile changes, and topics.
import { limits } from '@foyer/contract';
import { beforeAll, expect, test } from 'vitest';
import type { TestUser } from './harness.js';
import { from, limitedService, newAddress, times } from './limited-service.js';
import { expectRefusal } from './refusal.js';
import { shared } from './shared.js';

let user: TestUser;
const service = shared(limitedService);
beforeAll(async () => {
  user = await service.signUp();
});

const minute = 60_000;
const perHour = (policy: 'profile-change' | 'new-topic') => limits.rateLimits[policy].limit;

function change(body: object) {
  return service.call('PATCH', '/me', { token: user.tokens.access_token, body });
}

test('a user who alternates values changes the profile, and fills the events, sixty times an hour', async () => {
  const names = ['Ada', 'Grace'];
  const alternate = (place: number) => change({ first_name: names[place % 2] });
  const answers = await times(perHour('profile-change') + 1, alternate);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
  const refused = answers.at(-1) as (typeof answers)[number];
  expectRefusal(refused, 'request/rate-limited');
  expect(refused.headers.get('ratelimit-policy')).toBe('"profile-change";q=60;w=3600');
  const where = { uid: user.uid, type: 'user.updated' };
  expect(await service.database.prisma.event.count({ where })).toBe(60);
  // What is no change is not counted.
  expect((await change({ first_name: names[1], last_name: null })).status).toBe(200);
  expect((await change({})).status).toBe(200);
  service.clock.advance(60 * minute);
  user.tokens = (await service.refresh(user.tokens.refresh_token)).data;
  expect((await change({ first_name: 'Ada' })).status).toBe(200);
});

test('new subscriptions of devices without a user are counted by IP address, and present ones are not', async () => {
  const rateLimits = { 'new-topic': { limit: 3, windowSeconds: 3_600 } };
  const { app } = await service.newApp();
  await service.database.prisma.app.update({ where: { id: app.id }, data: { rateLimits } });
  service.deps.apps.forget();
  const address = newAddress();
  const { appKey } = app;
  const devices = await times(2, async (place) => {
    const body = { provider: 'fcm', platform: 'android', token: `token-${place}` };
    const answer = await service.call<{ id: string }>('POST', '/push/devices', {
      ...from(address),
      appKey,
      body,
    });
    return answer.data.id;
  });
  const subscribe = (device: string | undefined, topic: string, ip = address) =>
    service.call('PUT', `/push/devices/${device}/topics/${topic}`, { ...from(ip), appKey });
  expect((await subscribe(devices[0], 'one')).status).toBe(204);
  expect((await subscribe(devices[0], 'two')).status).toBe(204);
  expect((await subscribe(devices[1], 'one')).status).toBe(204);
  const refused = await subscribe(devices[1], 'two');
  expectRefusal(refused, 'request/rate-limited');
  expect(refused.headers.get('ratelimit-policy')).toBe('"new-topic";q=3;w=3600');
  expect((await subscribe(devices[0], 'one')).status).toBe(204);
  expect((await subscribe(devices[1], 'two', newAddress())).status).toBe(204);
  expect(await service.database.prisma.pushTopic.count({ where: { appId: app.id } })).toBe(4);
});
