// Account operations of the signed-in user: reauthentication, email, password, identities, deletion.
import { describe, expect, test } from 'vitest';
import type { SignInProof } from '../src/models.js';
import type { Maybe } from '../src/session/storage.js';
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
  signedInClient,
  statesOf,
  stopClock,
  storedClient,
  useScriptedService,
} from './harness.js';
import { answers, lostAnswer, lostRequest, refuses } from './mishaps.js';
import { emailedCode, meRoute, refreshRoute } from './scripted-service.js';

const service = useScriptedService();
const reauthenticateRoute = 'POST /api/v2/auth/reauthenticate';
const deleteRoute = 'DELETE /api/v2/me';
const passwordRoute = 'PUT /api/v2/me/password';

describe('reauthentication', () => {
  test('stores the new access token and keeps the refresh token', async () => {
    const { client, storage } = await storedClient();
    const [token, stored] = [await client.auth.getAccessToken(), [...storage.values]];
    await client.auth.reauthenticate({ password: ada.password });
    expect(await client.auth.getAccessToken()).not.toBe(token);
    expect([...storage.values]).toEqual(stored);
    await client.me.get();
    expect(service.requests.at(-1)?.authorization).not.toBe(`Bearer ${token}`);
    expect(service.count(refreshRoute)).toBe(0);
    await refreshed(client);
  });

  test.each<SignInProof>([
    { password: 'p' },
    { code: '123456' },
    { provider_a: { id_token: 'it', nonce: 'n' } },
    { provider_b: { identity_token: 'it', authorization_code: 'ac', nonce: 'n' } },
  ])('with %j sends that proof alone', async (proof) => {
    const client = await signedInClient();
    await codeOf(client.auth.reauthenticate(proof));
    const { route, body: sent } = service.requests.at(-1)!;
    expect([route, JSON.parse(sent.toString())]).toEqual([reauthenticateRoute, proof]);
  });

  test('with a wrong credential leaves the session unchanged', async () => {
    const client = await signedInClient();
    const { state } = client.auth;
    const token = await client.auth.getAccessToken();
    expect(await codeOf(client.auth.reauthenticate({ password: 'wrong' }))).toBe('auth/invalid-credential');
    expect(client.auth.state).toBe(state);
    expect(await client.auth.getAccessToken()).toBe(token);
  });

  test("that receives a proxy's page replaces no token", async () => {
    const client = await signedInClient();
    const token = await client.auth.getAccessToken();
    service.next(reauthenticateRoute, answers(200, { data: { access_token: 'x' } }));
    expect(await codeOf(client.auth.reauthenticate({ password: ada.password }))).toBe('client/bad-response');
    expect(await client.auth.getAccessToken()).toBe(token);
  });

  test('that completes after another user signed in does not affect that user', async () => {
    const client = await signedInClient();
    const { call: reauthenticated, open } = await service.holding(reauthenticateRoute, () =>
      client.auth.reauthenticate({ password: ada.password }),
    );
    await client.auth.signUp(bob);
    const token = await client.auth.getAccessToken();
    open();
    await reauthenticated;
    expect(await client.auth.getAccessToken()).toBe(token);
    expect(client.auth.state).toMatchObject({ user: { email: 'bob@example.com' } });
  });
});

describe('a call that requires a recent sign-in', () => {
  async function longSignedIn() {
    const client = await signedInClient();
    service.forgetSignInTimes();
    return client;
  }

  test('is retried once after reauthentication', async () => {
    const client = await longSignedIn();
    let asked = 0;
    const sent = await client.auth.withRecentSignIn(
      () => client.me.changeEmail('ada@example.org'),
      async () => {
        asked++;
        return { password: ada.password };
      },
    );
    expect([sent, asked]).toEqual([{ expires_in: 600 }, 1]);
    expect(service.requests.slice(1).map(({ route }) => route)).toEqual([
      'POST /api/v2/me/email',
      reauthenticateRoute,
      'POST /api/v2/me/email',
    ]);
  });

  test('asks for no credential when the sign-in is recent or the call fails for another reason', async () => {
    const client = await signedInClient();
    const ask = () => expect.unreachable();
    expect(await client.auth.withRecentSignIn(() => client.me.get(), ask)).toMatchObject({
      email: ada.email,
    });
    service.next(meRoute, refuses(403, 'auth/user-disabled'));
    expect(await codeOf(client.auth.withRecentSignIn(() => client.me.get(), ask))).toBe('auth/user-disabled');
  });

  test('rejects with the original error when no credential is given', async () => {
    const client = await longSignedIn();
    for (const ask of [() => null, async () => null]) {
      const call = client.auth.withRecentSignIn(() => client.me.delete(), ask);
      expect(await codeOf(call)).toBe('auth/requires-recent-login');
    }
    expect(service.count(reauthenticateRoute)).toBe(0);
    expect(client.auth.state.status).toBe('signedIn');
  });

  test('is not retried after a wrong credential, and only once', async () => {
    const client = await longSignedIn();
    const deleteAfter = (ask: () => Maybe<SignInProof>) =>
      codeOf(client.auth.withRecentSignIn(() => client.me.delete(), ask));
    expect(await deleteAfter(() => ({ password: 'x' }))).toBe('auth/invalid-credential');
    expect(service.count(deleteRoute)).toBe(1);
    service.always.set(deleteRoute, refuses(403, 'auth/requires-recent-login'));
    expect(await deleteAfter(async () => ({ password: ada.password }))).toBe('auth/requires-recent-login');
    expect(service.count(deleteRoute)).toBe(3);
  });
});

