// A session that a client gives up ends at the service too, also when the service cannot be reached at that moment.
import { describe, expect, test } from 'vitest';
import type { TokenStorage } from '../src/session/storage.js';
import { faultyNetwork, thirtyPercent } from './faulty-network.js';
import {
  ada,
  bob,
  codeOf,
  locked,
  movingClock,
  networkTurn,
  newClient,
  passing,
  sessionsIn,
  signedInClient,
  stopClock,
  storageKey,
  storedClient,
  useScriptedService,
  watchedStorage,
} from './harness.js';
import { gate, lostAnswer, lostRequest, refuses } from './mishaps.js';
import { configRoute, refreshRoute, signOutRoute } from './scripted-service.js';

const service = useScriptedService();
const signOutAllRoute = 'POST /api/v2/auth/sign-out-all';
const outKey = `${storageKey}.out`;

const alive = () => service.sessions.filter(({ ended }) => !ended);

describe('a sign-out that could not be sent', () => {
  test('is sent once the network is back, without a call', async () => {
    const storage = watchedStorage();
    const network = faultyNetwork();
    const client = await signedInClient({ storage, fetch: network.fetch });
    stopClock();
    network.awayUntilMs = Date.now() + 20_000;
    expect(await movingClock(client.auth.signOut())).toEqual({ remote: false });
    expect(client.auth.state).toEqual({ status: 'signedOut', reason: 'user' });
    expect(sessionsIn(storage)).toEqual([]);
    expect(storage.values.has(outKey)).toBe(true);
    expect(alive()).toHaveLength(1);
    await passing(60_000);
    expect(alive()).toEqual([]);
    expect(storage.values.size).toBe(0);
    // There is no user who would see whether the service is reachable.
    expect(service.count(configRoute)).toBe(0);
  });

  test('is sent at the next start, and leaves the session of the next user alone', async () => {
    const storage = watchedStorage();
    const network = faultyNetwork();
    const client = await signedInClient({ storage, fetch: network.fetch });
    network.awayUntilMs = Number.POSITIVE_INFINITY;
    await client.auth.signOut();
    client.dispose();
    const next = newClient({ storage });
    await next.auth.signUp(bob);
    await expect.poll(() => alive().length).toBe(1);
    await expect.poll(() => storage.values.has(outKey)).toBe(false);
    expect((await next.me.get()).email).toBe(bob.email);
    expect(service.reuses).toBe(0);
  });

  test('is sent with the next call that succeeds', async () => {
    const client = await signedInClient();
    stopClock();
    service.next(signOutRoute, lostRequest, lostRequest, lostRequest);
    await movingClock(client.auth.signOut());
    while (service.count(signOutRoute) < 3) await passing(100);
    expect(alive()).toHaveLength(1);
    await movingClock(client.auth.signUp(bob));
    await movingClock(client.me.get());
    await passing(100);
    expect(alive()).toHaveLength(1);
    expect(client.auth.state).toMatchObject({ user: { email: bob.email } });
  });

  test('whose response was lost is not sent for ever', async () => {
    const { client, storage } = await storedClient();
    stopClock();
    service.next(signOutRoute, lostAnswer);
    expect(await movingClock(client.auth.signOut())).toEqual({ remote: false });
    await passing(10_000);
    expect(storage.values.size).toBe(0);
    const requests = service.requests.length;
    await passing(120_000);
    expect(service.requests).toHaveLength(requests);
  });

  test('because the service refuses it is not repeated before the next start', async () => {
    const { client, storage } = await storedClient();
    stopClock();
    service.next(signOutRoute, refuses(403, 'auth/user-disabled'));
    expect(await movingClock(client.auth.signOut())).toEqual({ remote: false });
    await passing(120_000);
    expect(service.count(signOutRoute)).toBe(1);
    client.dispose();
    newClient({ storage });
    await passing(1_000);
    expect(alive()).toEqual([]);
  });

  test('because its caller aborted it is repeated', async () => {
    const client = await signedInClient();
    stopClock();
    const controller = new AbortController();
    service.next(signOutRoute, ({ cut }) => {
      controller.abort();
      cut();
    });
    const { signal } = controller;
    expect(await movingClock(client.auth.signOut({ signal }))).toEqual({ remote: false });
    await passing(10_000);
    expect(alive()).toEqual([]);
  });

  test('because a sign-in completed too late is repeated, with the access token of its response', async () => {
    const client = await signedInClient();
    stopClock();
    const { call: signIn, open } = await service.holding('POST /api/v2/auth/sign-in', () =>
      codeOf(client.auth.signIn(ada)),
    );
    await movingClock(client.auth.signOut());
    service.next(signOutRoute, lostRequest);
    open();
    expect(await movingClock(signIn)).toBe('client/aborted');
    await passing(10_000);
    expect(alive()).toEqual([]);
    expect([service.count(signOutRoute), service.count(refreshRoute)]).toEqual([3, 0]);
  });

  test('is remembered with the successor of a token that it spent, without triggering reuse detection', async () => {
    const { storage } = await storedClient();
    service.next(signOutRoute, lostRequest);
    const client = newClient({ storage });
    expect(await client.auth.signOut()).toEqual({ remote: false });
    client.dispose();
    expect(storage.values.get(outKey)).toBe(JSON.stringify({ [service.sessions[0]!.tokens[1]!]: false }));
    expect(service.count(refreshRoute)).toBe(1);
  });

  test('of every device is sent as such at the next start too', async () => {
    const { client, storage } = await storedClient();
    await newClient().auth.signIn(ada);
    service.next(signOutAllRoute, lostRequest);
    expect(await client.auth.signOut({ everywhere: true })).toEqual({ remote: false });
    client.dispose();
    expect(alive()).toHaveLength(2);
    newClient({ storage });
    await expect.poll(alive).toEqual([]);
    await expect.poll(() => storage.values.size).toBe(0);
  });

  describe('of every device', () => {
    const signInRoute = 'POST /api/v2/auth/sign-in';

    /** Two sessions of Ada; the first is signed out everywhere, which does not reach the service. */
    async function lostSignOut() {
      const { client, storage } = await storedClient();
      await newClient().auth.signIn(ada);
      stopClock();
      service.next(signOutAllRoute, lostRequest);
      await movingClock(client.auth.signOut({ everywhere: true }));
      return { storage, client };
    }
    const endedSessions = () => service.sessions.map(({ ended }) => ended);

    test('ends no more than its own session once the user has signed in again', async () => {
      const { storage, client } = await lostSignOut();
      await movingClock(client.auth.signIn(ada));
      await passing(10_000);
      expect(endedSessions()).toEqual([true, false, false]);
      expect(storage.values.has(outKey)).toBe(false);
      expect((await movingClock(client.me.get())).email).toBe(ada.email);
    });

    test('nor at the next start, when the user is signed in', async () => {
      const { storage, client } = await lostSignOut();
      await movingClock(client.auth.signIn(ada));
      client.dispose();
      expect(storage.values.get(outKey)).toContain('true');
      const next = newClient({ storage });
      await passing(1_000);
      expect(endedSessions()).toEqual([true, false, false]);
      expect(storage.values.has(outKey)).toBe(false);
      expect((await movingClock(next.me.get())).email).toBe(ada.email);
    });

    test('is sent as such when another user has signed in', async () => {
      const { client } = await lostSignOut();
      await movingClock(client.auth.signUp(bob));
      await passing(10_000);
      expect(endedSessions()).toEqual([true, true, false]);
    });

    test('is not sent while a sign-in is under way', async () => {
      const { client } = await lostSignOut();
      const open = service.hold(signInRoute);
      const signIn = client.auth.signIn(ada);
      await passing(10_000);
      expect(alive()).toHaveLength(3);
      open();
      await movingClock(signIn);
      await passing(10_000);
      expect(endedSessions()).toEqual([true, false, false]);
    });

    test('is waited for by a sign-in, when it is under way', async () => {
      const client = await signedInClient();
      const { opened, open } = gate();
      service.next(signOutAllRoute, async ({ work, send }) => {
        await opened;
        send(work());
      });
      const signOut = client.auth.signOut({ everywhere: true });
      await service.seen(signOutAllRoute);
      const signIn = client.auth.signIn(ada);
      await networkTurn();
      expect(service.count(signInRoute)).toBe(0);
      open();
      expect(await signOut).toEqual({ remote: true });
      await signIn;
      expect(endedSessions()).toEqual([true, false]);
    });
  });

  test('is remembered beside that of another tab at the same moment', async () => {
    const shared = new Map<string, string>();
    const queue = { last: Promise.resolve() as Promise<unknown> };
    const tabs = [watchedStorage(), watchedStorage()].map((own): TokenStorage => {
      const of = (key: string) => (key === outKey ? shared : own.values);
      return {
        async get(key) {
          const value = of(key).get(key) ?? null;
          await networkTurn();
          return value;
        },
        set: (key, value) => void of(key).set(key, value),
        remove: (key) => void of(key).delete(key),
        lock<T>(name: string, run: () => Promise<T>) {
          if (name !== outKey) return run();
          const result = queue.last.then(run);
          queue.last = result;
          return result;
        },
      };
    });
    const clients = [];
    for (const [index, storage] of tabs.entries()) {
      const client = newClient({ storage });
      await client.auth.signUp({ ...ada, email: `${index}@example.com` });
      clients.push(client);
    }
    service.always.set(signOutRoute, lostRequest);
    await Promise.all(clients.map((client) => client.auth.signOut()));
    await expect.poll(() => Object.keys(JSON.parse(shared.get(outKey)!))).toHaveLength(2);
  });

  test('of every device is left to the tab that has renewed it, by one that was offline meanwhile', async () => {
    const values = new Map<string, string>();
    const first = await signedInClient({ storage: watchedStorage(values) });
    await newClient().auth.signIn(ada);
    stopClock();
    service.always.set(signOutAllRoute, lostRequest);
    await movingClock(first.auth.signOut({ everywhere: true }));
    first.dispose();
    const network = faultyNetwork();
    network.awayUntilMs = Date.now() + 45_000;
    newClient({ storage: watchedStorage(values), fetch: network.fetch });
    newClient({ storage: watchedStorage(values) });
    await passing(90_000);
    service.always.delete(signOutAllRoute);
    await passing(90_000);
    expect(service.reuses).toBe(0);
    expect(alive()).toEqual([]);
  });

  test('survives a storage that cannot be written', async () => {
    const { client, storage } = await storedClient();
    stopClock();
    service.next(signOutRoute, lostRequest);
    storage.before.set = locked;
    expect(await movingClock(client.auth.signOut())).toEqual({ remote: false });
    await passing(10_000);
    expect(alive()).toEqual([]);
  });

  test('14 sign-outs amid lost responses and gaps leave no session a minute later', async () => {
    stopClock();
    for (let index = 0; index < 14; index++) {
      const network = faultyNetwork();
      const client = newClient({ fetch: network.fetch });
      await movingClock(client.auth.signUp({ ...ada, email: `user${index}@example.com` }));
      network.lose = thirtyPercent(31 * index + 5);
      if (index % 2) network.awayUntilMs = Date.now() + 1_000 * index;
      if (index % 3) service.forgetAccessTokens();
      await movingClock(codeOf(client.auth.signOut()));
    }
    await passing(60_000);
    expect(alive()).toEqual([]);
  });

  test('control: a client that is disposed at once leaves its session', async () => {
    const client = await signedInClient();
    stopClock();
    service.next(signOutRoute, lostRequest);
    await movingClock(client.auth.signOut());
    client.dispose();
    await passing(60_000);
    expect(alive()).toHaveLength(1);
  });
});

