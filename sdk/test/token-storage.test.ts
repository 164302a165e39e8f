// What is stored and when; a storage that crashes, locks, hangs or fails never ends the session.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SdkEvent } from '../src/events.js';
import { memoryStorage, webStorage } from '../src/storage.js';
import {
  ada,
  codeOf,
  movingClock,
  networkTurn,
  newClient,
  signedInClient,
  statesOf,
  stopClock,
  storageKey,
  useScriptedService,
  watchedStorage,
} from './harness.js';
import { meRoute, refreshRoute, signOutRoute } from './scripted-service.js';

const service = useScriptedService();
const never = () => new Promise<void>(() => {});

/** A `localStorage`, as one tab sees it. */
function area() {
  const values = new Map<string, string>();
  return {
    values,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
}

/** The lock manager of all tabs; a lock whose name is taken waits. */
function locksOfTabs() {
  const held = new Map<string, Promise<unknown>>();
  return {
    query: async () => ({ held: [...held.keys()].map((name) => ({ name })) }),
    async request(name: string, ...rest: unknown[]) {
      await held.get(name);
      const run = (rest.at(-1) as () => Promise<unknown>)();
      held.set(name, run);
      return run.finally(() => held.delete(name));
    },
  };
}

describe('what is stored', () => {
  test('one short value without an access token, under one key that every secure store accepts', async () => {
    const storage = watchedStorage();
    const client = await signedInClient(service.current, { storage, appKey: 'app_test' });
    await client.auth.getAccessToken({ forceRefresh: true });
    expect([...storage.values.keys()]).toEqual([storageKey]);
    const stored = storage.values.get(storageKey)!;
    expect(Object.keys(JSON.parse(stored))).toEqual(['r', 'u', 'i', 'n']);
    expect(stored).not.toContain(await client.auth.getAccessToken());
    const longest = stored.replace(/rt_\w+/, `rt_${'x'.repeat(94)}`);
    expect(longest.length).toBeLessThan(512);
  });

  test('characters of the app key that a secure store refuses are replaced in the key', async () => {
    const storage = watchedStorage();
    await newClient(service.current, { storage, appKey: 'pk:live/1' }).auth.ready();
    expect(storage.log).toEqual(['get foyer.pk_live_1', 'get foyer.pk_live_1.out']);
  });

  test('an unreadable value counts as signed out and is preserved', async () => {
    for (const text of ['{', '[]', 'null', '{"r":1,"u":"x"}']) {
      const storage = watchedStorage(new Map([[storageKey, text]]));
      expect(await newClient(service.current, { storage }).auth.ready()).toEqual({ status: 'signedOut' });
      expect(storage.values.get(storageKey)).toBe(text);
    }
  });
});

describe('a crash', () => {
  test.each([
    ['before', false],
    ['after', true],
  ])('a crash %s the write completed leaves the old token or the new one', async (_, landed) => {
    const storage = watchedStorage();
    const client = await signedInClient(service.current, { storage });
    service.current.expireAccessTokens();
    storage.log.length = 0;
    const set = storage.set;
    storage.set = async (key, value) => {
      if (landed) await set(key, value);
      return never();
    };
    void codeOf(client.me.get());
    await service.current.seen(refreshRoute);
    await networkTurn();
    expect(storage.log.filter((entry) => entry.startsWith('remove'))).toEqual([]);
    const restarted = newClient(service.current, { storage: watchedStorage(storage.values) });
    expect((await restarted.me.get()).email).toBe(ada.email);
    expect(service.current.reuses).toBe(0);
  });

  test('no caller continues with the new token before it is stored', async () => {
    const storage = watchedStorage();
    const client = await signedInClient(service.current, { storage });
    service.current.forgetAccessTokens();
    let stored = () => {};
    const writing = new Promise<void>((begun) => {
      storage.before.set = () => {
        begun();
        return new Promise((resolve) => (stored = resolve));
      };
    });
    const calls = [client.me.get(), client.auth.getAccessToken({ forceRefresh: true })];
    await writing;
    await networkTurn();
    const late = client.me.get();
    await networkTurn();
    expect(service.current.count(meRoute)).toBe(1);
    stored();
    await Promise.all([...calls, late]);
    expect(service.current.count(meRoute)).toBe(3);
    expect(service.current.count(refreshRoute)).toBe(1);
  });

  test('a token that could not be stored is stored by the next call, without another refresh', async () => {
    const storage = watchedStorage();
    const client = await signedInClient(service.current, { storage });
    service.current.expireAccessTokens();
    storage.before.set = () => {
      throw new Error('locked');
    };
    expect(await codeOf(client.me.get())).toBe('client/storage-unavailable');
    expect(await codeOf(client.me.get())).toBe('client/storage-unavailable');
    expect(client.auth.state).toMatchObject({ status: 'signedIn', online: true });
    storage.before.set = () => {};
    await client.me.get();
    expect(service.current.count(refreshRoute)).toBe(1);
    expect(storage.values.get(storageKey)).toContain(service.current.sessions[0]?.tokens[1]);
  });

  test('a sign-in whose session cannot be stored fails, and leaves no session behind', async () => {
    const storage = watchedStorage();
    const client = newClient(service.current, { storage });
    storage.before.set = () => {
      throw new Error('locked');
    };
    expect(await codeOf(client.auth.signUp(ada))).toBe('client/storage-unavailable');
    expect(client.auth.state).toEqual({ status: 'signedOut' });
    await service.current.seen(signOutRoute);
    await expect.poll(() => service.current.sessions[0]?.ended).toBe(true);
  });
});

describe('an unavailable storage', () => {
  test('a locked keychain is neither signed out nor cleared, and the session is restored once it opens', async () => {
    const storage = watchedStorage();
    await signedInClient(service.current, { storage });
    let refusals = 2;
    storage.before.get = () => {
      if (refusals-- > 0) throw new Error('User interaction is not allowed');
    };
    const events: SdkEvent[] = [];
    const client = newClient(service.current, { storage, onEvent: (event) => events.push(event) });
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
    const storage = watchedStorage();
    const client = await signedInClient(service.current, { storage });
    service.current.expireAccessTokens();
    storage.before.get = () => {
      throw new Error('locked');
    };
    expect(await codeOf(client.me.get())).toBe('client/storage-unavailable');
    expect(service.current.count(refreshRoute)).toBe(0);
    expect(client.auth.state).toMatchObject({ status: 'signedIn', online: true });
  });

  test('a read that never settles fails calls within 3 seconds, and a later call recovers', async () => {
    const storage = watchedStorage();
    await signedInClient(service.current, { storage });
    stopClock();
    storage.before.get = never;
    const client = newClient(service.current, { storage });
    const begin = Date.now();
    expect(await movingClock(codeOf(client.me.get()))).toBe('client/storage-unavailable');
    expect(await movingClock(codeOf(client.auth.ready()))).toBe('client/storage-unavailable');
    expect(Date.now() - begin).toBeLessThanOrEqual(6_500);
    expect(client.auth.state).toEqual({ status: 'loading' });
    storage.before.get = () => {};
    expect((await movingClock(client.me.get())).email).toBe(ada.email);
  });

  test('a value read after the timeout is still used', async () => {
    const storage = watchedStorage();
    await signedInClient(service.current, { storage });
    stopClock();
    let open = () => {};
    storage.before.get = () => new Promise((resolve) => (open = resolve));
    const client = newClient(service.current, { storage });
    await movingClock(codeOf(client.auth.ready()));
    open();
    await networkTurn();
    expect(client.auth.state.status).toBe('signedIn');
  });

  test('an aborted call during a storage failure rejects with client/aborted only', async () => {
    const storage = watchedStorage();
    storage.before.get = () => {
      throw new Error('locked');
    };
    const client = newClient(service.current, { storage });
    const signal = AbortSignal.abort();
    expect(await codeOf(client.auth.getAccessToken({ signal }))).toBe('client/aborted');
    await networkTurn();
  });

  test('an old token whose write completes after a newer one was stored does not remain', async () => {
    const storage = watchedStorage();
    const client = await signedInClient(service.current, { storage });
    stopClock();
    let land = () => {};
    storage.before.set = () => new Promise((resolve) => (land = resolve));
    const refresh = () => client.auth.getAccessToken({ forceRefresh: true });
    expect(await movingClock(codeOf(refresh()))).toBe('client/storage-unavailable');
    storage.before.set = () => {};
    await movingClock(client.me.get());
    await movingClock(refresh());
    land();
    await networkTurn();
    expect(storage.values.get(storageKey)).toContain(service.current.sessions[0]?.tokens[2]);
  });

  test('a write that never settles fails the call in bounded time, and a later call recovers', async () => {
    const storage = watchedStorage();
    const client = await signedInClient(service.current, { storage });
    service.current.expireAccessTokens();
    stopClock();
    storage.before.set = never;
    expect(await movingClock(codeOf(client.me.get()))).toBe('client/storage-unavailable');
    storage.before.set = () => {};
    await movingClock(client.me.get());
    expect(service.current.count(refreshRoute)).toBe(1);
  });
});

describe('the browser', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    Reflect.deleteProperty(globalThis, 'localStorage');
  });

  function browserWith(localStorage: () => unknown): void {
    vi.stubGlobal('document', {});
    Object.defineProperty(globalThis, 'localStorage', { get: localStorage, configurable: true });
  }

  test('localStorage is used when there is a document, and contains only the session', async () => {
    const local = area();
    browserWith(() => local);
    const client = await signedInClient(service.current);
    expect(client.auth.persistent).toBe(true);
    expect([...local.values.keys()]).toEqual([storageKey]);
    expect((await newClient(service.current).me.get()).email).toBe(ada.email);
  });

  test('when localStorage throws, sign-in works and `persistent` is false', async () => {
    browserWith(() => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    });
    const client = await signedInClient(service.current);
    expect((await client.me.get()).email).toBe(ada.email);
    expect(client.auth.persistent).toBe(false);
  });

  test('when localStorage is full, the session lives in memory and no spent token remains', async () => {
    const local = area();
    browserWith(() => local);
    const client = await signedInClient(service.current);
    const setItem = local.setItem;
    local.setItem = () => {
      throw new DOMException('Full.', 'QuotaExceededError');
    };
    await client.auth.getAccessToken({ forceRefresh: true });
    expect(client.auth.persistent).toBe(false);
    expect(local.values.size).toBe(0);
    await client.auth.getAccessToken({ forceRefresh: true });
    local.setItem = setItem;
    await client.auth.getAccessToken({ forceRefresh: true });
    expect(client.auth.persistent).toBe(true);
    expect(local.values.get(storageKey)).toContain(service.current.sessions[0]?.tokens.at(-1));
  });

  test('the lock of webStorage is the Web Lock of the given name', async () => {
    const locks = locksOfTabs();
    const request = vi.spyOn(locks, 'request');
    vi.stubGlobal('navigator', { locks });
    const local = area();
    const client = await signedInClient(service.current, { storage: webStorage(local) });
    await client.auth.getAccessToken({ forceRefresh: true });
    const names = request.mock.calls.map(([name]) => name);
    expect(names.filter((name) => !name.includes(' '))).toEqual([storageKey, storageKey]);
    expect(webStorage(local)).toBe(webStorage(local));
  });

  test('outside browsers the session lives in memory, separately for each client', async () => {
    const client = await signedInClient(service.current);
    expect(client.auth.persistent).toBe(false);
    expect(await newClient(service.current).auth.ready()).toEqual({ status: 'signedOut' });
    expect(memoryStorage()).not.toBe(memoryStorage());
  });
});

