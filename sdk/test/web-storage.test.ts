// The storage of browsers: what it stores, when it cannot, and the lock of its tabs.
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Client, ClientOptions } from '../src/api.js';
import type { SdkEvent } from '../src/events.js';
import { inSessionStorage } from '../src/session/access-token-cache.js';
import { memoryStorage, webStorage } from '../src/session/storage.js';
import {
  ada,
  bob,
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
import { meRoute } from './scripted-service.js';
import { webArea } from './storage-doubles.js';

const service = useScriptedService();

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
    const local = webArea();
    browserWith(() => local);
    const client = await signedInClient();
    expect(client.auth.persistent).toBe(true);
    expect([...local.values.keys()]).toEqual([storageKey]);
    expect((await newClient().me.get()).email).toBe(ada.email);
  });

  test('when localStorage throws, sign-in works and `persistent` is false', async () => {
    browserWith(() => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    });
    const client = await signedInClient();
    expect((await client.me.get()).email).toBe(ada.email);
    expect(client.auth.persistent).toBe(false);
  });

  test('when the values of localStorage cannot be read, sign-in works and `persistent` is false', async () => {
    const local = webArea();
    local.getItem = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    };
    browserWith(() => local);
    const client = await signedInClient();
    expect((await client.me.get()).email).toBe(ada.email);
    expect(client.auth.persistent).toBe(false);
  });

  describe('full localStorage', () => {
    /** A tab with Ada signed in, whose localStorage has become full. */
    async function fullTab() {
      const local = webArea();
      browserWith(() => local);
      const events: SdkEvent[] = [];
      const client = await signedInClient({ onEvent: (event) => events.push(event) });
      local.fill();
      return {
        local,
        client,
        fallbacks: () => events.filter(({ type }) => type === 'memory-storage').length,
      };
    }
    const newestToken = () => service.sessions.at(-1)!.tokens.at(-1)!;

    test('keeps a session through any number of refreshes, and the next page load finds it', async () => {
      const { local, client, fallbacks } = await fullTab();
      for (let refreshes = 0; refreshes < 12; refreshes++) await refreshed(client);
      expect(client.auth.persistent).toBe(true);
      expect(local.values.get(storageKey)).toContain(newestToken());
      expect(await newClient().auth.ready()).toMatchObject({ status: 'signedIn' });
      expect(fallbacks()).toBe(0);
    });

    test('is signed out of by a page that was loaded while it was full', async () => {
      await fullTab();
      const reloaded = newClient();
      await reloaded.auth.ready();
      expect(await reloaded.auth.signOut()).toEqual({ remote: true });
      expect(await newClient().auth.ready()).toEqual({ status: 'signedOut' });
    });

    test('shows nobody the session of a user whom another has replaced and signed out after', async () => {
      await fullTab();
      const reloaded = newClient();
      await reloaded.auth.signUp(bob);
      expect((await newClient().me.get()).email).toBe(bob.email);
      await reloaded.auth.signOut();
      expect(await newClient().auth.ready()).toEqual({ status: 'signedOut' });
    });

    test('has no room for a first session: it lives in memory, which is reported', async () => {
      const local = webArea();
      local.values.set('other', 'x');
      local.fill();
      browserWith(() => local);
      const events: SdkEvent[] = [];
      const client = await signedInClient({ onEvent: (event) => events.push(event) });
      await refreshed(client);
      expect(client.auth.persistent).toBe(false);
      expect(events.filter(({ type }) => type === 'memory-storage')).toHaveLength(1);
      expect([...local.values.keys()]).toEqual(['other']);
      local.quota = Number.POSITIVE_INFINITY;
      await refreshed(client);
      expect(client.auth.persistent).toBe(true);
      expect(local.values.get(storageKey)).toContain(newestToken());
    });

    test('forgets a session that it had no room for when the user signs out', async () => {
      const local = webArea();
      local.values.set('other', 'x');
      local.fill();
      browserWith(() => local);
      const client = await signedInClient();
      await client.auth.signOut();
      expect(client.auth.persistent).toBe(true);
      expect(await newClient().auth.ready()).toEqual({ status: 'signedOut' });
    });

    test('that takes no write at all any more leaves the session in memory, which is reported', async () => {
      const { local, client, fallbacks } = await fullTab();
      local.setItem = () => {
        throw new DOMException('Full.', 'QuotaExceededError');
      };
      await refreshed(client);
      await refreshed(client);
      expect(client.auth.persistent).toBe(false);
      expect(local.values.size).toBe(0);
      expect(fallbacks()).toBe(1);
    });
  });

  test('a blocked localStorage is reported, also when the app chose it', () => {
    browserWith(() => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    });
    const events: SdkEvent[] = [];
    newClient({ onEvent: (event) => events.push(event) });
    newClient({ storage: webStorage(), onEvent: (event) => events.push(event) });
    expect(events.map(({ type }) => type)).toEqual(['memory-storage', 'memory-storage']);
  });

  test('a duplicated tab stores the tokens that it received from the other in its own sessionStorage', async () => {
    const [original, copy] = [webArea(), webArea()];
    const client = await signedInClient({ storage: webStorage(original) });
    copy.values.set(storageKey, original.values.get(storageKey)!);
    vi.stubGlobal('sessionStorage', copy);
    const duplicate = newClient({ storage: webStorage(copy) });
    await duplicate.auth.ready();
    await refreshed(client);
    await expect.poll(() => copy.values.get(storageKey)).toBe(original.values.get(storageKey));
    duplicate.dispose();
    client.dispose();
    expect((await newClient({ storage: webStorage(copy) }).me.get()).email).toBe(ada.email);
    expect(service.reuses).toBe(0);
  });

  test('a page that loads with its access token has the profile as the user has changed it', async () => {
    vi.stubGlobal('sessionStorage', webArea());
    const options = { storage: webStorage(webArea()), keepAccessToken: inSessionStorage() };
    const client = await signedInClient(options);
    const user = await client.me.update({ first_name: 'Grace' });
    expect(await newClient(options).auth.ready()).toMatchObject({ status: 'signedIn', user });
  });

  test('a profile arrives while another tab signs the user in again, although there is no access token to keep', async () => {
    vi.stubGlobal('sessionStorage', webArea());
    const { client, storage } = await storedClient({ keepAccessToken: inSessionStorage() });
    const { call, open } = await service.holding(meRoute, () => client.me.get());
    await newClient({ storage: watchedStorage(storage.values) }).auth.signIn(ada);
    storage.changed();
    await networkTurn();
    open();
    expect((await call).email).toBe(ada.email);
  });

  test.each([
    [0, true],
    [3_599_999, true],
    [3_600_000, false],
    [-1, false],
  ])('the access token of the last page, %d ms after it arrived, is kept: %s', async (ageMs, isKept) => {
    const area = webArea();
    vi.stubGlobal('sessionStorage', area);
    const options = { storage: webStorage(webArea()), keepAccessToken: inSessionStorage() };
    stopClock();
    const client = await signedInClient(options);
    client.dispose();
    vi.setSystemTime(Date.now() + ageMs);
    await newClient(options).auth.ready();
    expect(area.values.size).toBe(isKept ? 1 : 0);
  });

  test.each<[string, (client: Client) => Promise<unknown>, string]>([
    ['another session', (other) => other.auth.signUp(bob), bob.email],
    ['a later refresh', refreshed, ada.email],
  ])(
    'the access token of the last page is not that of %s, which is stored since',
    async (_, change, email) => {
      const area = webArea();
      vi.stubGlobal('sessionStorage', area);
      const options = { storage: webStorage(webArea()), keepAccessToken: inSessionStorage() };
      (await signedInClient(options)).dispose();
      const other = newClient({ storage: options.storage });
      await change(other);
      other.dispose();
      const client = newClient(options);
      await client.auth.ready();
      expect(area.values.size).toBe(0);
      expect((await client.me.get()).email).toBe(email);
    },
  );

  test('the lock of webStorage is the Web Lock of the given name', async () => {
    const locks = locksOfTabs();
    const request = vi.spyOn(locks, 'request');
    vi.stubGlobal('navigator', { locks });
    const local = webArea();
    const client = await signedInClient({ storage: webStorage(local) });
    await refreshed(client);
    const names = request.mock.calls.map(([name]) => name);
    expect(names.filter((name) => !name.includes(' '))).toEqual([storageKey, storageKey]);
    expect(webStorage(local)).toBe(webStorage(local));
  });

  test('control: a storage that throws is not replaced where the app chose it', async () => {
    const throwing = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    };
    const storage = { get: throwing, set: throwing, remove: throwing };
    await expect(signedInClient({ storage })).rejects.toThrow('client/storage-unavailable');
  });

  test('a BroadcastChannel that throws, as in a sandboxed frame, leaves each tab to refresh by itself', async () => {
    vi.stubGlobal(
      'BroadcastChannel',
      class {
        constructor() {
          throw new DOMException('The operation is insecure.', 'SecurityError');
        }
      },
    );
    const client = await signedInClient({ storage: webStorage(webArea()) });
    await refreshed(client);
    expect((await client.me.get()).email).toBe(ada.email);
  });

  test('outside browsers a client without a storage reports it, and warns once', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    // The modules remember that they have warned.
    vi.resetModules();
    const { createClient } = await import('../src/client.js');
    const events: SdkEvent[] = [];
    const create = (options: Partial<ClientOptions> = {}) =>
      createClient({
        baseUrl: service.baseUrl,
        appKey: 'app_test',
        onEvent: (event) => events.push(event),
        ...options,
      }).dispose();
    create({ storage: memoryStorage() });
    browserWith(() => webArea());
    create();
    vi.unstubAllGlobals();
    expect(events.concat()).not.toContainEqual({ type: 'memory-storage' });
    expect(warn).not.toHaveBeenCalled();
    create();
    create({ storage: undefined });
    expect(events.filter(({ type }) => type === 'memory-storage')).toHaveLength(2);
    expect(warn.mock.calls).toEqual([['Foyer: the session is in memory. Set the option storage.']]);
  });

  test('outside browsers the session lives in memory, separately for each client', async () => {
    const client = await signedInClient();
    expect(client.auth.persistent).toBe(false);
    expect(await newClient().auth.ready()).toEqual({ status: 'signedOut' });
    expect(memoryStorage()).not.toBe(memoryStorage());
  });
});

