// Both sides of every rate limit, by a clock moved by hand. Addresses are those of X-Forwarded-For, from one proxy that is
// believed.
import { randomUUID } from 'node:crypto';
import { limits } from '@foyer/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PasswordHasher } from '../src/passwords/password-hasher.js';
import {
  type Answer,
  type CallOptions,
  cheapPasswordHasher,
  type TestService,
  type TestUser,
  testService,
} from './harness.js';
import { expectRefusal } from './refusal.js';

const minute = 60_000;
const quarter = 15 * minute;

let service: TestService;
let hasher: PasswordHasher;
beforeAll(async () => {
  hasher = await cheapPasswordHasher();
  service = await testService({
    rateLimits: true,
    config: { trustProxy: 1 },
    given: { passwordHasher: hasher },
  });
});
afterAll(() => service.stop());
// Every window of the test before has ended.
beforeEach(() => service.clock.advance(60 * minute));

let lastAddress = 0;
/** An address that no other test calls from. */
function newAddress(): string {
  lastAddress += 1;
  return `198.51.${lastAddress >> 8}.${lastAddress & 255}`;
}

function from(address: string): CallOptions {
  return { headers: { 'x-forwarded-for': address } };
}

function signUp(address: string, email = `${randomUUID()}@example.com`): Promise<Answer> {
  return service.call('POST', '/auth/sign-up', {
    ...from(address),
    body: { email, password: 'right password' },
  });
}

function signIn(email: string, password: string, address: string): Promise<Answer> {
  return service.call('POST', '/auth/sign-in', { ...from(address), body: { email, password } });
}

async function newUser(): Promise<TestUser> {
  const email = `${randomUUID()}@example.com`;
  const { json } = await signUp(newAddress(), email);
  return { uid: json.data.user.uid, email, password: 'right password', tokens: json.data };
}

function me(user: TestUser, options: CallOptions = {}): Promise<Answer> {
  return service.call('GET', '/me', { token: user.tokens.access_token, ...options });
}

async function times<T>(count: number, work: (place: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let place = 0; place < count; place += 1) results.push(await work(place));
  return results;
}

/** Refused by this policy, to be tried again after these seconds. */
function expectLimited(
  answer: Answer,
  policy: keyof typeof limits.rateLimits,
  retryAfterSeconds: number,
): void {
  const { limit, windowSeconds } = limits.rateLimits[policy];
  expectRefusal(answer, 'request/rate-limited');
  expect({
    after: answer.headers.get('retry-after'),
    policy: answer.headers.get('ratelimit-policy'),
    state: answer.headers.get('ratelimit'),
  }).toEqual({
    after: String(retryAfterSeconds),
    policy: `"${policy}";q=${limit};w=${windowSeconds}`,
    state: `"${policy}";r=0;t=${retryAfterSeconds}`,
  });
}

