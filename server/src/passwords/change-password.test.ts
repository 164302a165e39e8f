// PUT /me/password: who may change a password, and what that ends.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { HashCaller, PasswordHasher } from '../../engines/hashing/index.js';
import { codeScenario, newPassword } from '../../test/code-scenario.js';
import { cheapPasswordHasher, testService } from '../../test/harness.js';
import { invalid, revoked, sessionScenario } from '../../test/session-scenario.js';
import { shared } from '../../test/shared.js';
import { inFull } from '../../test/thorough.js';
import type { UserCall } from '../model/call.js';
import { changePassword } from './change-password.js';

let hasher: PasswordHasher;
/** Called before a password is hashed: the call is then between verification and change. */
let whileHashing: (() => Promise<unknown>) | undefined;
const service = shared(() => {
  hasher = cheapPasswordHasher();
  const passwordHasher: PasswordHasher = Object.create(hasher, {
    hash: {
      async value(password: string, caller: HashCaller) {
        const between = whileHashing;
        whileHashing = undefined;
        await between?.();
        return hasher.hash(password, caller);
      },
    },
  });
  return testService({ overrides: { passwordHasher } });
});

const scenario = codeScenario(() => service);
const { eventsOf, me } = sessionScenario(() => service);
const minute = 60_000;
const wrong = { status: 401, code: 'auth/invalid-credential' };
const notRecent = { status: 403, code: 'auth/requires-recent-login' };

describe('a change of password', () => {
  test('after a recent sign-in answers 204, disables the old password and enables the new one', async () => {
    const user = await service.signUp();
    const answer = await scenario.changePassword(user.tokens.access_token, { password: newPassword });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await service.signIn(user)).toMatchObject(wrong);
    expect((await service.signIn({ ...user, password: newPassword })).status).toBe(200);
  });

  test('with a current password that the client writes as null is one without it', async () => {
    const user = await service.signUp();
    const body = { password: newPassword, current_password: null };
    const change = () => service.call('PUT', '/me/password', { token: user.tokens.access_token, body });
    expect((await change()).status).toBe(204);
    service.clock.advance(6 * minute);
    expect(await change()).toMatchObject(notRecent);
  });

  test('ends every other session, and the current one and its refresh token remain valid', async () => {
    const user = await service.signUp();
    const other = (await service.signIn(user)).data;
    await scenario.changePassword(user.tokens.access_token, { password: newPassword });
    expect(await me(other.access_token)).toMatchObject(invalid);
    expect(await service.refresh(other.refresh_token)).toMatchObject(revoked);
    expect((await me(user.tokens.access_token)).status).toBe(200);
    expect((await service.refresh(user.tokens.refresh_token)).status).toBe(200);
    expect(await eventsOf(user.uid, 'session.ended')).toMatchObject([
      { data: { session: { reason: 'password_change' } } },
    ]);
  });

  test('sends a notice and an event, and does not mark the email as verified or proven', async () => {
    const user = await service.signUp();
    await scenario.changePassword(user.tokens.access_token, { password: newPassword });
    const notices = await scenario.mailed(user.email, 'password_changed');
    expect(notices.map(({ to }) => to)).toEqual([user.email]);
    expect(await eventsOf(user.uid, 'user.password_changed')).toMatchObject([
      { data: { user: { uid: user.uid }, reason: 'changed' } },
    ]);
    expect(await scenario.userRow(user.uid)).toMatchObject({ emailVerified: false, emailProven: false });
  });

  test('is refused if the new password is too weak, with any current password or none', async () => {
    const user = await service.signUp();
    service.clock.advance(30 * minute);
    for (const current_password of [user.password, 'wrong', undefined]) {
      const body = { password: '7 chars', current_password };
      expect(await scenario.changePassword(user.tokens.access_token, body)).toMatchObject({
        status: 422,
        code: 'auth/weak-password',
        json: { error: { fields: { password: [expect.any(String)] } } },
      });
    }
  });
});

describe('an old sign-in', () => {
  test('requires the current password', async () => {
    const user = await service.signUp();
    const token = user.tokens.access_token;
    service.clock.advance(5 * minute);
    expect((await scenario.changePassword(token, { password: 'the second password' })).status).toBe(204);
    service.clock.advance(1);
    const done = hasher.done;
    expect(await scenario.changePassword(token, { password: newPassword })).toMatchObject(notRecent);
    expect(hasher.done).toBe(done);
    const change = (current_password: string) =>
      scenario.changePassword(token, { password: newPassword, current_password });
    for (const current of ['', user.password, newPassword])
      expect(await change(current)).toMatchObject(wrong);
    expect((await change('the second password')).status).toBe(204);
    expect((await service.signIn({ ...user, password: newPassword })).status).toBe(200);
    // A password check renews no sign-in.
    expect(await scenario.changePassword(token, { password: 'the fourth password' })).toMatchObject(
      notRecent,
    );
  });

  test('is renewed by reauthentication', async () => {
    const user = await service.signUp();
    service.clock.advance(30 * minute);
    await scenario.reauthenticate(user.tokens.access_token, { password: user.password });
    expect((await scenario.changePassword(user.tokens.access_token, { password: newPassword })).status).toBe(
      204,
    );
  });

  test('a current password that is sent is checked after a recent sign-in too', async () => {
    const user = await service.signUp();
    const body = { password: newPassword, current_password: 'wrong' };
    expect(await scenario.changePassword(user.tokens.access_token, body)).toMatchObject(wrong);
    expect((await service.signIn(user)).status).toBe(200);
  });
});

