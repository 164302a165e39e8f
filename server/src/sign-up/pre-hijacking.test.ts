// Account pre-hijacking: a squatter signs up with the email of another person, plants credentials, and waits until the
// owner signs in.
import { randomUUID } from 'node:crypto';
import type { TokenAnswer } from '@foyer/contract';
import type { Event as EventRow } from '@foyer/prisma';
import { describe, expect, test } from 'vitest';
import { oneAfterAnother, testOnServer } from '../../test/blocked.js';
import { codeScenario, invalidCode, newEmail, newPassword, wrongCode } from '../../test/code-scenario.js';
import { passkeyScenario } from '../../test/passkey-scenario.js';
import { providerScenario } from '../../test/provider-scenario.js';
import { secondFactorScenario } from '../../test/second-factor-scenario.js';
import { invalid, revoked, sessionScenario } from '../../test/session-scenario.js';
import { shared } from '../../test/shared.js';
import { v1Invalid, v1Scenario } from '../../test/v1-scenario.js';

const providers = shared(async () => {
  const started = await providerScenario();
  await started.set({ second_factor: 'optional' });
  await passkeyScenario(() => started.service).enable();
  return started;
});

const service = () => providers.service;
const scenario = codeScenario(service);
const passkeys = passkeyScenario(service);
const factors = secondFactorScenario(service);
const { eventsOf, me } = sessionScenario(service);
const password = 'the password of the squatter';

type Squatter = {
  /** The email of the victim. */
  email: string;
  uid: string;
  /** The squatter's token pairs, and the first access token. */
  sessions: TokenAnswer[];
  token: string;
  /** The squatter's account at the provider. */
  person: { sub: string; email: string };
};

/** Signs up with the victim's email, links the squatter's account at a provider, and opens two sessions. */
async function squat(): Promise<Squatter> {
  const email = newEmail();
  const { uid, tokens } = await service().signUp({ email, password });
  const person = { sub: randomUUID(), email: `squatter-${randomUUID()}@example.com` };
  const linked = await service().call('POST', '/me/identities/provider-a', {
    token: tokens.access_token,
    body: await providers.bodyOfA({ claims: person }),
  });
  expect(linked.status).toBe(201);
  const second = (await providers.signInA(await providers.bodyOfA({ claims: person }))).data;
  expect(second.user.uid).toBe(uid);
  return { email, uid, sessions: [tokens, second], token: tokens.access_token, person };
}

/** Tries every planted credential, and returns those that still open the account. */
async function whatOpens({ email, uid, sessions, person }: Squatter): Promise<string[]> {
  const opened: string[] = [];
  if ((await service().signIn({ email, password })).status === 200) opened.push('password');
  const signedIn = await providers.signInA(await providers.bodyOfA({ claims: person }));
  if (signedIn.data?.user.uid === uid) opened.push('identity');
  for (const { access_token, refresh_token } of sessions) {
    if ((await me(access_token)).status === 200) opened.push('access token');
    if ((await service().refresh(refresh_token)).status === 200) opened.push('refresh token');
  }
  return [...new Set(opened)];
}

const all = ['password', 'identity', 'access token', 'refresh token'];
const reasons = (events: EventRow[]) =>
  events.map((event) => (event.data as { session: { reason: string } }).session.reason);

