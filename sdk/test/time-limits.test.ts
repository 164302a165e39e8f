// How long a client waits for the service, its storage and other tabs, to the millisecond. Everything is in this process.
import { expect, test, vi } from 'vitest';
import { createAdmin } from '../src/admin/index.js';
import type { ClientOptions } from '../src/api.js';
import { createClient } from '../src/client.js';
import type { SdkEvent } from '../src/events.js';
import { files } from '../src/features/files.js';
import { v1Migration } from '../src/features/migrate-v1.js';
import { push } from '../src/features/push.js';
import { remoteConfig } from '../src/features/remote-config.js';
import type { Core } from '../src/session/core.js';
import { withLock } from '../src/session/lock.js';
import { fakeService } from '../src/testing/index.js';
import { ada, locked, stopClock, storageKey, watchedStorage } from './harness.js';

const never = () => new Promise<never>(() => {});
const hanging = { get: never, set: never, remove: never };

/** Lets what is ready to run end. */
async function turn(): Promise<void> {
  for (let round = 0; round < 20; round++) await new Promise((resolve) => setImmediate(resolve));
}

function hasSettled(work: Promise<unknown>): () => boolean {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  work.then(settle, settle);
  return () => isSettled;
}

/** A client of a service in this process, which answers no more once `isSilent` is set. */
function newWorld(options: Partial<ClientOptions> = {}) {
  const service = fakeService({ appKey: 'app_test' });
  service.addUser(ada);
  const world = { isSilent: false, sent: [] as string[], events: [] as SdkEvent[], service };
  const client = createClient({
    ...service.options,
    storage: watchedStorage(),
    onEvent: (event) => world.events.push(event),
    fetch: (input, init) => {
      const path = String(input).split('/api/v2')[1]!;
      world.sent.push(path);
      if (world.isSilent) return never();
      // The fake service has no push.
      if (path === '/push/devices')
        return Promise.resolve(Response.json({ data: { id: 'd', user_uid: null } }));
      return service.options.fetch(input, init);
    },
    ...options,
  });
  const hasRetried = () => world.events.some(({ type }) => type === 'retry');
  return Object.assign(world, { client, hasRetried });
}

async function signedIn(options: Partial<ClientOptions> = {}) {
  const world = newWorld(options);
  await world.client.auth.signIn(ada);
  world.sent.length = 0;
  return world;
}

/** A refresh of a tab that asks another one, which does not answer. */
async function refreshBesideTab(storedRefreshes?: number) {
  const storage = Object.assign(watchedStorage(), {
    lock: <T>(_: string, run: () => Promise<T>) => run(),
    channel: () => ({ postMessage() {}, close() {} }),
  });
  const { client } = await signedIn({ storage });
  client.dispose();
  const { service, sent, client: next } = newWorld({ storage });
  service.offline = true;
  await next.auth.ready();
  const stored = JSON.parse(storage.values.get(storageKey)!);
  if (storedRefreshes) storage.values.set(storageKey, JSON.stringify({ ...stored, n: storedRefreshes }));
  void next.auth.getAccessToken().catch(() => {});
  return () => sent.includes('/auth/token/refresh');
}

test.each<[what: string, limitMs: number, begin: () => Promise<() => boolean>]>([
  [
    'a call has no response',
    15_000,
    async () => {
      const world = newWorld();
      world.isSilent = true;
      return hasSettled(world.client.auth.signIn(ada));
    },
  ],
  [
    'an upload has no response',
    600_000,
    async () => {
      const world = await signedIn();
      world.isSilent = true;
      return hasSettled(files(world.client).upload(new Blob(['a'])));
    },
  ],
  [
    'a refresh has no response, and is sent again',
    8_000,
    async () => {
      const world = await signedIn();
      world.isSilent = true;
      void world.client.auth.getAccessToken({ forceRefresh: true }).catch(() => {});
      return world.hasRetried;
    },
  ],
  [
    'the exchange of a v1 token has no response, and is sent again',
    8_000,
    async () => {
      const migrateV1 = v1Migration({ read: () => 'v1', clear() {} });
      const world = newWorld({ migrateV1 });
      world.isSilent = true;
      return world.hasRetried;
    },
  ],
  [
    'a v1 token was rejected, and no other process stores a session',
    1_000,
    async () => {
      const { client } = newWorld({ migrateV1: v1Migration({ read: () => 'v1', clear() {} }) });
      return () => client.auth.state.status === 'signedOut';
    },
  ],
  [
    'the key set has no response',
    5_000,
    async () => {
      const asked = vi.fn(never);
      const { options } = fakeService();
      const admin = createAdmin({ ...options, appId: '01JC4Q7M0RZ9X2V5T8W3Y6K1NB', fetch: asked });
      const parts = ['{"alg":"ES256","typ":"at+jwt","kid":"k"}', '{}', 'signature'];
      const token = parts.map((part) => Buffer.from(part).toString('base64url')).join('.');
      const isVerified = hasSettled(admin.verifyAccessToken(token));
      // `jose` is imported first.
      while (asked.mock.calls.length === 0) await turn();
      return isVerified;
    },
  ],
  [
    'the storage of the session cannot be read',
    3_000,
    async () => hasSettled(newWorld({ storage: hanging }).client.auth.ready()),
  ],
  [
    'the storage of a push registration cannot be read',
    3_000,
    async () => {
      const { client, sent } = await signedIn();
      void push(client, { storage: { ...hanging, set: locked } }).register(phone);
      return () => sent.includes('/push/devices');
    },
  ],
  [
    'the storage of a push registration cannot be written',
    3_000,
    async () => {
      const { client } = await signedIn();
      return hasSettled(push(client, { storage: { ...hanging, get: () => null } }).register(phone));
    },
  ],
  [
    'the storage of the remote config cannot be read',
    3_000,
    async () => {
      const { client, sent } = newWorld();
      void remoteConfig(client, { storage: { ...hanging, set: locked } }).get();
      return () => sent.includes('/config');
    },
  ],
  [
    'the storage of the remote config cannot be written',
    3_000,
    async () =>
      hasSettled(remoteConfig(newWorld().client, { storage: { ...hanging, get: () => null } }).get()),
  ],
  [
    'a lock is not granted',
    15_000,
    async () => {
      const core = { tokenStorage: { ...hanging, lock: never }, storageKey, emit() {} } as unknown as Core;
      return hasSettled(withLock(core, async () => {}));
    },
  ],
  ['another tab has not answered that it has an access token', 100, () => refreshBesideTab()],
  [
    'another tab has not answered, though the storage shows that it has one',
    2_000,
    () => refreshBesideTab(7),
  ],
])('%s: the client goes on after %d ms, and no earlier', async (_, limitMs, begin) => {
  stopClock();
  const isDone = await begin();
  await turn();
  await vi.advanceTimersByTimeAsync(limitMs - 1);
  await turn();
  expect(isDone()).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await turn();
  expect(isDone()).toBe(true);
});

test('an access token is renewed a minute before it expires, and no earlier', async () => {
  stopClock();
  const { client, sent } = await signedIn();
  await vi.advanceTimersByTimeAsync(3_539_999);
  await client.auth.getAccessToken();
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  await client.auth.getAccessToken();
  expect(sent).toEqual(['/auth/token/refresh']);
});

const phone = { provider: 'fcm', platform: 'android', token: 'token-1' } as const;
