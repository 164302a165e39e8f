// The complete client against the real service, including what the scripted one only simulates.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cheapPasswordHasher, type TestService, testService } from '../../server/test/harness.js';
import { inFull } from '../../server/test/thorough.js';
import type { Client, ClientOptions } from '../src/api.js';
import { createClient } from '../src/client.js';
import type { SdkEvent } from '../src/events.js';
import { push } from '../src/push.js';
import { codeOf, sessionsIn, statesOf, watchedStorage } from './harness.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const password = 'correct horse battery staple';

let service: TestService;
let hasher: Awaited<ReturnType<typeof cheapPasswordHasher>>;

beforeAll(async () => {
  hasher = await cheapPasswordHasher();
  service = await testService({ overrides: { passwordHasher: hasher } });
});

afterAll(async () => {
  await service.stop();
  await hasher.close();
});

/** A client whose requests are counted by route. */
function newClient(options: Partial<ClientOptions> = {}) {
  const events: SdkEvent[] = [];
  const client = createClient({
    baseUrl: `${service.url}/api/v2`,
    appKey: service.app.app.appKey,
    onEvent: (event) => events.push(event),
    ...options,
  });
  const count = (route: string) =>
    events.filter((event) => event.type === 'request' && `${event.method} ${event.path}` === route).length;
  return Object.assign(client, { count });
}

async function signedUp(options: Partial<ClientOptions> = {}) {
  const client = newClient(options);
  const email = `${randomUUID()}@example.com`;
  const { user } = await client.auth.signUp({ email, password });
  return { client, email, user };
}

async function signedIn(email: string, options: Partial<ClientOptions> = {}) {
  const client = newClient(options);
  await client.auth.signIn({ email, password });
  return client;
}

async function deviceCount(client: Client): Promise<number> {
  return (await client.me.sessions()).items.length;
}

test('a device registration follows its user at sign-in and sign-out, and preserves its topics', async () => {
  const { client, email, user } = await signedUp();
  const device = push(client);
  const { id } = await device.register({ provider: 'fcm', platform: 'android', token: randomUUID() });
  const owner = async () =>
    (await service.database.prisma.pushDevice.findFirstOrThrow({ where: { id } })).uid;
  expect(await owner()).toBe(user.uid);
  await device.subscribe('news');
  expect((await device.devices()).items).toMatchObject([{ id, topics: ['news'] }]);
  await client.auth.signOut();
  await expect.poll(owner).toBeNull();
  await client.auth.signIn({ email, password });
  await expect.poll(owner).toBe(user.uid);
  await device.unsubscribe('news');
  await device.unregister();
  expect(await service.database.prisma.pushDevice.count({ where: { id } })).toBe(0);
});

test('a user signs up, edits the profile, signs out and in again, and the state shows each step', async () => {
  const { client, email, user } = await signedUp();
  const states = statesOf(client);
  expect(user).toMatchObject({ email, email_verified: false, first_name: null });
  expect(await client.me.get()).toEqual(user);
  const named = await client.me.update({
    first_name: ' Ada ',
    photo_url: 'https://images.example.com/a.jpg',
  });
  expect(named).toEqual({ ...user, first_name: 'Ada', photo_url: 'https://images.example.com/a.jpg' });
  expect(await client.auth.signOut()).toEqual({ remote: true });
  await client.auth.signIn({ email, password });
  expect(await client.me.update({ photo_url: null })).toMatchObject({ first_name: 'Ada', photo_url: null });
  await expect
    .poll(() => states.map((state) => state.status === 'signedIn' && state.user?.first_name))
    .toEqual([null, 'Ada', false, 'Ada', 'Ada']);
});

describe('staying signed in', () => {
  test('30 parallel calls an hour later share one refresh', async () => {
    const { client } = await signedUp();
    await service.advance(hourMs + 1_000);
    await Promise.all(Array.from({ length: 30 }, () => client.me.get()));
    expect(client.count('POST /auth/token/refresh')).toBe(1);
    expect(client.count('GET /me')).toBe(60);
  });

  test('a restarted program restores the same user, and its stored value is short', async () => {
    const storage = watchedStorage();
    const { user } = await signedUp({ storage });
    await service.advance(80 * dayMs);
    const client = newClient({ storage });
    expect(await client.me.get()).toEqual(user);
    const [stored] = storage.values.values();
    expect(stored!.length).toBeLessThan(512);
  });

  test('a refresh whose response is lost is retried, and the session outlives the replay window', async () => {
    let losses = 0;
    const losing: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (!String(input).endsWith('/token/refresh') || losses-- <= 0) return response;
      await response.text();
      throw new TypeError('The connection broke.');
    };
    const { client, user } = await signedUp({ fetch: losing });
    for (let round = 0; round < 3; round++) {
      await service.advance(hourMs + 1_000);
      losses = 1;
      expect(await client.me.get()).toEqual(user);
    }
    expect(client.count('POST /auth/token/refresh')).toBe(6);
  });

  const hours = inFull(24, 6);
  test(`two programs over one storage refresh alternately for ${hours} hours without a reuse`, async () => {
    const storage = watchedStorage();
    const { client, user } = await signedUp({ storage });
    const other = newClient({ storage });
    for (let hour = 0; hour < hours; hour++) {
      await service.advance(hourMs + 1_000);
      const users = await Promise.all([client, other, client, other].map(({ me }) => me.get()));
      expect(users).toEqual([user, user, user, user]);
    }
    expect(await deviceCount(client)).toBe(1);
  });
});

