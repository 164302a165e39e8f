// POST /auth/token/from-v1 exchanges a v1 token, once.
import { describe, expect, test } from 'vitest';
import { testOnServer, untilBlocked } from '../../../test/blocked.js';
import { codeScenario } from '../../../test/code-scenario.js';
import { claimsOf, testService } from '../../../test/harness.js';
import { lateAnswer } from '../../../test/held-transactions.js';
import { passkeyScenario } from '../../../test/passkey-scenario.js';
import { expectRefusal } from '../../../test/refusal.js';
import { sessionScenario } from '../../../test/session-scenario.js';
import { shared } from '../../../test/shared.js';
import { inFull } from '../../../test/thorough.js';
import { v1Invalid, v1Scenario } from '../../../test/v1-scenario.js';

const service = shared(() => testService());

const v1 = v1Scenario(() => service);
const scenario = codeScenario(() => service);
const { eventsOf } = sessionScenario(() => service);
const day = 24 * 3_600_000;

const sessionsOf = (uid: string) => service.database.prisma.session.findMany({ where: { uid } });

test('returns tokens with the time and method of the v1 sign-in', async () => {
  const account = await v1.register();
  const token = await v1.logIn(account);
  const signedInAt = service.clock.now();
  service.clock.advance(40 * day);
  const answer = await v1.exchange(token, { headers: { 'x-client-device': "Ada's phone" } });
  expect(answer.status).toBe(200);
  expect(Object.keys(answer.json.data).sort()).toEqual(
    ['access_token', 'expires_in', 'refresh_token', 'token_type', 'user'].sort(),
  );
  const { user, access_token, refresh_token } = answer.json.data;
  expect(user).toMatchObject({ email: account.email, first_name: 'Ada', last_name: 'Lovelace' });
  expect(claimsOf(access_token)).toMatchObject({
    sub: user.uid,
    auth_time: Math.floor(signedInAt.getTime() / 1_000),
    amr: ['pwd'],
  });
  const [session] = await sessionsOf(user.uid);
  expect(session).toMatchObject({ method: 'v1_exchange', authTime: signedInAt, deviceName: "Ada's phone" });
  expect(await eventsOf(user.uid, 'session.created')).toMatchObject([
    { data: { session: { method: 'v1_exchange' } } },
  ]);
  expect((await service.call('GET', '/me', { token: access_token })).status).toBe(200);
  const refreshed = await service.refresh(refresh_token);
  expect(claimsOf(refreshed.data.access_token).auth_time).toBe(Math.floor(signedInAt.getTime() / 1_000));
  const listed = await service.call('GET', '/me/sessions', { token: access_token });
  expect(listed.json.data.items).toMatchObject([{ method: 'v1_exchange', current: true }]);
});

test('an exchange ends the v1 token at once, in v1 too, and the other tokens of the user remain valid', async () => {
  const account = await v1.register();
  const [moved, other] = [await v1.logIn(account), await v1.logIn(account)];
  expect((await v1.exchange(moved)).status).toBe(200);
  expect(await v1.me(moved)).toMatchObject(v1Invalid);
  expectRefusal(await v1.exchange(moved), 'auth/invalid-token');
  expect((await v1.me(other)).status).toBe(200);
});