describe('a sign-in over another session', () => {
  test('ends the previous session, so that repeated sign-ins leave one device', async () => {
    const client = await signedInClient();
    for (let time = 0; time < 3; time++) await client.auth.signIn(ada);
    await expect.poll(() => alive().length).toBe(1);
    expect((await client.me.sessions()).items).toHaveLength(1);
    expect(client.auth.state.status).toBe('signedIn');
  });

  test('also when the client has not yet read the previous session', async () => {
    const { storage } = await storedClient();
    await newClient({ storage }).auth.signUp(bob);
    await expect.poll(() => service.sessions.map(({ ended }) => ended)).toEqual([true, false]);
  });

  test('ends the previous session also when the client adopts the new one from the storage first', async () => {
    const { client, storage } = await storedClient();
    const { set } = storage;
    storage.set = async (key, value) => {
      await set(key, value);
      storage.changed();
      await networkTurn();
    };
    await client.auth.signIn(ada);
    await service.seen(signOutRoute);
    await expect.poll(() => storage.values.has(outKey)).toBe(false);
    expect(service.sessions.map(({ ended }) => ended)).toEqual([true, false]);
    expect((await client.me.get()).email).toBe(ada.email);
  });

  test('that fails leaves the previous session in use', async () => {
    const { client, storage } = await storedClient();
    expect(await codeOf(client.auth.signIn({ ...ada, password: 'wrong password' }))).toBe(
      'auth/invalid-credential',
    );
    storage.before.set = locked;
    expect(await codeOf(client.auth.signIn(ada))).toBe('client/storage-unavailable');
    storage.before.set = () => {};
    await expect.poll(() => service.sessions.map(({ ended }) => ended)).toEqual([false, true]);
    expect((await client.me.get()).email).toBe(ada.email);
  });
});
