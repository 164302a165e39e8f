// Change and verification of the email: when it takes effect, who is notified, and what the old email no longer opens.
import { describe, expect, test } from 'vitest';
import { oneAfterAnother, testOnServer, untilBlocked } from '../../test/blocked.js';
import {
  codeScenario,
  expiredCode,
  flowOf,
  invalidCode,
  newEmail,
  wrongCode,
} from '../../test/code-scenario.js';
import { type Answer, testService } from '../../test/harness.js';
import { lateAnswer } from '../../test/held-transactions.js';
import { invalid, sessionScenario } from '../../test/session-scenario.js';
import { shared } from '../../test/shared.js';
import { inFull } from '../../test/thorough.js';

const service = shared(() => testService());

const scenario = codeScenario(() => service);
const { eventsOf, me } = sessionScenario(() => service);
const taken = {
  status: 409,
  code: 'auth/email-already-in-use',
  json: { error: { fields: { email: [expect.any(String)] } } },
};
const tenMinutes = 600_000;

async function start() {
  const user = await service.signUp();
  return { ...user, token: user.tokens.access_token, next: newEmail() };
}

describe('a change of email', () => {
  test.each<[string, (email: string) => string]>([
    ['as it is', (email) => email],
    ['in another case', (email) => email.toUpperCase()],
    ['with an invisible character', (email) => `\u200b${email}`],
  ])('to the own email, %s, mails a code that verifies it', async (_how, typed) => {
    const { email, token } = await start();
    const answer = await scenario.changeEmail(token, typed(email));
    expect(answer).toMatchObject({ status: 200, data: { expires_in: 600 } });
    const confirmed = await scenario.confirm(token, await scenario.codeOf(email, 'verification'));
    expect(confirmed).toMatchObject({ status: 200, data: { email, email_verified: true } });
  });

  test('takes effect at its confirmation, not before, and is normalized', async () => {
    const { uid, email, token, next } = await start();
    await scenario.changeEmail(token, `  ${next.toUpperCase()} `);
    const code = await scenario.codeOf(next, 'email_change');
    expect((await me(token)).data).toMatchObject({ email, email_verified: false });
    expect(await scenario.mailed(email)).toEqual([]);
    const answer = await scenario.confirm(token, code);
    expect(answer).toMatchObject({ status: 200, data: { uid, email: next, email_verified: true } });
    expect((await me(token)).data).toEqual(answer.data);
    expect(await scenario.userRow(uid)).toMatchObject({
      email: next,
      emailVerified: true,
      emailProven: true,
    });
  });

  test('notifies the old email, writes events, and ends no session, whose next tokens contain the new email', async () => {
    const user = await start();
    const { uid, email, token, next } = user;
    const other = (await service.signIn(user)).data;
    await scenario.confirm(token, await scenario.changeCode(token, next));
    expect((await scenario.mailed(email)).map(({ to, code }) => [to, code])).toEqual([[email, undefined]]);
    expect(await scenario.mailed(email, 'email_changed')).toHaveLength(1);
    expect((await scenario.mailed(email))[0]?.text).not.toContain(next);
    expect(await scenario.mailed(next, 'email_changed')).toEqual([]);
    for (const type of ['user.updated', 'user.email_verified']) {
      expect(await eventsOf(uid, type)).toMatchObject([
        { data: { user: { uid, email: next, email_verified: true } } },
      ]);
    }
    expect((await me(other.access_token)).status).toBe(200);
    for (const tokens of [user.tokens, other]) {
      expect((await service.refresh(tokens.refresh_token)).data.user.email).toBe(next);
    }
  });

  test('of a verified email writes no user.email_verified event', async () => {
    const { access_token, user } = await scenario.signInByCode(newEmail());
    await scenario.confirm(access_token, await scenario.changeCode(access_token, newEmail()));
    expect(await eventsOf(user.uid, 'user.email_verified')).toEqual([]);
    expect(await eventsOf(user.uid, 'user.updated')).toHaveLength(1);
  });

  test('allows sign-in with the new email, and frees the old one for another account', async () => {
    const { uid, email, password, token, next } = await start();
    await scenario.confirm(token, await scenario.changeCode(token, next));
    expect((await service.signIn({ email, password })).code).toBe('auth/invalid-credential');
    expect((await service.signIn({ email: next, password })).data.user.uid).toBe(uid);
    expect((await scenario.signInByCode(next)).user.uid).toBe(uid);
    expect((await scenario.forgot(email)).status).toBe(200);
    expect(await scenario.mailed(email, 'reset')).toEqual([]);
    expect((await scenario.signInByCode(email)).user.uid).not.toBe(uid);
    expect((await me(token)).data).toMatchObject({ uid, email: next });
  });

  test('invalidates the codes mailed to the old email for this account', async () => {
    const { uid, email, token, next } = await start();
    const verification = await scenario.verificationCode({ email, token });
    const reset = await scenario.resetCode(email);
    const signIn = await scenario.signInCode(email);
    await scenario.confirm(token, await scenario.changeCode(token, next));
    expect(await scenario.confirm(token, verification)).toMatchObject(invalidCode);
    expect(await scenario.reset(email, reset)).toMatchObject(invalidCode);
    expect(await scenario.reauthenticate(token, { code: signIn })).toMatchObject(invalidCode);
    expect(await scenario.verify(email, signIn)).toMatchObject(invalidCode);
    expect(await scenario.mailed(email, 'sign_in')).toHaveLength(1);
    // A code that is requested now proves the mailbox, which has no account any more.
    expect((await scenario.signInByCode(email)).user.uid).not.toBe(uid);
  });

  test.each(['by the user', 'by the backend', 'deletion'])(
    '%s leaves no code with the former email',
    async (by) => {
      const { uid, email, token, next } = await start();
      const flows = [
        await scenario.send(email),
        await scenario.forgot(email),
        await scenario.sendVerification(token),
      ];
      const change = await scenario.changeCode(token, next);
      const backend = { token: service.app.secretKey, body: { email: next } };
      if (by === 'by the user') expect((await scenario.confirm(token, change)).status).toBe(200);
      else if (by === 'deletion') await scenario.deleteAccount(token);
      else await service.call('PATCH', `/admin/users/${uid}`, backend);
      expect(await service.database.prisma.code.count({ where: { OR: [{ email }, { subject: uid }] } })).toBe(
        0,
      );
      for (const flow of flows.map(flowOf)) {
        expect(await scenario.verify(email, '000000', flow)).toMatchObject(invalidCode);
      }
    },
  );

  test('ends the code that v1 mailed for a new password', async () => {
    const { email, token, next } = await start();
    await service.call('POST', '/password/forgot', { version: 'v1', body: { email } });
    const code = await scenario.codeOf(email, 'reset');
    await scenario.confirm(token, await scenario.changeCode(token, next));
    const password = 'another long password';
    const reset = (to: string) =>
      service.call('POST', '/password/reset', {
        version: 'v1',
        body: { email: to, code, password, password_confirmation: password },
      });
    for (const to of [email, next]) expect((await reset(to)).status).toBe(422);
    expect((await service.signIn({ email: next, password })).status).toBe(401);
  });

  test('is replaced by another that is requested before its confirmation', async () => {
    const { token, next } = await start();
    const first = await scenario.changeCode(token, newEmail());
    let code = await scenario.changeCode(token, next);
    while (code === first) code = await scenario.changeCode(token, next);
    expect(await scenario.confirm(token, first)).toMatchObject(invalidCode);
    expect((await scenario.confirm(token, code)).data.email).toBe(next);
  });
});

