// Rate limits beyond those of each-rate-limit.test.ts: who is counted, and what a table has no form for.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newEmail } from './code-scenario.js';
import { type Answer, type CallOptions, type TestUser, testService } from './harness.js';
import { expectLimited, from, limitedService, newAddress, times } from './limited-service.js';
import { expectRefusal } from './refusal.js';
import { secondFactorScenario } from './second-factor-scenario.js';
import { shared } from './shared.js';

const minute = 60_000;

const service = shared(limitedService);
const factors = secondFactorScenario(() => service);
// Every window of the previous test has ended.
beforeEach(() => service.clock.advance(60 * minute));

const few = {
  client: { limit: 12, windowSeconds: 60 },
  'refresh-session': { limit: 10, windowSeconds: 300 },
};
let fewKey: string;
beforeAll(async () => {
  fewKey = (await service.newAppWith(few)).app.appKey;
});

function me(user: TestUser, options: CallOptions = {}): Promise<Answer> {
  return service.call('GET', '/me', { token: user.tokens.access_token, ...options });
}

// What one IP address and network are: client-ip.test.ts and ip-network.test.ts.
test.each([
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
  ['203.0.113.7', '::ffff:203.0.113.7', true],
  ['203.0.113.7', '10.0.0.1, 203.0.113.7', true],
  ['203.0.113.7, 203.0.113.8', '203.0.113.7, 203.0.113.9', false],
  ['unknown', 'garbage', true],
])(
  'calls forwarded for %s and %s share one limit, of what the trusted proxy saw: %s',
  async (left, right, share) => {
    await service.signInFrom(left, 'a@b.cd', 'x');
    const { headers } = await service.signInFrom(right, 'a@b.cd', 'x');
    expect(headers.get('ratelimit')).toBe(`"auth-ip";r=${share ? 58 : 59};t=60`);
  },
);

