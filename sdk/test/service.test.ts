// The complete client against the real service, including what the scripted one only simulates.
import { describe, expect, test } from 'vitest';
import { testService } from '../../server/test/harness.js';
import { shared } from '../../server/test/shared.js';
import { inFull } from '../../server/test/thorough.js';
import type { Client, ClientOptions } from '../src/api.js';
import { faultyNetwork, losesOnce } from './faulty-network.js';
import { codeOf, sessionsIn, statesOf, watchedStorage } from './harness.js';
import { newClient, password, signedUp } from './service-client.js';

const hourMs = 3_600_000;
const service = shared(() => testService());

async function signedIn(email: string, options: Partial<ClientOptions> = {}) {
  const client = newClient(service, options);
  await client.auth.signIn({ email, password });
  return client;
}

async function deviceCount(client: Client): Promise<number> {
  return (await client.me.sessions()).items.length;
}

test('a user signs up, edits the profile, signs out and in again, and the state shows each step', async () => {
  const { client, email, user } = await signedUp(service);
  const states = statesOf(client);
  expect(user).toMatchObject({ email, email_verified: false, first_name: null });
  expect(await client.me.get()).toEqual(user);
  const photo_url = 'https://images.example.com/a.jpg';
  const named = await client.me.update({ first_name: ' Ada ', photo_url });
  expect(named).toEqual({ ...user, first_name: 'Ada', photo_url });
  expect(await client.auth.signOut()).toEqual({ remote: true });
  await client.auth.signIn({ email, password });
  expect(await client.me.update({ photo_url: null })).toMatchObject({ first_name: 'Ada', photo_url: null });
  await expect
    .poll(() => states.map((state) => state.status === 'signedIn' && state.user?.first_name))
    .toEqual([null, 'Ada', false, 'Ada', 'Ada']);
});

describe('staying signed in', () => {
  test('a refresh whose response is lost is retried, and the session outlives the replay window', async () => {
    const network = faultyNetwork(losesOnce(0));
    const { client, user } = await signedUp(service, { fetch: network.fetch });
    for (const _ of ['lost', 'received']) {
      await service.advance(hourMs + 1_000);
      expect(await client.me.get()).toEqual(user);
    }
    expect([network.lost, network.refreshesAtMs.length]).toEqual([1, 3]);
  });

  const hours = inFull(24, 6);
  test(`two programs over one storage refresh alternately for ${hours} hours without a reuse`, async () => {
    const storage = watchedStorage();
    const { client, user } = await signedUp(service, { storage });
    const other = newClient(service, { storage });
    for (let hour = 0; hour < hours; hour++) {
      await service.advance(hourMs + 1_000);
      const users = await Promise.all([client, other, client, other].map(({ me }) => me.get()));
      expect(users).toEqual([user, user, user, user]);
    }
    expect(await deviceCount(client)).toBe(1);
  });
});

describe('the end of a session', () => {
  test('sessions are paginated, and a revoked one is signed out at its next call', async () => {
    const { client, email } = await signedUp(service);
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

  test('a sign-out concurrent with a refresh leaves no session behind', async () => {
    for (let round = 0; round < 20; round++) {
      const storage = watchedStorage();
      const { client, email } = await signedUp(service, { storage });
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