describe('an email that is taken', () => {
  test('is refused when the change is requested', async () => {
    const { token } = await start();
    const other = await service.signUp();
    for (const each of [other.email, other.email.toUpperCase()]) {
      expect(await scenario.changeEmail(token, each)).toMatchObject(taken);
    }
    expect(await scenario.mailed(other.email)).toEqual([]);
  });

  test('is refused at confirmation however often, and the code works once the email is free', async () => {
    const { token, email, next } = await start();
    const code = await scenario.changeCode(token, next);
    const other = await service.signUp({ email: next });
    for (let tries = 0; tries < 5; tries += 1) {
      expect(await scenario.confirm(token, code)).toMatchObject(taken);
    }
    expect((await me(token)).data).toMatchObject({ email, email_verified: false });
    expect(await scenario.mailed(email, 'email_changed')).toEqual([]);
    await scenario.deleteAccount(other.tokens.access_token);
    expect((await scenario.confirm(token, code)).data.email).toBe(next);
  });

  test('in another app only is accepted', async () => {
    const { token, next } = await start();
    const { app } = await service.newApp();
    await service.signUp({ email: next, appKey: app.appKey });
    expect((await scenario.confirm(token, await scenario.changeCode(token, next))).status).toBe(200);
  });

  test('by two concurrent confirmations goes to one account, and the other is refused', async () => {
    for (let round = 0; round < inFull(20, 2); round += 1) {
      const next = newEmail();
      const users = [await start(), await start()];
      const codes: string[] = [];
      for (const { token } of users) codes.push(await scenario.changeCode(token, next));
      const answers = await Promise.all(
        users.map(({ token }, place) => scenario.confirm(token, codes[place] ?? '')),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.find(({ status }) => status !== 200)).toMatchObject(taken);
    }
  });

  test('by a concurrent sign-up goes to one of the two, and the other is refused', async () => {
    for (let round = 0; round < inFull(20, 2); round += 1) {
      const { token, next } = await start();
      const code = await scenario.changeCode(token, next);
      const body = { email: next, password: 'a password of mine' };
      const [confirmed, signedUp] = await Promise.all([
        scenario.confirm(token, code),
        service.call('POST', '/auth/sign-up', { body }),
      ]);
      expect([confirmed.status, signedUp.status].sort()).toSatisfy(
        (statuses: number[]) => statuses.join() === '200,409' || statuses.join() === '201,409',
      );
    }
  });

  testOnServer('by a call that has not yet committed is refused as taken once it has', async () => {
    const { uid, token, next } = await start();
    const code = await scenario.changeCode(token, next);
    const other = await service.signUp();
    let confirmed: Promise<Answer> | undefined;
    await service.database.prisma.$transaction(async (tx) => {
      await tx.user.updateMany({ where: { id: other.uid }, data: { email: next } });
      confirmed = scenario.confirm(token, code);
      await untilBlocked(service.database, 1);
    });
    expect(await confirmed).toMatchObject(taken);
    expect(await scenario.codeRow('email_change', uid)).not.toBeNull();
  });
});

