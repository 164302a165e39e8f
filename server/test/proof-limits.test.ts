// How often codes, passwords and provider tokens may be tried, and the limit of a secret key: both sides of each limit.
import { beforeEach, describe, expect, test } from 'vitest';
import type { NewApp } from '../src/apps/create-app.js';
import { createSecretKey } from '../src/apps/secret-keys.js';
import { commandLine } from '../src/model/actor.js';
import { codeScenario, newEmail, newPassword, wrongCode } from './code-scenario.js';
import { type Answer, busyPasswordHasher, type CallOptions } from './harness.js';
import { expectLimited, from, limitedService, newAddress, times } from './limited-service.js';
import { expectRefusal } from './refusal.js';
import { shared } from './shared.js';

const service = shared(limitedService);
// Every window of the previous test has ended.
beforeEach(() => service.clock.advance(24 * 60 * minute));

const minute = 60_000;
const quarter = 15 * minute;
const scenario = codeScenario(() => service);
const post = (path: string, body: object, options: CallOptions = {}) =>
  service.call('POST', path, { body, ...options });

describe('guesses over a limit add one audit entry a minute', () => {
  const limited = (where: object) => service.auditEntries({ action: 'user.guesses_limited', ...where });

  test('for the account', async () => {
    const { uid, email } = await service.newUser();
    const address = newAddress();
    await times(10, () => service.signInFrom(address, email, 'wrong'));
    expect(await limited({ uid })).toEqual([]);
    for (const minutes of [1, 2]) {
      await times(5, async () =>
        expectRefusal(await service.signInFrom(address, email, 'wrong'), 'request/rate-limited', null),
      );
      const entries = await limited({ uid });
      expect(entries).toHaveLength(minutes);
      expect(entries[0]).toMatchObject({
        actor: 'anonymous',
        ipAddress: address,
        details: { method: 'password' },
      });
      service.clock.advance(minute);
    }
  });

  test('for the IP address, if its limit is exceeded', async () => {
    const address = newAddress();
    await times(70, () => service.signInFrom(address, newEmail(), 'wrong'));
    const entries = await limited({ ipAddress: address });
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ target: `app:${service.app.app.id}`, details: { method: 'any' } });
  });
});

describe('wrong codes for an email', () => {
  const guesses: [string, (email: string, code: string, address: string) => Promise<Answer>][] = [
    ['verify', (email, code, address) => scenario.verify(email, code, from(address))],
    ['reset', (email, code, address) => scenario.reset(email, code, newPassword, from(address))],
  ];
  test.each(guesses)('at %s: ten from an IP address are checked in 15 minutes', async (_name, guess) => {
    for (const email of [(await service.newUser()).email, newEmail()]) {
      const address = newAddress();
      for (const answer of await times(10, () => guess(email, '000000', address))) {
        expectRefusal(answer, 'auth/invalid-code');
      }
      expectLimited(await guess(email, '000000', address), 'code-failures-email-ip', 900);
      expectRefusal(await guess(email, '000000', newAddress()), 'auth/invalid-code');
      expectRefusal(await guess(newEmail(), '000000', address), 'auth/invalid-code');
      const again = () => guess(email, '000000', address);
      expectRefusal(await service.afterWindow(quarter, 'code-failures-email-ip', again), 'auth/invalid-code');
    }
  });

  test('over the limit the right code is not checked, and no guess is counted', async () => {
    const email = newEmail();
    const address = newAddress();
    await times(10, () => scenario.verify(email, '000000', from(address)));
    const code = await scenario.signInCode(email);
    expectLimited(await scenario.verify(email, code, from(address)), 'code-failures-email-ip', 900);
    expect((await scenario.codeRow('sign_in', email))?.guesses).toBe(0);
    expect((await scenario.verify(email, code, from(newAddress()))).status).toBe(200);
  });

  test('fifty from all IP addresses are checked at all endpoints together, separate from wrong passwords', async () => {
    const { email, password } = await service.newUser();
    await times(25, () => scenario.verify(email, '000000', from(newAddress())));
    await times(25, () => scenario.reset(email, '000000', newPassword, from(newAddress())));
    const reset = () => scenario.reset(email, '000000', newPassword, from(newAddress()));
    expectLimited(await scenario.verify(email, '000000', from(newAddress())), 'code-failures-email', 900);
    expectLimited(await reset(), 'code-failures-email', 900);
    expect((await service.signInFrom(newAddress(), email, password)).status).toBe(200);

    const other = await service.newUser();
    await times(50, () => service.signInFrom(newAddress(), other.email, 'wrong'));
    expectLimited(await service.signInFrom(newAddress(), other.email, 'wrong'), 'auth-failures-email', 900);
    const code = await scenario.signInCode(other.email);
    expect((await scenario.verify(other.email, code, from(newAddress()))).status).toBe(200);
  });

  test('do not include right codes or codes sent with too weak a password', async () => {
    const email = newEmail();
    const address = newAddress();
    for (let signIns = 0; signIns < 15; signIns += 1) {
      service.clock.advance(30_000);
      await scenario.send(email, from(newAddress()));
      const answer = await scenario.verify(email, await scenario.codeOf(email, 'sign_in'), from(address));
      expect(answer.status).toBe(200);
    }
    await times(15, () => scenario.reset(email, '000000', 'short', from(address)));
    expectRefusal(await scenario.verify(email, '000000', from(address)), 'auth/invalid-code');
  });

  test('an IP address has sixty calls a minute at all endpoints together', async () => {
    const address = newAddress();
    const answers = await times(60, (place) =>
      place % 2
        ? scenario.verify(newEmail(), '000000', from(address))
        : scenario.reset(newEmail(), '000000', newPassword, from(address)),
    );
    expect(answers.map(({ code }) => code)).toEqual(Array(60).fill('auth/invalid-code'));
    expectLimited(await scenario.verify(newEmail(), '000000', from(address)), 'auth-ip', 60);
    service.clock.advance(minute);
    expect((await scenario.verify(newEmail(), '000000', from(address))).status).toBe(422);
  });
});

