// Accounts in v1: creation, login, profile and deletion.
import { limits, v1ConfigNames } from '@foyer/contract';
import { describe, expect, test } from 'vitest';
import { oneAfterAnother } from '../../../test/blocked.js';
import { codeScenario } from '../../../test/code-scenario.js';
import { statementLog, testService } from '../../../test/harness.js';
import { lateAnswer } from '../../../test/held-transactions.js';
import { shared } from '../../../test/shared.js';
import { expectV1Refusal, tokenPattern, v1Invalid, v1Scenario } from '../../../test/v1-scenario.js';
import { sha256 } from '../../lib/crypto/digest.js';
import { requireV1Id } from '../../sign-up/v1-id.js';

const statements = statementLog();
const service = shared(() => testService({ onStatement: statements.onStatement }));

const v1 = v1Scenario(() => service);
const scenario = codeScenario(() => service);
const hour = 3_600_000;
const day = 24 * hour;
const disabled = 'This account has been disabled.';
const passwords = (password: string) => ({ password, password_confirmation: password });

describe('POST /register', () => {
  const post = (given: object) => v1.call('POST', '/register', { body: v1.bodyOf(given) });

  test('creates an account without signing it in, and writes its event', async () => {
    const { email } = await v1.register();
    const row = await v1.rowOf(email);
    expect(row).toMatchObject({ emailVerified: false, emailProven: false, lastSignInAt: null, points: 0 });
    const { prisma } = service.database;
    expect(await prisma.session.count({ where: { uid: row.id } })).toBe(0);
    expect(await v1.tokensOf(row.id)).toEqual([]);
    const events = await prisma.event.findMany({ where: { uid: row.id } });
    expect(events.map(({ type }) => type)).toEqual(['user.created']);
  });

  test.each([
    [{ first_name: undefined }, 'The first name is missing.'],
    [{ last_name: undefined }, 'The last name is missing.'],
    [{ first_name: ' ' }, 'The first name must not be empty.'],
    [{ last_name: null }, 'The last name must be a string.'],
    [{ first_name: 'x'.repeat(101) }, 'The first name must have at most 100 characters.'],
    [{ email: 'nobody' }, 'The email must be an email address.'],
    [{ password_confirmation: undefined }, 'The password confirmation is missing.'],
    [{ password_confirmation: 'another' }, 'The password confirmation must be the same as the password.'],
    [passwords('7 chars'), 'The password must have at least 8 characters.'],
  ])('%j is refused with 422: %s', async (given, message) => {
    const answer = await post(given);
    expectV1Refusal(answer, 422, message);
  });

  test('a password and its confirmation may differ in Unicode normal form', async () => {
    const answer = await post({ password: 'pässwörd', password_confirmation: 'pa\u0308sswo\u0308rd' });
    expect(answer.status).toBe(201);
  });

  test('an email taken in v1 or v2, in any case, answers 422', async () => {
    const first = await v1.register();
    const second = await service.signUp();
    for (const email of [first.email, second.email.toUpperCase()]) {
      expectV1Refusal(await post({ email }), 422, 'An account with this email already exists.');
    }
  });

  test('of concurrent calls with one email, one creates the account', async () => {
    const email = 'raced@example.com';
    const answers = await Promise.all(Array.from({ length: 8 }, () => post({ email })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422, 422, 422, 422]);
  });

  test('an email that is taken after the check answers 422', async () => {
    const email = 'taken-since@example.com';
    const { query } = service.deps;
    const late: typeof query = async (statement) => {
      if (statement.text.includes('INSERT INTO users')) {
        service.deps.query = query;
        await service.signUp({ email });
      }
      return query(statement);
    };
    service.deps.query = late;
    expectV1Refusal(await post({ email }), 422, 'An account with this email already exists.');
    expect(service.deps.query).toBe(query);
  });

  test('creates no account while sign-up is closed', async () => {
    const other = await service.newApp();
    await scenario.set({ sign_up: 'closed' }, other);
    const answer = await v1.call('POST', '/register', { appKey: other.app.appKey, body: v1.bodyOf() });
    expectV1Refusal(answer, 403, 'This app does not accept new accounts.');
  });
});

