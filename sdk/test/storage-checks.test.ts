// The checks of storages: every built-in storage passes them, and each of them finds a storage that breaks its guarantee.
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { secureStorage } from '../src/expo/index.js';
import { memoryStorage, type TokenStorage, webStorage } from '../src/session/storage.js';
import { chromeStorage, fileStorage } from '../src/storage/index.js';
import { type StorageUnderTest, storageChecks } from '../src/testing/storage-checks.js';
import { movingClock, stopClock } from './harness.js';
import { device, extensionArea, webArea } from './storage-doubles.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Turns something on, and returns the function that turns it off. */
const switchedOn = (set: (isOn: boolean) => void) => () => {
  set(true);
  return () => set(false);
};

/** A storage over one place that two processes share, and its parts, each of which a test can break. */
function sharedPlace() {
  const values = new Map<string, string>();
  const listeners = new Set<[key: string, onChange: () => void]>();
  const channels = new Set<[name: string, onMessage: (message: unknown) => void]>();
  const holders = new Set<string>();
  let isLocked = false;
  const reach = async () => {
    await turn();
    if (isLocked) throw new Error('locked');
  };
  const changed = (key: string) => {
    for (const [own, onChange] of listeners) if (own === key) onChange();
  };
  const storage = {
    async get(key: string): Promise<string | null> {
      await reach();
      return values.get(key) ?? null;
    },
    async set(key: string, value: string): Promise<void> {
      await reach();
      values.set(key, value);
      changed(key);
    },
    async remove(key: string): Promise<void> {
      await reach();
      values.delete(key);
      changed(key);
    },
    async lock<T>(name: string, run: () => Promise<T>, { signal }: { signal: AbortSignal }): Promise<T> {
      while (holders.has(name) && !signal.aborted) await turn();
      signal.throwIfAborted();
      holders.add(name);
      return run().finally(() => holders.delete(name));
    },
    subscribe(key: string, onChange: () => void): () => void {
      const listener: [string, () => void] = [key, onChange];
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    channel(name: string, onMessage: (message: unknown) => void) {
      const own: [string, (message: unknown) => void] = [name, onMessage];
      channels.add(own);
      return {
        postMessage(message: unknown) {
          for (const each of channels) if (each !== own && each[0] === name) each[1](message);
        },
        close: () => void channels.delete(own),
      };
    },
  } satisfies TokenStorage;
  const makeUnavailable = switchedOn((isOn) => {
    isLocked = isOn;
  });
  return { values, changed, listeners, storage, makeUnavailable };
}

type Place = ReturnType<typeof sharedPlace>;

/** The names of the checks that a storage fails. */
async function failuresOf(target: StorageUnderTest): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of storageChecks(target)) {
    await run().catch(() => failed.push(name));
  }
  return failed;
}

function brokenBy(breaks: (place: Place) => Partial<TokenStorage>): StorageUnderTest {
  const place = sharedPlace();
  const storage: TokenStorage = { ...place.storage, ...breaks(place) };
  return { open: () => storage, makeUnavailable: place.makeUnavailable };
}

const folder = mkdtempSync(join(tmpdir(), 'foyer-storage-'));
afterAll(() => rmSync(folder, { recursive: true }));

const localArea = webArea();
const extension = extensionArea();
const phone = device();

/** The built-in storages; the events of `localStorage` are checked in Chromium. */
const builtIn: Record<string, StorageUnderTest> = {
  memoryStorage: { open: memoryStorage },
  webStorage: {
    open() {
      const { subscribe: _, ...storage } = webStorage(localArea);
      return storage;
    },
  },
  fileStorage: {
    open: () => fileStorage(join(folder, 'storage')),
    // What is not a file cannot be read, not even by root.
    makeUnavailable() {
      renameSync(join(folder, 'storage'), join(folder, 'away'));
      writeFileSync(join(folder, 'storage'), '');
      return () => {
        rmSync(join(folder, 'storage'));
        renameSync(join(folder, 'away'), join(folder, 'storage'));
      };
    },
  },
  chromeStorage: {
    open: () => chromeStorage(extension.area),
    makeUnavailable: switchedOn((isOn) => {
      extension.state.isBroken = isOn;
    }),
  },
  secureStorage: {
    open: () => secureStorage(phone),
    makeUnavailable: switchedOn((isOn) => {
      phone.state.isLocked = isOn;
    }),
  },
};

describe('storages that keep the guarantees', () => {
  for (const { name, run } of storageChecks(brokenBy(() => ({})))) test(`a complete storage: ${name}`, run);
  for (const [storage, target] of Object.entries(builtIn)) {
    for (const { name, run } of storageChecks({ ...target, timeoutMs: 60_000 }))
      test(`${storage}: ${name}`, run);
  }

  test('leave no value behind', async () => {
    const place = sharedPlace();
    expect(await failuresOf({ open: () => place.storage })).toEqual([]);
    expect([...place.values]).toEqual([]);
    expect(place.listeners.size).toBe(0);
  });
});

test.each(['https://example.com/', 'chrome-extension://abc/popup.html'])(
  'chromeStorage shares tokens and the lock with the contexts of %s only if they are the extension itself',
  (href) => {
    vi.stubGlobal('location', new URL(href));
    vi.stubGlobal('navigator', { locks: {} });
    onTestFinished(() => void vi.unstubAllGlobals());
    const { channel, lock } = chromeStorage(extensionArea().area);
    const isShared = href.startsWith('chrome-extension:');
    expect([channel !== undefined, lock !== undefined]).toEqual([isShared, isShared]);
  },
);