describe('the lock of localStorage, whose values other tabs see late', () => {
  const { signal } = new AbortController();

  function newTab() {
    const local = area();
    vi.stubGlobal('localStorage', local);
    return { values: local.values, storage: webStorage(local) };
  }

  beforeEach(() => {
    vi.stubGlobal('navigator', { locks: locksOfTabs() });
    stopClock();
  });
  afterEach(() => vi.unstubAllGlobals());

  /** One tab stores a value; another, which does not see it, reads the value under the lock. */
  async function readAfterWrite() {
    const [writer, reader] = [newTab(), newTab()];
    await writer.storage.lock!(storageKey, async () => writer.storage.set(storageKey, 'new'), { signal });
    const read = vi.fn(async () => reader.storage.get(storageKey));
    const result = reader.storage.lock!(storageKey, read, { signal });
    await vi.advanceTimersByTimeAsync(1_500);
    expect(read).not.toHaveBeenCalled();
    return { reader, result };
  }

  test('is not used before they are visible', async () => {
    const { reader, result } = await readAfterWrite();
    reader.values.set(storageKey, 'new');
    await vi.advanceTimersByTimeAsync(10);
    expect(await result).toBe('new');
  });

  test('is used two seconds later at most', async () => {
    const { result } = await readAfterWrite();
    await vi.advanceTimersByTimeAsync(600);
    expect(await result).toBeNull();
  });

  test('is used two seconds later at most also while the timers of a hidden page are late', async () => {
    const { result } = await readAfterWrite();
    // The pending timer fires half a minute late.
    vi.setSystemTime(Date.now() + 30_000);
    await vi.advanceTimersByTimeAsync(10);
    expect(await result).toBeNull();
  });

  test('is used at once when the value has been removed since, as by a sign-out, without the lock', async () => {
    const writer = newTab();
    await writer.storage.lock!(storageKey, async () => writer.storage.set(storageKey, 'new'), { signal });
    writer.storage.remove(storageKey);
    const reader = newTab();
    const read = vi.fn(async () => reader.storage.get(storageKey));
    const result = reader.storage.lock!(storageKey, read, { signal });
    await vi.advanceTimersByTimeAsync(0);
    expect(read).toHaveBeenCalled();
    expect(await result).toBeNull();
  });

  test('is not used before a value is visible that was stored without the lock', async () => {
    newTab().storage.set(storageKey, 'new');
    const reader = newTab();
    const result = reader.storage.lock!(storageKey, async () => reader.storage.get(storageKey), { signal });
    await vi.advanceTimersByTimeAsync(1_500);
    reader.values.set(storageKey, 'new');
    await vi.advanceTimersByTimeAsync(10);
    expect(await result).toBe('new');
  });

  test('is used at once over another storage, whose values are those of one tab', async () => {
    newTab().storage.set(storageKey, 'new');
    const local = area();
    const read = vi.fn(async () => local.getItem(storageKey));
    const result = webStorage(local).lock!(storageKey, read, { signal });
    await vi.advanceTimersByTimeAsync(0);
    expect(read).toHaveBeenCalled();
    expect(await result).toBeNull();
  });

  test('keeps no Node process alive', async () => {
    // No spy: restoring all mocks later, in another file, would bring the stopped clock's function back.
    const { setTimeout } = globalThis;
    const timers: NodeJS.Timeout[] = [];
    globalThis.setTimeout = ((run: () => void, ms: number) => {
      timers.push(setTimeout(run, ms));
      return timers.at(-1);
    }) as typeof setTimeout;
    newTab().storage.set(storageKey, 'new');
    await vi.advanceTimersByTimeAsync(0);
    globalThis.setTimeout = setTimeout;
    expect(timers.map((timer) => timer.hasRef())).toEqual([false]);
  });

  test('is used at once when nothing was stored, or long ago', async () => {
    const tab = newTab();
    expect(await tab.storage.lock!(storageKey, async () => 'first', { signal })).toBe('first');
    await tab.storage.lock!(storageKey, async () => tab.storage.set(storageKey, 'new'), { signal });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await newTab().storage.lock!(storageKey, async () => 'later', { signal })).toBe('later');
  });
});
