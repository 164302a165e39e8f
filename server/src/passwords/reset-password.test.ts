// Password reset with an emailed code: effects, notices and events.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { codeScenario, flowOf, invalidCode, newPassword, wrongCode } from '../../test/code-scenario.js';
import { busyPasswordHasher, claimsOf, testService } from '../../test/harness.js';
import { invalid, revoked, sessionScenario } from '../../test/session-scenario.js';
import { shared } from '../../test/shared.js';

const service = shared(() => testService());

const scenario = codeScenario(() => service);
const { eventsOf, me } = sessionScenario(() => service);
const newEmail = () => `${randomUUID()}@example.com`;

describe('a password reset', () => {
  test('answers 204 without a body, disables the old password and enables the new one', async () => {
    const user = await service.signUp();
    const answer = await scenario.reset(user.email, await scenario.resetCode(user.email));
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await service.signIn(user)).code).toBe('auth/invalid-credential');
    const signedIn = await service.signIn({ email: user.email, password: newPassword });
    expect([signedIn.status, signedIn.data.user.uid]).toEqual([200, user.uid]);
  });

  test('ends every session of the account at once, and no other', async () => {
    const user = await service.signUp();
    const stranger = await service.signUp();
    const others = [(await service.signIn(user)).data, await scenario.signInByCode(user.email)];
    await scenario.reset(user.email, await scenario.resetCode(user.email));
    // The code sign-in ended the first two as unproven; the reset ended the rest.
    for (const tokens of [user.tokens, ...others]) {
      expect(await me(tokens.access_token)).toMatchObject(invalid);
      expect(await service.refresh(tokens.refresh_token)).toMatchObject(revoked);
    }
    const reasons = (await eventsOf(user.uid, 'session.ended')).map(
      (event) => (event.data as { session: { reason: string } }).session.reason,
    );
    expect(reasons).toEqual(['unproven', 'unproven', 'password_reset']);
    expect((await me(stranger.tokens.access_token)).status).toBe(200);
  });

  test('also ends the session that requested it', async () => {
    const user = await service.signUp();
    const token = user.tokens.access_token;
    const code = await scenario.resetCode(user.email);
    expect((await scenario.reset(user.email, code, newPassword, { token })).status).toBe(204);
    expect(await me(token)).toMatchObject(invalid);
  });

  test('ends a verification of the email that was requested before', async () => {
    const { email } = await service.signUp();
    // The email is proven, so that the second reset removes nothing else.
    await scenario.reset(email, await scenario.resetCode(email));
    const { data: session } = await service.signIn({ email, password: newPassword });
    const code = await scenario.verificationCode({ email, token: session.access_token });
    const password = 'a third long password';
    await scenario.reset(email, await scenario.resetCode(email), password);
    const { data: latest } = await service.signIn({ email, password });
    expect(await scenario.confirm(latest.access_token, code)).toMatchObject(invalidCode);
  });

  test('does not mark the email verified, which the specification reserves for other methods', async () => {
    const user = await service.signUp();
    await scenario.reset(user.email, await scenario.resetCode(user.email));
    expect(await scenario.userRow(user.uid)).toMatchObject({ emailVerified: false, emailProven: true });
    const { data } = await service.signIn({ email: user.email, password: newPassword });
    expect([data.user.email_verified, claimsOf(data.access_token).email_verified]).toEqual([false, false]);
    expect(await eventsOf(user.uid, 'user.email_verified')).toEqual([]);
  });

  test('leaves a verified email verified', async () => {
    const { user } = await scenario.signInByCode(newEmail());
    expect((await scenario.reset(user.email, await scenario.resetCode(user.email))).status).toBe(204);
    expect(await scenario.userRow(user.uid)).toMatchObject({ emailVerified: true, emailProven: true });
  });

  test('sends a notice to the email of the account, and an event', async () => {
    const user = await service.signUp();
    await scenario.reset(user.email, await scenario.resetCode(user.email));
    const [notice, ...more] = await scenario.mailed(user.email, 'password_changed');
    expect([notice?.to, notice?.code, notice?.link, more]).toEqual([user.email, undefined, undefined, []]);
    expect(`${notice?.text}${notice?.html}`).not.toContain(newPassword);
    expect(await eventsOf(user.uid, 'user.password_changed')).toMatchObject([
      { data: { user: { uid: user.uid, email: user.email }, reason: 'reset' } },
    ]);
  });

  test('sets a password on an account without one, whose code sign-in still works', async () => {
    const { user } = await scenario.signInByCode(newEmail());
    await scenario.reset(user.email, await scenario.resetCode(user.email));
    expect((await service.signIn({ email: user.email, password: newPassword })).status).toBe(200);
    expect((await scenario.signInByCode(user.email)).user.uid).toBe(user.uid);
  });

  test('creates no account for an unknown email', async () => {
    const email = newEmail();
    await scenario.forgot(email);
    expect(await scenario.reset(email, '000000')).toMatchObject(invalidCode);
    expect(await service.database.prisma.user.count({ where: { email } })).toBe(0);
  });

  test('of a disabled account is refused with its own error only for the right code, and changes nothing', async () => {
    const user = await service.signUp();
    await scenario.disable(user.uid);
    const before = await scenario.userRow(user.uid);
    const code = await scenario.resetCode(user.email);
    expect(await scenario.reset(user.email, wrongCode(code))).toMatchObject(invalidCode);
    expect(await scenario.reset(user.email, code)).toMatchObject({ status: 403, code: 'auth/user-disabled' });
    expect(await scenario.userRow(user.uid)).toEqual(before);
    expect(await scenario.mailed(user.email, 'password_changed')).toEqual([]);
  });

  test('normalises the new password like a sign-in', async () => {
    const user = await service.signUp();
    await scenario.reset(user.email, await scenario.resetCode(user.email), 'ｐａｓｓｗｏｒｄ é');
    expect((await service.signIn({ email: user.email, password: 'password e\u0301' })).status).toBe(200);
  });
});

