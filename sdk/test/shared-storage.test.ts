// Several clients over one storage (tabs, processes, hot reloads): they serialize refreshes, adopt each other's changes
// and lose no session.
import { describe, expect, test, vi } from 'vitest';
import type { SdkEvent } from '../src/events.js';
import type { Core } from '../src/session/core.js';
import { withLock } from '../src/session/lock.js';
import type { TokenStorage } from '../src/session/storage.js';
import {
  ada,
  afterFirst,
  bob,
  codeOf,
  locked,
  movingClock,
  networkTurn,
  newClient,
  refreshed,
  signedInClient,
  stopClock,
  storageKey,
  storedClient,
  useScriptedService,
  watchedStorage,
} from './harness.js';
import { heldUntil, lostRequest } from './mishaps.js';
import { meRoute, refreshRoute, signOutRoute } from './scripted-service.js';

const service = useScriptedService();

/** A client with Ada signed in, and one of another process without a common lock: over another storage of the same values. */
async function twoProcesses() {
  const { client: one, storage } = await storedClient();
  const { values } = storage;
  return { one, two: newClient({ storage: watchedStorage(values) }), storage, values };
}

describe('serialization', () => {
  test('two clients over one storage object refresh one after the other, each with the newest token', async () => {
    const storage = watchedStorage();
    const one = await signedInClient({ storage });
    const two = newClient({ storage });
    await two.me.get();
    service.expireAccessTokens();
    const open = service.hold(refreshRoute);
    const calls = [one.me.get(), two.me.get()];
    await service.seen(refreshRoute, 2);
    await networkTurn();
    expect(service.count(refreshRoute)).toBe(2);
    open();
    await Promise.all(calls);
    expect(service.count(refreshRoute)).toBe(3);
    expect(service.sentRefreshTokens()).toEqual(service.sessions[0]?.tokens.slice(0, 3));
  });

  test("the storage's own lock covers every refresh and the storing of a sign-in", async () => {
    const storage: TokenStorage & { log: string[] } = watchedStorage();
    storage.lock = async (name, run) => {
      storage.log.push(`lock ${name}`);
      try {
        return await run();
      } finally {
        storage.log.push('unlock');
      }
    };
    const client = await signedInClient({ storage });
    await refreshed(client);
    const inside = [`lock ${storageKey}`, `get ${storageKey}`, `set ${storageKey}`, 'unlock'];
    const refresh = [
      `lock ${storageKey}`,
      `get ${storageKey}`,
      `set ${storageKey}`,
      `get ${storageKey}`,
      `set ${storageKey}`,
      'unlock',
    ];
    const log = storage.log.filter((entry) => !entry.endsWith('.out'));
    expect(log).toEqual([`get ${storageKey}`, ...inside, ...refresh]);
  });

  test('a lock that is granted is not reported as missed, and leaves no timer that would keep a process alive', async () => {
    stopClock();
    const events: SdkEvent[] = [];
    const emit = (event: SdkEvent) => events.push(event);
    const work = async () => vi.getTimerCount();
    const core = { tokenStorage: watchedStorage(), storageKey, emit } as unknown as Core;
    expect(await withLock(core, work)).toBe(0);
    await networkTurn();
    expect(events).toEqual([]);
  });

  test('a lock that is never granted delays a call by 15 seconds at most, and is not stolen', async () => {
    const events: SdkEvent[] = [];
    const storage: TokenStorage = watchedStorage();
    const client = await signedInClient({ storage, onEvent: (event) => events.push(event) });
    let granted: (() => Promise<unknown>) | undefined;
    let waited: AbortSignal | undefined;
    storage.lock = (_, run, { signal }) => {
      granted = run;
      waited = signal;
      return new Promise(() => {});
    };
    service.expireAccessTokens();
    stopClock();
    const begin = Date.now();
    await movingClock(client.me.get());
    expect(Date.now() - begin).toBeGreaterThanOrEqual(15_000);
    expect(Date.now() - begin).toBeLessThan(16_500);
    expect(waited?.aborted).toBe(true);
    expect(events).toContainEqual({ type: 'lock-missed' });
    await granted?.();
    expect(service.count(refreshRoute)).toBe(1);
  });

  test('a failing lock is skipped', async () => {
    const storage: TokenStorage = watchedStorage();
    const client = await signedInClient({ storage });
    service.expireAccessTokens();
    for (const lock of [
      () => Promise.reject(new Error('no lock here')),
      () => {
        throw new Error('no lock here');
      },
      () => Promise.resolve() as Promise<never>,
    ]) {
      storage.lock = lock;
      service.expireAccessTokens();
      await client.me.get();
    }
    expect(service.count(refreshRoute)).toBe(3);
  });

  test('a client that hangs in the lock does not block the others indefinitely, and they take it no longer once it is free', async () => {
    const storage: TokenStorage = watchedStorage();
    const one = await signedInClient({ storage });
    const two = newClient({ storage });
    await two.me.get();
    let locks = 0;
    storage.lock = (_, run) => {
      locks += 1;
      return run();
    };
    service.expireAccessTokens();
    service.next(refreshRoute, heldUntil(new Promise(() => {})), heldUntil(new Promise(() => {})));
    stopClock();
    const hanging = one.me.get();
    await service.seen(refreshRoute, 2);
    const begin = Date.now();
    await movingClock(two.me.get());
    expect(Date.now() - begin).toBeLessThan(16_500);
    await movingClock(hanging);
    await networkTurn();
    expect([service.reuses, locks]).toEqual([0, 1]);
  });
});