test('the channel of the tabs keeps no Node process alive', () => {
  const portCount = () => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
  const before = portCount();
  const channel = webStorage(webArea()).channel!('name', () => {});
  onTestFinished(() => channel.close());
  expect(portCount()).toBe(before);
});

describe('the lock of localStorage, whose values other tabs see late', () => {
  const { signal } = new AbortController();

  function newTab() {
    const local = webArea();
    vi.stubGlobal('localStorage', local);
    const storage = webStorage(local);
    const locked = <T>(run: () => Promise<T>) => storage.lock!(storageKey, run, { signal });
    const write = () => locked(async () => storage.set(storageKey, 'new'));
    const read = vi.fn(async () => storage.get(storageKey));
    return { values: local.values, storage, locked, write, read };
  }

  beforeEach(() => {
    vi.stubGlobal('navigator', { locks: locksOfTabs() });
    stopClock();
  });
  afterEach(() => vi.unstubAllGlobals());

  /** One tab stores a value; another, which does not see it, reads the value under the lock. */
  async function readAfterWrite() {
    const [writer, reader] = [newTab(), newTab()];
    await writer.write();
    const result = reader.locked(reader.read);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(reader.read).not.toHaveBeenCalled();
    return { reader, result };
  }

  test('is not used before they are visible', async () => {
    const { reader, result } = await readAfterWrite();
    reader.values.set(storageKey, 'new');
    await vi.advanceTimersByTimeAsync(10);
    expect(await result).toBe('new');
  });

  test('is not used before they are visible on a device whose clock has not been set', async () => {
    vi.setSystemTime(5_000);
    const { reader, result } = await readAfterWrite();
    reader.values.set(storageKey, 'new');
    await vi.advanceTimersByTimeAsync(10);
    expect(await result).toBe('new');
  });

  test('shows other tabs the last twelve characters of a value only, which are no secret', async () => {
    newTab().storage.set(storageKey, 'rt_secret-of-the-session');
    await vi.advanceTimersByTimeAsync(0);
    const { held } = await navigator.locks.query();
    expect(held!.map(({ name }) => name!.split(' ').at(-1))).toEqual(['-the-session']);
  });

  test('shows the last of two values that were stored in one millisecond', async () => {
    const { storage } = newTab();
    storage.set(storageKey, 'zzz');
    storage.set(storageKey, 'aaa');
    const reader = newTab();
    reader.values.set(storageKey, 'aaa');
    const result = reader.locked(reader.read);
    await vi.advanceTimersByTimeAsync(0);
    expect(reader.read).toHaveBeenCalled();
    expect(await result).toBe('aaa');
  });

  test('shows no value twice', () => {
    const request = vi.spyOn(navigator.locks, 'request');
    const { storage } = newTab();
    storage.set(storageKey, 'new');
    storage.set(storageKey, 'new');
    expect(request).toHaveBeenCalledTimes(1);
  });

  test('is used two seconds later at most', async () => {
    const { reader, result } = await readAfterWrite();
    await vi.advanceTimersByTimeAsync(499);
    expect(reader.read).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
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
    await writer.write();
    writer.storage.remove(storageKey);
    const reader = newTab();
    const result = reader.locked(reader.read);
    await vi.advanceTimersByTimeAsync(0);
    expect(reader.read).toHaveBeenCalled();
    expect(await result).toBeNull();
  });

  test('is not used before a value is visible that was stored without the lock', async () => {
    newTab().storage.set(storageKey, 'new');
    const reader = newTab();
    const result = reader.locked(reader.read);
    await vi.advanceTimersByTimeAsync(1_500);
    reader.values.set(storageKey, 'new');
    await vi.advanceTimersByTimeAsync(10);
    expect(await result).toBe('new');
  });

  test('is used at once over another storage, whose values are those of one tab', async () => {
    newTab().storage.set(storageKey, 'new');
    const local = webArea();
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
    try {
      newTab().storage.set(storageKey, 'new');
      await vi.advanceTimersByTimeAsync(0);
    } finally {
      globalThis.setTimeout = setTimeout;
    }
    expect(timers.map((timer) => timer.hasRef())).toEqual([false]);
  });

  test('is used at once when nothing was stored, or long ago', async () => {
    const tab = newTab();
    expect(await tab.locked(async () => 'first')).toBe('first');
    await tab.write();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await newTab().locked(async () => 'later')).toBe('later');
  });
});
