// Devices over HTTP: registration, links to users, retention. Their topics: topics.test.ts.
import { randomUUID } from 'node:crypto';
import type { PushDevice } from '@foyer/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { keyRing } from '../../../engines/keys/key-ring.js';
import { testOnServer, untilBlocked } from '../../../test/blocked.js';
import { codeScenario, newEmail } from '../../../test/code-scenario.js';
import { type TestUser, testEncryptionKey, testService } from '../../../test/harness.js';
import { expectRefusal, ulidPattern } from '../../../test/refusal.js';
import { shared } from '../../../test/shared.js';
import { inFull } from '../../../test/thorough.js';
import { purge } from '../../retention.js';
import { decryptToken, reencryptPushTokens } from './encrypted-tokens.js';

let ada: TestUser;
let bob: TestUser;
const service = shared(() => testService());
beforeAll(async () => {
  [ada, bob] = [await service.signUp(), await service.signUp()];
});

const day = 86_400_000;
const tokenOf = (user: TestUser | null) => user?.tokens.access_token;
const register = (user: TestUser | null, body: object) =>
  service.call<PushDevice>('POST', '/push/devices', {
    token: tokenOf(user),
    body: { provider: 'fcm', platform: 'android', ...body },
  });
const devicesOf = async (user: TestUser) =>
  (await service.call('GET', '/push/devices', { token: tokenOf(user) })).json.data.items as PushDevice[];
const rowOf = (id: string) => service.database.prisma.pushDevice.findFirst({ where: { id } });
const newToken = () => `token-${randomUUID()}`;

