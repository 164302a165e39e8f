// Sign-in by emailed code: who is signed in, to which account, and what changes.
import { describe, expect, test } from 'vitest';
import { codeScenario, invalidCode, newEmail, wrongCode } from '../../test/code-scenario.js';
import { claimsOf, testService } from '../../test/harness.js';
import { lateAnswer } from '../../test/held-transactions.js';
import { sessionScenario } from '../../test/session-scenario.js';
import { shared } from '../../test/shared.js';
import { inFull } from '../../test/thorough.js';

const service = shared(() => testService());

const scenario = codeScenario(() => service);
const { eventsOf } = sessionScenario(() => service);
const typesOf = async (uid: string) => (await eventsOf(uid)).map((event) => event.type);
const usersWith = (email: string) => service.database.prisma.user.findMany({ where: { email } });

describe('an email without an account', () => {
  test('gets one with the given names and a verified email, signed in by code', async () => {
    const email = newEmail();
    const code = await scenario.signInCode(email);
    expect(await usersWith(email)).toEqual([]);
    const answer = await scenario.verify(email, code, {
      body: { first_name: ' Ada ', last_name: 'Lovelace' },
    });
    expect(answer.status).toBe(200);
    expect(answer.data).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3_600,
      refresh_token: expect.stringMatching(/^rt_/),
      user: {
        uid: expect.any(String),
        email,
        email_verified: true,
        first_name: 'Ada',
        last_name: 'Lovelace',
        photo_url: null,
        created_at: expect.any(String),
      },
    });
    const { uid } = answer.data.user;
    expect(await typesOf(uid)).toEqual(['user.created', 'session.created']);
    expect(await scenario.userRow(uid)).toMatchObject({
      emailVerified: true,
      emailProven: true,
      passwordHash: null,
      lastSignInAt: service.clock.now(),
    });
    const { access_token: token, refresh_token } = answer.data;
    const sessions = await service.call<{ items: unknown[] }>('GET', '/me/sessions', { token });
    expect(sessions.data.items).toMatchObject([{ current: true, method: 'email_code' }]);
    const auth_time = Math.floor(service.clock.now().getTime() / 1_000);
    expect(claimsOf(token)).toMatchObject({ amr: ['otp'], auth_time });
    expect((await service.refresh(refresh_token)).data.user).toEqual(answer.data.user);
  });

  test('gets no account for a wrong code', async () => {
    const email = newEmail();
    const code = await scenario.signInCode(email);
    expect(await scenario.verify(email, wrongCode(code))).toMatchObject(invalidCode);
    expect(await usersWith(email)).toEqual([]);
  });

  test('gets an account without names, if they are empty, and without a usable password', async () => {
    const { user } = await scenario.signInByCode(newEmail(), { body: { first_name: '  ', last_name: null } });
    expect(user).toMatchObject({ first_name: null, last_name: null });
    for (const password of ['', 'undefined', 'null', 'correct horse battery staple']) {
      expect((await service.signIn({ email: user.email, password })).status).toBe(401);
    }
  });
});

describe('an email with an account', () => {
  test('is signed in to it and verified, with one event and a new update time, and its names do not change', async () => {
    const { uid, email } = await service.signUp();
    const updatedAt = async () => (await scenario.userRow(uid)).updatedAt;
    service.clock.advance(1_000);
    const { user, access_token } = await scenario.signInByCode(email, { body: { first_name: 'Other' } });
    const verifiedAt = service.clock.now();
    expect(user).toMatchObject({ uid, email, email_verified: true, first_name: null });
    expect(claimsOf(access_token)).toMatchObject({ sub: uid, email_verified: true, amr: ['otp'] });
    expect(await updatedAt()).toEqual(verifiedAt);
    // A later sign-in verifies nothing.
    service.clock.advance(1_000);
    await scenario.signInByCode(email);
    expect((await typesOf(uid)).filter((type) => type === 'user.email_verified')).toHaveLength(1);
    expect(await updatedAt()).toEqual(verifiedAt);
  });

  test('gets auth/user-disabled on a disabled account only for the right code, and no session', async () => {
    const { uid, email } = await service.signUp();
    await scenario.disable(uid);
    const code = await scenario.signInCode(email);
    expect(await scenario.verify(email, wrongCode(code))).toMatchObject(invalidCode);
    expect(await scenario.verify(email, code)).toMatchObject({ status: 403, code: 'auth/user-disabled' });
    expect(await scenario.userRow(uid)).toMatchObject({ emailVerified: false, emailProven: false });
    expect(await service.database.prisma.session.count({ where: { uid } })).toBe(1);
    // The code was not spent, and works if the account is enabled in time.
    await service.database.prisma.user.updateMany({ where: { id: uid }, data: { disabled: false } });
    expect((await scenario.verify(email, code)).status).toBe(200);
  });
});