describe('the owner’s first sign-in by code', () => {
  test('removes password, identity and sessions, verifies the email, and mails how to set a password', async () => {
    const squatter = await squat();
    const owner = await scenario.signInByCode(squatter.email);
    expect(owner.user).toMatchObject({ uid: squatter.uid, email_verified: true });
    expect(await whatOpens(squatter)).toEqual([]);
    for (const { access_token, refresh_token } of squatter.sessions) {
      expect(await me(access_token)).toMatchObject(invalid);
      expect(await service().refresh(refresh_token)).toMatchObject(revoked);
    }
    const identities = await service().call('GET', '/me/identities', { token: owner.access_token });
    expect(identities.json.data.items).toEqual([]);
    expect((await service().refresh(owner.refresh_token)).status).toBe(200);
    expect(await eventsOf(squatter.uid, 'user.password_changed')).toMatchObject([
      { data: { user: { uid: squatter.uid, email_verified: true }, reason: 'unproven' } },
    ]);
    expect(await eventsOf(squatter.uid, 'user.email_verified')).toHaveLength(1);
    expect(reasons(await eventsOf(squatter.uid, 'session.ended'))).toEqual(['unproven', 'unproven']);
    const [notice, ...more] = await scenario.mailed(squatter.email, 'unproven_removed');
    expect(more).toEqual([]);
    expect(notice?.text).toMatch(/If your password no longer works, set a new one: open /);
    await scenario.reset(squatter.email, await scenario.resetCode(squatter.email));
    expect((await service().signIn({ email: squatter.email, password: newPassword })).status).toBe(200);
    expect(await whatOpens(squatter)).toEqual([]);
  });

  test('removes credentials once: those added later survive the next sign-in by code', async () => {
    const squatter = await squat();
    const owner = await scenario.signInByCode(squatter.email);
    await scenario.changePassword(owner.access_token, { password: newPassword });
    const person = { sub: randomUUID(), email: squatter.email };
    await service().call('POST', '/me/identities/provider-a', {
      token: owner.access_token,
      body: await providers.bodyOfA({ claims: person }),
    });
    const before = (await eventsOf(squatter.uid)).length;
    const again = await scenario.signInByCode(squatter.email);
    expect((await eventsOf(squatter.uid)).slice(before).map(({ type }) => type)).toEqual(['session.created']);
    expect((await service().signIn({ email: squatter.email, password: newPassword })).status).toBe(200);
    expect((await me(owner.access_token)).status).toBe(200);
    const identities = await service().call('GET', '/me/identities', { token: again.access_token });
    expect(identities.json.data.items).toMatchObject([{ provider: 'provider-a', email: squatter.email }]);
    expect(await scenario.mailed(squatter.email, 'unproven_removed')).toHaveLength(1);
  });

  test('removes the password and tokens of an account created in v1', async () => {
    const v1 = v1Scenario(service);
    const account = await v1.register({ password, password_confirmation: password });
    const token = await v1.logIn(account);
    await scenario.signInByCode(account.email);
    expect((await v1.call('POST', '/login', { body: { email: account.email, password } })).status).toBe(401);
    expect(await v1.me(token)).toMatchObject(v1Invalid);
    expect(await scenario.mailed(account.email, 'unproven_removed')).toHaveLength(1);
  });

  test('removes nothing if the code is wrong: until then every planted credential opens the account', async () => {
    const squatter = await squat();
    const code = await scenario.signInCode(squatter.email);
    expect(await scenario.verify(squatter.email, wrongCode(code))).toMatchObject(invalidCode);
    expect(await whatOpens(squatter)).toEqual(all);
  });

  test('ends the sessions of an account without other credentials, and sends no mail', async () => {
    const squatter = await squat();
    await service().database.prisma.user.update({
      where: { appId_id: { appId: service().app.app.id, id: squatter.uid } },
      data: { passwordHash: null },
    });
    await service().database.prisma.identity.deleteMany({ where: { uid: squatter.uid } });
    await scenario.signInByCode(squatter.email);
    expect(await whatOpens(squatter)).toEqual([]);
    expect(await scenario.mailed(squatter.email, 'unproven_removed')).toEqual([]);
    expect(await eventsOf(squatter.uid, 'user.password_changed')).toEqual([]);
  });
});

