// Sign-out: local at once, at the service with its response, and never undone by pending operations.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { inSessionStorage } from '../src/session/access-token-cache.js';
import { webStorage } from '../src/session/storage.js';
import {
  ada,
  bob,
  codeOf,
  expiredClient,
  locked,
  movingClock,
  networkTurn,
  newClient,
  refreshed,
  sessionsIn,
  signedInClient,
  stopClock,
  storageKey,
  storedClient,
  useScriptedService,
  watchedStorage,
} from './harness.js';
import { gate, lostRequest } from './mishaps.js';
import { meRoute, refreshRoute, signOutRoute } from './scripted-service.js';
import { webArea } from './storage-doubles.js';

const service = useScriptedService();
const reauthenticateRoute = 'POST /api/v2/auth/reauthenticate';

describe('a sign-out with pending operations', () => {
  test('a refresh that completes after the sign-out does not restore the session', async () => {
    const { client, storage } = await storedClient();
    service.expireAccessTokens();
    const { call, open } = await service.holding(refreshRoute, () => codeOf(client.me.get()));
    const signedOut = client.auth.signOut();
    expect(client.auth.state).toEqual({ status: 'signedOut', reason: 'user' });
    open();
    expect(await signedOut).toEqual({ remote: true });
    expect(await call).toBe('client/signed-out');
    await networkTurn();
    expect(client.auth.state).toEqual({ status: 'signedOut', reason: 'user' });
    expect(storage.values.size).toBe(0);
    expect(service.sessions[0]?.ended).toBe(true);
  });

  test('a call that waits for an early refresh is not sent after the sign-out', async () => {
    stopClock();
    const client = await movingClock(signedInClient());
    await vi.advanceTimersByTimeAsync(3_550_000);
    const { call, open } = await service.holding(refreshRoute, () => codeOf(client.me.get()));
    const signedOut = client.auth.signOut();
    open();
    expect(await movingClock(call)).toBe('client/signed-out');
    await movingClock(signedOut);
    expect(service.count(meRoute)).toBe(0);
  });

  test('a token that is being stored during the sign-out does not remain in the storage', async () => {
    const { client, storage } = await storedClient();
    const { opened, open } = gate();
    const writing = gate();
    storage.before.set = () => {
      writing.open();
      return opened;
    };
    const call = codeOf(refreshed(client));
    await writing.opened;
    const signedOut = client.auth.signOut();
    await networkTurn();
    open();
    await signedOut;
    expect(await call).toBe('client/signed-out');
    await expect.poll(() => storage.values.size).toBe(0);
  });

  test('a write that completes long after the sign-out is undone', async () => {
    const { client, storage } = await storedClient();
    const { opened, open } = gate();
    service.expireAccessTokens();
    stopClock();
    storage.before.set = () => opened;
    expect(await movingClock(codeOf(client.me.get()))).toBe('client/storage-unavailable');
    expect(await movingClock(client.auth.signOut())).toEqual({ remote: true });
    expect(storage.values.size).toBe(0);
    open();
    await networkTurn();
    expect(storage.values.size).toBe(0);
  });

  test('a sign-in that completes after the sign-out does not sign in, and its session is revoked', async () => {
    const client = await signedInClient();
    const { call: signIn, open } = await service.holding('POST /api/v2/auth/sign-in', () =>
      codeOf(client.auth.signIn(ada)),
    );
    await client.auth.signOut();
    open();
    expect(await signIn).toBe('client/aborted');
    expect(client.auth.state.status).toBe('signedOut');
    await expect.poll(() => service.sessions.every(({ ended }) => ended)).toBe(true);
  });

  describe('and an access token that outlives the page', () => {
    let kept: Map<string, string>;

    beforeEach(() => {
      const area = webArea();
      kept = area.values;
      vi.stubGlobal('sessionStorage', area);
    });
    afterEach(() => vi.unstubAllGlobals());

    test('the session is kept in the same area, beside the access token', async () => {
      const options = { storage: webStorage(sessionStorage), keepAccessToken: inSessionStorage() };
      await signedInClient(options);
      const client = newClient(options);
      expect((await client.me.get()).email).toBe(ada.email);
      expect(service.count(refreshRoute)).toBe(0);
      expect(await client.auth.signOut()).toEqual({ remote: true });
      expect(kept.size).toBe(0);
    });

    test('a reauthentication that completes after the sign-out leaves no access token behind', async () => {
      const client = await signedInClient({ keepAccessToken: inSessionStorage() });
      expect(kept.size).toBe(1);
      const { call: reauthentication, open } = await service.holding(reauthenticateRoute, () =>
        codeOf(client.auth.reauthenticate({ password: ada.password })),
      );
      await client.auth.signOut();
      open();
      await reauthentication;
      expect(kept.size).toBe(0);
      expect(client.auth.state).toEqual({ status: 'signedOut', reason: 'user' });
    });
  });

  test('what another tab says of the session changes nothing any more', async () => {
    let receive = (_: unknown) => {};
    const storage = Object.assign(watchedStorage(), {
      channel(_: string, onMessage: (message: unknown) => void) {
        receive = onMessage;
        return { postMessage: () => expect.fail('answered'), close() {} };
      },
    });
    const client = newClient({ storage });
    await client.auth.ready();
    for (const tokens of [{}, { serial: 1, user: { uid: 'u' }, access_token: 'a', expires_in: 3_600 }])
      receive({ id: 1, ...tokens });
    expect(client.auth.state).toEqual({ status: 'signedOut' });
  });

  test('a sign-in whose storage is read during the sign-out stores no session', async () => {
    const storage = watchedStorage();
    const client = newClient({ storage });
    await client.auth.ready();
    const reading = gate();
    const { opened, open } = gate();
    storage.before.get = () => {
      reading.open();
      return opened;
    };
    const signUp = codeOf(client.auth.signUp(ada));
    await reading.opened;
    storage.log.length = 0;
    const signedOut = client.auth.signOut();
    open();
    await signedOut;
    expect(await signUp).toBe('client/aborted');
    expect(storage.log).not.toContain(`set ${storageKey}`);
    expect(sessionsIn(storage)).toEqual([]);
    await expect.poll(() => service.sessions.every(({ ended }) => ended)).toBe(true);
  });

  test('a call of the previous user is never retried as the next user', async () => {
    const client = await expiredClient();
    const { call, open } = await service.holding(meRoute, () => codeOf(client.me.get()));
    await client.auth.signUp(bob);
    open();
    expect(await call).toBe('client/signed-out');
    expect(client.auth.state).toMatchObject({ user: { email: 'bob@example.com' } });
  });
});

