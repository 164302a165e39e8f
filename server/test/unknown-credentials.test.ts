// App keys, v1 tokens and secret keys that anyone can make up: how often they cost a database lookup.
import { randomBytes } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, statementLog, testService } from './harness.js';
import { from, newAddress, times } from './limited-service.js';
import { expectRefusal } from './refusal.js';
import { shared } from './shared.js';
import { v1Scenario } from './v1-scenario.js';

const minute = 60_000;
const statements = statementLog();
let v1Token: string;
const service = shared(() =>
  testService({
    rateLimits: true,
    config: { trustProxy: 1 },
    onStatement: statements.onStatement,
  }),
);
beforeAll(async () => {
  v1Token = await v1Scenario(() => service).logIn(await service.signUp(), from(newAddress()));
});
// Every rate-limit window and cached app has expired.
beforeEach(() => service.clock.advance(10 * minute));

type Kind = {
  status: number;
  real(): string;
  made(): string;
  call(credential: string, address: string): Promise<Answer>;
};

const kinds: Record<string, Kind> = {
  'app keys': {
    status: 401,
    real: () => service.app.app.appKey,
    made: () => `pk_${randomBytes(18).toString('base64url')}`,
    call: (appKey, address) => service.call('GET', '/config', { appKey, ...from(address) }),
  },
  'app keys in v1': {
    status: 401,
    real: () => service.app.app.appKey,
    made: () => `pk_${randomBytes(18).toString('base64url')}`,
    call: (appKey, address) =>
      service.call('GET', '/me', { version: 'v1', appKey, token: v1Token, ...from(address) }),
  },
  'v1 tokens': {
    status: 401,
    real: () => v1Token,
    made: () => randomBytes(32).toString('hex'),
    call: (token, address) => service.call('GET', '/me', { version: 'v1', token, ...from(address) }),
  },
  'secret keys': {
    status: 401,
    real: () => service.app.secretKey,
    made: () => `sk_${randomBytes(32).toString('base64url')}`,
    call: (token, address) => service.call('GET', '/admin/settings', { token, ...from(address) }),
  },
};

describe.each(Object.entries(kinds))('%s that are invalid', (_name, { status, real, made, call }) => {
  /** Lookups of the credential itself, not of the app of the call. */
  async function questions(work: () => Promise<unknown>): Promise<number> {
    await service.call('GET', '/config');
    const sent = await statements.during(work);
    return sent.filter((statement) => !/INSERT|UPDATE/.test(statement)).length;
  }

  test('are looked up 300 times a minute from one IP address, and then refused without a lookup', async () => {
    const address = newAddress();
    expect((await call(real(), newAddress())).status).toBe(200);
    const round = () => Promise.all(Array.from({ length: 50 }, () => call(made(), address)));
    const answers = await times(6, round);
    expect(new Set(answers.flat().map((answer) => answer.status))).toEqual(new Set([status]));
    expect((await call(made(), address)).status).toBe(429);
    const asked = await questions(async () => {
      for (const refused of await times(5, () => call(made(), address))) {
        expect(refused.status).toBe(429);
        expect(refused.headers.get('retry-after')).toBe('60');
        expect(refused.headers.get('ratelimit-policy')).toBe('"invalid-credential-ip";q=300;w=60');
      }
    });
    expect(asked).toBe(0);
    // A valid credential from the same IP address still works, and so do other IP addresses.
    expect((await call(real(), address)).status).toBe(200);
    expect((await call(made(), newAddress())).status).toBe(status);
    service.clock.advance(minute);
    expect((await call(made(), address)).status).toBe(status);
  });

  test('are looked up twice a second each, from any number of IP addresses', async () => {
    const credential = made();
    const again = () => call(credential, newAddress());
    expect(await questions(() => times(10, again))).toBe(2);
    service.clock.advance(999);
    expect(await questions(() => times(5, again))).toBe(0);
    service.clock.advance(1);
    expect(await questions(() => times(5, again))).toBe(2);
    expect((await call(real(), newAddress())).status).toBe(200);
  });
});

test('a secret key that a page sends repeatedly still works for the backend', async () => {
  const headers = { origin: 'https://app.example.com', 'x-forwarded-for': newAddress() };
  const token = service.app.secretKey;
  const answers = await times(5, () => service.call('GET', '/admin/settings', { token, headers }));
  expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(['admin/invalid-secret-key']));
  expect((await service.call('GET', '/admin/settings', { token, ...from(newAddress()) })).status).toBe(200);
});

test('secret keys that pages send are looked up 300 times a minute from one IP address, with the limit of clients', async () => {
  const headers = { origin: 'https://app.example.com', 'x-forwarded-for': newAddress() };
  const call = () =>
    service.call('GET', '/admin/settings', { token: `sk_${randomBytes(32).toString('base64url')}`, headers });
  const answers = await times(6, () => Promise.all(Array.from({ length: 50 }, call)));
  expect(new Set(answers.flat().map(({ code }) => code))).toEqual(new Set(['admin/invalid-secret-key']));
  const sent = await statements.during(async () => {
    const refused = await call();
    expectRefusal(refused, 'request/rate-limited', null);
    expect(refused.headers.get('ratelimit-policy')).toBe('"client";q=300;w=60');
  });
  expect(sent).toEqual([]);
});