describe('adopting changes', () => {
  test('a client whose token another one spends concurrently continues with the stored session', async () => {
    const { one, two, values } = await twoProcesses();
    await two.auth.ready();
    service.expireAccessTokens();
    const { call: slow, open } = await service.holding(refreshRoute, () => one.me.get());
    await two.me.get();
    await refreshed(two);
    open();
    expect((await slow).email).toBe(ada.email);
    expect(values.get(storageKey)).toContain(service.sessions[0]?.tokens.at(-1));
    await refreshed(one);
    expect(service.reuses).toBe(0);
  });

  test('an idle client refreshes with the token that another one stored', async () => {
    stopClock();
    const { one, two } = await movingClock(twoProcesses());
    for (let hour = 0; hour < 3; hour++) {
      await movingClock(refreshed(two), 60_000, 3_600_000);
      await movingClock(new Promise((resolve) => setTimeout(resolve, 3_600_000)), 600_000, 7_200_000);
    }
    await movingClock(one.me.get());
    expect(service.reuses).toBe(0);
  });

  test('a revoked token is replaced by the one stored meanwhile', async () => {
    const { client, storage } = await storedClient();
    const other = newClient();
    await other.auth.signIn(ada);
    service.sessions[0]!.ended = true;
    const { call, open } = await service.holding(refreshRoute, () => client.me.get());
    const newer = { r: service.sessions[1]!.tokens[0], u: service.sessions[1]!.uid };
    storage.values.set(storageKey, JSON.stringify(newer));
    open();
    expect((await call).email).toBe(ada.email);
    expect(client.auth.state.status).toBe('signedIn');
    expect(storage.values.get(storageKey)).toContain(service.sessions[1]?.tokens[1]);
  });

  test('a call is refused with the second token that the service rejects, though a third one is stored by then', async () => {
    const { client, storage } = await storedClient();
    const { uid: u } = service.sessions[0]!;
    let reads = 0;
    // Another process stores a newer token before each read, the first five times.
    storage.before.get = () => {
      if (++reads <= 5) storage.values.set(storageKey, JSON.stringify({ r: `rt_${reads}`, u, i: reads }));
    };
    service.sessions[0]!.ended = true;
    expect(await codeOf(refreshed(client))).toBe('auth/invalid-token');
    expect(service.count(refreshRoute)).toBe(2);
    expect(client.auth.state.status).toBe('signedIn');
  });

  test('a storage that cannot be read when the token is rejected is not cleared', async () => {
    const { client, storage } = await storedClient();
    service.sessions[0]!.ended = true;
    let reads = 0;
    storage.before.get = () => {
      if (++reads === 2) throw new Error('locked');
    };
    expect(await codeOf(client.me.get())).toBe('client/storage-unavailable');
    expect(client.auth.state.status).toBe('signedIn');
    expect(storage.values.size).toBe(1);
  });

  test('a client whose storage another one cleared is signed out, and writes nothing back', async () => {
    const { client, storage } = await storedClient();
    service.expireAccessTokens();
    const { call, open } = await service.holding(refreshRoute, () => codeOf(client.me.get()));
    storage.values.clear();
    open();
    expect(await call).toBe('client/signed-out');
    expect(client.auth.state).toEqual({ status: 'signedOut', reason: 'other-context' });
    expect(storage.values.size).toBe(0);
  });

  test('a client that adopts a later session of its user signs out of that session', async () => {
    const { one: client, two: other, storage, values } = await twoProcesses();
    // The end of the first session is lost: its access token is still valid.
    service.next(signOutRoute, lostRequest);
    await other.auth.signIn(ada);
    await service.seen(signOutRoute);
    other.dispose();
    storage.changed();
    await networkTurn();
    expect(await client.auth.signOut()).toEqual({ remote: true });
    expect(service.sessions[1]?.ended).toBe(true);
    expect(values.has(storageKey)).toBe(false);
  });

  test('a client that could not store its token does not replace the session of another user', async () => {
    const { client, storage } = await storedClient();
    storage.before.set = afterFirst(locked);
    expect(await codeOf(refreshed(client))).toBe('client/storage-unavailable');
    storage.before.set = () => {};
    const other = newClient({ storage: watchedStorage(storage.values) });
    const { user } = await other.auth.signUp(bob);
    expect(await codeOf(client.me.get())).toBe('client/signed-out');
    expect(client.auth.state).toMatchObject({ status: 'signedIn', uid: user.uid });
    expect(JSON.parse(storage.values.get(storageKey)!).u).toBe(user.uid);
  });

  test('a client whose refresh completes after its user signed in elsewhere signs out of the new session', async () => {
    const { one, two } = await twoProcesses();
    // The end of the first session is lost: its access token is still valid.
    service.next(signOutRoute, lostRequest);
    const { call: refresh, open } = await service.holding(refreshRoute, () => refreshed(one));
    await two.auth.signIn(ada);
    await service.seen(signOutRoute);
    two.dispose();
    open();
    await refresh;
    expect(await one.auth.signOut()).toEqual({ remote: true });
    expect(service.sessions[1]?.ended).toBe(true);
  });

  test('a client whose storage contains another user rejects its calls and adopts that user', async () => {
    const { one: client, two: other } = await twoProcesses();
    await other.auth.signUp(bob);
    service.expireAccessTokens();
    expect(await codeOf(client.me.update({ first_name: 'Ada' }))).toBe('client/signed-out');
    expect((await client.me.get()).email).toBe('bob@example.com');
    expect(service.count('PATCH /api/v2/me')).toBe(1);
    expect(service.count(meRoute)).toBe(1);
  });
});

