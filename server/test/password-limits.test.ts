// How often passwords may be tried: both sides of each limit, with a manual clock.
import { beforeEach, expect, test } from 'vitest';
import { newEmail } from './code-scenario.js';
import { busyPasswordHasher } from './harness.js';
import { expectLimited, from, limitedService, newAddress, times } from './limited-service.js';
import { expectRefusal } from './refusal.js';
import { shared } from './shared.js';

const minute = 60_000;
const quarter = 15 * minute;

const service = shared(limitedService);
// Every window of the previous test has ended.
beforeEach(() => service.clock.advance(60 * minute));

test('an IP address has 60 calls a minute in an app, successful or not, and the 61st is refused', async () => {
  const address = newAddress();
  const first = await service.signUpFrom(address);
  expect(first.headers.get('ratelimit-policy')).toBe('"auth-ip";q=60;w=60');
  expect(first.headers.get('ratelimit')).toBe('"auth-ip";r=59;t=60');
  service.clock.advance(1_500);
  const rest = await times(59, (place) =>
    place % 2 === 0
      ? service.signInFrom(address, newEmail(), 'x')
      : service.call('POST', '/auth/sign-up', { ...from(address), body: '{' }),
  );
  expect(rest.map((answer) => answer.status)).not.toContain(429);
  expect(rest.at(-1)?.headers.get('ratelimit')).toBe('"auth-ip";r=0;t=59');
  const hashed = service.deps.passwordHasher.done;
  expectLimited(await service.signUpFrom(address), 'auth-ip', 59);
  expectLimited(await service.signInFrom(address, 'a@b.cd', 'x'), 'auth-ip', 59);
  expect(service.deps.passwordHasher.done).toBe(hashed);
  expect((await service.signUpFrom(newAddress())).status).toBe(201);
  const { app } = await service.newApp();
  const elsewhere = await service.call('POST', '/auth/sign-in', {
    ...from(address),
    appKey: app.appKey,
    body: { email: 'a@b.cd', password: 'x' },
  });
  expect(elsewhere.code).toBe('auth/invalid-credential');
  const after = await service.afterWindow(minute - 1_500, 'auth-ip', () => service.signUpFrom(address));
  expect(after.headers.get('ratelimit')).toBe('"auth-ip";r=59;t=60');
});

test('one IP address has ten wrong passwords for an email in 15 minutes; the eleventh is not hashed', async () => {
  const user = await service.newUser();
  const address = newAddress();
  for (const answer of await times(10, () => service.signInFrom(address, user.email, 'wrong'))) {
    expectRefusal(answer, 'auth/invalid-credential');
  }
  const hashed = service.deps.passwordHasher.done;
  expectLimited(await service.signInFrom(address, user.email, 'wrong'), 'auth-failures-email-ip', 900);
  const right = () => service.signInFrom(address, user.email, user.password);
  expectLimited(await right(), 'auth-failures-email-ip', 900);
  expect(service.deps.passwordHasher.done).toBe(hashed);
  expect((await service.signInFrom(newAddress(), user.email, user.password)).status).toBe(200);
  const other = await service.newUser();
  expect((await service.signInFrom(address, other.email, user.password)).status).toBe(200);
  expect((await service.afterWindow(quarter, 'auth-failures-email-ip', right)).status).toBe(200);
});

test('a known or unknown email has fifty wrong passwords in 15 minutes from all IP addresses', async () => {
  for (const email of [(await service.newUser()).email, newEmail()]) {
    const wrong = await times(50, () => service.signInFrom(newAddress(), email, 'wrong'));
    expect(new Set(wrong.map((answer) => answer.code))).toEqual(new Set(['auth/invalid-credential']));
    const hashed = service.deps.passwordHasher.done;
    expectLimited(
      await service.signInFrom(newAddress(), email, 'right password'),
      'auth-failures-email',
      900,
    );
    expect(service.deps.passwordHasher.done).toBe(hashed);
    const { app } = await service.newApp();
    const other = { appKey: app.appKey, body: { email, password: 'x' }, ...from(newAddress()) };
    expect((await service.call('POST', '/auth/sign-in', other)).code).toBe('auth/invalid-credential');
  }
  service.clock.advance(quarter);
});

test('spellings of an email share one limit', async () => {
  const { email } = await service.newUser();
  const address = newAddress();
  await times(5, () => service.signInFrom(address, email, 'wrong'));
  await times(5, () => service.signInFrom(address, ` ${email.toUpperCase()} `, 'wrong'));
  expectLimited(await service.signInFrom(address, email, 'wrong'), 'auth-failures-email-ip', 900);
});

test('right passwords are not counted as failures', async () => {
  const user = await service.newUser();
  const address = newAddress();
  await times(9, () => service.signInFrom(address, user.email, 'wrong'));
  const right = await times(30, () => service.signInFrom(address, user.email, user.password));
  expect(right.map(({ status }) => status)).toEqual(Array(30).fill(200));
  expect((await service.signInFrom(address, user.email, 'wrong')).code).toBe('auth/invalid-credential');
  expectLimited(await service.signInFrom(address, user.email, 'wrong'), 'auth-failures-email-ip', 900);
});

test('parallel guesses do not exceed the limit', async () => {
  const user = await service.newUser();
  const address = newAddress();
  const hashed = service.deps.passwordHasher.done;
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => service.signInFrom(address, user.email, 'wrong')),
  );
  expect(answers.filter(({ code }) => code === 'auth/invalid-credential')).toHaveLength(10);
  expect(answers.filter(({ code }) => code === 'request/rate-limited')).toHaveLength(30);
  expect(service.deps.passwordHasher.done).toBe(hashed + 10);
});

test('a password that could not be verified is not counted as a failure', async () => {
  const user = await service.newUser();
  const address = newAddress();
  const other = await service.secondInstance({
    rateLimits: true,
    config: { trustProxy: 1 },
    overrides: { passwordHasher: await busyPasswordHasher() },
  });
  try {
    const body = { email: user.email, password: user.password };
    const call = { ...from(address), body };
    for (const answer of await times(12, () => other.call('POST', '/auth/sign-in', call))) {
      expectRefusal(answer, 'request/unavailable');
    }
  } finally {
    await other.stop();
  }
});
