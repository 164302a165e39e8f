// What is stored and when; a storage that crashes, locks, hangs or fails never ends the session.
import { describe, expect, test, vi } from 'vitest';
import type { SdkEvent } from '../src/events.js';
import { collection } from '../src/features/collection.js';
import {
  ada,
  afterFirst,
  codeOf,
  locked,
  movingClock,
  networkTurn,
  newClient,
  refreshed,
  signedInClient,
  statesOf,
  stopClock,
  storageKey,
  storedClient,
  useScriptedService,
  watchedStorage,
} from './harness.js';
import { gate } from './mishaps.js';
import { meRoute, refreshRoute, signOutRoute } from './scripted-service.js';

const service = useScriptedService();
const never = () => new Promise<void>(() => {});

describe('what is stored', () => {
  test('one short value without an access token, under one key that every secure store accepts', async () => {
    const storage = watchedStorage();
    const client = await signedInClient({ storage, appKey: 'app_test' });
    await refreshed(client);
    expect([...storage.values.keys()]).toEqual([storageKey]);
    const stored = storage.values.get(storageKey)!;
    expect(Object.keys(JSON.parse(stored))).toEqual(['r', 'u', 'i', 'n']);
    expect(stored).not.toContain(await client.auth.getAccessToken());
    // Every value is as long, so that one that replaces another fits into a full storage.
    expect(stored).toHaveLength(256);
    const longest = stored.replace(/rt_\w+/, `rt_${'x'.repeat(94)}`);
    expect(longest.length).toBeLessThan(512);
  });

  test('characters of the app key that a secure store refuses are replaced in the key', async () => {
    const storage = watchedStorage();
    await newClient({ storage, appKey: 'pk:live/1' }).auth.ready();
    expect(storage.log).toEqual(['get foyer.pk_live_1', 'get foyer.pk_live_1.out']);
  });

  test('an unreadable value counts as signed out and is preserved', async () => {
    for (const text of ['{', '[]', 'null', '{"r":1,"u":"x"}', '{"r":"rt_x"}']) {
      const storage = watchedStorage(new Map([[storageKey, text]]));
      expect(await newClient({ storage }).auth.ready()).toEqual({ status: 'signedOut' });
      expect(storage.values.get(storageKey)).toBe(text);
    }
  });
});

describe('a crash', () => {
  test.each([
    ['before', false],
    ['after', true],
  ])('a crash %s the write completed leaves the old token or the new one', async (_, landed) => {
    const { client, storage } = await storedClient();
    service.expireAccessTokens();
    storage.log.length = 0;
    const set = storage.set;
    let writes = 0;
    storage.set = async (key, value) => {
      if (landed || writes === 0) await set(key, value);
      if (writes++ > 0) return never();
    };
    void codeOf(client.me.get());
    await service.seen(refreshRoute);
    await networkTurn();
    expect(storage.log.filter((entry) => entry.startsWith('remove'))).toEqual([]);
    const restarted = newClient({ storage: watchedStorage(storage.values) });
    expect((await restarted.me.get()).email).toBe(ada.email);
    expect(service.reuses).toBe(0);
  });

  test('no caller continues with the new token before it is stored', async () => {
    const { client, storage } = await storedClient();
    service.forgetAccessTokens();
    const writing = gate();
    const stored = gate();
    storage.before.set = afterFirst(() => {
      writing.open();
      return stored.opened;
    });
    const calls = [client.me.get(), refreshed(client)];
    await writing.opened;
    await networkTurn();
    const late = client.me.get();
    await networkTurn();
    expect(service.count(meRoute)).toBe(1);
    stored.open();
    await Promise.all([...calls, late]);
    expect(service.count(meRoute)).toBe(3);
    expect(service.count(refreshRoute)).toBe(1);
  });

  test('a token that could not be stored is stored by the next call, without another refresh', async () => {
    const { client, storage } = await storedClient();
    service.expireAccessTokens();
    storage.before.set = afterFirst(locked);
    expect(await codeOf(client.me.get())).toBe('client/storage-unavailable');
    expect(await codeOf(client.me.get())).toBe('client/storage-unavailable');
    expect(client.auth.state).toMatchObject({ status: 'signedIn', online: true });
    storage.before.set = () => {};
    await client.me.get();
    expect(service.count(refreshRoute)).toBe(1);
    expect(storage.values.get(storageKey)).toContain(service.sessions[0]?.tokens[1]);
  });

  describe('a token that could not be stored, once it is', () => {
    async function unstoredToken() {
      const { client, storage } = await storedClient();
      service.expireAccessTokens();
      storage.before.set = afterFirst(locked);
      expect(await codeOf(client.me.get())).toBe('client/storage-unavailable');
      storage.before.set = () => {};
      return client;
    }

    test('is replaced if it has expired meanwhile', async () => {
      const client = await unstoredToken();
      stopClock();
      vi.setSystemTime(Date.now() + 7_200_000);
      await movingClock(client.auth.getAccessToken());
      expect(service.count(refreshRoute)).toBe(2);
    });

    test('is replaced for a caller that requires a newer one', async () => {
      const client = await unstoredToken();
      await Promise.all([refreshed(client), client.me.get()]);
      expect(service.count(refreshRoute)).toBe(2);
    });
  });

  test('a sign-in whose session cannot be stored fails, and leaves no session behind', async () => {
    const storage = watchedStorage();
    const client = newClient({ storage });
    storage.before.set = locked;
    expect(await codeOf(client.auth.signUp(ada))).toBe('client/storage-unavailable');
    expect(client.auth.state).toEqual({ status: 'signedOut' });
    await service.seen(signOutRoute);
    await expect.poll(() => service.sessions[0]?.ended).toBe(true);
  });
});

