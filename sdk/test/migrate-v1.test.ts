// The migration from v1. A v1 token is exchanged once, cleared after a final outcome, and preserved when there was
// no response.
import { expect, test, vi } from 'vitest';
import type { ClientOptions } from '../src/api.js';
import { v1Migration } from '../src/features/migrate-v1.js';
import type { V1Migration, V1MigrationResult } from '../src/features/v1-migration.js';
import {
  ada,
  bob,
  codeOf,
  locked,
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
import { answers, gate, lostAnswer, lostRequest, refuses } from './mishaps.js';
import { fromV1Route, signOutRoute } from './scripted-service.js';

const service = useScriptedService();
const v1Token = 'b3c1'.repeat(16);

/** The storage of a v1 release, and the results that a client reported. */
function v1Storage(token: string | null = v1Token) {
  const kept = {
    token,
    results: [] as V1MigrationResult[],
    reads: 0,
    read: () => {
      kept.reads += 1;
      return kept.token;
    },
    clear: () => {
      kept.token = null;
    },
    onResult: (result: V1MigrationResult) => void kept.results.push(result),
  };
  if (token) service.addV1Token(token, ada.email);
  return kept;
}

/** The client of a v2 release with this v1 storage. */
const migrating = (migration: V1Migration, options: Partial<ClientOptions> = {}) =>
  newClient({ migrateV1: v1Migration(migration), ...options });

/** What a rejected v1 token leaves. */
const rejected = { status: 'signedOut', reason: 'migration-rejected' };

test('a v1 token is exchanged at startup: the user is signed in, and the token is cleared', async () => {
  const storage = watchedStorage();
  const migrateV1 = v1Storage();
  const client = migrating(migrateV1, { storage });
  const states = statesOf(client);
  expect(await client.auth.ready()).toMatchObject({ status: 'signedIn', user: { email: ada.email } });
  expect(migrateV1).toMatchObject({ token: null, results: ['migrated'] });
  expect(storage.values.get(storageKey)).toContain('rt_');
  expect(await client.me.get()).toMatchObject({ email: ada.email });
  expect(service.count(fromV1Route)).toBe(1);
  expect(states.map(({ status }) => status)).toEqual(['loading', 'signedIn']);
});

test('the session is stored before the v1 token is cleared', async () => {
  const storage = watchedStorage();
  const migrateV1 = v1Storage();
  const clear = migrateV1.clear;
  migrateV1.clear = () => {
    storage.log.push('clear v1');
    clear();
  };
  await migrating(migrateV1, { storage }).auth.ready();
  const changes = storage.log.filter((entry) => !entry.startsWith('get'));
  expect(changes).toEqual([`set ${storageKey}`, 'clear v1']);
});

test('without a v1 token nothing is sent and no result is reported', async () => {
  const migrateV1 = v1Storage(null);
  const client = migrating(migrateV1);
  expect(await client.auth.ready()).toEqual({ status: 'signedOut' });
  expect(migrateV1.results).toEqual([]);
  expect(service.requests).toEqual([]);
});

test('of two clients over one storage one exchanges the token, and both are signed in', async () => {
  const storage = watchedStorage();
  const migrateV1 = v1Storage();
  const clients = [1, 2].map(() => migrating(migrateV1, { storage }));
  const states = await Promise.all(clients.map((client) => client.auth.ready()));
  expect(states.map(({ status }) => status)).toEqual(['signedIn', 'signedIn']);
  expect(service.count(fromV1Route)).toBe(1);
  expect(migrateV1).toMatchObject({ token: null, results: ['migrated'] });
});

test('without a lock across processes one exchanges the token, and the other adopts its session', async () => {
  const values = new Map<string, string>();
  const migrateV1 = v1Storage();
  const slow = watchedStorage(values);
  const stored = gate();
  slow.before.set = () => stored.opened;
  const winner = migrating(migrateV1, { storage: slow });
  await vi.waitUntil(() => slow.log.includes(`set ${storageKey}`), { timeout: 60_000 });
  // The v1 token is spent, and its session is not stored yet.
  const loser = migrating(migrateV1, { storage: watchedStorage(values) });
  await service.seen(fromV1Route, 2);
  stored.open();
  for (const client of [winner, loser]) {
    expect(await client.auth.ready()).toMatchObject({ status: 'signedIn' });
    expect(await client.me.get()).toMatchObject({ email: ada.email });
  }
  expect(migrateV1).toMatchObject({ token: null, results: ['migrated'] });
});

test('a rejection does not end the session that another process stores within a second', async () => {
  const elsewhere = watchedStorage();
  await signedInClient({ storage: elsewhere });
  const [storage, migrateV1] = [watchedStorage(), v1Storage()];
  service.next(fromV1Route, refuses(401, 'auth/invalid-token'));
  stopClock();
  const client = migrating(migrateV1, { storage });
  await service.seen(fromV1Route);
  await networkTurn();
  storage.values.set(storageKey, elsewhere.values.get(storageKey)!);
  expect(await movingClock(client.auth.ready())).toMatchObject({ status: 'signedIn' });
  expect(migrateV1).toMatchObject({ token: null, results: [] });
});

test.each([
  [401, 'auth/invalid-token'],
  [403, 'auth/user-disabled'],
  [422, 'request/validation-failed'],
])('a rejection (%i %s) is final: the v1 token is cleared and the user signed out', async (status, code) => {
  const migrateV1 = v1Storage();
  service.next(fromV1Route, refuses(status, code));
  stopClock();
  const client = migrating(migrateV1);
  expect(await movingClock(client.auth.ready())).toEqual(rejected);
  expect(migrateV1).toMatchObject({ token: null, results: ['rejected'] });
  expect(await codeOf(client.me.get())).toBe('client/signed-out');
});

test.each([
  ['no answer', lostRequest],
  ['408', refuses(408, 'request/timeout')],
  ['429', refuses(429, 'request/rate-limited', { 'Retry-After': '60' })],
  ['503', refuses(503, 'request/unavailable')],
  ["a proxy's page", answers(200, '<html>')],
])('%s decides nothing: the v1 token is kept, and the next start tries again', async (_name, mishap) => {
  const migrateV1 = v1Storage();
  service.always.set(fromV1Route, mishap);
  stopClock();
  const first = migrating(migrateV1);
  expect(await movingClock(first.auth.ready())).toEqual({ status: 'signedOut' });
  expect(migrateV1).toMatchObject({ token: v1Token, results: ['deferred'] });
  service.always.delete(fromV1Route);
  const second = migrating(migrateV1);
  expect((await movingClock(second.auth.ready())).status).toBe('signedIn');
  expect(migrateV1).toMatchObject({ token: null, results: ['deferred', 'migrated'] });
});

test('a request that cannot be sent decides nothing: the v1 token is kept', async () => {
  const migrateV1 = v1Storage();
  // The platform accepts no such character in a header.
  const headers = { 'X-Device-Name': 'Ada’s iPhone' };
  const client = migrating(migrateV1, { headers });
  expect(await client.auth.ready()).toEqual({ status: 'signedOut' });
  expect(migrateV1).toMatchObject({ token: v1Token, results: ['deferred'] });
});

test('a single failure is retried in the same start', async () => {
  const migrateV1 = v1Storage();
  service.next(fromV1Route, refuses(503, 'request/unavailable'));
  stopClock();
  const client = migrating(migrateV1);
  expect((await movingClock(client.auth.ready())).status).toBe('signedIn');
  expect(migrateV1.results).toEqual(['migrated']);
});

test('a lost response ends in a new sign-in, not in endless retries of the token', async () => {
  const migrateV1 = v1Storage();
  service.next(fromV1Route, lostAnswer);
  stopClock();
  const client = migrating(migrateV1);
  expect(await movingClock(client.auth.ready())).toEqual(rejected);
  expect(migrateV1.token).toBeNull();
});

test('a v1 token is cleared and not exchanged when a session is stored', async () => {
  const storage = watchedStorage();
  await newClient({ storage }).auth.signUp(bob);
  const migrateV1 = v1Storage();
  const client = migrating(migrateV1, { storage });
  await client.auth.ready();
  await expect.poll(() => migrateV1.token).toBeNull();
  expect(migrateV1.results).toEqual([]);
  expect(service.count(fromV1Route)).toBe(0);
});

test('a sign-out during the exchange is final, and the new session is revoked', async () => {
  const storage = watchedStorage();
  const migrateV1 = v1Storage();
  const answer = service.hold(fromV1Route);
  const client = migrating(migrateV1, { storage });
  const ready = client.auth.ready();
  await service.seen(fromV1Route);
  const signOut = client.auth.signOut();
  answer();
  await Promise.all([ready, signOut]);
  await service.seen(signOutRoute);
  await networkTurn();
  expect(client.auth.state).toEqual({ status: 'signedOut', reason: 'user' });
  expect(storage.values.size).toBe(0);
  expect(migrateV1.token).toBeNull();
  expect(service.sessions.every(({ ended }) => ended)).toBe(true);
});

test('a sign-out before the storage was read clears the v1 token', async () => {
  const migrateV1 = v1Storage();
  const client = migrating(migrateV1);
  await client.auth.signOut();
  await expect.poll(() => migrateV1.token).toBeNull();
  expect(client.auth.state).toEqual({ status: 'signedOut', reason: 'user' });
});

test('an unavailable v1 storage is not an empty one: the state stays loading until it is readable', async () => {
  const migrateV1 = v1Storage();
  const { read } = migrateV1;
  migrateV1.read = locked;
  const client = migrating(migrateV1);
  expect(await codeOf(client.auth.ready())).toBe('client/storage-unavailable');
  expect(client.auth.state.status).toBe('loading');
  migrateV1.read = read;
  expect((await client.auth.ready()).status).toBe('signedIn');
});

test('a v1 token that cannot be cleared and a listener that throws have no effect', async () => {
  const migrateV1 = v1Storage();
  migrateV1.clear = () => {
    throw new Error('read-only');
  };
  migrateV1.onResult = () => {
    throw new Error('of the app');
  };
  const onEvent = vi.fn();
  const client = migrating(migrateV1, { onEvent });
  expect((await client.auth.ready()).status).toBe('signedIn');
  const types = onEvent.mock.calls.map(([{ type }]) => type);
  expect(types).toContain('storage-error');
  expect(types).toContain('listener-error');
});

test('a session that cannot be stored is used in memory and stored before its next refresh', async () => {
  const storage = watchedStorage();
  const migrateV1 = v1Storage();
  storage.before.set = locked;
  const client = migrating(migrateV1, { storage });
  expect((await client.auth.ready()).status).toBe('signedIn');
  delete storage.before.set;
  await client.me.get();
  expect(storage.values.get(storageKey)).toContain('rt_');
});

test('a client that is disposed of during the exchange leaves the session to the next one', async () => {
  const storage = watchedStorage();
  const migrateV1 = v1Storage();
  const answer = service.hold(fromV1Route);
  const client = migrating(migrateV1, { storage });
  const ready = codeOf(client.auth.ready());
  await service.seen(fromV1Route);
  client.dispose();
  answer();
  await ready;
  await expect.poll(() => storage.values.size).toBe(1);
  const next = migrating(migrateV1, { storage });
  expect((await next.auth.ready()).status).toBe('signedIn');
  expect(await next.me.get()).toMatchObject({ email: ada.email });
  expect(service.count(fromV1Route)).toBe(1);
});
