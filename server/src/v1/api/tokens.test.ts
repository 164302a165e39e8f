// The token of v1: lifetime, recorded use, and end.
import { describe, expect, test } from 'vitest';
import { codeScenario } from '../../../test/code-scenario.js';
import { statementLog, testService } from '../../../test/harness.js';
import { shared } from '../../../test/shared.js';
import { expectV1Refusal, v1Invalid, v1Scenario } from '../../../test/v1-scenario.js';
import { purge } from '../../retention.js';

const statements = statementLog();
const service = shared(() => testService({ onStatement: statements.onStatement }));

const v1 = v1Scenario(() => service);
const scenario = codeScenario(() => service);
const hour = 3_600_000;
const day = 24 * hour;

describe('a token', () => {
  test.each([
    ['none', undefined],
    ['another text', 'x'],
    ['of 63 characters', 'a'.repeat(63)],
    ['of 65 characters', 'a'.repeat(65)],
    ['that nobody was given', 'a'.repeat(64)],
  ])('%s is refused', async (_, token) => {
    expectV1Refusal(await v1.call('GET', '/me', { token }), 401, v1Invalid.json.message);
  });

  test('is case-sensitive', async () => {
    const token = await v1.logIn(await service.signUp());
    expect(await v1.me(token.toUpperCase())).toMatchObject(v1Invalid);
  });

  test('expires after 90 days without use, to the millisecond; each use restarts the period', async () => {
    const token = await v1.logIn(await service.signUp());
    service.clock.advance(90 * day - 1);
    expect((await v1.me(token)).status).toBe(200);
    service.clock.advance(90 * day - 1);
    expect((await v1.me(token)).status).toBe(200);
    service.clock.advance(90 * day);
    expect(await v1.me(token)).toMatchObject(v1Invalid);
  });

  test('of a disabled account is refused', async () => {
    const user = await service.signUp();
    const token = await v1.logIn(user);
    await scenario.disable(user.uid);
    expect(await v1.me(token)).toMatchObject(v1Invalid);
  });

  test('that expired is deleted by the daily job', async () => {
    const user = await service.signUp();
    await v1.logIn(user);
    service.clock.advance(90 * day - 1);
    await purge(service.deps, 'v1Tokens');
    expect(await v1.tokensOf(user.uid)).toHaveLength(1);
    service.clock.advance(1);
    await purge(service.deps, 'v1Tokens');
    expect(await v1.tokensOf(user.uid)).toEqual([]);
  });
});

describe('the use of v1', () => {
  const usesOf = async (user: { uid: string; email: string }) => {
    const [token] = await v1.tokensOf(user.uid);
    return { user: (await v1.rowOf(user.email)).v1LastUsedAt, token: token?.lastUsedAt };
  };

  test('is recorded at most once an hour, for the user and for the token', async () => {
    const user = await service.signUp();
    expect(await usesOf(user)).toEqual({ user: null, token: undefined });
    const start = service.clock.now();
    const token = await v1.logIn(user);
    expect(await usesOf(user)).toEqual({ user: start, token: start });
    service.clock.advance(hour - 1);
    const quiet = await statements.during(() => v1.me(token));
    expect(quiet.filter((sql) => sql.includes('UPDATE'))).toEqual([]);
    await v1.logIn(user);
    expect((await usesOf(user)).user).toEqual(start);
    service.clock.advance(1);
    const written = await statements.during(() => v1.me(token));
    expect(written.filter((sql) => sql.includes('UPDATE'))).toHaveLength(2);
    const later = service.clock.now();
    expect((await v1.rowOf(user.email)).v1LastUsedAt).toEqual(later);
    const again = await statements.during(() => v1.me(token));
    expect(again.filter((sql) => sql.includes('UPDATE'))).toEqual([]);
  });

  test('includes registration and a password reset in v1', async () => {
    const account = await v1.register();
    expect((await v1.rowOf(account.email)).v1LastUsedAt).toEqual(service.clock.now());
    const { email } = await service.signUp();
    const code = await scenario.resetCode(email);
    expect((await v1.rowOf(email)).v1LastUsedAt).toBeNull();
    const body = { email, code, password: 'a new password', password_confirmation: 'a new password' };
    expect((await v1.call('POST', '/password/reset', { body })).status).toBe(200);
    expect((await v1.rowOf(email)).v1LastUsedAt).toEqual(service.clock.now());
  });

  test('includes no request for a reset code, no failed call and no call of v2', async () => {
    const user = await service.signUp();
    await v1.call('POST', '/password/forgot', { body: { email: user.email } });
    await v1.call('POST', '/login', { body: { email: user.email, password: 'a wrong password' } });
    await service.signIn(user);
    expect((await usesOf(user)).user).toBeNull();
  });
});

describe('POST /logout', () => {
  test('ends the token, but no other token and no session', async () => {
    const user = await service.signUp();
    const [first, second] = [await v1.logIn(user), await v1.logIn(user)];
    expect((await v1.call('POST', '/logout', { token: first })).json.data).toEqual({});
    expect(await v1.call('POST', '/logout', { token: first })).toMatchObject(v1Invalid);
    expect((await v1.me(second)).status).toBe(200);
    expect((await service.refresh(user.tokens.refresh_token)).status).toBe(200);
  });

  test('sent five times concurrently answers 200 or 401 each time, and 200 at least once', async () => {
    const token = await v1.logIn(await service.signUp());
    const taps = await Promise.all(Array.from({ length: 5 }, () => v1.call('POST', '/logout', { token })));
    for (const tap of taps) expect([200, 401]).toContain(tap.status);
    expect(taps.some(({ status }) => status === 200)).toBe(true);
  });
});