describe('a verification', () => {
  test('marks the email verified, writes one event, and removes nothing', async () => {
    const user = await start();
    const other = (await service.signIn(user)).data;
    const answer = await scenario.confirm(user.token, await scenario.verificationCode(user));
    expect(answer).toMatchObject({ status: 200, data: { uid: user.uid, email_verified: true } });
    expect(await eventsOf(user.uid, 'user.email_verified')).toHaveLength(1);
    expect((await me(other.access_token)).data).toMatchObject({ email_verified: true });
    expect((await service.signIn(user)).status).toBe(200);
    expect(await scenario.userRow(user.uid)).toMatchObject({ emailProven: true });
    // A repeat has no effect and no event.
    expect((await scenario.confirm(user.token, await scenario.verificationCode(user))).status).toBe(200);
    expect(await eventsOf(user.uid, 'user.email_verified')).toHaveLength(1);
  });
});

test('a verification is refused if the email is another by the time that it is confirmed', async () => {
  const user = await start();
  const code = await scenario.verificationCode(user);
  const answer = await lateAnswer(
    service,
    (late) => codeScenario(() => late).confirm(user.token, code),
    () => service.database.prisma.user.updateMany({ where: { id: user.uid }, data: { email: newEmail() } }),
  );
  expect(answer).toMatchObject(invalidCode);
  expect(await scenario.userRow(user.uid)).toMatchObject({ emailVerified: false });
});

describe('a pending change and a pending verification', () => {
  test('are checked in this order, and a guess counts against the checked one only', async () => {
    const { uid, email, token, next } = await start();
    const verification = await scenario.verificationCode({ email, token });
    let change = await scenario.changeCode(token, next);
    while (change === verification) change = await scenario.changeCode(token, next);
    const guesses = async () => [
      (await scenario.codeRow('email_change', uid))?.guesses,
      (await scenario.codeRow('verification', uid))?.guesses,
    ];
    for (let guess = 1; guess <= 4; guess += 1) {
      expect(await scenario.confirm(token, verification)).toMatchObject(invalidCode);
      expect(await guesses()).toEqual([guess, 0]);
    }
    expect(await scenario.confirm(token, wrongCode(change, verification))).toMatchObject(invalidCode);
    expect(await guesses()).toEqual([5, 0]);
    // The change is used up: now the verification is checked.
    expect(await scenario.confirm(token, change)).toMatchObject(invalidCode);
    expect(await guesses()).toEqual([5, 1]);
    expect((await scenario.confirm(token, verification)).data).toMatchObject({ email, email_verified: true });
  });

  test('are checked in reverse order once the change has expired', async () => {
    const { email, token, next } = await start();
    const change = await scenario.changeCode(token, next);
    service.clock.advance(1);
    const verification = await scenario.verificationCode({ email, token });
    service.clock.advance(tenMinutes);
    if (change !== verification) expect(await scenario.confirm(token, change)).toMatchObject(invalidCode);
    expect((await scenario.confirm(token, verification)).data).toMatchObject({ email, email_verified: true });
    expect(await scenario.confirm(token, verification)).toMatchObject(invalidCode);
  });

  test('that have both expired are answered as expired', async () => {
    const { email, token, next } = await start();
    await scenario.verificationCode({ email, token });
    const change = await scenario.changeCode(token, next);
    service.clock.advance(tenMinutes + 1);
    expect(await scenario.confirm(token, change)).toMatchObject(expiredCode);
  });
});