describe('calls that prove a password', () => {
  test('an address has 60 a minute in an app, whatever they come to, and the 61st is refused', async () => {
    const address = newAddress();
    const first = await signUp(address);
    expect(first.headers.get('ratelimit-policy')).toBe('"auth-ip";q=60;w=60');
    expect(first.headers.get('ratelimit')).toBe('"auth-ip";r=59;t=60');
    service.clock.advance(1_500);
    const rest = await times(59, (place) =>
      place % 2 === 0
        ? signIn(`${randomUUID()}@example.com`, 'x', address)
        : service.call('POST', '/auth/sign-up', { ...from(address), body: '{' }),
    );
    expect(rest.map((answer) => answer.status)).not.toContain(429);
    expect(rest.at(-1)?.headers.get('ratelimit')).toBe('"auth-ip";r=0;t=59');
    const hashed = hasher.done;
    expectLimited(await signUp(address), 'auth-ip', 59);
    expectLimited(await signIn('a@b.cd', 'x', address), 'auth-ip', 59);
    expect(hasher.done).toBe(hashed);
    expect((await signUp(newAddress())).status).toBe(201);
    const { app } = await service.newApp();
    const elsewhere = await service.call('POST', '/auth/sign-in', {
      ...from(address),
      appKey: app.appKey,
      body: { email: 'a@b.cd', password: 'x' },
    });
    expect(elsewhere.code).toBe('auth/invalid-credential');
    service.clock.advance(minute - 1_500 - 1);
    expectLimited(await signUp(address), 'auth-ip', 1);
    service.clock.advance(1);
    expect((await signUp(address)).headers.get('ratelimit')).toBe('"auth-ip";r=59;t=60');
  });

  test('ten wrong passwords for an email from an address are judged in 15 minutes, and the eleventh is not hashed', async () => {
    const user = await newUser();
    const address = newAddress();
    for (const answer of await times(10, () => signIn(user.email, 'wrong', address))) {
      expectRefusal(answer, 'auth/invalid-credential');
    }
    const hashed = hasher.done;
    expectLimited(await signIn(user.email, 'wrong', address), 'auth-failures-email-ip', 900);
    expectLimited(await signIn(user.email, user.password, address), 'auth-failures-email-ip', 900);
    expect(hasher.done).toBe(hashed);
    expect((await signIn(user.email, user.password, newAddress())).status).toBe(200);
    expect((await signIn((await newUser()).email, user.password, address)).status).toBe(200);
    service.clock.advance(quarter - 1);
    expectLimited(await signIn(user.email, user.password, address), 'auth-failures-email-ip', 1);
    service.clock.advance(1);
    expect((await signIn(user.email, user.password, address)).status).toBe(200);
  });

  test('an email has fifty wrong passwords from all addresses in 15 minutes, with an account and without', async () => {
    for (const email of [(await newUser()).email, `${randomUUID()}@example.com`]) {
      const wrong = await times(50, () => signIn(email, 'wrong', newAddress()));
      expect(new Set(wrong.map((answer) => answer.code))).toEqual(new Set(['auth/invalid-credential']));
      const hashed = hasher.done;
      expectLimited(await signIn(email, 'right password', newAddress()), 'auth-failures-email', 900);
      expect(hasher.done).toBe(hashed);
      const { app } = await service.newApp();
      const other = { appKey: app.appKey, body: { email, password: 'x' }, ...from(newAddress()) };
      expect((await service.call('POST', '/auth/sign-in', other)).code).toBe('auth/invalid-credential');
    }
    service.clock.advance(quarter);
  });

  test('an email is counted as one however it is written', async () => {
    const { email } = await newUser();
    const address = newAddress();
    await times(5, () => signIn(email, 'wrong', address));
    await times(5, () => signIn(` ${email.toUpperCase()} `, 'wrong', address));
    expectLimited(await signIn(email, 'wrong', address), 'auth-failures-email-ip', 900);
  });

  test('right passwords are not counted as failures', async () => {
    const user = await newUser();
    const address = newAddress();
    await times(9, () => signIn(user.email, 'wrong', address));
    expect(
      (await times(30, () => signIn(user.email, user.password, address))).map(({ status }) => status),
    ).toEqual(Array(30).fill(200));
    expect((await signIn(user.email, 'wrong', address)).code).toBe('auth/invalid-credential');
    expectLimited(await signIn(user.email, 'wrong', address), 'auth-failures-email-ip', 900);
  });

  test('parallel guesses do not outrun the count', async () => {
    const user = await newUser();
    const address = newAddress();
    const hashed = hasher.done;
    const answers = await Promise.all(Array.from({ length: 40 }, () => signIn(user.email, 'wrong', address)));
    expect(answers.filter(({ code }) => code === 'auth/invalid-credential')).toHaveLength(10);
    expect(answers.filter(({ code }) => code === 'request/rate-limited')).toHaveLength(30);
    expect(hasher.done).toBe(hashed + 10);
  });

  test('a password that could not be judged is not counted as a failure', async () => {
    const user = await newUser();
    const address = newAddress();
    const lost = await cheapPasswordHasher();
    await lost.close();
    const other = await service.beside({
      rateLimits: true,
      config: { trustProxy: 1 },
      given: { passwordHasher: lost },
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
});

describe('addresses', () => {
  /** Whether two addresses use up one limit. */
  async function together(left: string, right: string): Promise<boolean> {
    service.clock.advance(60 * minute);
    await signIn('a@b.cd', 'x', left);
    const { headers } = await signIn('a@b.cd', 'x', right);
    return headers.get('ratelimit') === '"auth-ip";r=58;t=60';
  }

  test('IPv6 counts by its /64, and an IPv4 address mapped into IPv6 as itself', async () => {
    expect(await together('2001:db8:1:2::1', '2001:db8:1:2:ffff::9')).toBe(true);
    expect(await together('2001:db8:1:2::1', '2001:db8:1:3::1')).toBe(false);
    expect(await together('203.0.113.7', '::ffff:203.0.113.7')).toBe(true);
    expect(await together('::ffff:203.0.113.7', '::ffff:203.0.113.8')).toBe(false);
    expect(await together('203.0.113.7', '203.0.113.8')).toBe(false);
  });

  test('of a chain of forwarded addresses the one that the believed proxy saw counts, whatever stands before', async () => {
    expect(await together('203.0.113.7', '10.0.0.1, 203.0.113.7')).toBe(true);
    expect(await together('203.0.113.7, 203.0.113.8', '203.0.113.7, 203.0.113.9')).toBe(false);
  });

  test('an email or an address with odd characters makes no other limit its own', async () => {
    expect(await together('203.0.113.7', '203.0.113.7 ')).toBe(true);
    expect(await together('unknown', 'garbage')).toBe(true);
  });
});

describe('proxies that nobody has named', () => {
  test('are not believed, and one warning says so', async () => {
    const lines: { level: string; msg: string }[] = [];
    const own = await testService({
      rateLimits: true,
      given: { passwordHasher: hasher },
      onLogLine: (line) => lines.push(JSON.parse(line)),
    });
    try {
      const body = { email: 'a@b.cd', password: 'x' };
      const call = (headers: Record<string, string>) => own.call('POST', '/auth/sign-in', { headers, body });
      const first = await call({});
      expect(lines.filter(({ level }) => level === 'warn')).toEqual([]);
      const rest = await times(4, (place) =>
        call({ 'x-forwarded-for': `203.0.113.${place}`, forwarded: 'for=x' }),
      );
      expect([first, ...rest].map(({ headers }) => headers.get('ratelimit'))).toEqual(
        [59, 58, 57, 56, 55].map((left) => `"auth-ip";r=${left};t=60`),
      );
      const warnings = lines.filter(({ level }) => level === 'warn');
      expect(warnings).toHaveLength(1);
      expect(warnings[0]?.msg).toContain('TRUST_PROXY');
    } finally {
      await own.stop();
    }
  });
});

describe('refreshes', () => {
  test('a session has 120 in five minutes, and other sessions do not notice', async () => {
    const [user, other] = [await newUser(), await newUser()];
    let token = user.tokens.refresh_token;
    for (let count = 0; count < 120; count += 1) {
      const answer = await service.refresh(token);
      expect(answer.status).toBe(200);
      token = answer.data.refresh_token;
      service.clock.advance(1_000);
    }
    expectLimited(await service.refresh(token), 'refresh-session', 180);
    expect((await service.refresh(other.tokens.refresh_token)).status).toBe(200);
    service.clock.advance(180_000 - 1);
    expectLimited(await service.refresh(token), 'refresh-session', 1);
    service.clock.advance(1);
    expect((await service.refresh(token)).status).toBe(200);
  });

  test('garbage counts against nobody', async () => {
    const user = await newUser();
    const token = user.tokens.refresh_token;
    const forged = `${token.slice(0, -4)}AAAA`;
    const answers = await Promise.all(Array.from({ length: 150 }, () => service.refresh(forged)));
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(['auth/invalid-token']));
    expect((await service.refresh(token)).status).toBe(200);
  });
});

describe('all other calls', () => {
  test('a user has 300 a minute in all sessions together, and other users do not notice', async () => {
    const [user, other] = [await newUser(), await newUser()];
    const { json } = await signIn(user.email, user.password, newAddress());
    const second = { token: json.data.access_token as string };
    expect((await me(user)).headers.get('ratelimit')).toBe('"client";r=299;t=60');
    service.clock.advance(30_000);
    const answers = await Promise.all(
      Array.from({ length: 299 }, (_, place) =>
        place % 2 === 0 ? me(user) : service.call('GET', '/me/sessions', second),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(299);
    expectLimited(await me(user), 'client', 30);
    expectLimited(await service.call('POST', '/auth/sign-out', second), 'client', 30);
    expect((await me(other)).status).toBe(200);
    service.clock.advance(30_000 - 1);
    expectLimited(await me(user), 'client', 1);
    service.clock.advance(1);
    expect((await me(user)).headers.get('ratelimit')).toBe('"client";r=299;t=60');
    expect((await service.call('GET', '/me', second)).status).toBe(200);
  });
});

describe('settings of an app', () => {
  test('change a limit of that app alone', async () => {
    const { app } = await service.newApp();
    await service.database.prisma.app.update({
      where: { id: app.id },
      data: {
        rateLimits: {
          client: { limit: 2, windowSeconds: 10 },
          'auth-failures-email-ip': { limit: 1, windowSeconds: 5 },
        },
      },
    });
    service.deps.apps.forget();
    const email = `${randomUUID()}@example.com`;
    const own = { appKey: app.appKey, ...from(newAddress()) };
    const made = await service.call('POST', '/auth/sign-up', {
      ...own,
      body: { email, password: 'right password' },
    });
    expect(made.headers.get('ratelimit-policy')).toBe('"auth-ip";q=60;w=60');
    const get = () => service.call('GET', '/me', { ...own, token: made.json.data.access_token });
    expect((await get()).headers.get('ratelimit-policy')).toBe('"client";q=2;w=10');
    expect((await get()).headers.get('ratelimit')).toBe('"client";r=0;t=10');
    expectRefusal(await get(), 'request/rate-limited');
    const guess = () => service.call('POST', '/auth/sign-in', { ...own, body: { email, password: 'wrong' } });
    expect((await guess()).code).toBe('auth/invalid-credential');
    expectRefusal(await guess(), 'request/rate-limited');
    service.clock.advance(10_000);
    expect((await get()).status).toBe(200);
    expect((await guess()).code).toBe('auth/invalid-credential');
    expect((await me(await newUser())).headers.get('ratelimit-policy')).toBe('"client";q=300;w=60');
  });
});

test('documents, probes and preflights are not counted, nor is a call that is refused before its app is known', async () => {
  const answers = [
    await service.call('GET', '/.well-known/jwks.json', { appKey: null }),
    await service.call('GET', `/apps/${service.app.app.id}/.well-known/openid-configuration`, {
      appKey: null,
    }),
    await service.call('POST', '/auth/sign-in', { appKey: 'unknown', body: {} }),
    await service.call('GET', '/nothing'),
  ];
  expect(answers.map(({ headers }) => headers.get('ratelimit'))).toEqual([null, null, null, null]);
});

test('with limits off nothing is counted, and the log says so at the start', async () => {
  const lines: string[] = [];
  const own = await testService({ given: { passwordHasher: hasher }, onLogLine: (line) => lines.push(line) });
  try {
    const body = { email: 'a@b.cd', password: 'x' };
    const answers = await times(70, () => own.call('POST', '/auth/sign-in', { body }));
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(['auth/invalid-credential']));
    expect(answers[0]?.headers.get('ratelimit')).toBeNull();
    expect(lines[0]).toContain('RATE_LIMITS=off');
  } finally {
    await own.stop();
  }
});