describe('the owner’s first password reset', () => {
  test('removes the same, leaves only the new password, and proves the email for a later sign-in by code', async () => {
    const squatter = await squat();
    const reset = await scenario.reset(squatter.email, await scenario.resetCode(squatter.email));
    expect(reset.status).toBe(204);
    expect(await whatOpens(squatter)).toEqual([]);
    const owner = await service().signIn({ email: squatter.email, password: newPassword });
    expect(owner.data.user).toMatchObject({ uid: squatter.uid, email_verified: false });
    const [notice, ...more] = await scenario.mailed(squatter.email, 'unproven_removed');
    expect(more).toEqual([]);
    // The owner has just set a password, which stays.
    expect(notice?.text).not.toContain('its password');
    expect(await scenario.mailed(squatter.email, 'password_changed')).toHaveLength(1);
    expect(await eventsOf(squatter.uid, 'user.password_changed')).toMatchObject([
      { data: { reason: 'reset' } },
    ]);
    expect(reasons(await eventsOf(squatter.uid, 'session.ended'))).toEqual(['unproven', 'unproven']);
    expect((await scenario.signInByCode(squatter.email)).user.email_verified).toBe(true);
    expect((await me(owner.data.access_token)).status).toBe(200);
    expect((await service().signIn({ email: squatter.email, password: newPassword })).status).toBe(200);
  });

  const planted: [string, number, (token: string) => Promise<unknown>][] = [
    ['a passkey', 1, (token) => passkeys.register(token)],
    ['an authenticator app', 1, (token) => factors.enroll({ token })],
    ['a session alone', 0, async () => {}],
  ];
  test.each(planted)(
    'of an account with %s sends %d notices that something was removed',
    async (_, mails, plant) => {
      const email = newEmail();
      const { tokens } = await service().signUp({ email, password });
      await plant(tokens.access_token);
      expect((await scenario.reset(email, await scenario.resetCode(email))).status).toBe(204);
      expect(await scenario.mailed(email, 'unproven_removed')).toHaveLength(mails);
      expect(await me(tokens.access_token)).toMatchObject(invalid);
    },
  );
});

describe('with a session of the account itself', () => {
  test('a sign-in by code removes nothing, since the reader of the mail created the account', async () => {
    const self = await squat();
    const { token } = self;
    const code = await scenario.signInCode(self.email);
    expect((await scenario.verify(self.email, code, { token })).data.user.email_verified).toBe(true);
    expect(await whatOpens(self)).toEqual(all);
    expect(await scenario.mailed(self.email, 'unproven_removed')).toEqual([]);
    expect(await eventsOf(self.uid, 'user.password_changed')).toEqual([]);
    // The email is now proven, for clients without a session too.
    await scenario.signInByCode(self.email);
    expect(await whatOpens(self)).toEqual(all);
  });

  test('a reset retains the identity, and ends every session like any reset', async () => {
    const self = await squat();
    const { token } = self;
    await scenario.reset(self.email, await scenario.resetCode(self.email), newPassword, { token });
    expect(await whatOpens(self)).toEqual(['identity']);
    expect(await scenario.mailed(self.email, 'unproven_removed')).toEqual([]);
  });

  test('a confirmed verification removes nothing, and proves the email', async () => {
    const self = await squat();
    const { token } = self;
    await scenario.confirm(token, await scenario.verificationCode({ email: self.email, token }));
    expect(await whatOpens(self)).toEqual(all);
    await scenario.signInByCode(self.email);
    expect(await whatOpens(self)).toEqual(all);
  });

  testOnServer(
    'a sign-in by code that waits for a verification removes nothing once it is confirmed',
    async () => {
      const self = await squat();
      const { token, email, uid } = self;
      const verification = await scenario.verificationCode({ email, token });
      const code = await scenario.signInCode(email);
      const [confirmed, signedIn] = await oneAfterAnother(service().database, uid, [
        () => scenario.confirm(token, verification),
        () => scenario.verify(email, code),
      ]);
      expect([confirmed.status, signedIn.status]).toEqual([200, 200]);
      expect(await whatOpens(self)).toEqual(all);
      expect(await eventsOf(uid, 'user.email_verified')).toHaveLength(1);
      expect(await scenario.mailed(email, 'unproven_removed')).toEqual([]);
    },
  );

  test('a session of another account, or an ended one, does not count', async () => {
    const squatter = await squat();
    const stranger = await service().signUp();
    const code = await scenario.signInCode(squatter.email);
    await service().call('POST', '/auth/sign-out', { token: squatter.token });
    const ended = await scenario.verify(squatter.email, code, { token: squatter.token });
    expect(ended).toMatchObject(invalid);
    const { access_token: token } = stranger.tokens;
    expect((await scenario.verify(squatter.email, code, { token })).status).toBe(200);
    expect(await whatOpens(squatter)).toEqual([]);
    expect((await me(token)).status).toBe(200);
  });
});

