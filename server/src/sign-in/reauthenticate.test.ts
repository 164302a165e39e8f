// Renewal of the sign-in time, and the calls that require a recent one.
import { describe, expect, test } from 'vitest';
import { codeScenario, invalidCode, newEmail, wrongCode } from '../../test/code-scenario.js';
import { claimsOf, type TestUser, testService } from '../../test/harness.js';
import { shared } from '../../test/shared.js';
import { inFull } from '../../test/thorough.js';

const service = shared(() => testService());

const scenario = codeScenario(() => service);
const minute = 60_000;
const wrong = { status: 401, code: 'auth/invalid-credential' };
const notRecent = { status: 403, code: 'auth/requires-recent-login' };
const invalid = { status: 401, code: 'auth/invalid-token' };

const secondsNow = () => Math.floor(service.clock.now().getTime() / 1_000);
/** A call that requires a recent sign-in and changes nothing. */
const sensitive = (token: string) => scenario.changeEmail(token, 'not an email');
const passed = { status: 422, code: 'request/validation-failed' };

describe('a sign-in is recent', () => {
  test('for five minutes, and not a millisecond longer', async () => {
    const { tokens } = await service.signUp();
    service.clock.advance(5 * minute - 1);
    expect(await sensitive(tokens.access_token)).toMatchObject(passed);
    service.clock.advance(1);
    expect(await sensitive(tokens.access_token)).toMatchObject(passed);
    service.clock.advance(1);
    expect(await sensitive(tokens.access_token)).toMatchObject(notRecent);
  });

  test.each([1, 60])('for %i minutes if the app sets so', async (minutes) => {
    await scenario.set({ recent_sign_in_minutes: minutes, access_token_seconds: 7_200 });
    try {
      const { tokens } = await service.signUp();
      service.clock.advance(minutes * minute);
      expect(await sensitive(tokens.access_token)).toMatchObject(passed);
      service.clock.advance(1);
      expect(await sensitive(tokens.access_token)).toMatchObject(notRecent);
    } finally {
      await scenario.set({ recent_sign_in_minutes: 5, access_token_seconds: 3_600 });
    }
  });

  test('only per session: neither a refresh, nor a use, nor a sign-in elsewhere renews it', async () => {
    const user = await service.signUp();
    service.clock.advance(5 * minute + 1);
    const elsewhere = (await service.signIn(user)).data;
    const refreshed = (await service.refresh(user.tokens.refresh_token)).data;
    for (const token of [user.tokens.access_token, refreshed.access_token]) {
      expect((await service.call('GET', '/me', { token })).status).toBe(200);
      expect(await sensitive(token)).toMatchObject(notRecent);
      expect(claimsOf(token).auth_time).toBe(secondsNow() - 5 * 60);
    }
    expect(await sensitive(elsewhere.access_token)).toMatchObject(passed);
  });

  test('after an emailed code', async () => {
    const user = await service.signUp();
    service.clock.advance(5 * minute + 1);
    expect(await sensitive((await scenario.signInByCode(user.email)).access_token)).toMatchObject(passed);
  });
});