test('of two concurrent exchanges of one token, one starts a session and the other answers 401', async () => {
  for (let round = 0; round < inFull(20, 3); round += 1) {
    const account = await v1.register();
    const token = await v1.logIn(account);
    const both = await Promise.all([v1.exchange(token), v1.exchange(token)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(both.find(({ status }) => status === 401)?.code).toBe('auth/invalid-token');
    const { id } = await v1.rowOf(account.email);
    expect(await sessionsOf(id)).toHaveLength(1);
    expect(await eventsOf(id, 'session.created')).toHaveLength(1);
    expect(await v1.me(token)).toMatchObject(v1Invalid);
  }
});

testOnServer('seven exchanges of one token at once give one session', async () => {
  const account = await v1.register();
  const token = await v1.logIn(account);
  const { id } = await v1.rowOf(account.email);
  let waiting: ReturnType<typeof v1.exchange>[] = [];
  await service.database.prisma.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT FROM users
        WHERE app_id = ${service.app.app.id} AND id = ${id} FOR UPDATE`;
    waiting = Array.from({ length: 7 }, () => v1.exchange(token));
    // The others wait for a turn.
    await untilBlocked(service.database, 2);
  });
  const statuses = (await Promise.all(waiting)).map(({ status }) => status).sort();
  expect(statuses).toEqual([200, 401, 401, 401, 401, 401, 401]);
  expect(await sessionsOf(id)).toHaveLength(1);
});

test('an exchange concurrent with a revocation leaves no live session or token', async () => {
  for (let round = 0; round < inFull(30, 4); round += 1) {
    const user = await service.signUp();
    const token = await v1.logIn(user);
    const [exchanged, ended] = await Promise.all([
      v1.exchange(token),
      service.call('POST', '/auth/sign-out-all', { token: user.tokens.access_token }),
    ]);
    expect([200, 401]).toContain(exchanged.status);
    expect(ended.status).toBe(204);
    const live = (await sessionsOf(user.uid)).filter(({ endedAt }) => endedAt === null);
    expect(live).toEqual([]);
    expect(await v1.tokensOf(user.uid)).toEqual([]);
  }
});

test('an exchange during which the credentials change, but not the token, starts one session', async () => {
  await passkeyScenario(() => service).enable();
  const user = await service.signUp();
  const { passkey } = await passkeyScenario(() => service).register(user.tokens.access_token);
  const token = await v1.logIn(user);
  const answer = await lateAnswer(
    service,
    (late) => v1Scenario(() => late).exchange(token),
    () => passkeyScenario(() => service).remove(user.tokens.access_token, passkey.id),
  );
  expect([answer.status, answer.code]).toEqual([200, undefined]);
  expect(await sessionsOf(user.uid)).toHaveLength(2);
  expect(await v1.tokensOf(user.uid)).toEqual([]);
});

describe('auth/invalid-token is returned for', () => {
  test.each([
    ['a token that nobody was given', 'a'.repeat(64)],
    ['an empty one', ''],
    ['a very long one', 'a'.repeat(64_000)],
    ['one that is no hexadecimal', 'g'.repeat(64)],
  ])('%s', async (_, token) => {
    expectRefusal(await v1.exchange(token), 'auth/invalid-token');
  });

  test('one that was signed out', async () => {
    const token = await v1.logIn(await service.signUp());
    await v1.call('POST', '/logout', { token });
    expectRefusal(await v1.exchange(token), 'auth/invalid-token');
  });

  test('one that expired, to the millisecond', async () => {
    const user = await service.signUp();
    const [early, late] = [await v1.logIn(user), await v1.logIn(user)];
    service.clock.advance(90 * day - 1);
    expect((await v1.exchange(early)).status).toBe(200);
    service.clock.advance(1);
    expectRefusal(await v1.exchange(late), 'auth/invalid-token');
  });
});

test('a v1_token that is missing or not a string fails validation', async () => {
  for (const body of [{}, { v1_token: 7 }, { v1_token: null }, { v1_token: ['a'.repeat(64)] }]) {
    const answer = await service.call('POST', '/auth/token/from-v1', { body });
    expectRefusal(answer, 'request/validation-failed', { v1_token: [expect.any(String)] });
  }
});

test('a valid token of a disabled account answers auth/user-disabled and starts no session', async () => {
  const user = await service.signUp();
  const token = await v1.logIn(user);
  await scenario.disable(user.uid);
  expectRefusal(await v1.exchange(token), 'auth/user-disabled');
  expect(await sessionsOf(user.uid)).toHaveLength(1);
});

test('after an exchange DELETE /me requires one reauthentication, then works', async () => {
  const account = await v1.register();
  const token = await v1.logIn(account);
  service.clock.advance(day);
  const { access_token } = (await v1.exchange(token)).json.data;
  expectRefusal(await scenario.deleteAccount(access_token), 'auth/requires-recent-login');
  const again = await scenario.reauthenticate(access_token, { password: account.password });
  expect(again.status).toBe(200);
  expect((await scenario.deleteAccount(again.data.access_token)).status).toBe(204);
  expect((await service.signIn(account)).code).toBe('auth/invalid-credential');
});

test('the exchange works after the shutdown date, and while sign-up is closed', async () => {
  const other = await service.newApp();
  const options = { appKey: other.app.appKey };
  const token = await v1.logIn(await v1.register({}, options), options);
  const v1_sunset_at = new Date(service.clock.now().getTime() - 1_000).toISOString();
  await scenario.set({ sign_up: 'closed', v1_sunset_at }, other);
  expect((await v1.me(token, options)).status).toBe(410);
  expect((await v1.exchange(token, options)).status).toBe(200);
});