describe('an unavailable storage', () => {
  test('a locked keychain is neither signed out nor cleared, and the session is restored once it opens', async () => {
    const { storage } = await storedClient();
    let refusals = 2;
    storage.before.get = () => {
      if (refusals-- > 0) throw new Error('User interaction is not allowed');
    };
    const events: SdkEvent[] = [];
    const client = newClient({ storage, onEvent: (event) => events.push(event) });
    const states = statesOf(client);
    expect(await codeOf(client.auth.ready())).toBe('client/storage-unavailable');
    expect(client.auth.state).toEqual({ status: 'loading' });
    expect(await codeOf(client.me.get())).toBe('client/storage-unavailable');
    expect((await client.me.get()).email).toBe(ada.email);
    expect(states.map(({ status }) => status)).not.toContain('signedOut');
    expect(storage.log).not.toContain(`remove ${storageKey}`);
    expect(events).toContainEqual({ type: 'storage-error', operation: 'read', name: 'Error' });
  });

  test('a keychain that locks before a refresh prevents it before the token is spent', async () => {
    const { client, storage } = await storedClient();
    service.expireAccessTokens();
    storage.before.get = locked;
    expect(await codeOf(client.me.get())).toBe('client/storage-unavailable');
    expect(service.count(refreshRoute)).toBe(0);
    expect(client.auth.state).toMatchObject({ status: 'signedIn', online: true });
  });

  test('a storage that can be read but not written prevents a refresh before the token is spent', async () => {
    const { client, storage } = await storedClient();
    service.expireAccessTokens();
    storage.before.set = locked;
    expect(await codeOf(client.me.get())).toBe('client/storage-unavailable');
    expect(service.count(refreshRoute)).toBe(0);
    // The next start finds a token that works.
    const restarted = newClient({ storage: watchedStorage(storage.values) });
    expect((await restarted.me.get()).email).toBe(ada.email);
    expect(service.reuses).toBe(0);
  });

  test('a read that never settles fails calls within 3 seconds, and a later call recovers', async () => {
    const { storage } = await storedClient();
    stopClock();
    storage.before.get = never;
    const client = newClient({ storage });
    const begin = Date.now();
    expect(await movingClock(codeOf(client.me.get()))).toBe('client/storage-unavailable');
    expect(await movingClock(codeOf(client.auth.ready()))).toBe('client/storage-unavailable');
    expect(Date.now() - begin).toBeLessThanOrEqual(6_500);
    expect(client.auth.state).toEqual({ status: 'loading' });
    storage.before.get = () => {};
    expect((await movingClock(client.me.get())).email).toBe(ada.email);
  });

  test('a value read after the timeout is still used', async () => {
    const { storage } = await storedClient();
    stopClock();
    const { opened, open } = gate();
    storage.before.get = () => opened;
    const client = newClient({ storage });
    await movingClock(codeOf(client.auth.ready()));
    open();
    await networkTurn();
    expect(client.auth.state.status).toBe('signedIn');
  });

  test('an aborted call during a storage failure rejects with client/aborted only', async () => {
    const storage = watchedStorage();
    storage.before.get = locked;
    const client = newClient({ storage });
    const signal = AbortSignal.abort();
    expect(await codeOf(client.auth.getAccessToken({ signal }))).toBe('client/aborted');
    await networkTurn();
  });

  test('an abort ends a call that may be sent without a session while the storage is read', async () => {
    const storage = watchedStorage();
    storage.before.get = never;
    const client = newClient({ storage });
    const controller = new AbortController();
    const call = codeOf(collection(client, 'news').get('1', { signal: controller.signal }));
    await networkTurn();
    controller.abort();
    expect(await call).toBe('client/aborted');
    expect(service.requests).toEqual([]);
  });

  test.each([
    ['before it was spent', (hook: () => Promise<void>) => hook],
    ['that could not be stored in time', afterFirst],
  ])(
    'an old token, written %s, does not replace a newer one when its write completes late',
    async (_, at) => {
      const { client, storage } = await storedClient();
      stopClock();
      const { opened, open } = gate();
      storage.before.set = at(() => opened);
      expect(await movingClock(codeOf(refreshed(client)))).toBe('client/storage-unavailable');
      storage.before.set = () => {};
      await movingClock(client.me.get());
      await movingClock(refreshed(client));
      open();
      await networkTurn();
      expect(storage.values.get(storageKey)).toContain(service.sessions[0]?.tokens.at(-1));
    },
  );
});