describe('a squatter without the mailbox', () => {
  test('cannot sign in, reset the password or reauthenticate with the code of its own email change', async () => {
    const squatter = await squat();
    const { token } = squatter;
    await scenario.send(squatter.email, { token });
    await scenario.forgot(squatter.email, { token });
    await scenario.sendVerification(token);
    const evil = newEmail();
    const codes = await Promise.all(
      (['sign_in', 'reset', 'verification'] as const).map((kind) => scenario.codeOf(squatter.email, kind)),
    );
    let change = await scenario.changeCode(token, evil);
    while (codes.includes(change)) change = await scenario.changeCode(token, evil);
    expect(await scenario.verify(squatter.email, change, { token })).toMatchObject(invalidCode);
    expect(await scenario.reset(squatter.email, change, newPassword, { token })).toMatchObject(invalidCode);
    expect(await scenario.reauthenticate(token, { code: change })).toMatchObject(invalidCode);
    expect(await scenario.userRow(squatter.uid)).toMatchObject({ emailVerified: false, emailProven: false });
  });

  test('cannot prove the email by changing to its own email and back', async () => {
    const squatter = await squat();
    const { token } = squatter;
    const evil = newEmail();
    await scenario.confirm(token, await scenario.changeCode(token, evil));
    expect((await me(token)).json.data).toMatchObject({ email: evil, email_verified: true });
    // The email is free for its owner, and changing back to it needs its mailbox.
    const owner = await scenario.signInByCode(squatter.email);
    expect(owner.user.uid).not.toBe(squatter.uid);
    expect((await scenario.changeEmail(token, squatter.email)).code).toBe('auth/email-already-in-use');
  });

  test('leaves no code of its verification, which the owner could confirm', async () => {
    const squatter = await squat();
    const code = await scenario.verificationCode(squatter);
    const owner = await scenario.signInByCode(squatter.email);
    expect(await scenario.confirm(owner.access_token, code)).toMatchObject(invalidCode);
  });

  test('cannot confirm an email change that it requested before the owner signed in', async () => {
    const squatter = await squat();
    const { token } = squatter;
    const evil = newEmail();
    const change = await scenario.changeCode(token, evil);
    const owner = await scenario.signInByCode(squatter.email);
    expect(await scenario.confirm(token, change)).toMatchObject(invalid);
    expect((await me(owner.access_token)).json.data.email).toBe(squatter.email);
  });

  type Answer = { status: number; code: string | undefined };
  type Late = (token: string, change: string, person: Squatter['person']) => Promise<Answer>;
  // Two calls about a user are in the database at a time; a sign-in by password takes no turn.
  testOnServer.for<[string, Late, object]>([
    ['the confirmation of its own email', (token, change) => scenario.confirm(token, change), invalid],
    ['the deletion', (token) => scenario.deleteAccount(token), invalid],
    [
      'a new password',
      (token) => scenario.changePassword(token, { password: 'another password of the squatter' }),
      invalid,
    ],
    [
      'a sign-in by its provider',
      async (_token, _change, person) => providers.signInA(await providers.bodyOfA({ claims: person })),
      // Of another account: the identity is no longer that of this one.
      { status: 200 },
    ],
  ])('is late with every call that waits while the owner comes in: %s', async ([, late, refusal]) => {
    const squatter = await squat();
    const { email, uid, person, token } = squatter;
    const change = await scenario.changeCode(token, newEmail());
    const code = await scenario.signInCode(email);
    const [owner, password1, own] = await oneAfterAnother(service().database, uid, [
      () => scenario.verify(email, code),
      () => service().signIn({ email, password }),
      () => late(token, change, person),
    ]);
    expect(owner.status).toBe(200);
    expect(password1.code).toBe('auth/invalid-credential');
    expect(own).toMatchObject(refusal);
    expect(await whatOpens(squatter)).toEqual([]);
    const wrong = { email, password: 'another password of the squatter' };
    expect((await service().signIn(wrong)).status).toBe(401);
    expect((await me(owner.data.access_token)).json.data).toMatchObject({ uid, email });
  });
});