describe('failures of a signed-in user', () => {
  type Guess = (token: string, right: boolean) => Promise<Answer>;
  const password = 'right password';
  const fromAnywhere = () => from(newAddress());
  const doors: [string, number, Guess][] = [
    [
      'reauthentication by password',
      200,
      (token, right) =>
        post('/auth/reauthenticate', { password: right ? password : 'wrong' }, { token, ...fromAnywhere() }),
    ],
    [
      'the present password of a change',
      204,
      (token, right) =>
        service.call('PUT', '/me/password', {
          token,
          body: { password, current_password: right ? password : 'wrong' },
          ...fromAnywhere(),
        }),
    ],
  ];
  test.each(doors)('by %s: ten are checked in 15 minutes', async (_name, done, guess) => {
    const user = await service.newUser();
    const other = await service.newUser();
    const token = user.tokens.access_token;
    for (const answer of await times(10, () => guess(token, false))) {
      expectRefusal(answer, 'auth/invalid-credential');
    }
    const hashed = service.deps.passwordHasher.done;
    expectLimited(await guess(token, false), 'auth-failures-user', 900);
    expectLimited(await guess(token, true), 'auth-failures-user', 900);
    expect(service.deps.passwordHasher.done).toBe(hashed);
    expect((await guess(other.tokens.access_token, true)).status).toBe(done);
    // A new session belongs to the same user.
    const fresh = await service.signInFrom(newAddress(), user.email, password);
    expectLimited(await guess(fresh.json.data.access_token, true), 'auth-failures-user', 900);
    const after = await service.afterWindow(quarter, 'auth-failures-user', () => guess(token, true));
    expect(after.status).toBe(done);
  });

  test('count together at every endpoint, codes included', async () => {
    const { email, tokens } = await service.newUser();
    const token = tokens.access_token;
    const code = await scenario.signInCode(email);
    const wrong = wrongCode(code);
    await times(3, () => post('/auth/reauthenticate', { code: wrong }, { token, ...fromAnywhere() }));
    await times(3, () =>
      post('/auth/email/verification/confirm', { code: wrong }, { token, ...fromAnywhere() }),
    );
    await times(4, () => post('/auth/reauthenticate', { password: 'wrong' }, { token, ...fromAnywhere() }));
    for (const [path, body] of [
      ['/auth/reauthenticate', { code }],
      ['/auth/reauthenticate', { password }],
      ['/auth/email/verification/confirm', { code: wrong }],
    ] as const) {
      expectLimited(await post(path, body, { token, ...fromAnywhere() }), 'auth-failures-user', 900);
    }
    // The code and sign-ins with the email are unaffected.
    expect((await scenario.codeRow('sign_in', email))?.guesses).toBe(3);
    expect((await service.signInFrom(newAddress(), email, password)).status).toBe(200);
  });

  test('do not include right credentials or credentials that were not verified', async () => {
    const { tokens } = await service.newUser();
    const token = tokens.access_token;
    const guess = doors[0]?.[2] as Guess;
    await times(9, () => guess(token, false));
    expect((await times(15, () => guess(token, true))).map(({ status }) => status)).toEqual(
      Array(15).fill(200),
    );

    const passwordHasher = await busyPasswordHasher();
    const busy = await service.secondInstance({
      rateLimits: true,
      config: { trustProxy: 1 },
      overrides: { passwordHasher },
    });
    const body = { password: newPassword, current_password: password };
    const tried = await times(15, (place) =>
      place % 2
        ? busy.call('PUT', '/me/password', { token, body, ...fromAnywhere() })
        : busy.call('POST', '/auth/reauthenticate', { token, body: { password }, ...fromAnywhere() }),
    );
    await busy.stop();
    for (const answer of tried) expectRefusal(answer, 'request/unavailable');
    const off = { provider_a: { id_token: 'x', nonce: 'y' } };
    for (const answer of await times(15, () =>
      post('/auth/reauthenticate', off, { token, ...fromAnywhere() }),
    )) {
      expectRefusal(answer, 'auth/operation-not-allowed');
    }
    expectRefusal(await guess(token, false), 'auth/invalid-credential');
    expectLimited(await guess(token, false), 'auth-failures-user', 900);
  });

  test('do not exceed the limit in parallel', async () => {
    const { tokens } = await service.newUser();
    const guess = doors[0]?.[2] as Guess;
    const answers = await Promise.all(Array.from({ length: 40 }, () => guess(tokens.access_token, false)));
    expect(answers.filter(({ code }) => code === 'auth/invalid-credential')).toHaveLength(10);
    expect(answers.filter(({ code }) => code === 'request/rate-limited')).toHaveLength(30);
  });
});

