// v1 shares the rate limits of v2: both sides of each limit, with calls of both versions in one window.
import { limits } from '@foyer/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { codeScenario, newEmail, wrongCode } from './code-scenario.js';
import type { Answer } from './harness.js';
import { from, limitedService, newAddress, times } from './limited-service.js';
import { expectRefusal } from './refusal.js';
import { shared } from './shared.js';
import { expectV1Refusal, v1Scenario } from './v1-scenario.js';

const service = shared(limitedService);
// Every window of the previous test has ended.
beforeEach(() => service.clock.advance(24 * 60 * minute));

const minute = 60_000;
const v1 = v1Scenario(() => service);
const scenario = codeScenario(() => service);
const logInFrom = (address: string, email: string, password: string) =>
  v1.call('POST', '/login', { ...from(address), body: { email, password } });
const over = 'Too many requests; try again after the seconds given in Retry-After.';

function expectV1Limited(answer: Answer, policy: keyof typeof limits.rateLimits): void {
  expectV1Refusal(answer, 429, over);
  const { limit, windowSeconds } = limits.rateLimits[policy];
  expect(answer.headers.get('ratelimit-policy')).toBe(`"${policy}";q=${limit};w=${windowSeconds}`);
}

describe('auth', () => {
  test('one IP address has sixty a minute in both versions together; both refuse the next', async () => {
    const address = newAddress();
    const first = await times(60, (place) =>
      place % 2
        ? service.signInFrom(address, newEmail(), 'x')
        : v1.call('POST', place % 4 ? '/login' : '/register', { ...from(address), body: {} }),
    );
    expect(first.map(({ status }) => status)).not.toContain(429);
    const { done } = service.deps.passwordHasher;
    expectV1Limited(await logInFrom(address, 'a@b.cd', 'x'), 'auth-ip');
    expectV1Limited(await v1.call('POST', '/register', { ...from(address), body: v1.bodyOf() }), 'auth-ip');
    expectV1Limited(await v1.call('POST', '/password/reset', { ...from(address), body: {} }), 'auth-ip');
    expectRefusal(await service.signInFrom(address, 'a@b.cd', 'x'), 'request/rate-limited');
    expect(service.deps.passwordHasher.done).toBe(done);
    service.clock.advance(minute);
    expectV1Refusal(await logInFrom(address, 'a@b.cd', 'x'), 401);
  });

  test('one IP address has ten wrong passwords for an email in both versions together', async () => {
    const user = await service.newUser();
    const address = newAddress();
    await times(10, (place) =>
      (place % 2 ? service.signInFrom : logInFrom)(address, user.email, 'a wrong password'),
    );
    const { done } = service.deps.passwordHasher;
    expectV1Limited(await logInFrom(address, user.email, user.password), 'auth-failures-email-ip');
    expectRefusal(await service.signInFrom(address, user.email, user.password), 'request/rate-limited');
    expect(service.deps.passwordHasher.done).toBe(done);
    expect((await logInFrom(newAddress(), user.email, user.password)).status).toBe(200);
  });

  test('wrong codes at a v1 reset count with those of the email in v2, separate from its wrong passwords', async () => {
    const user = await service.newUser();
    const address = newAddress();
    const code = await scenario.resetCode(user.email);
    const body = {
      email: user.email,
      code: wrongCode(code),
      password: 'a new password',
      password_confirmation: 'a new password',
    };
    await times(10, () => v1.call('POST', '/password/reset', { ...from(address), body }));
    expectV1Limited(
      await v1.call('POST', '/password/reset', { ...from(address), body }),
      'code-failures-email-ip',
    );
    expectRefusal(await scenario.verify(user.email, '000000', from(address)), 'request/rate-limited');
    expect((await logInFrom(address, user.email, user.password)).status).toBe(200);
  });
});

describe('code-send', () => {
  const forgotFrom = (address: string, email: string) =>
    v1.call('POST', '/password/forgot', { ...from(address), body: { email } });

  test('one IP address causes one mail in thirty seconds in both versions; the answer is the same', async () => {
    const { email } = await service.newUser();
    const address = newAddress();
    expect((await scenario.forgot(email, from(address))).status).toBe(200);
    const silent = await forgotFrom(address, email);
    expect([silent.status, silent.json.data]).toEqual([200, {}]);
    expect(await scenario.mailed(email, 'reset')).toHaveLength(1);
    service.clock.advance(30_000);
    await forgotFrom(address, email);
    expect(await scenario.mailed(email, 'reset')).toHaveLength(2);
    await scenario.forgot(email, from(address));
    expect(await scenario.mailed(email, 'reset')).toHaveLength(2);
  });

  test('the calls of one IP address are counted in both versions together', async () => {
    const { app } = await service.newAppWith({ 'code-send-ip': { limit: 4, windowSeconds: 3_600 } });
    const own = { appKey: app.appKey, ...from(newAddress()) };
    const forgot = (email: string) => v1.call('POST', '/password/forgot', { ...own, body: { email } });
    const sent = await times(4, (place) => (place % 2 ? forgot : scenario.forgot)(newEmail(), own));
    expect(sent.map(({ status }) => status)).toEqual(Array(4).fill(200));
    const refused = await forgot('a@b.cd');
    expectV1Refusal(refused, 429, over);
    expect(refused.headers.get('ratelimit-policy')).toBe('"code-send-ip";q=4;w=3600');
  });
});

test('the calls of a user are counted in both versions together', async () => {
  const { app } = await service.newAppWith({ client: { limit: 6, windowSeconds: 60 } });
  const own = { appKey: app.appKey, ...from(newAddress()) };
  const { email, password } = await v1.register({}, own);
  const token = await v1.logIn({ email, password }, own);
  const signedIn = await service.signIn({ email, password }, own);
  const me = () => service.call('GET', '/me', { ...own, token: signedIn.data.access_token });
  const calls = await times(6, (place) => (place % 2 ? v1.me(token, own) : me()));
  expect(new Set(calls.map(({ status }) => status))).toEqual(new Set([200]));
  const refused = await v1.me(token, own);
  expectV1Refusal(refused, 429, over);
  expect(refused.headers.get('ratelimit-policy')).toBe('"client";q=6;w=60');
  expectRefusal(await me(), 'request/rate-limited');
});

test('a v1 token that the limit of exchanges refuses stays valid', async () => {
  const { app } = await service.newAppWith({ 'exchange-ip': { limit: 2, windowSeconds: 60 } });
  const own = { appKey: app.appKey, ...from(newAddress()) };
  const token = await v1.logIn(await v1.register({}, own), own);
  await times(2, () => v1.exchange('no token', own));
  const refused = await v1.exchange(token, own);
  expectRefusal(refused, 'request/rate-limited');
  expect(refused.headers.get('ratelimit-policy')).toBe('"exchange-ip";q=2;w=60');
  expect((await v1.me(token, own)).status).toBe(200);
  service.clock.advance(minute);
  expect((await v1.exchange(token, own)).status).toBe(200);
});