describe('a confirmation in progress', () => {
  testOnServer.each(['email_change', 'verification'] as const)(
    '(%s) when its session is ended changes nothing any more',
    async (kind) => {
      const user = await start();
      const { uid, email, token, next } = user;
      const code =
        kind === 'verification'
          ? await scenario.verificationCode(user)
          : await scenario.changeCode(token, next);
      const other = (await service.signIn(user)).data.access_token;
      const [signedOut, confirmed] = await oneAfterAnother(service.database, uid, [
        () => service.call('POST', '/auth/sign-out-all', { token: other }),
        () => scenario.confirm(token, code),
      ]);
      expect(signedOut.status).toBe(204);
      expect(confirmed).toMatchObject(invalid);
      expect(await scenario.userRow(uid)).toMatchObject({ email, emailVerified: false });
    },
  );

  // Two calls about a user are in the database at a time.
  testOnServer.for(['sign-in', 'reset'] as const)(
    'lets nobody in who proved the old address before: %s',
    async (purpose) => {
      const { uid, email, token, next } = await start();
      const code = await (purpose === 'reset' ? scenario.resetCode(email) : scenario.signInCode(email));
      const change = await scenario.changeCode(token, next);
      const [confirmed, late] = await oneAfterAnother(service.database, uid, [
        () => scenario.confirm(token, change),
        (): Promise<Answer> =>
          purpose === 'reset' ? scenario.reset(email, code) : scenario.verify(email, code),
      ]);
      expect(confirmed).toMatchObject({ status: 200, data: { email: next } });
      expect(late).toMatchObject(invalidCode);
      expect(await service.database.prisma.user.count({ where: { email } })).toBe(0);
      expect((await me(token)).data).toMatchObject({ uid, email: next });
      expect(await eventsOf(uid, 'user.password_changed')).toEqual([]);
    },
  );
});

describe('a change of email that is pending', () => {
  const password = 'correct horse battery staple';
  const backend = (method: string, path: string, body?: object) =>
    service.call(method, `/admin/users/${path}`, { token: service.app.secretKey, body });

  // The confirmation comes from a new session of the same user, so that the end of the old one does not refuse it.
  test.each<[string, (user: { uid: string; token: string }) => Promise<Answer>]>([
    ['sign-out everywhere', ({ token }) => service.call('POST', '/auth/sign-out-all', { token })],
    [
      'a change of the password',
      ({ token }) => scenario.changePassword(token, { password, current_password: password }),
    ],
    ['the backend, which ends all sessions', ({ uid }) => backend('POST', `${uid}/revoke-sessions`)],
  ])('ends with all sessions: %s', async (_name, end) => {
    const { uid, email, token, next } = await start();
    const code = await scenario.changeCode(token, next);
    expect((await end({ uid, token })).status).toBeLessThan(300);
    const fresh = (await service.signIn({ email, password })).data.access_token;
    expect(await scenario.confirm(fresh, code)).toMatchObject(invalidCode);
    expect(await scenario.userRow(uid)).toMatchObject({ email });
  });

  // The backend ends no session here, and the session that asked for the change is still live.
  test('ends when the backend changes the email', async () => {
    const { uid, token, next } = await start();
    const code = await scenario.changeCode(token, next);
    const email = newEmail();
    expect((await backend('PATCH', uid, { email })).status).toBe(200);
    expect(await scenario.confirm(token, code)).toMatchObject(invalidCode);
    expect(await scenario.userRow(uid)).toMatchObject({ email });
  });

  // All calls have passed the guard of the session before it ends.
  testOnServer('is not stored when the session ends meanwhile', async () => {
    const { uid, email, password: typed, token, next } = await start();
    const other = (await service.signIn({ email, password: typed })).data.access_token;
    const [signedOut, asked] = await oneAfterAnother(service.database, uid, [
      () => service.call('POST', '/auth/sign-out-all', { token: other }),
      () => scenario.changeEmail(token, next),
    ]);
    expect(signedOut.status).toBe(204);
    expect(asked).toMatchObject(invalid);
    expect(await scenario.codeRow('email_change', uid)).toBeNull();
    expect(await scenario.mailed(next)).toEqual([]);
  });
});

// The password is right for the account that had the email when the sign-in began; no code is involved.
testOnServer.each(['the user', 'the backend'])(
  'a sign-in that was verified by the old email is verified again when %s changes it',
  async (by) => {
    const { uid, email, password, token, next } = await start();
    const code = await scenario.changeCode(token, next);
    const body = { email: next };
    const [changed, signedIn] = await oneAfterAnother(service.database, uid, [
      () =>
        by === 'the user'
          ? scenario.confirm(token, code)
          : service.call('PATCH', `/admin/users/${uid}`, { token: service.app.secretKey, body }),
      () => service.signIn({ email, password }),
    ]);
    expect(changed.status).toBe(200);
    expect(signedIn).toMatchObject({ status: 401, code: 'auth/invalid-credential' });
    expect(await service.database.prisma.session.count({ where: { uid } })).toBe(1);
  },
);