test('sign-ins with both providers are limited together by IP address, 600 a minute unless the app sets it', async () => {
  const { app } = await service.newAppWith({ 'exchange-ip': { limit: 6, windowSeconds: 60 } });
  const address = newAddress();
  const a = (more: CallOptions = { appKey: app.appKey, ...from(address) }) =>
    post('/auth/provider-a', { id_token: 'x', nonce: 'y' }, more);
  const body = { identity_token: 'x', authorization_code: 'c', nonce: 'y' };
  const b = () => post('/auth/provider-b', body, { appKey: app.appKey, ...from(address) });
  expect((await a(from(newAddress()))).headers.get('ratelimit-policy')).toBe('"exchange-ip";q=600;w=60');
  const answers = await Promise.all([a(), b(), a(), b(), a(), b()]);
  expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(['auth/operation-not-allowed']));
  for (const refused of [await a(), await b()]) {
    expectRefusal(refused, 'request/rate-limited');
    expect(refused.headers.get('ratelimit')).toBe('"exchange-ip";r=0;t=60');
  }
  // Other endpoints and other IP addresses are unaffected.
  expectRefusal(
    await post('/auth/sign-in', {}, { appKey: app.appKey, ...from(address) }),
    'request/validation-failed',
    null,
  );
  expectRefusal(await a({ appKey: app.appKey, ...from(newAddress()) }), 'auth/operation-not-allowed');
  service.clock.advance(minute - 1);
  expectRefusal(await a(), 'request/rate-limited');
  service.clock.advance(1);
  expectRefusal(await a(), 'auth/operation-not-allowed');
});

test('a secret key is limited from all IP addresses, 1,000 calls a minute unless the app sets it', async () => {
  const users = ({ app, secretKey: token }: NewApp) =>
    service.call('GET', '/admin/users', { appKey: app.appKey, token, ...from(newAddress()) });
  expect((await users(service.app)).headers.get('ratelimit-policy')).toBe('"admin";q=1000;w=60');
  const limited = await service.newAppWith({ admin: { limit: 5, windowSeconds: 60 } });
  const draft = { name: 'Another', scopes: ['users:read' as const], expiresAt: null };
  const { secretKey } = await createSecretKey(service.deps, limited.app.id, draft, commandLine);
  const answers = await Promise.all(Array.from({ length: 5 }, () => users(limited)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expectRefusal(await users(limited), 'request/rate-limited');
  expect((await users({ ...limited, secretKey })).status).toBe(200);
  service.clock.advance(minute - 1);
  expectRefusal(await users(limited), 'request/rate-limited');
  service.clock.advance(1);
  expect((await users(limited)).status).toBe(200);
});