describe('registering', () => {
  test('a new token answers 201 with the device but not the token, a known one 200 with the same id', async () => {
    const token = newToken();
    const more = { app_version: '2.4.0', locale: 'de-AT', name: 'Adas Telefon' };
    const first = await register(ada, { token, ...more });
    expect(first.status).toBe(201);
    expect(first.data).toEqual({
      id: expect.stringMatching(ulidPattern),
      provider: 'fcm',
      platform: 'android',
      environment: 'production',
      ...more,
      topics: [],
      user_uid: ada.uid,
      status: 'active',
      created_at: '2026-03-01T10:00:00.123000Z',
      last_registered_at: '2026-03-01T10:00:00.123000Z',
    });
    service.clock.advance(1_000);
    const again = await register(ada, { token, app_version: '2.5.0' });
    service.clock.advance(-1_000);
    expect(again.status).toBe(200);
    expect(again.data).toEqual({
      ...first.data,
      app_version: '2.5.0',
      locale: null,
      name: null,
      last_registered_at: '2026-03-01T10:00:01.123000Z',
    });
    expect(`${first.text}${again.text}`).not.toContain(token);
  });

  test.each([null, '', ' '])('fields that the app writes as %j count as not sent', async (nothing) => {
    const body = { app_version: nothing, locale: nothing, name: nothing };
    const others = nothing === null ? { environment: null, keys: null } : {};
    const { status, data } = await register(ada, { token: newToken(), ...body, ...others });
    expect([status, data]).toMatchObject([
      201,
      { environment: 'production', app_version: null, locale: null, name: null },
    ]);
  });

  test('the database contains the token in encrypted form only', async () => {
    const token = newToken();
    const { data } = await register(ada, { token });
    const row = await rowOf(data.id);
    const stored = JSON.stringify(row, (_, value) =>
      value?.type === 'Buffer' || value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    );
    expect(stored).not.toContain(token);
    expect(Buffer.from(row?.token ?? []).includes(token)).toBe(false);
  });

  test('sign-out does not unlink a device; registering without a session or as another user does', async () => {
    const user = await service.signUp();
    const token = newToken();
    const { data } = await register(user, { token });
    expect((await service.call('POST', '/auth/sign-out', { token: tokenOf(user) })).status).toBe(204);
    expect((await rowOf(data.id))?.uid).toBe(user.uid);
    const unlinked = await register(null, { token });
    expect([unlinked.status, unlinked.data.id, unlinked.data.user_uid]).toEqual([200, data.id, null]);
    for (const each of [bob, ada]) {
      const taken = await register(each, { token });
      expect([taken.status, taken.data.id, taken.data.user_uid]).toEqual([200, data.id, each.uid]);
    }
    // Though the previous user never signed out.
    expect((await devicesOf(bob)).map(({ id }) => id)).not.toContain(data.id);
    expect((await devicesOf(ada)).map(({ id }) => id)).toContain(data.id);
  });

  test('of one token by two users concurrently creates one device, linked to one of them', async () => {
    for (let round = 0; round < inFull(10, 2); round += 1) {
      const token = newToken();
      const answers = await Promise.all([ada, bob, null, ada, bob].map((user) => register(user, { token })));
      expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201]);
      const { uid } = (await rowOf(answers[0]?.data.id ?? '')) ?? {};
      expect([ada.uid, bob.uid, null]).toContain(uid);
    }
  });

  test('by an ended session links nothing, and without a session creates an unlinked device', async () => {
    const user = await service.signUp();
    await service.call('POST', '/auth/sign-out', { token: tokenOf(user) });
    const token = newToken();
    expectRefusal(await register(user, { token }), 'auth/invalid-token');
    const { status, data } = await register(null, { token });
    expect([status, data.user_uid]).toEqual([201, null]);
  });

  testOnServer('that waits while its user signs out links nothing', async () => {
    const user = await service.signUp();
    const token = newToken();
    const { id: appId } = service.app.app;
    const { waiting } = await service.database.prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT FROM users WHERE app_id = ${appId} AND id = ${user.uid} FOR UPDATE`;
      const waiting = register(user, { token });
      // The foreign key of the device waits for the user as well.
      await untilBlocked(service.database, 1);
      await tx.$executeRaw`UPDATE sessions SET ended_at = now(), end_reason = 'sign_out_all'
        WHERE app_id = ${appId} AND user_id = ${user.uid}`;
      return { waiting };
    });
    expectRefusal(await waiting, 'auth/invalid-token');
    expect(await service.database.prisma.pushDevice.count({ where: { uid: user.uid } })).toBe(0);
  });

  test('reactivates an invalid device', async () => {
    const token = newToken();
    const { data } = await register(ada, { token });
    await service.database.prisma.pushDevice.updateMany({
      where: { id: data.id },
      data: { invalidAt: service.clock.now() },
    });
    expect((await devicesOf(ada)).find(({ id }) => id === data.id)?.status).toBe('invalid');
    expect((await register(ada, { token })).data.status).toBe('active');
  });

  test('the same text as a token of two providers is two devices', async () => {
    const token = 'ab'.repeat(32);
    const [fcm, apns] = [
      await register(ada, { token }),
      await register(ada, { token, provider: 'apns', platform: 'ios', environment: 'sandbox' }),
    ];
    expect([fcm.status, apns.status]).toEqual([201, 201]);
    expect(apns.data.environment).toBe('sandbox');
  });

  test('one device more than 100 unlinks the least recently registered one', async () => {
    const user = await service.signUp();
    const { data } = await register(user, { token: newToken() });
    const row = await service.database.prisma.pushDevice.findFirstOrThrow({ where: { id: data.id } });
    const registeredAt = (seconds: number) => new Date(row.lastRegisteredAt.getTime() + seconds * 1_000);
    // More devices of the same user, each registered a second after the one before.
    const more = Array.from({ length: 99 }, (_, place) => ({
      ...row,
      id: `another-${place}`,
      tokenHash: Buffer.from(`hash ${place}`),
      lastRegisteredAt: registeredAt(place + 1),
    }));
    await service.database.prisma.pushDevice.createMany({ data: more });
    const linked = () => service.database.prisma.pushDevice.count({ where: { uid: user.uid } });
    expect(await linked()).toBe(100);
    service.clock.advance(100_000);
    // Another user's device does not count.
    await register(bob, { token: newToken() });
    await register(user, { token: newToken() });
    service.clock.advance(-100_000);
    expect(await linked()).toBe(100);
    expect(await rowOf(data.id)).toMatchObject({ uid: null });
    expect(await rowOf(more[0]?.id as string)).toMatchObject({ uid: user.uid });
    // Their tokens cannot be decrypted.
    const where = { id: { in: more.map(({ id }) => id) } };
    await service.database.prisma.pushDevice.deleteMany({ where });
  });
});

describe('a device', () => {
  test('is listed for its own user, newest first, in pages', async () => {
    const user = await service.signUp();
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      service.clock.advance(1);
      ids.push((await register(user, { token: newToken() })).data.id);
    }
    const list = (query: string) => service.call('GET', `/push/devices${query}`, { token: tokenOf(user) });
    const first = (await list('?limit=2')).json.data;
    expect(first.items.map(({ id }: PushDevice) => id)).toEqual([ids[2], ids[1]]);
    const second = (await list(`?limit=2&cursor=${first.next_cursor}`)).json.data;
    expect(second).toMatchObject({ items: [{ id: ids[0] }], next_cursor: null });
    expectRefusal(await service.call('GET', '/push/devices'), 'auth/invalid-token');
  });

  test('of a user is deleted and subscribed by that user only; other callers get device-not-found', async () => {
    const { data } = await register(ada, { token: newToken() });
    const calls = [
      ['DELETE', `/push/devices/${data.id}`],
      ['PUT', `/push/devices/${data.id}/topics/news`],
      ['DELETE', `/push/devices/${data.id}/topics/news`],
    ] as const;
    for (const [method, path] of calls) {
      for (const user of [null, bob]) {
        expectRefusal(await service.call(method, path, { token: tokenOf(user) }), 'push/device-not-found');
      }
    }
    for (const [method, path] of calls.toReversed()) {
      expect((await service.call(method, path, { token: tokenOf(ada) })).status).toBe(204);
    }
    expect(await rowOf(data.id)).toBeNull();
    expectRefusal(
      await service.call('DELETE', `/push/devices/${data.id}`, { token: tokenOf(ada) }),
      'push/device-not-found',
    );
  });

  test('without a user is deleted and subscribed with the app key and its id', async () => {
    const { data } = await register(null, { token: newToken() });
    expect((await service.call('PUT', `/push/devices/${data.id}/topics/news`)).status).toBe(204);
    const path = `/push/devices/${data.id}`;
    expect((await service.call('DELETE', path, { token: tokenOf(bob) })).status).toBe(204);
    expect(await service.database.prisma.pushTopic.count({ where: { deviceId: data.id } })).toBe(0);
  });

  test('has an id that cannot be predicted from another one of the same millisecond', async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await register(null, { token: newToken() })).data.id),
    );
    const chances = ids.map((id) => id.slice(10, 22));
    expect(new Set(chances).size).toBe(3);
  });

  test('is deleted with its user', async () => {
    const user = await service.signUp();
    const { data } = await register(user, { token: newToken() });
    await service.call('PUT', `/push/devices/${data.id}/topics/news`, { token: tokenOf(user) });
    expect((await service.call('DELETE', '/me', { token: tokenOf(user) })).status).toBe(204);
    expect(await rowOf(data.id)).toBeNull();
  });

  test('that a squatter linked is unlinked, with its topics of that time, when the owner verifies the email', async () => {
    const email = newEmail();
    const squatter = await service.signUp({ email });
    const token = newToken();
    const { data } = await register(null, { token });
    const subscribe = (user: TestUser | null, id: string, topic: string) =>
      service.call('PUT', `/push/devices/${id}/topics/${topic}`, { token: tokenOf(user) });
    await subscribe(null, data.id, 'before');
    await register(squatter, { token });
    await subscribe(squatter, data.id, 'of-squatter');
    const { data: other } = await register(ada, { token: newToken() });
    await subscribe(ada, other.id, 'of-ada');
    await codeScenario(() => service).signInByCode(email);
    expect((await register(null, { token })).data).toMatchObject({ user_uid: null, topics: ['before'] });
    expect((await devicesOf(ada)).find(({ id }) => id === other.id)?.topics).toEqual(['of-ada']);
  });

  test('that is never registered again is deleted after 60 days, unless it has a user or a topic', async () => {
    const start = service.clock.now();
    const [unused, used, linked, subscribed] = [newToken(), newToken(), newToken(), newToken()];
    const user = await service.signUp();
    const ids: string[] = [];
    for (const token of [unused, used, subscribed]) ids.push((await register(null, { token })).data.id);
    ids.push((await register(user, { token: linked })).data.id);
    expect((await service.call('PUT', `/push/devices/${ids[2]}/topics/news`)).status).toBe(204);
    service.clock.advance(day);
    await register(null, { token: used });
    const left = async () => (await Promise.all(ids.map(rowOf))).map((row) => row !== null);
    service.clock.set(new Date(start.getTime() + 60 * day));
    await purge(service.deps, 'unusedDevices');
    expect(await left()).toEqual([true, true, true, true]);
    service.clock.advance(1_000);
    await purge(service.deps, 'unusedDevices');
    expect(await left()).toEqual([false, true, true, true]);
    service.clock.set(start);
  });

  test('is deleted 270 days after its last registration, and 30 days after it became invalid', async () => {
    const start = service.clock.now();
    const registered = await Promise.all([
      register(null, { token: newToken() }),
      register(null, { token: newToken() }),
    ]);
    const [idle = '', invalid = ''] = registered.map(({ data }) => data.id);
    const data = { invalidAt: start };
    await service.database.prisma.pushDevice.updateMany({ where: { id: invalid }, data });
    // Registered more than once.
    const createdAt = new Date(start.getTime() - day);
    await service.database.prisma.pushDevice.updateMany({ where: { id: idle }, data: { createdAt } });
    await service.advance(30 * day);
    expect(await rowOf(invalid)).not.toBeNull();
    await service.advance(day);
    expect(await rowOf(invalid)).toBeNull();
    await service.advance(239 * day);
    expect(await rowOf(idle)).not.toBeNull();
    await service.advance(day);
    expect(await rowOf(idle)).toBeNull();
    service.clock.set(start);
    [ada, bob] = [await service.signUp(), await service.signUp()];
  });
});

testOnServer('a device that is registered while invalid ones are deleted remains', async () => {
  const token = newToken();
  const { data: device } = await register(null, { token });
  const { id } = device;
  const { prisma } = service.database;
  const invalidAt = new Date(service.clock.now().getTime() - 31 * day);
  await prisma.pushDevice.updateMany({ where: { id }, data: { invalidAt } });
  let deletion: Promise<void> | undefined;
  await prisma.$transaction(
    async (tx) => {
      await tx.pushDevice.updateMany({ where: { id }, data: { invalidAt: null } });
      deletion = purge(service.deps, 'invalidDevices');
      await untilBlocked(service.database, 1);
    },
    { timeout: 60_000 },
  );
  await deletion;
  expect((await register(null, { token })).data).toEqual(device);
});

describe('the VAPID key', () => {
  test('is generated when Web Push is enabled, and never changes with the settings', async () => {
    const { app, secretKey } = await service.newApp();
    const key = () => service.call('GET', '/push/web-key', { appKey: app.appKey });
    const set = (web_push: object) =>
      service.call('PATCH', '/admin/settings', {
        appKey: app.appKey,
        token: secretKey,
        body: { push: { web_push } },
      });
    expectRefusal(await key(), 'push/provider-not-configured');
    const { data } = await set({ subject: 'mailto:push@example.com' });
    const { public_key } = (data as { push: { web_push: { public_key: string } } }).push.web_push;
    expect(Buffer.from(public_key, 'base64url')).toHaveLength(65);
    expect((await key()).data).toEqual({ public_key });
    await set({ subject: null });
    expectRefusal(await key(), 'push/provider-not-configured');
    await set({ subject: 'https://example.com/contact' });
    expect((await key()).data).toEqual({ public_key });
    // Apple refuses every message of an app whose contact nobody can reach.
    const unreachable = [
      'mailto:push@localhost',
      'https://localhost:3000',
      'https://foyer/',
      'mailto:a@mac.local',
    ];
    for (const subject of ['javascript:alert(1)', 'mailto:push', 'mailto:a@b.test, c', ...unreachable])
      expect([subject, (await set({ subject })).code]).toEqual([subject, 'request/validation-failed']);
  });
});

test('key rotation encrypts every stored token with the first key of ENCRYPTION_KEYS', async () => {
  const appId = service.app.app.id;
  const token = newToken();
  const { data } = await register(null, { token });
  const before = await rowOf(data.id);
  const rotated = keyRing([`${testEncryptionKey}, the next one`, testEncryptionKey], service.deps.random);
  const count = await service.database.prisma.pushDevice.count({ where: { appId } });
  expect(await reencryptPushTokens({ ...service.deps, keyRing: rotated }, appId)).toBe(count);
  expect(await reencryptPushTokens({ ...service.deps, keyRing: rotated }, appId)).toBe(0);
  const after = await rowOf(data.id);
  expect(after?.token).not.toEqual(before?.token);
  const key = { appId, provider: 'fcm', tokenHash: after?.tokenHash ?? new Uint8Array() } as const;
  expect(decryptToken(rotated, key, after?.token ?? new Uint8Array())).toEqual({ token, keys: null });
});