test('a refresh of another tab that completes after the sign-out here does not restore the session', async () => {
  const { client: one, storage } = await storedClient();
  const { values } = storage;
  // The other tab has not yet received the removal.
  const copy = new Map(values);
  const two = newClient({ storage: watchedStorage(copy) });
  await two.auth.ready();
  const { call: refresh, open } = await service.holding(refreshRoute, () => refreshed(two));
  await one.auth.signOut();
  open();
  await refresh;
  values.set(storageKey, copy.get(storageKey)!);
  storage.changed();
  await expect.poll(() => values.has(storageKey)).toBe(false);
  expect(one.auth.state).toEqual({ status: 'signedOut', reason: 'user' });
});

describe('a session that was signed out here and is stored again', () => {
  test('is removed also when the sign-out came before the session was read', async () => {
    const { storage } = await storedClient();
    const stored = storage.values.get(storageKey)!;
    const client = newClient({ storage });
    await client.auth.signOut();
    storage.values.set(storageKey, stored);
    storage.changed();
    await expect.poll(() => storage.values.has(storageKey)).toBe(false);
    expect(client.auth.state).toEqual({ status: 'signedOut', reason: 'user' });
  });

  test('is not mistaken for another one: without an id, as an earlier version stored it, it is adopted', async () => {
    const { storage } = await storedClient();
    const { i, ...stored } = JSON.parse(storage.values.get(storageKey)!);
    storage.values.set(storageKey, JSON.stringify(stored));
    const client = newClient({ storage });
    await client.auth.ready();
    await client.auth.signOut();
    const other = await newClient().auth.signIn(ada);
    const { tokens, uid } = service.sessions.at(-1)!;
    storage.values.set(storageKey, JSON.stringify({ r: tokens[0], u: uid, n: 0 }));
    storage.changed();
    await expect.poll(() => client.auth.state).toMatchObject({ status: 'signedIn', uid: other.user.uid });
  });
});

