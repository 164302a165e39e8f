// Losing the network, or the service, is not losing the session.
import { describe, expect, test } from 'vitest';
import {
  codeOf,
  movingClock,
  newClient,
  signedInClient,
  statesOf,
  stopClock,
  storageKey,
  useScriptedService,
  watchedStorage,
} from './harness.js';
import {
  answers,
  lostAnswer,
  lostRequest,
  type Mishap,
  meRoute,
  refreshRoute,
  refuses,
  silence,
} from './scripted-service.js';

const service = useScriptedService();

const failures: [string, Mishap, string][] = [
  ['a broken connection', lostRequest, 'client/network'],
  ['an answer lost on the way', lostAnswer, 'client/network'],
  ['no answer', silence, 'client/timeout'],
  ['503', refuses(503, 'request/unavailable'), 'request/unavailable'],
  ['500', refuses(500, 'request/internal-error'), 'request/internal-error'],
  ['429', refuses(429, 'request/rate-limited'), 'request/rate-limited'],
  ["a proxy's 502 page", answers(502, '<html>Bad gateway</html>'), 'client/bad-response'],
  ["a hotel's sign-in page", answers(200, '<html>Welcome</html>'), 'client/bad-response'],
  ['an unknown app key', refuses(401, 'request/invalid-app-key'), 'request/invalid-app-key'],
  ['a code of a later service', refuses(403, 'auth/something-new'), 'auth/something-new'],
];

describe.each(failures)('a refresh that meets %s', (_, mishap, code) => {
  test('F5: keeps the session during use, and says so when the service is back', async () => {
    const storage = watchedStorage();
    const client = await signedInClient(service.current, { storage });
    const stored = storage.values.get(storageKey);
    const { user } = client.auth.state as { user: unknown };
    service.current.expireAccessTokens();
    service.current.always.set(refreshRoute, mishap);
    stopClock();
    expect(await movingClock(codeOf(client.me.get()))).toBe(code);
    expect(client.auth.state).toMatchObject({ status: 'signedIn', online: false, user });
    expect(storage.values.get(storageKey)).toBe(stored);
    service.current.always.clear();
    await movingClock(client.me.get());
    expect(client.auth.state).toMatchObject({ status: 'signedIn', online: true });
  });

  test('F5: keeps the session at the start', async () => {
    const storage = watchedStorage();
    await signedInClient(service.current, { storage });
    const stored = storage.values.get(storageKey);
    service.current.always.set(refreshRoute, mishap);
    stopClock();
    const client = newClient(service.current, { storage });
    expect(await movingClock(codeOf(client.me.get()))).toBe(code);
    expect(client.auth.state).toMatchObject({ status: 'signedIn', online: false });
    expect(storage.values.get(storageKey)).toBe(stored);
    service.current.always.clear();
    await movingClock(client.me.get());
    expect(client.auth.state).toMatchObject({ status: 'signedIn', online: true, user: { first_name: null } });
  });
});

test.each(['auth/refresh-token-revoked', 'auth/invalid-token'])(
  'F5: a refresh answered %s ends the session and clears the storage',
  async (code) => {
    const storage = watchedStorage();
    const client = await signedInClient(service.current, { storage });
    const states = statesOf(client);
    service.current.expireAccessTokens();
    service.current.next(refreshRoute, refuses(401, code));
    expect(await codeOf(client.me.get())).toBe(code);
    expect(client.auth.state).toEqual({ status: 'signedOut', reason: 'revoked' });
    expect(storage.values.size).toBe(0);
    expect(await codeOf(client.me.get())).toBe('auth/invalid-token');
    expect(service.current.count(refreshRoute)).toBe(1);
    expect(states.map(({ status }) => status)).toEqual(['signedIn', 'signedOut']);
  },
);

test('a call that gets no answer turns `online` off, and the next that does turns it on', async () => {
  const client = await signedInClient(service.current);
  service.current.next(meRoute, lostRequest);
  expect(await codeOf(client.me.get({ maxRetries: 0 }))).toBe('client/network');
  expect(client.auth.state).toMatchObject({ status: 'signedIn', online: false });
  await client.me.get();
  expect(client.auth.state).toMatchObject({ status: 'signedIn', online: true });
});