describe('an account without a password', () => {
  test('sets one after a recent sign-in, and never with a current password', async () => {
    const { access_token, user } = await scenario.signInByCode(`${randomUUID()}@example.com`);
    const body = { password: newPassword, current_password: 'anything at all' };
    expect(await scenario.changePassword(access_token, body)).toMatchObject(wrong);
    service.clock.advance(30 * minute);
    expect(await scenario.changePassword(access_token, body)).toMatchObject(wrong);
    expect(await scenario.changePassword(access_token, { password: newPassword })).toMatchObject(notRecent);
    await scenario.reauthenticate(access_token, { code: await scenario.signInCode(user.email) });
    expect((await scenario.changePassword(access_token, { password: newPassword })).status).toBe(204);
    expect((await service.signIn({ email: user.email, password: newPassword })).status).toBe(200);
    expect(await scenario.mailed(user.email, 'password_changed')).toHaveLength(1);
  });
});

describe('a pending change', () => {
  const endings: [string, (user: { token: string; other: string; email: string }) => Promise<unknown>][] = [
    ['signed out everywhere', ({ other }) => service.call('POST', '/auth/sign-out-all', { token: other })],
    ['signed out', ({ token }) => service.call('POST', '/auth/sign-out', { token })],
    [
      'signed out by a change elsewhere',
      ({ other }) => scenario.changePassword(other, { password: 'the password of elsewhere' }),
    ],
    [
      'reset',
      async ({ email }) => scenario.reset(email, await scenario.resetCode(email), 'the password of the mail'),
    ],
  ];
  test.each(endings)('when its session is %s is refused and changes nothing', async (_name, end) => {
    const user = await service.signUp();
    const token = user.tokens.access_token;
    const other = (await service.signIn(user)).data.access_token;
    whileHashing = () => end({ token, other, email: user.email });
    expect(await scenario.changePassword(token, { password: newPassword })).toMatchObject(invalid);
    expect(await service.signIn({ ...user, password: newPassword })).toMatchObject(wrong);
  });

  test('is refused if the account is deleted', async () => {
    const user = await service.signUp();
    const token = user.tokens.access_token;
    whileHashing = () => scenario.deleteAccount(token);
    expect(await scenario.changePassword(token, { password: newPassword })).toMatchObject(invalid);
  });

  test('is refused if the account was deleted after the token was checked', async () => {
    const ids = { uid: randomUUID(), sessionId: randomUUID() };
    const session = { ...ids, authTime: service.clock.now(), amr: ['pwd'] };
    const call = { app: service.app.app, uid: ids.uid, session, ip: null } as unknown as UserCall;
    const change = changePassword(service.deps, call, { password: newPassword, current_password: 'typed' });
    await expect(change).rejects.toMatchObject({ code: 'auth/invalid-token' });
  });

  test('with the current password is refused if that was changed meanwhile', async () => {
    const user = await service.signUp();
    const token = user.tokens.access_token;
    whileHashing = () => scenario.changePassword(token, { password: 'changed from the same session' });
    const body = { password: newPassword, current_password: user.password };
    expect(await scenario.changePassword(token, body)).toMatchObject(wrong);
    expect((await service.signIn({ ...user, password: 'changed from the same session' })).status).toBe(200);
  });

  test('twice concurrently leaves one of the two passwords, and the session that set it', async () => {
    for (let round = 0; round < inFull(10, 2); round += 1) {
      const user = await service.signUp();
      const sessions = [user.tokens, (await service.signIn(user)).data];
      const answers = await Promise.all(
        sessions.map(({ access_token }, place) =>
          scenario.changePassword(access_token, { password: `password number ${place}` }),
        ),
      );
      const won = answers.findIndex(({ status }) => status === 204);
      expect(answers[1 - won]).toMatchObject(invalid);
      for (const place of [0, 1]) {
        const { status } = await service.signIn({ ...user, password: `password number ${place}` });
        expect(status).toBe(place === won ? 200 : 401);
        expect((await me(sessions[place]?.access_token as string)).status).toBe(place === won ? 200 : 401);
      }
    }
  });
});