describe('a new password that is too weak', () => {
  test('is refused before the code is checked', async () => {
    const user = await service.signUp();
    const code = await scenario.resetCode(user.email);
    for (const guess of Array(3)
      .fill([wrongCode(code), code])
      .flat()) {
      const answer = await scenario.reset(user.email, guess, '7 chars');
      expect(answer).toMatchObject({ status: 422, code: 'auth/weak-password' });
      expect(answer.json.error.fields).toEqual({ password: [expect.any(String)] });
    }
    expect((await scenario.codeRow('reset', user.email))?.guesses).toBe(0);
    expect((await scenario.reset(user.email, code)).status).toBe(204);
  });

  test('or too long costs no guess', async () => {
    const user = await service.signUp();
    const code = await scenario.resetCode(user.email);
    const answer = await scenario.reset(user.email, code, 'x'.repeat(1_025));
    expect(answer).toMatchObject({ status: 422, code: 'request/validation-failed' });
    expect((await scenario.codeRow('reset', user.email))?.guesses).toBe(0);
    expect((await scenario.reset(user.email, code, 'x'.repeat(1_024))).status).toBe(204);
  });
});

describe('the work of a reset', () => {
  test('is one hash for the right code, and none for a wrong one', async () => {
    const user = await service.signUp();
    const code = await scenario.resetCode(user.email);
    const { passwordHasher } = service.deps;
    const before = passwordHasher.done;
    await scenario.reset(user.email, wrongCode(code));
    expect(passwordHasher.done).toBe(before);
    await scenario.reset(user.email, code);
    expect(passwordHasher.done).toBe(before + 1);
  });

  test('that fails with 503 leaves the code valid and its guesses unused, however often', async () => {
    const user = await service.signUp();
    const flow = flowOf(await scenario.forgot(user.email));
    const code = await scenario.codeOf(user.email, 'reset');
    expect(await scenario.reset(user.email, wrongCode(code), newPassword, flow)).toMatchObject(invalidCode);
    const passwordHasher = await busyPasswordHasher();
    const busy = await service.secondInstance({ overrides: { passwordHasher } });
    const body = { email: user.email, code, password: newPassword };
    const options = [{ body }, { body, ...flow }];
    for (const option of [options, options, options].flat()) {
      const answer = await busy.call('POST', '/auth/password/reset', option);
      expect(answer).toMatchObject({ status: 503, code: 'request/unavailable' });
    }
    await busy.stop();
    expect(await scenario.codeRow('reset', user.email)).toMatchObject({ guesses: 1, flowGuesses: 1 });
    expect((await scenario.reset(user.email, code)).status).toBe(204);
  });
});