describe('deleting the account', () => {
  test('signs out with reason deleted and clears the storage', async () => {
    const { client, storage } = await storedClient();
    const states = statesOf(client);
    await client.me.delete();
    expect(client.auth.state).toEqual({ status: 'signedOut', reason: 'deleted' });
    expect(storage.values.size).toBe(0);
    await networkTurn();
    expect(states.map(({ status }) => status)).toEqual(['signedIn', 'signedOut']);
    expect(service.requests.at(-1)?.route).toBe(deleteRoute);
    expect(await codeOf(client.me.get())).toBe('client/signed-out');
    expect(await codeOf(client.auth.signIn(ada))).toBe('auth/invalid-credential');
  });

  test('succeeds when its response was lost and the session is revoked', async () => {
    const client = await signedInClient();
    service.next(deleteRoute, lostAnswer);
    stopClock();
    await movingClock(client.me.delete());
    expect(service.count(deleteRoute)).toBe(2);
    expect(client.auth.state).toEqual({ status: 'signedOut', reason: 'deleted' });
  });

  test('fails when the session was already revoked', async () => {
    const client = await signedInClient();
    service.sessions[0]!.ended = true;
    expect(await codeOf(client.me.delete())).toBe('auth/refresh-token-revoked');
    expect(client.auth.state).toEqual({ status: 'signedOut', reason: 'revoked' });
  });

  test('changes nothing when it is rejected or does not arrive', async () => {
    const { client, storage } = await storedClient();
    service.forgetSignInTimes();
    expect(await codeOf(client.me.delete())).toBe('auth/requires-recent-login');
    service.next(deleteRoute, lostRequest);
    expect(await codeOf(client.me.delete({ maxRetries: 0 }))).toBe('client/network');
    expect(client.auth.state.status).toBe('signedIn');
    expect(storage.values.size).toBe(1);
  });

  test('does not sign out another user who signed in meanwhile', async () => {
    const client = await signedInClient();
    const { call: deleted, open } = await service.holding(deleteRoute, () => client.me.delete());
    await client.auth.signUp(bob);
    open();
    await deleted;
    expect(client.auth.state).toMatchObject({ status: 'signedIn', user: { email: 'bob@example.com' } });
  });

  test('succeeds when the storage cannot be cleared, because the stored token is revoked', async () => {
    const { client, storage } = await storedClient();
    storage.before.remove = locked;
    await client.me.delete();
    expect(client.auth.state).toEqual({ status: 'signedOut', reason: 'deleted' });
    const next = newClient({ storage });
    expect(await codeOf(next.me.get())).toBe('auth/refresh-token-revoked');
  });
});

test('a confirmed email is verified in the state', async () => {
  const client = await signedInClient();
  const user = await client.auth.verification.confirm(emailedCode);
  expect(user.email_verified).toBe(true);
  expect(client.auth.state).toMatchObject({ status: 'signedIn', user });
});

describe('a password change', () => {
  const change = { password: 'a new password', current_password: ada.password };

  test('is not retried after a lost response, because the current password would no longer match', async () => {
    const client = await signedInClient();
    service.next(passwordRoute, lostAnswer);
    expect(await codeOf(client.me.changePassword(change))).toBe('client/network');
    expect(service.count(passwordRoute)).toBe(1);
    await client.auth.signIn({ ...ada, password: change.password });
  });

  test('is retried with a newer token, because a rejected request changed nothing', async () => {
    const client = await expiredClient();
    await client.me.changePassword(change);
    expect(service.count(passwordRoute)).toBe(2);
  });
});
