// How long a client waits for the service, its storage and other tabs, to the millisecond. Everything is in this process.
import { expect, test, vi } from 'vitest';
import { createAdmin } from '../src/admin/index.js';
import { files } from '../src/features/files.js';
import { v1Migration } from '../src/features/migrate-v1.js';
import { push } from '../src/features/push.js';
import { remoteConfig } from '../src/features/remote-config.js';
import type { Core } from '../src/session/core.js';
import { withLock } from '../src/session/lock.js';
import { fakeService } from '../src/testing/index.js';
import { ada, locked, stopClock, storageKey, watchedStorage } from './harness.js';
import { never, newWorld, signedInWorld, turn } from './local-world.js';

const hanging = { get: never, set: never, remove: never };

function hasSettled(work: Promise<unknown>): () => boolean {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  work.then(settle, settle);
  return () => isSettled;
}

const hasRetried =
  ({ events }: ReturnType<typeof newWorld>) =>
  () =>
    events.some(({ type }) => type === 'retry');

/** A refresh of a tab that asks another one, which does not answer. */
async function refreshBesideTab(storedRefreshes?: number) {
  const storage = Object.assign(watchedStorage(), {
    lock: <T>(_: string, run: () => Promise<T>) => run(),
    channel: () => ({ postMessage() {}, close() {} }),
  });
  const { client } = await signedInWorld({ storage });
  client.dispose();
  const { service, paths, client: next } = newWorld({ storage });
  service.offline = true;
  await next.auth.ready();
  const stored = JSON.parse(storage.values.get(storageKey)!);
  if (storedRefreshes) storage.values.set(storageKey, JSON.stringify({ ...stored, n: storedRefreshes }));
  void next.auth.getAccessToken().catch(() => {});
  return () => paths().includes('/auth/token/refresh');
}

test.each<[what: string, limitMs: number, begin: () => Promise<() => boolean>]>([
  [
    'a call has no response',
    15_000,
    async () => {
      const world = newWorld();
      world.answer = never;
      return hasSettled(world.client.auth.signIn(ada));
    },
  ],
  [
    'an upload has no response',
    600_000,
    async () => {
      const world = await signedInWorld();
      world.answer = never;
      return hasSettled(files(world.client).upload(new Blob(['a'])));
    },
  ],
  [
    'a refresh has no response, and is sent again',
    8_000,
    async () => {
      const world = await signedInWorld();
      world.answer = never;
      void world.client.auth.getAccessToken({ forceRefresh: true }).catch(() => {});
      return hasRetried(world);
    },
  ],
  [
    'the exchange of a v1 token has no response, and is sent again',
    8_000,
    async () => {
      const migrateV1 = v1Migration({ read: () => 'v1', clear() {} });
      const world = newWorld({ migrateV1 });
      world.answer = never;
      return hasRetried(world);
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
      const { client, paths } = await signedInWorld();
      void push(client, { storage: { ...hanging, set: locked } }).register(phone);
      return () => paths().includes('/push/devices');
    },
  ],
  [
    'the storage of a push registration cannot be written',
    3_000,
    async () => {
      const world = await signedInWorld();
      // The fake service has no push.
      world.answer = async () => Response.json({ data: { id: 'd', user_uid: null } });
      return hasSettled(push(world.client, { storage: { ...hanging, get: () => null } }).register(phone));
    },
  ],
  [
    'the storage of the remote config cannot be read',
    3_000,
    async () => {
      const { client, paths } = newWorld();
      void remoteConfig(client, { storage: { ...hanging, set: locked } }).get();
      return () => paths().includes('/config');
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
  const { client, paths } = await signedInWorld();
  await vi.advanceTimersByTimeAsync(3_539_999);
  await client.auth.getAccessToken();
  expect(paths()).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  await client.auth.getAccessToken();
  expect(paths()).toEqual(['/auth/token/refresh']);
});

const phone = { provider: 'fcm', platform: 'android', token: 'token-1' } as const;