describe('a sign-out and the service', () => {
  test('offline it clears the local session and reports that the service did not confirm', async () => {
    const { client, storage } = await storedClient();
    service.next(signOutRoute, lostRequest);
    expect(await client.auth.signOut()).toEqual({ remote: false });
    expect(client.auth.state).toEqual({ status: 'signedOut', reason: 'user' });
    expect(sessionsIn(storage)).toEqual([]);
  });

  test('right after startup it revokes the session at the service too', async () => {
    const { storage } = await storedClient();
    const client = newClient({ storage });
    expect(client.auth.state).toEqual({ status: 'loading' });
    expect(await client.auth.signOut()).toEqual({ remote: true });
    expect(service.sessions[0]?.ended).toBe(true);
    await expect.poll(() => storage.values.size).toBe(0);
    expect(client.auth.state).toEqual({ status: 'signedOut', reason: 'user' });
  });

  test('with an expired access token it revokes the session at the service too', async () => {
    const client = await expiredClient();
    expect(await client.auth.signOut()).toEqual({ remote: true });
    expect(service.sessions[0]?.ended).toBe(true);
  });

  test('of an already revoked session it reports success', async () => {
    const client = await signedInClient();
    service.sessions[0]!.ended = true;
    expect(await client.auth.signOut()).toEqual({ remote: true });
    const other = newClient();
    await other.auth.signIn(ada);
    service.sessions[1]!.ended = true;
    expect(await other.auth.signOut({ everywhere: true })).toEqual({ remote: false });
  });

  test('everywhere: every session of the user is revoked', async () => {
    const client = await signedInClient();
    const other = newClient();
    await other.auth.signIn(ada);
    expect(await client.auth.signOut({ everywhere: true })).toEqual({ remote: true });
    expect(service.sessions.map(({ ended }) => ended)).toEqual([true, true]);
    expect(await codeOf(other.me.get())).toBe('auth/refresh-token-revoked');
    expect(other.auth.state).toEqual({ status: 'signedOut', reason: 'revoked' });
  });

  test('when signed out changes nothing', async () => {
    const client = newClient();
    await client.auth.ready();
    expect(await client.auth.signOut()).toEqual({ remote: false });
    expect(client.auth.state).toEqual({ status: 'signedOut' });
    expect(service.requests).toEqual([]);
  });

  test('a storage that keeps the token is ignored only if the service revoked the session', async () => {
    const { client, storage } = await storedClient();
    storage.before.remove = locked;
    expect(await client.auth.signOut()).toEqual({ remote: true });
    await client.auth.signIn(ada);
    service.next(signOutRoute, lostRequest);
    expect(await codeOf(client.auth.signOut())).toBe('client/storage-unavailable');
    expect(client.auth.state.status).toBe('signedOut');
    expect(storage.values.has(storageKey)).toBe(true);
  });
});
