// What v1 shows of an account and what v2 shows, line by line, on one account that both versions use.
import { expect, test } from 'vitest';
import { codeScenario } from '../../../test/code-scenario.js';
import { claimsOf, testService } from '../../../test/harness.js';
import { shared } from '../../../test/shared.js';
import { tokenPattern, v1Invalid, v1Scenario } from '../../../test/v1-scenario.js';

const service = shared(() => testService());

const v1 = v1Scenario(() => service);
const scenario = codeScenario(() => service);

test('one account passes every row of the table, in v1 and in v2', async () => {
  // POST /register: an account, and no token. Names and confirmation are required.
  const body = v1.bodyOf({ email: 'Both@Example.com' });
  const made = await v1.call('POST', '/register', { body });
  expect(made.status).toBe(201);
  const success = (data: object) => ({ success: true, app: service.app.app.slug, data });
  const expectedUser = {
    id: 1,
    email: 'both@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
    photo_url: null,
    email_verified: false,
    member_id: expect.stringMatching(/^\d{10}$/),
    points: 0,
    tier: 'member',
    next_tier: null,
    created_at: '2026-03-01T10:00:00.123000Z',
  };
  expect(made.json).toEqual(success({ user: expectedUser }));
  const { user } = made.json.data;

  // The same account by POST /auth/sign-in, with the same password.
  const account = { email: 'both@example.com', password: body.password };
  const signedIn = await service.signIn(account);
  expect([signedIn.status, signedIn.data.user.first_name]).toEqual([200, 'Ada']);
  const { uid } = signedIn.data.user;

  // POST /login: one token, with the user and the parameters.
  const loggedIn = await v1.call('POST', '/login', { body: account });
  expect(loggedIn.json.data.token).toMatch(tokenPattern);
  expect(loggedIn.json.data.user).toEqual(user);
  const token: string = loggedIn.json.data.token;

  // GET /me: three calls of v2 in one answer.
  for (const points of [1_000, -150]) {
    const entry = { points, description: points > 0 ? 'Welcome' : 'Coffee voucher' };
    const path = `/admin/users/${uid}/loyalty/entries`;
    const added = await service.call('POST', path, { token: service.app.secretKey, body: entry });
    expect(added.status).toBe(201);
  }
  const tiers = [
    { tier: 'member', min_points: 0 },
    { tier: 'silver', min_points: 1_000 },
  ];
  await scenario.set({ tiers });
  const me = await v1.me(token);
  expect(me.status).toBe(200);
  expect(me.json.data.user).toEqual({
    ...user,
    points: 850,
    next_tier: { tier: 'silver', points_needed: 150 },
  });
  expect(Object.keys(me.json.data).sort().join(' ')).toBe(
    'cards concierge events exclusive_offers meta_ads payment_infrastructure services telegram_url tiers user',
  );
  const config = await service.call('GET', '/config');
  const { user: _, ...beside } = me.json.data;
  for (const [name, value] of Object.entries(beside)) {
    // v2 delivers objects and lists as JSON strings, v1 as real JSON.
    const delivered = config.json.data[name];
    expect([name, typeof value === 'object' ? JSON.parse(delivered) : delivered]).toEqual([name, value]);
  }
  const loyalty = await service.call('GET', '/me/loyalty', { token: signedIn.data.access_token });
  const { member_id, points, tier, next_tier } = me.json.data.user;
  expect(loyalty.json.data).toEqual({ member_id, points, tier, next_tier });
  const v2Me = await service.call('GET', '/me', { token: signedIn.data.access_token });
  expect(v2Me.json.data).toMatchObject({ uid, email: user.email, created_at: user.created_at });

  // v1 returns the profile as updated in v2.
  const names = { first_name: 'Augusta', photo_url: 'https://images.example.com/ada.jpg' };
  await service.call('PATCH', '/me', { token: signedIn.data.access_token, body: names });
  expect((await v1.me(token)).json.data.user).toMatchObject(names);

  // Codes of POST /password/forgot in v1 work in POST /auth/password/reset of v2, and vice versa.
  const forgot = await v1.call('POST', '/password/forgot', { body: { email: account.email } });
  expect(forgot.json).toEqual(success({}));
  const first = await scenario.codeOf(account.email, 'reset');
  expect((await scenario.reset(account.email, first, 'set by v2 alone')).status).toBe(204);
  expect(await v1.me(token)).toMatchObject(v1Invalid);
  const again = await v1.logIn({ ...account, password: 'set by v2 alone' });
  const session = (await service.signIn({ ...account, password: 'set by v2 alone' })).data;

  const second = await scenario.resetCode(account.email);
  const passwords = { password: 'set by v1 now', password_confirmation: 'set by v1 now' };
  const reset = { email: account.email, code: second, ...passwords };
  const done = await v1.call('POST', '/password/reset', { body: reset });
  expect([done.status, done.json]).toEqual([200, success({})]);
  expect(await v1.me(again)).toMatchObject(v1Invalid);
  expect((await service.refresh(session.refresh_token)).code).toBe('auth/refresh-token-revoked');
  const renewed = { ...account, password: 'set by v1 now' };
  expect((await service.signIn(renewed)).data.user.uid).toBe(uid);

  // POST /logout ends this token only.
  const [phone, tablet] = [await v1.logIn(renewed), await v1.logIn(renewed)];
  expect((await v1.call('POST', '/logout', { token: phone })).json).toEqual(success({}));
  expect(await v1.me(phone)).toMatchObject(v1Invalid);
  expect((await v1.me(tablet)).json.data.user).toMatchObject({
    id: user.id,
    member_id: user.member_id,
    points: 850,
  });

  // The updated app exchanges its token: same account, points and member id.
  const moved = await v1.exchange(tablet);
  expect([moved.status, claimsOf(moved.json.data.access_token).sub]).toEqual([200, uid]);
  expect(await v1.me(tablet)).toMatchObject(v1Invalid);

  // DELETE /account/delete needs only the token, where v2 requires a recent sign-in.
  const last = await v1.logIn(renewed);
  service.clock.advance(24 * 60 * 60 * 1_000);
  expect((await v1.call('DELETE', '/account/delete', { token: last })).status).toBe(200);
  expect(await v1.me(last)).toMatchObject(v1Invalid);
  expect((await service.signIn(renewed)).code).toBe('auth/invalid-credential');
  expect((await service.refresh(moved.json.data.refresh_token)).code).toBe('auth/refresh-token-revoked');
  const reused = await v1.register({ email: account.email });
  expect(reused.user.id).toBe(2);
});