describe('control: a check finds', () => {
  const cases: [string, string, (place: Place) => Partial<TokenStorage>][] = [
    [
      'an empty text instead of null',
      'a key without a value is null',
      ({ values }) => ({ get: (key) => values.get(key) ?? '' }),
    ],
    [
      'a value cut off at 1,024 characters',
      'a value is read as it was stored',
      ({ storage }) => ({ set: (key, value) => storage.set(key, value.slice(0, 1_024)) }),
    ],
    [
      'a key whose case is ignored',
      'a value is read as it was stored',
      ({ storage }) => ({
        set: (key, value) =>
          /[A-Z]/.test(key) ? Promise.reject(new Error('invalid key')) : storage.set(key, value),
      }),
    ],
    [
      'a removal of every key with the prefix',
      'keys do not affect each other',
      ({ values }) => ({
        remove(key) {
          for (const each of values.keys()) if (each.startsWith(key)) values.delete(each);
        },
      }),
    ],
    [
      'a removal that fails without a value',
      'removing succeeds',
      ({ values, storage }) => ({
        remove: async (key) => {
          if (!values.has(key)) throw new Error('not found');
          await storage.remove(key);
        },
      }),
    ],
    ['a removal that does nothing', 'removing succeeds', () => ({ remove() {} })],
    [
      'a write that is completed later',
      'a value is read as it was stored',
      ({ values }) => ({
        set: (key, value) =>
          void turn()
            .then(turn)
            .then(() => values.set(key, value)),
      }),
    ],
    [
      'a replacement in two steps',
      'a value is replaced in one step',
      ({ storage }) => ({
        async set(key, value) {
          await storage.remove(key);
          await storage.set(key, value);
        },
      }),
    ],
    [
      'an unavailable storage that seems empty',
      'an unavailable storage rejects',
      ({ storage }) => ({ get: (key) => storage.get(key).catch(() => null) }),
    ],
    [
      'a write that is lost while unavailable',
      'an unavailable storage rejects',
      ({ storage }) => ({ set: (key, value) => storage.set(key, value).catch(() => {}) }),
    ],
    [
      'a removal that is lost while unavailable',
      'an unavailable storage rejects',
      ({ storage }) => ({ remove: (key) => storage.remove(key).catch(() => {}) }),
    ],
    ['a lock that admits all', 'the lock admits one at a time', () => ({ lock: (_, run) => run() })],
    [
      'a lock that is not released after a rejection',
      'the lock settles as its work does',
      ({ storage }) => ({
        lock: (name, run, options) =>
          storage.lock(name, () => run().catch(() => new Promise<never>(() => {})), options),
      }),
    ],
    [
      'a lock for all names',
      'locks of different names',
      ({ storage }) => ({ lock: (_, run, options) => storage.lock('all', run, options) }),
    ],
    [
      'a lock that is stolen by an aborted wait',
      'waiting for the lock ends',
      ({ storage }) => ({
        async lock(name, run, options) {
          try {
            return await storage.lock(name, run, options);
          } catch (error) {
            return options.signal.aborted ? run() : Promise.reject(error);
          }
        },
      }),
    ],
    [
      'a lock that waits on after the signal aborted',
      'waiting for the lock ends',
      ({ storage }) => ({
        lock: (name, run) => storage.lock(name, run, { signal: new AbortController().signal }),
      }),
    ],
    [
      'a subscriber that is never called',
      'a subscriber hears each change',
      () => ({ subscribe: () => () => {} }),
    ],
    [
      'a subscriber that is not called for a removal',
      'a subscriber hears each change',
      ({ storage, values }) => ({
        subscribe: (key, onChange) => storage.subscribe(key, () => values.has(key) && onChange()),
      }),
    ],
    [
      'a subscriber that hears every key',
      'a subscriber hears each change',
      ({ storage }) => ({
        subscribe(key, onChange) {
          const both = [key, `${key}.out`].map((each) => storage.subscribe(each, onChange));
          return () => {
            for (const end of both) end();
          };
        },
      }),
    ],
    [
      'a subscriber that cannot unsubscribe',
      'a subscriber hears each change',
      ({ storage }) => ({
        subscribe(key, onChange) {
          storage.subscribe(key, onChange);
          return () => {};
        },
      }),
    ],
    [
      'a channel that answers itself',
      'a message reaches every other channel',
      ({ storage }) => ({
        channel(name, onMessage) {
          const channel = storage.channel(name, onMessage);
          return {
            ...channel,
            postMessage(message) {
              channel.postMessage(message);
              onMessage(message);
            },
          };
        },
      }),
    ],
    [
      'a channel that is not closed',
      'a message reaches every other channel',
      ({ storage }) => ({
        channel: (name, onMessage) => ({ ...storage.channel(name, onMessage), close() {} }),
      }),
    ],
  ];

  test.each(cases)('%s', async (_, expected, breaks) => {
    stopClock();
    const failed = await movingClock(failuresOf(brokenBy(breaks)));
    expect(
      failed.some((name) => name.startsWith(expected)),
      failed.join(),
    ).toBe(true);
  });

  test('a storage in memory that claims to be persistent', async () => {
    const failed = await failuresOf({ open: () => ({ ...memoryStorage(), persistent: true }) });
    expect(failed).toEqual([expect.stringMatching(/^a value is there at the next start/)]);
  });
});