/** A storage of tabs in one process. */
function storageWithChannel() {
  const members = new Set<(message: unknown) => void>();
  return Object.assign(watchedStorage(), {
    // A tab without a lock does not ask the others.
    lock: <T>(_: string, work: () => Promise<T>) => work(),
    channel(_: string, onMessage: (message: unknown) => void) {
      members.add(onMessage);
      return {
        postMessage(message: unknown) {
          for (const other of members) if (other !== onMessage) queueMicrotask(() => other(message));
        },
        close: () => void members.delete(onMessage),
      };
    },
  });
}

describe('the channel of the tabs', () => {
  test('does not answer a forced refresh that joins the first renewal of the page', async () => {
    const storage = storageWithChannel();
    const one = await signedInClient({ storage });
    const known = await one.auth.getAccessToken();
    stopClock();
    const two = newClient({ storage });
    const [joined, forced] = await movingClock(Promise.all([two.auth.getAccessToken(), refreshed(two)]));
    expect(joined).toBe(known);
    expect(forced).not.toBe(known);
    expect(service.count(refreshRoute)).toBe(1);
  });

  test('brings the profile as the user has changed it', async () => {
    const storage = storageWithChannel();
    const one = await signedInClient({ storage });
    const user = await one.me.update({ first_name: 'Grace' });
    const two = newClient({ storage });
    await two.auth.getAccessToken();
    expect(service.count(refreshRoute)).toBe(0);
    expect(two.auth.state).toMatchObject({ status: 'signedIn', user });
  });

  test('brings a token with its place in the order, so that an old one is not passed on as the newest', async () => {
    const values = new Map<string, string>();
    const posted: unknown[] = [];
    let receive = (_: unknown) => {};
    const storage = Object.assign(watchedStorage(values), {
      channel(_: string, onMessage: (message: unknown) => void) {
        receive = onMessage;
        return { postMessage: (message: unknown) => void posted.push(message), close() {} };
      },
    });
    const client = await signedInClient({ storage });
    const other = newClient({ storage: watchedStorage(values) });
    const old = await refreshed(other);
    await refreshed(other);
    storage.changed();
    await networkTurn();
    const { i: id, u: uid } = JSON.parse(values.get(storageKey)!);
    const refresh_token = service.sessions[0]!.tokens[1];
    receive({ id, serial: 1, user: { uid }, access_token: old, expires_in: 3_600, refresh_token });
    expect(await client.auth.getAccessToken()).toBe(old);
    receive({ id });
    expect(posted).toEqual([]);
  });

  test('brings no token that replaces one of the same or a later refresh', async () => {
    let receive = (_: unknown) => {};
    const storage = Object.assign(watchedStorage(), {
      channel(_: string, onMessage: (message: unknown) => void) {
        receive = onMessage;
        return { postMessage() {}, close() {} };
      },
    });
    const client = await signedInClient({ storage });
    const old = await client.auth.getAccessToken();
    const own = await refreshed(client);
    const { i: id, u: uid, n, r } = JSON.parse(storage.values.get(storageKey)!);
    for (const serial of [n, n - 1, undefined]) {
      receive({ id, serial, user: { uid }, access_token: old, expires_in: 3_600, refresh_token: 'rt_old' });
      expect(await client.auth.getAccessToken()).toBe(own);
    }
    await refreshed(client);
    expect(service.sentRefreshTokens().at(-1)).toBe(r);
  });
});
