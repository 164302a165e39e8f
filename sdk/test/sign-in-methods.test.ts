// Sign-in methods other than the password, and requests that include an optional bearer token.
import { describe, expect, test } from 'vitest';
import {
  ada,
  bob,
  codeOf,
  expiredClient,
  movingClock,
  newClient,
  signedInClient,
  stopClock,
  storageKey,
  storedClient,
  useScriptedService,
} from './harness.js';
import { answers, lostRequest, type Mishap, refuses } from './mishaps.js';
import { emailedCode, refreshRoute } from './scripted-service.js';

const service = useScriptedService();
const sendRoute = 'POST /api/v2/auth/email-code/send';
const verifyRoute = 'POST /api/v2/auth/email-code/verify';
const byCode = { email: ada.email, code: emailedCode };

function bodyOfLast(): unknown {
  return JSON.parse(service.requests.at(-1)!.body.toString());
}

describe('an emailed code', () => {
  test('is requested without a bearer token, and once', async () => {
    const client = await signedInClient();
    expect(await client.auth.emailCode.send('bob@example.com')).toEqual({ expires_in: 600 });
    expect(bodyOfLast()).toEqual({ email: 'bob@example.com' });
    service.next(sendRoute, refuses(503, 'request/unavailable'));
    expect(await codeOf(client.auth.emailCode.send('bob@example.com'))).toBe('request/unavailable');
    expect(service.count(sendRoute)).toBe(2);
  });

  test('that is wrong preserves the current session', async () => {
    const client = await signedInClient();
    const { state } = client.auth;
    const wrong = client.auth.emailCode.verify({ ...byCode, code: '000000' });
    expect(await codeOf(wrong)).toBe('auth/invalid-code');
    expect(client.auth.state).toBe(state);
  });
});

describe('an emailed code, used in a session', () => {
  test('is sent with the bearer token', async () => {
    const client = await signedInClient();
    const token = await client.auth.getAccessToken();
    await client.auth.emailCode.verify(byCode);
    expect(service.requests.at(-1)?.authorization).toBe(`Bearer ${token}`);
  });

  test('refreshes first for a bearer token, after startup', async () => {
    const { storage } = await storedClient();
    await newClient({ storage }).auth.emailCode.verify(byCode);
    expect(service.requests.slice(1).map(({ route }) => route)).toEqual([refreshRoute, verifyRoute]);
    expect(service.requests.at(-1)?.authorization).toMatch(/^Bearer eyJ/);
  });

  test('is retried with a newer token when this one is rejected', async () => {
    const client = await expiredClient();
    await client.auth.emailCode.verify(byCode);
    const verifications = service.sent(verifyRoute);
    expect(verifications).toHaveLength(2);
    expect(verifications[0]!.authorization).not.toBe(verifications[1]!.authorization);
  });

  test('signs in without a token when that session turns out to be revoked', async () => {
    const { client, storage } = await storedClient();
    service.sessions[0]!.ended = true;
    await client.auth.emailCode.verify(byCode);
    expect(service.requests.at(-1)).toMatchObject({ route: verifyRoute, authorization: undefined });
    expect(client.auth.state).toMatchObject({ status: 'signedIn' });
    expect(storage.values.get(storageKey)).toContain(service.sessions[1]!.id);
  });

  test("is never sent without the token after a network failure, which could remove the account's password", async () => {
    const { storage } = await storedClient();
    const client = newClient({ storage });
    service.always.set(refreshRoute, lostRequest);
    stopClock();
    expect(await movingClock(codeOf(client.auth.emailCode.verify(byCode)))).toBe('client/network');
    expect(service.count(verifyRoute)).toBe(0);
    expect(client.auth.state).toMatchObject({ status: 'signedIn', online: false });
  });

  test('signs in without a token when another tab has signed out', async () => {
    const { client, storage } = await storedClient();
    await newClient({ storage }).auth.signOut();
    await client.auth.emailCode.verify(byCode);
    expect(service.requests.at(-1)).toMatchObject({ route: verifyRoute, authorization: undefined });
  });

  test.each<[string, Mishap, string]>([
    ['lost', lostRequest, 'client/network'],
    ['a refusal of the bearer', refuses(401, 'auth/invalid-token'), 'client/signed-out'],
  ])(
    'is not sent again without the bearer when the user signs out and the answer is %s',
    async (_, mishap, code) => {
      const client = await signedInClient();
      service.next(verifyRoute, async (exchange) => {
        await client.auth.signOut();
        await mishap(exchange);
      });
      expect(await codeOf(client.auth.emailCode.verify(byCode))).toBe(code);
      expect(service.count(verifyRoute)).toBe(1);
      expect(client.auth.state).toEqual({ status: 'signedOut', reason: 'user' });
    },
  );
});

describe('a forgotten password', () => {
  const reset = { ...byCode, password: 'a new password' };

  test('is reset with the code, which does not sign in', async () => {
    await signedInClient();
    const client = newClient();
    expect(await client.auth.password.forgot(ada.email)).toEqual({ expires_in: 600 });
    await client.auth.password.reset(reset);
    expect(await client.auth.ready()).toEqual({ status: 'signedOut' });
    await client.auth.signIn({ email: ada.email, password: reset.password });
  });

  test('of another account preserves the current session', async () => {
    await newClient().auth.signUp(bob);
    const client = await signedInClient();
    await client.auth.password.reset({ ...reset, email: bob.email });
    expect(client.auth.state).toMatchObject({ status: 'signedIn', user: { email: ada.email } });
    expect((await client.me.get()).email).toBe(ada.email);
  });

  test('is reset even if the session cannot be checked afterwards', async () => {
    const client = await signedInClient();
    service.next(
      refreshRoute,
      answers(503, { error: { code: 'request/unavailable', message: '' } }, { 'Retry-After': '60' }),
    );
    await client.auth.password.reset(reset);
    expect(client.auth.state).toMatchObject({ status: 'signedIn', online: false });
  });

  test('with a wrong code changes nothing', async () => {
    const client = await signedInClient();
    expect(await codeOf(client.auth.password.reset({ ...reset, code: '000000' }))).toBe('auth/invalid-code');
    expect(service.count(refreshRoute)).toBe(0);
    expect((await client.me.get()).email).toBe(ada.email);
  });
});
