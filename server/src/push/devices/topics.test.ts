// The topics of a device over HTTP: subscriptions, and when they end.
import { randomBytes } from 'node:crypto';
import type { PushDevice } from '@foyer/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { testOnServer, untilBlocked } from '../../../test/blocked.js';
import { type TestUser, testService } from '../../../test/harness.js';
import { expectRefusal } from '../../../test/refusal.js';
import { shared } from '../../../test/shared.js';

let ada: TestUser;
let bob: TestUser;
let carol: TestUser;
const service = shared(() => testService());
beforeAll(async () => {
  [ada, bob, carol] = [await service.signUp(), await service.signUp(), await service.signUp()];
});

const tokenOf = (user: TestUser | null) => user?.tokens.access_token;
const register = (user: TestUser | null, body: object) =>
  service.call<PushDevice>('POST', '/push/devices', {
    token: tokenOf(user),
    body: { provider: 'fcm', platform: 'android', ...body },
  });
/** One that every provider accepts. */
const newToken = () => randomBytes(32).toString('hex');

describe('topics', () => {
  const topicsOf = async (user: TestUser | null, token: string, more: object = {}) =>
    (await register(user, { token, ...more })).data.topics;
  const put = async (user: TestUser | null, id: string, topic: string) =>
    expect(
      (await service.call('PUT', `/push/devices/${id}/topics/${topic}`, { token: tokenOf(user) })).status,
    ).toBe(204);

  test.each(['PUT', 'DELETE'])('with a name that no provider accepts are refused: %s', async (method) => {
    const { data } = await register(null, { token: newToken() });
    const answer = await service.call(method, `/push/devices/${data.id}/topics/no%20topic`);
    expectRefusal(answer, 'push/invalid-topic');
  });

  testOnServer('of a user whose registration is not yet committed end with the next one', async () => {
    const token = newToken();
    const { data } = await register(bob, { token });
    const ids = { appId: service.app.app.id, deviceId: data.id };
    let next: ReturnType<typeof register> | undefined;
    await service.database.prisma.$transaction(
      async (tx) => {
        await tx.pushDevice.updateMany({ where: { id: data.id }, data: { uid: ada.uid } });
        await tx.pushTopic.create({ data: { ...ids, topic: 'orders', byUser: true } });
        next = register(bob, { token });
        await untilBlocked(service.database, 1);
      },
      { timeout: 60_000 },
    );
    expect((await next)?.data.user_uid).toBe(bob.uid);
    expect(await service.database.prisma.pushTopic.count({ where: ids })).toBe(0);
  });

  test('of a user end with the link to that user, and those without a user remain', async () => {
    const token = newToken();
    // Another device of the same user, one of another user, and the device of the same token of another provider.
    const others: [TestUser, string, object][] = [
      [ada, newToken(), {}],
      [bob, newToken(), {}],
      [carol, token, { provider: 'apns', platform: 'ios' }],
    ];
    for (const [user, other, more] of others) {
      await put(user, (await register(user, { token: other, ...more })).data.id, 'orders');
    }
    const { data } = await register(null, { token });
    await put(null, data.id, 'news');
    expect(await topicsOf(ada, token)).toEqual(['news']);
    await put(ada, data.id, 'orders');
    await put(ada, data.id, 'news');
    expect(await topicsOf(ada, token)).toEqual(['news', 'orders']);
    expect(await topicsOf(bob, token)).toEqual(['news']);
    await put(bob, data.id, 'orders');
    expect(await topicsOf(null, token)).toEqual(['news']);
    expect(await topicsOf(bob, token)).toEqual(['news']);
    for (const other of others) expect(await topicsOf(...other)).toEqual(['orders']);
  });

  test('that were subscribed before the release that tells them apart end with the next link', async () => {
    const token = newToken();
    const { data } = await register(ada, { token });
    await service.database.prisma.pushTopic.create({
      data: { appId: service.app.app.id, deviceId: data.id, topic: 'former' },
    });
    expect(await topicsOf(ada, token)).toEqual(['former']);
    expect(await topicsOf(bob, token)).toEqual([]);
  });

  test('are sorted and unique, and remain with the device of a user', async () => {
    const token = newToken();
    const { data } = await register(ada, { token });
    for (const topic of ['news', 'Zoo', 'a%25b', 'news']) {
      const path = `/push/devices/${data.id}/topics/${encodeURIComponent(topic)}`;
      expect((await service.call('PUT', path, { token: tokenOf(ada) })).status).toBe(204);
    }
    expect((await register(ada, { token })).data.topics).toEqual(['Zoo', 'a%25b', 'news']);
    const other = newToken();
    await put(ada, (await register(ada, { token: other })).data.id, 'Zoo');
    const path = `/push/devices/${data.id}/topics/Zoo`;
    for (let times = 0; times < 2; times += 1) {
      expect((await service.call('DELETE', path, { token: tokenOf(ada) })).status).toBe(204);
    }
    expect((await register(ada, { token })).data.topics).toEqual(['a%25b', 'news']);
    expect(await topicsOf(ada, other)).toEqual(['Zoo']);
  });

  test('are limited to 2,000 per device under concurrency; an existing subscription may be repeated', async () => {
    const { data } = await register(null, { token: newToken() });
    const appId = service.app.app.id;
    const rows = Array.from({ length: 1_995 }, (_, place) => ({
      appId,
      deviceId: data.id,
      topic: `t${place}`,
    }));
    await service.database.prisma.pushTopic.createMany({ data: rows });
    const put = (topic: string) => service.call('PUT', `/push/devices/${data.id}/topics/${topic}`);
    const answers = await Promise.all(Array.from({ length: 12 }, (_, place) => put(`new-${place}`)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(5);
    for (const answer of answers) if (answer.status !== 204) expectRefusal(answer, 'push/too-many-topics');
    expect(await service.database.prisma.pushTopic.count({ where: { deviceId: data.id } })).toBe(2_000);
    expect((await put('t0')).status).toBe(204);
    // A topic of another device is a further one.
    const { data: other } = await register(null, { token: newToken() });
    expect((await service.call('PUT', `/push/devices/${other.id}/topics/elsewhere`)).status).toBe(204);
    expectRefusal(await put('elsewhere'), 'push/too-many-topics');
  });
});