describe('reauthentication', () => {
  async function signedInLongAgo(): Promise<TestUser> {
    const user = await service.signUp();
    service.clock.advance(30 * minute);
    return user;
  }

  test.each(['password', 'code'] as const)('by %s renews the sign-in time of the session', async (way) => {
    const user = await signedInLongAgo();
    const token = user.tokens.access_token;
    const proof =
      way === 'password' ? { password: user.password } : { code: await scenario.signInCode(user.email) };
    expect(await sensitive(token)).toMatchObject(notRecent);
    const answer = await scenario.reauthenticate(token, proof);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.data).sort()).toEqual(['access_token', 'expires_in', 'token_type', 'user']);
    expect(answer.data.user).toMatchObject({ uid: user.uid, email_verified: false });
    expect(claimsOf(answer.data.access_token)).toMatchObject({
      sub: user.uid,
      sid: claimsOf(token).sid,
      auth_time: secondsNow(),
      amr: [way === 'password' ? 'pwd' : 'otp'],
    });
    // The session is renewed, so the older access token passes too, and the refresh token does not change.
    for (const each of [token, answer.data.access_token]) expect(await sensitive(each)).toMatchObject(passed);
    const refreshed = (await service.refresh(user.tokens.refresh_token)).data;
    expect(claimsOf(refreshed.access_token).auth_time).toBe(secondsNow());
    service.clock.advance(5 * minute + 1);
    expect(await sensitive(refreshed.access_token)).toMatchObject(notRecent);
  });

  test('renews no other session of the user', async () => {
    const user = await service.signUp();
    const other = (await service.signIn(user)).data;
    service.clock.advance(30 * minute);
    await scenario.reauthenticate(user.tokens.access_token, { password: user.password });
    expect(await sensitive(other.access_token)).toMatchObject(notRecent);
  });

  test('is refused for a wrong password, and for the password of another user', async () => {
    const user = await signedInLongAgo();
    const stranger = await service.signUp({ password: 'the password of a stranger' });
    const token = user.tokens.access_token;
    for (const password of ['', 'wrong', stranger.password, `${user.password} `]) {
      expect(await scenario.reauthenticate(token, { password })).toMatchObject(wrong);
    }
    expect(await sensitive(token)).toMatchObject(notRecent);
  });

  test("is refused for another user's code, and for the user's own reset code", async () => {
    const user = await signedInLongAgo();
    const stranger = await service.signUp();
    const token = user.tokens.access_token;
    const own = await scenario.resetCode(user.email);
    const code = await scenario.signInCode(stranger.email);
    for (const each of [own, code]) {
      expect(await scenario.reauthenticate(token, { code: each })).toMatchObject(invalidCode);
    }
    expect(await sensitive(token)).toMatchObject(notRecent);
    expect((await scenario.verify(stranger.email, code)).status).toBe(200);
  });

  test('by password is refused for an account without one, with any input', async () => {
    const { access_token } = await scenario.signInByCode(newEmail());
    service.clock.advance(30 * minute);
    for (const password of ['', 'null', 'anything at all']) {
      expect(await scenario.reauthenticate(access_token, { password })).toMatchObject(wrong);
    }
  });

  test('accepts one credential beside others that the client writes as null', async () => {
    const user = await signedInLongAgo();
    const nothing = { code: null, provider_a: null, provider_b: null };
    const body = { password: user.password, ...nothing, totp: null, recovery_code: null };
    const { access_token: token } = user.tokens;
    expect((await service.call('POST', '/auth/reauthenticate', { token, body })).status).toBe(200);
    const none = await service.call('POST', '/auth/reauthenticate', { token, body: { password: null } });
    expect(none).toMatchObject(passed);
  });

  test('accepts exactly one credential', async () => {
    const { tokens, password } = await service.signUp();
    for (const body of [{}, { password, code: '123456' }, { other: 'x' }, { password: null }, []]) {
      const answer = await scenario.reauthenticate(tokens.access_token, body);
      expect(answer).toMatchObject({ status: 422, code: 'request/validation-failed' });
    }
  });

  test('with a disabled provider is refused with auth/operation-not-allowed', async () => {
    const { tokens } = await service.signUp();
    const provider_a = { id_token: 'x', nonce: 'y' };
    expect(await scenario.reauthenticate(tokens.access_token, { provider_a })).toMatchObject({
      status: 403,
      code: 'auth/operation-not-allowed',
    });
  });

  test('requires a live session, and a code sent with an ended one is not spent', async () => {
    const user = await service.signUp();
    const code = await scenario.signInCode(user.email);
    await service.call('POST', '/auth/sign-out', { token: user.tokens.access_token });
    for (const proof of [{ password: user.password }, { code }]) {
      expect(await scenario.reauthenticate(user.tokens.access_token, proof)).toMatchObject(invalid);
    }
    expect((await scenario.codeRow('sign_in', user.email))?.guesses).toBe(0);
  });

  test('concurrent with a sign-out or a deletion renews no ended session', async () => {
    for (let round = 0; round < inFull(20, 4); round += 1) {
      const user = await service.signUp();
      const token = user.tokens.access_token;
      const proof = round % 2 ? { password: user.password } : { code: await scenario.signInCode(user.email) };
      const [renewed, ended] = await Promise.all([
        scenario.reauthenticate(token, proof),
        round % 4 < 2
          ? service.call('POST', '/auth/sign-out-all', { token })
          : service.call('DELETE', '/me', { token }),
      ]);
      expect(ended.status).toBe(204);
      expect([200, 401, 422]).toContain(renewed.status);
      expect(await service.call('GET', '/me', { token })).toMatchObject(invalid);
      const later = renewed.data?.access_token;
      if (later) expect(await service.call('GET', '/me', { token: later })).toMatchObject(invalid);
    }
  });

  test('by code does not mark the email as verified or proven', async () => {
    const user = await service.signUp();
    const code = await scenario.signInCode(user.email);
    expect((await scenario.reauthenticate(user.tokens.access_token, { code })).status).toBe(200);
    expect(await scenario.userRow(user.uid)).toMatchObject({ emailVerified: false, emailProven: false });
    expect(await scenario.reauthenticate(user.tokens.access_token, { code: wrongCode() })).toMatchObject(
      invalidCode,
    );
  });
});