describe('the end of a session', () => {
  test('after 90 days without use the user is signed out and the storage contains no session', async () => {
    const storage = watchedStorage();
    const { client } = await signedUp({ storage });
    await service.advance(90 * dayMs + 1_000);
    expect(await codeOf(client.me.get())).toBe('auth/refresh-token-revoked');
    expect(client.auth.state).toEqual({ status: 'signedOut', reason: 'revoked' });
    expect(sessionsIn(storage)).toEqual([]);
  });

  test('a token reused after 30 seconds ends the session for its owner too', async () => {
    const storage = watchedStorage();
    const { client } = await signedUp({ storage });
    const { r: stolen } = JSON.parse([...storage.values.values()][0]!);
    await client.auth.getAccessToken({ forceRefresh: true });
    await service.advance(30_001);
    expect((await service.refresh(stolen)).code).toBe('auth/refresh-token-revoked');
    expect(await codeOf(client.me.get())).toBe('auth/refresh-token-revoked');
    expect(client.auth.state).toEqual({ status: 'signedOut', reason: 'revoked' });
  });

  test('sessions are paginated, and a revoked one is signed out at its next call', async () => {
    const { client, email } = await signedUp();
    const phone = await signedIn(email, { headers: { 'X-Client-Device': "Ada's phone" } });
    await signedIn(email);
    const devices = await client.me.sessions({ limit: 1 }).toArray({ limit: 10 });
    expect(devices).toHaveLength(3);
    const target = devices.find(({ device }) => device.name === "Ada's phone")!;
    expect(target).toMatchObject({ current: false, method: 'password' });
    await client.me.endSession(target.id);
    expect(await codeOf(phone.me.get())).toBe('auth/refresh-token-revoked');
    expect(await deviceCount(client)).toBe(2);
    expect(await codeOf(client.me.endSession(target.id))).toBe('auth/session-not-found');
  });

  test('a sign-out right after startup revokes the session at the service', async () => {
    const storage = watchedStorage();
    const { email } = await signedUp({ storage });
    const watcher = await signedIn(email);
    expect(await deviceCount(watcher)).toBe(2);
    await service.advance(hourMs + 1_000);
    expect(await newClient({ storage }).auth.signOut()).toEqual({ remote: true });
    expect(await deviceCount(watcher)).toBe(1);
  });

  test('a sign-out everywhere revokes every session', async () => {
    const { client, email } = await signedUp();
    const other = await signedIn(email);
    expect(await client.auth.signOut({ everywhere: true })).toEqual({ remote: true });
    expect(await codeOf(other.me.get())).toBe('auth/refresh-token-revoked');
  });

  test('a sign-out concurrent with a refresh leaves no session behind', async () => {
    for (let round = 0; round < 20; round++) {
      const storage = watchedStorage();
      const { client, email } = await signedUp({ storage });
      const refresh = codeOf(client.auth.getAccessToken({ forceRefresh: true }));
      await new Promise((resolve) => setTimeout(resolve, round % 6));
      expect(await client.auth.signOut()).toEqual({ remote: true });
      await refresh;
      expect(client.auth.state).toEqual({ status: 'signedOut', reason: 'user' });
      expect(sessionsIn(storage)).toEqual([]);
      expect(await deviceCount(await signedIn(email))).toBe(1);
    }
  });
});

describe('refusals', () => {
  test('each has the code of the catalogue', async () => {
    const { client, email } = await signedUp();
    const stranger = newClient();
    expect(await codeOf(stranger.auth.signUp({ email, password }))).toBe('auth/email-already-in-use');
    expect(await codeOf(stranger.auth.signIn({ email, password: 'wrong' }))).toBe('auth/invalid-credential');
    const weak = await stranger.auth
      .signUp({ email: 'a@b.example', password: '1234567' })
      .catch((error) => error);
    expect(weak).toMatchObject({ code: 'auth/weak-password', status: 422 });
    expect(Object.keys(weak.fields)).toEqual(['password']);
    expect(weak.requestId).toMatch(/./);
    const keyless = newClient({ appKey: 'pk_unknown' });
    expect(await codeOf(keyless.auth.signIn({ email, password }))).toBe('request/invalid-app-key');
    for (const id of ['a/b', '../../auth/sign-out', '%2e%2e']) {
      expect(await codeOf(client.me.endSession(id))).toBe('request/validation-failed');
    }
    expect(client.auth.state.status).toBe('signedIn');
  });
});