describe('POST /login', () => {
  const post = (body: object) => v1.call('POST', '/login', { body });

  test('returns a token that is stored only as its SHA-256', async () => {
    const user = await service.signUp();
    const token = await v1.logIn(user);
    expect(token).toMatch(tokenPattern);
    const [row] = await v1.tokensOf(user.uid);
    expect(Buffer.from(row?.tokenHash ?? []).equals(sha256(token))).toBe(true);
    expect(row).toMatchObject({ signedInAt: service.clock.now(), lastUsedAt: service.clock.now() });
    expect((await v1.rowOf(user.email)).lastSignInAt).toEqual(service.clock.now());
  });

  test('answers an unknown email and a wrong password identically, with one hash and the same statements', async () => {
    const user = await service.signUp();
    const outcomes: { text: string; sent: string[] }[] = [];
    for (const email of [user.email, 'nobody@example.com']) {
      const { done } = service.deps.passwordHasher;
      let text = '';
      const sent = await statements.during(async () => {
        const answer = await post({ email, password: 'a wrong password' });
        expectV1Refusal(answer, 401, 'The email or the password is wrong.');
        text = answer.text;
      });
      expect(service.deps.passwordHasher.done - done).toBe(1);
      outcomes.push({ text, sent });
    }
    expect(outcomes[1]).toEqual(outcomes[0]);
  });

  test('reveals that an account is disabled only with its password', async () => {
    const user = await service.signUp();
    await scenario.disable(user.uid);
    expectV1Refusal(await post({ email: user.email, password: 'a wrong password' }), 401);
    expectV1Refusal(await post({ email: user.email, password: user.password }), 403, disabled);
    expect(await v1.tokensOf(user.uid)).toEqual([]);
  });

  /** Adds tokens until the user has `count`, signed in at `from` and each millisecond after it. */
  async function fill(uid: string, count: number, from: number): Promise<void> {
    const rows = await v1.tokensOf(uid);
    const more = Array.from({ length: count - rows.length }, (_, place) => ({
      ...rows[0]!,
      tokenHash: new Uint8Array(sha256(`${uid} ${place}`)),
      signedInAt: new Date(from + place),
    }));
    await service.database.prisma.v1Token.createMany({ data: more });
  }

  test('limits a user to 100 tokens: the oldest ends', async () => {
    const user = await service.signUp();
    const first = await v1.logIn(user);
    service.clock.advance(10);
    const second = await v1.logIn(user);
    await fill(user.uid, limits.v1TokensPerUser, service.clock.now().getTime() + 1);
    expect((await v1.me(first)).status).toBe(200);
    service.clock.advance(1_000);
    await v1.logIn(user);
    expect(await v1.tokensOf(user.uid)).toHaveLength(limits.v1TokensPerUser);
    expect(await v1.me(first)).toMatchObject(v1Invalid);
    expect((await v1.me(second)).status).toBe(200);
  });

  test('does not end its own token if the clock was ahead at the start of all others', async () => {
    const user = await service.signUp();
    const first = await v1.logIn(user);
    await fill(user.uid, limits.v1TokensPerUser, service.clock.now().getTime() + 1);
    service.clock.advance(-1_000);
    expect((await v1.me(await v1.logIn(user))).status).toBe(200);
    expect(await v1.tokensOf(user.uid)).toHaveLength(limits.v1TokensPerUser);
    expect(await v1.me(first)).toMatchObject(v1Invalid);
    service.clock.advance(1_000);
  });

  test('limits a user to 100 tokens under concurrent logins', async () => {
    const user = await service.signUp();
    await v1.logIn(user);
    await fill(user.uid, limits.v1TokensPerUser, service.clock.now().getTime());
    service.clock.advance(1_000);
    const logIn = () => v1.logIn(user);
    const tokens = await oneAfterAnother(service.database, user.uid, [logIn, logIn, logIn, logIn]);
    expect(await v1.tokensOf(user.uid)).toHaveLength(limits.v1TokensPerUser);
    for (const token of tokens) expect((await v1.me(token)).status).toBe(200);
  });

  test('works for an account created in v2 without names: they are empty, never null', async () => {
    const user = await service.signUp();
    const answer = await post(user);
    expect(answer.json.data.user).toMatchObject({ first_name: '', last_name: '', photo_url: null });
  });

  test('takes two database statements, and a call with the token one; the config adds one every five seconds', async () => {
    const user = await service.signUp();
    const token = await v1.logIn(user);
    const during = async (work: () => Promise<unknown>) =>
      (await statements.during(work)).map((sql) => sql.replaceAll(/\s+/g, ' ').trim());
    const account = expect.stringMatching(/^SELECT .* FROM users /);
    const parameters = expect.stringMatching(/^SELECT .*config_versions/);
    const withUser = expect.stringMatching(/^SELECT .* FROM v1_tokens AS t JOIN users /);
    const start = expect.stringMatching(/^WITH u AS \( UPDATE users .* INSERT INTO v1_tokens /);
    const end = expect.stringMatching(/DELETE FROM v1_tokens /);
    expect(await during(() => post(user))).toEqual([account, start]);
    expect(await during(() => v1.me(token))).toEqual([withUser]);
    service.clock.advance(5_000);
    // The app, which is cached for as long, is read by another call.
    await service.call('GET', '/me');
    expect(await during(() => v1.me(token))).toEqual([withUser, parameters]);
    expect(await during(() => v1.call('POST', '/logout', { token }))).toEqual([withUser, end]);
  });
});

describe('the parameters next to the user', () => {
  const nine = [...v1ConfigNames].sort();

  test('are the nine of a new app, equal in login and me', async () => {
    const user = await service.signUp();
    const login = (await v1.call('POST', '/login', { body: user })).json.data;
    const me = (await v1.me(login.token)).json.data;
    expect(Object.keys(me).sort()).toEqual([...nine, 'user'].sort());
    expect(login).toEqual({ ...me, token: login.token });
  });

  test('are the current config as real JSON; other parameters are omitted, and removed ones are null', async () => {
    const { app, secretKey } = await service.newApp();
    const options = { appKey: app.appKey };
    const token = await v1.logIn(await v1.register({}, options), options);
    const cards = [{ id: 1, title: 'Größe "L"', nested: { list: [1.5, null, true] } }];
    const parameters = {
      cards: { type: 'json', value: cards },
      telegram_url: { type: 'string', value: 'https://t.me/example' },
      events: { type: 'number', value: 7 },
      other: { type: 'boolean', value: true },
    };
    const put = { ...options, token: secretKey, headers: { 'if-match': '*' }, body: { parameters } };
    expect((await service.call('PUT', '/admin/config', put)).status).toBe(200);
    const { user: _, ...beside } = (await v1.me(token, options)).json.data;
    expect(beside).toEqual({
      ...Object.fromEntries(nine.map((name) => [name, null])),
      cards,
      telegram_url: 'https://t.me/example',
      events: 7,
    });
  });
});

describe('the numeric id', () => {
  test('is assigned in sequence when v1 first returns a user, and never changes', async () => {
    const { app } = await service.newApp();
    const options = { appKey: app.appKey };
    const users = await Promise.all([1, 2, 3].map(() => service.signUp(options)));
    const idOf = async (user: { email: string; password: string }) =>
      (await v1.me(await v1.logIn(user, options), options)).json.data.user.id;
    expect((await v1.rowOf(users[0]!.email)).v1Id).toBeNull();
    expect(await idOf(users[2]!)).toBe(1);
    expect(await idOf(users[0]!)).toBe(2);
    expect((await v1.register({}, options)).user.id).toBe(3);
    expect(await idOf(users[2]!)).toBe(1);
    expect(await idOf(users[1]!)).toBe(4);
  });

  test('is unique per user and without gaps under concurrent logins', async () => {
    const { app } = await service.newApp();
    const options = { appKey: app.appKey };
    const users = await Promise.all(Array.from({ length: 6 }, () => service.signUp(options)));
    const logIn = (user: object) => v1.call('POST', '/login', { ...options, body: user });
    const shown = await Promise.all(users.flatMap((user) => [logIn(user), logIn(user), logIn(user)]));
    const ids = shown.map(({ json }) => json.data.user.id);
    for (let place = 0; place < ids.length; place += 3) {
      expect(new Set(ids.slice(place, place + 3)).size).toBe(1);
    }
    expect([...new Set(ids)].sort()).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

test('calls of v1 on an account are audited, failed ones too', async () => {
  const account = await v1.register();
  const { id } = await v1.rowOf(account.email);
  await v1.call('POST', '/login', { body: { email: account.email, password: 'a wrong password' } });
  await v1.call('POST', '/logout', { token: await v1.logIn(account) });
  const code = await scenario.resetCode(account.email);
  const body = { email: account.email, code, ...passwords('a new password') };
  await v1.call('POST', '/password/reset', { body });
  const token = await v1.logIn({ ...account, password: 'a new password' });
  await v1.exchange(token);
  await service.advance(1_000);
  const entries = await service.auditEntries({ uid: id });
  const by = { actor: `user:${id}`, ip: '127.0.0.1' };
  const v1Sign = { method: 'password', version: 'v1' };
  // A failure is buffered and written within a second, so its entry comes later.
  expect(entries.filter(({ actor }) => actor === 'anonymous')).toMatchObject([
    { action: 'user.sign_in_failed', details: { method: 'password' } },
  ]);
  expect(entries.filter(({ actor }) => actor !== 'anonymous')).toMatchObject([
    { ...by, action: 'user.signed_up', details: v1Sign },
    { ...by, action: 'user.signed_in', details: v1Sign },
    { ...by, action: 'user.signed_out', details: { version: 'v1' } },
    { action: 'user.unproven_removed' },
    { ...by, action: 'user.password_reset' },
    { ...by, action: 'user.signed_in', details: v1Sign },
    { ...by, action: 'user.signed_in', details: { method: 'v1_exchange' } },
  ]);
});

describe('DELETE /account/delete', () => {
  test('deletes the account with its sessions and tokens, for a sign-in of any age', async () => {
    const user = await service.signUp();
    const [first, second] = [await v1.logIn(user), await v1.logIn(user)];
    service.clock.advance(30 * day);
    const answer = await v1.call('DELETE', '/account/delete', { token: first });
    expect([answer.status, answer.json.data]).toEqual([200, {}]);
    for (const token of [first, second]) expect(await v1.me(token)).toMatchObject(v1Invalid);
    expect((await service.refresh(user.tokens.refresh_token)).code).toBe('auth/refresh-token-revoked');
    const { prisma } = service.database;
    expect(await prisma.user.count({ where: { id: user.uid } })).toBe(0);
    const events = await prisma.event.findMany({ where: { uid: user.uid, type: 'user.deleted' } });
    expect(events).toMatchObject([{ data: { reason: 'self' } }]);
  });

  test('deletes nothing if the token was signed out meanwhile', async () => {
    const user = await service.signUp();
    const token = await v1.logIn(user);
    const answer = await lateAnswer(
      service,
      (late) => v1Scenario(() => late).call('DELETE', '/account/delete', { token }),
      () => v1.call('POST', '/logout', { token }),
    );
    expect(answer).toMatchObject(v1Invalid);
    expect((await service.signIn(user)).status).toBe(200);
  });

  test('sent twice concurrently deletes once', async () => {
    const user = await service.signUp();
    const token = await v1.logIn(user);
    const both = await Promise.all([0, 1].map(() => v1.call('DELETE', '/account/delete', { token })));
    for (const { status } of both) expect([200, 401]).toContain(status);
    const events = await service.database.prisma.event.count({
      where: { uid: user.uid, type: 'user.deleted' },
    });
    expect(events).toBe(1);
  });
});

test('an account that is deleted before it has an id of v1 is answered like an invalid token', async () => {
  const { deps, app, clock } = service;
  const deleted = { appId: app.app.id, uid: deps.random.ulid(clock.now()) };
  await expect(requireV1Id(deps, deleted)).rejects.toThrow(
    expect.objectContaining({ code: 'auth/invalid-token' }),
  );
});