describe('while sign-up is closed', () => {
  test('an account signs in, and an unknown email gets no mail', async () => {
    const { user } = await scenario.signInByCode(newEmail());
    const unknown = newEmail();
    await scenario.set({ sign_up: 'closed' });
    try {
      expect((await scenario.signInByCode(user.email)).user.uid).toBe(user.uid);
      expect((await scenario.send(unknown)).status).toBe(200);
      expect(await scenario.mailed(unknown)).toEqual([]);
    } finally {
      await scenario.set({ sign_up: 'open' });
    }
  });

  test('an earlier code is refused however often but not spent, and works after sign-up is open again', async () => {
    const email = newEmail();
    const code = await scenario.signInCode(email);
    await scenario.set({ sign_up: 'closed' });
    try {
      const refusal = { status: 403, code: 'auth/operation-not-allowed' };
      for (let tries = 0; tries < 5; tries += 1) {
        expect(await scenario.verify(email, code)).toMatchObject(refusal);
      }
      expect(await scenario.verify(email, wrongCode(code))).toMatchObject(invalidCode);
      expect(await usersWith(email)).toEqual([]);
      expect(await scenario.codeRow('sign_in', email)).not.toBeNull();
    } finally {
      await scenario.set({ sign_up: 'open' });
    }
    expect((await scenario.verify(email, code)).status).toBe(200);
  });
});

describe('concurrent calls', () => {
  test('a first sign-in by code and a sign-up with a password create one account with a proven email', async () => {
    for (let round = 0; round < inFull(20, 2); round += 1) {
      const email = newEmail();
      const code = await scenario.signInCode(email);
      const body = { email, password: 'a password of mine' };
      const [byCode, signUp] = await Promise.all([
        scenario.verify(email, code),
        service.call('POST', '/auth/sign-up', { body }),
      ]);
      expect(byCode.status).toBe(200);
      const [user, ...others] = await usersWith(email);
      expect(others).toEqual([]);
      expect(byCode.data.user.uid).toBe(user?.id);
      expect(user).toMatchObject({ emailVerified: true, emailProven: true, passwordHash: null });
      expect((await service.call('GET', '/me', { token: byCode.data.access_token })).status).toBe(200);
      // The password came first or not at all; either way the email was unproven then.
      if (signUp.status === 201) {
        expect((await service.refresh(signUp.json.data.refresh_token)).code).toBe(
          'auth/refresh-token-revoked',
        );
      } else expect(signUp.code).toBe('auth/email-already-in-use');
      expect((await service.signIn(body)).status).toBe(401);
    }
  });

  test('a first sign-in by code signs in to the account that another instance creates meanwhile', async () => {
    const email = newEmail();
    const code = await scenario.signInCode(email);
    let uid = '';
    const answer = await lateAnswer(
      service,
      (late) => codeScenario(() => late).verify(email, code),
      async () => {
        uid = (await service.signUp({ email })).uid;
      },
    );
    expect([answer.status, answer.code]).toEqual([200, undefined]);
    expect(answer.data.user.uid).toBe(uid);
    expect(await usersWith(email)).toHaveLength(1);
  });

  test('a sign-in by code to an account that is disabled meanwhile is refused', async () => {
    const { email, uid } = await service.signUp();
    const code = await scenario.signInCode(email);
    const answer = await lateAnswer(
      service,
      (late) => codeScenario(() => late).verify(email, code),
      () => service.database.prisma.user.updateMany({ where: { id: uid }, data: { disabled: true } }),
    );
    expect(answer.code).toBe('auth/user-disabled');
    expect(await service.database.prisma.session.count({ where: { uid } })).toBe(1);
  });

  test('first sign-ins with two apps create two accounts', async () => {
    const email = newEmail();
    const other = await service.newApp();
    const { appKey } = other.app;
    const here = await scenario.signInByCode(email);
    await scenario.send(email, { appKey });
    const there = await scenario.verify(email, await scenario.codeOf(email, 'sign_in'), { appKey });
    expect(there.status).toBe(200);
    expect(there.data.user.uid).not.toBe(here.user.uid);
  });

  test('a send concurrent with a verify leaves the new code usable, and the old one used or replaced', async () => {
    for (let round = 0; round < inFull(20, 2); round += 1) {
      const email = newEmail();
      const code = await scenario.signInCode(email);
      const [used] = await Promise.all([scenario.verify(email, code), scenario.send(email)]);
      const next = await scenario.codeOf(email, 'sign_in');
      if (used.status !== 200) expect(used).toMatchObject(invalidCode);
      expect((await scenario.verify(email, next)).status).toBe(200);
      expect(await scenario.verify(email, code)).toMatchObject(invalidCode);
    }
  });
});