describe('proxies that are not configured', () => {
  test('are not trusted, and one warning is logged', async () => {
    const lines: { level: string; msg: string }[] = [];
    const own = await testService({
      rateLimits: true,
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

  test('to send X-Forwarded-For are noticed by the other header, once', async () => {
    const warnings: string[] = [];
    const onLogLine = (line: string) => {
      const { level, msg } = JSON.parse(line);
      if (level === 'warn') warnings.push(msg);
    };
    const own = await testService({ rateLimits: true, config: { trustProxy: 1 }, onLogLine });
    try {
      const both = { 'x-forwarded-for': '203.0.113.7', forwarded: 'for=203.0.113.7' };
      await own.call('GET', '/config', { headers: both });
      expect(warnings).toEqual([]);
      for (const client of [7, 8])
        await own.call('GET', '/config', { headers: { forwarded: `for=203.0.113.${client}` } });
      expect(warnings).toEqual([expect.stringContaining('X-Forwarded-For')]);
    } finally {
      await own.stop();
    }
  });
});

describe('refreshes', () => {
  const refreshFrom = (address: string, body: unknown, appKey = service.app.app.appKey) =>
    service.call('POST', '/auth/token/refresh', { ...from(address), appKey, body });

  test('tokens that the service never issued count by IP address, and no real token is refused for them', async () => {
    const user = await service.signUp({ appKey: fewKey });
    const token = user.tokens.refresh_token;
    const address = newAddress();
    const forged = { refresh_token: `${token.slice(0, -4)}AAAA` };
    const refresh = (from: string, body: unknown) => refreshFrom(from, body, fewKey);
    const { client } = few;
    const answers = await Promise.all(
      Array.from({ length: client.limit - 1 }, () => refresh(address, forged)),
    );
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(['auth/invalid-token']));
    // Counted although the body is not read.
    expectRefusal(await refresh(address, { refresh_token: 7 }), 'request/validation-failed', {
      refresh_token: ['must be a string'],
    });
    expectLimited(await refresh(address, forged), 'client', 60, client);
    expectLimited(await refresh(address, 'text'), 'client', 60, client);
    expectRefusal(await refresh(newAddress(), forged), 'auth/invalid-token');
    // They did not count against the session either, which has fewer.
    expect((await refresh(address, { refresh_token: token })).status).toBe(200);
  });

  test('an ended session and a spent token are not counted by IP address', async () => {
    const user = await service.newUser();
    await service.call('POST', '/auth/sign-out', { token: user.tokens.access_token });
    const address = newAddress();
    const ended = await refreshFrom(address, { refresh_token: user.tokens.refresh_token });
    expectRefusal(ended, 'auth/refresh-token-revoked');
    expect(ended.headers.get('ratelimit')).toBeNull();
  });
});

describe('new push devices', () => {
  test('without a user are counted by the size of their tokens for each IP address and day, and then for the app', async () => {
    const { app: limited } = await service.newAppWith({
      'new-device-day': { limit: 11, windowSeconds: 86_400 },
      'new-devices-app': { limit: 3, windowSeconds: 86_400 },
    });
    const add = (address: string, length = 10, user?: string) =>
      service.call('POST', '/push/devices', {
        ...from(address),
        appKey: limited.appKey,
        ...(user !== undefined && { token: user }),
        body: {
          provider: 'fcm',
          platform: 'android',
          token: newEmail().replace('@', '-').padEnd(length, 'x'),
        },
      });
    const large = newAddress();
    const body = { email: newEmail(), password: 'right password' };
    const user = await service.call('POST', '/auth/sign-up', {
      ...from(newAddress()),
      appKey: limited.appKey,
      body,
    });
    // A device of a user counts for the user only.
    for (let count = 0; count < 5; count += 1) {
      expect((await add(large, 4_096, user.json.data.access_token)).status).toBe(201);
    }
    expect((await add(large, 4_096)).status).toBe(201);
    expect((await add(large, 513)).status).toBe(201);
    expect((await add(large, 512)).status).toBe(201);
    const refused = await add(large);
    expectRefusal(refused, 'request/rate-limited');
    expect(refused.headers.get('ratelimit-policy')).toBe('"new-device-day";q=11;w=86400');

    // Beyond the total of the app: ten of a network that has registered few.
    const few = newAddress();
    for (let count = 0; count < 10; count += 1) expect((await add(few)).status).toBe(201);
    const beyond = await add(few);
    expectRefusal(beyond, 'request/rate-limited');
    expect(beyond.headers.get('ratelimit-policy')).toBe('"new-devices-app";q=3;w=86400');
    expect((await add(newAddress())).status).toBe(201);
    service.clock.advance(24 * 60 * minute);
    expect((await add(large)).status).toBe(201);
  });
});

// What one user or IP address can add to tables whose rows are stored for long: events of profile changes, audit entries, and topics.
test('a user replaces the recovery codes, and fills the audit log, sixty times an hour', async () => {
  await service.changeSettings({ second_factor: 'optional' });
  const { uid, tokens } = await service.newUser();
  const token = tokens.access_token;
  await factors.enroll({ token });
  const replace = () => service.call('POST', '/me/factors/recovery-codes', { token });
  const answers = await times(61, replace);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
  expectRefusal(answers.at(-1) as (typeof answers)[number], 'request/rate-limited');
  expect(await service.auditEntries({ uid, action: 'user.recovery_codes_replaced' })).toHaveLength(60);
});

test('a user who alternates values changes the profile, and fills the events, sixty times an hour', async () => {
  const user = await service.newUser();
  const change = (body: object) => service.call('PATCH', '/me', { token: user.tokens.access_token, body });
  const names = ['Ada', 'Grace'];
  const alternate = (place: number) => change({ first_name: names[place % 2] });
  const answers = await times(61, alternate);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
  const refused = answers.at(-1) as (typeof answers)[number];
  expectRefusal(refused, 'request/rate-limited');
  expect(refused.headers.get('ratelimit-policy')).toBe('"profile-change";q=60;w=3600');
  const where = { uid: user.uid, type: 'user.updated' };
  expect(await service.database.prisma.event.count({ where })).toBe(60);
  // What is no change is not counted.
  expect((await change({ first_name: names[1], last_name: null })).status).toBe(200);
  expect((await change({})).status).toBe(200);
  service.clock.advance(60 * minute);
  user.tokens = (await service.refresh(user.tokens.refresh_token)).data;
  expect((await change({ first_name: 'Ada' })).status).toBe(200);
});

test('new subscriptions of devices without a user are counted by IP address, and present ones are not', async () => {
  const { app } = await service.newAppWith({ 'new-topic': { limit: 3, windowSeconds: 3_600 } });
  const address = newAddress();
  const { appKey } = app;
  const devices = await times(2, async (place) => {
    const body = { provider: 'fcm', platform: 'android', token: `token-${place}` };
    const answer = await service.call<{ id: string }>('POST', '/push/devices', {
      ...from(address),
      appKey,
      body,
    });
    return answer.data.id;
  });
  const subscribe = (device: string | undefined, topic: string, ip = address) =>
    service.call('PUT', `/push/devices/${device}/topics/${topic}`, { ...from(ip), appKey });
  expect((await subscribe(devices[0], 'one')).status).toBe(204);
  expect((await subscribe(devices[0], 'two')).status).toBe(204);
  expect((await subscribe(devices[1], 'one')).status).toBe(204);
  const refused = await subscribe(devices[1], 'two');
  expectRefusal(refused, 'request/rate-limited');
  expect(refused.headers.get('ratelimit-policy')).toBe('"new-topic";q=3;w=3600');
  expect((await subscribe(devices[0], 'one')).status).toBe(204);
  expect((await subscribe(devices[1], 'two', newAddress())).status).toBe(204);
  expect(await service.database.prisma.pushTopic.count({ where: { appId: app.id } })).toBe(4);
});

describe('calls with an invalid token', () => {
  const get = (address: string, token?: string) =>
    service.call('GET', '/me', { ...from(address), token, appKey: fewKey });

  test('are not counted if the token has only expired: many users behind one IP address each have one', async () => {
    const user = await service.signUp({ appKey: fewKey });
    service.clock.advance(60 * minute);
    const address = newAddress();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => get(address, user.tokens.access_token)),
    );
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(['auth/token-expired']));
  });
});

describe('settings of an app', () => {
  test('change a limit of that app only', async () => {
    const { app } = await service.newAppWith({
      client: { limit: 2, windowSeconds: 10 },
      'auth-failures-email-ip': { limit: 1, windowSeconds: 5 },
    });
    const email = newEmail();
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
    expect((await me(await service.newUser())).headers.get('ratelimit-policy')).toBe('"client";q=300;w=60');
  });
});

test('with limits off nothing is counted, and a line is logged at start', async () => {
  const lines: string[] = [];
  const own = await testService({
    onLogLine: (line) => lines.push(line),
  });
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
