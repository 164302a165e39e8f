// Rate limits shared through Redis, and their behaviour while Redis is unreachable. Skipped if no Redis answers at
// 127.0.0.1:6379.
import { randomUUID } from 'node:crypto';
import type { SignInState } from '@foyer/contract';
import { afterEach, describe, expect, test } from 'vitest';
import type { Window, WindowStore } from '../engines/limiter/memory-windows.js';
import { type RedisAddress, redisAddress } from '../engines/limiter/redis-address.js';
import { type RedisPatience, redisWindows } from '../engines/limiter/redis-windows.js';
import { jsonLogger } from '../src/lib/logger.js';
import { cutProxy } from './cut-proxy.js';
import { type Answer, type TestService, testService } from './harness.js';
import { expectRefusal } from './refusal.js';
import { teamScenario } from './team-scenario.js';
import { isRedisReachable } from './window-stores.js';

const addressOf = (url: string) => redisAddress(url) as RedisAddress;
const redis = { host: '127.0.0.1', port: 6379 };
const where = isRedisReachable ? 'in Redis' : 'in Redis (left out: none answers at 127.0.0.1:6379)';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type Line = { level: string; msg: string };

/** For tests not about a slow Redis: on a busy machine any of its answers may be slow. */
const redisPatience = { answerMilliseconds: 20_000, connectMilliseconds: 5_000, restMilliseconds: 200 };

async function openWindows(): Promise<WindowStore> {
  const address = addressOf('redis://127.0.0.1:6379');
  const windows = await redisWindows(address, jsonLogger('silent'), redisPatience);
  closing.push(() => windows.close());
  return windows;
}

async function start(options: { down?: boolean; redisPatience?: RedisPatience } = {}) {
  const proxy = await cutProxy(redis);
  closing.push(() => proxy.close());
  if (options.down) await proxy.cut();
  const lines: Line[] = [];
  const service = await testService({
    rateLimits: true,
    config: { redis: addressOf(`redis://default:the-password-of-redis@127.0.0.1:${proxy.port}`) },
    ...(options.redisPatience && { overrides: { redisPatience } }),
    onLogLine: (line) => {
      if (!line.includes('"msg":"request"')) lines.push(JSON.parse(line));
      expect(line).not.toContain('the-password-of-redis');
    },
  });
  closing.push(() => service.stop());
  return { proxy, service, lines };
}

const left = (answer: Answer) => Number(/r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1]);

const signIn = (service: TestService): Promise<Answer> =>
  service.call('POST', '/auth/sign-in', { body: { email: `${randomUUID()}@example.com`, password: 'x' } });

/** Calls until the answer shows which counter it belongs to. */
async function until(service: TestService, lines: Line[], message: string): Promise<void> {
  await expect
    .poll(
      async () => {
        await signIn(service);
        return lines.map(({ msg }) => msg);
      },
      { timeout: 60_000, interval: 50 },
    )
    .toContainEqual(expect.stringContaining(message));
}

/** An earlier answer of Redis may have come too late on a busy machine. */
async function untilShared(service: TestService, lines: Line[]): Promise<void> {
  const answers = 'Redis answers again';
  await expect
    .poll(
      async () => {
        await signIn(service);
        return lines.at(-1)?.msg ?? answers;
      },
      { timeout: 60_000 },
    )
    .toContain(answers);
  lines.length = 0;
}

describe.skipIf(!isRedisReachable)(`rate limits ${where}`, () => {
  test('a call counts in all of its windows or in none, atomically, and a refund applies to all of them', async () => {
    const windows = await openWindows();
    const key = randomUUID();
    const [narrow, wide] = [2, 3].map((limit) => ({
      policy: 'client',
      key: `${key} ${limit}`,
      limit,
      windowMilliseconds: 60_000,
    })) as [Window, Window];
    const left = async (...counted: Window[]) => {
      const { place, remaining, resetMilliseconds } = await windows.consume(counted, 0);
      expect(resetMilliseconds).toBeGreaterThan(0);
      expect(resetMilliseconds).toBeLessThanOrEqual(60_000);
      return [place, remaining];
    };
    expect(await left(narrow, wide)).toEqual([0, 1]);
    expect(await left(wide, narrow)).toEqual([1, 0]);
    expect(await left(narrow, wide)).toEqual([0, -1]);
    // The refused call did not count: one is left.
    expect(await left(wide)).toEqual([0, 0]);
    expect(await left(wide)).toEqual([0, -1]);
    for (let refunds = 0; refunds < 5; refunds += 1) await windows.refund([narrow, wide], 0, 0);
    expect(await left(narrow)).toEqual([0, 1]);
    expect(await left(wide)).toEqual([0, 2]);
    const together = await Promise.all(Array.from({ length: 10 }, () => left(narrow, wide)));
    expect(together.filter(([, remaining]) => remaining !== -1)).toHaveLength(1);
  });

  test('a window that the app has shortened starts again, instead of lasting as long as before', async () => {
    const windows = await openWindows();
    const ofDay: Window = { policy: 'client', key: randomUUID(), limit: 1, windowMilliseconds: 86_400_000 };
    const ofMinute = { ...ofDay, windowMilliseconds: 60_000 };
    expect(await windows.consume([ofDay], 0)).toMatchObject({ remaining: 0 });
    expect(await windows.consume([ofDay], 0)).toMatchObject({ remaining: -1 });
    const { remaining, resetMilliseconds } = await windows.consume([ofMinute], 0);
    expect(remaining).toBe(0);
    expect(resetMilliseconds).toBeLessThanOrEqual(60_000);
    expect(await windows.consume([ofMinute], 0)).toMatchObject({ remaining: -1 });
  });

  test('the draw of a period is one for all instances, and its entrants are forgotten later', async () => {
    const [one, other] = [await openWindows(), await openWindows()];
    const entryOf = (periodMilliseconds: number) => ({
      ...{ key: `app ${randomUUID()}`, entrant: 'a', rank: 7, slots: 1, period: 3 },
      periodMilliseconds,
    });
    const lowerThan = (entry: ReturnType<typeof entryOf>) => ({ ...entry, entrant: 'b', rank: 5 });
    // No entrant is forgotten during the test.
    const entry = entryOf(600_000);
    const lower = lowerThan(entry);
    expect([await one.draw(entry), await other.draw(lower)]).toEqual([true, true]);
    expect(await other.draw(entry)).toBe(true);
    const next = { period: 4 };
    const drawn = [await one.draw({ ...entry, ...next }), await other.draw({ ...lower, ...next })];
    expect(drawn).toEqual([false, true]);
    const short = entryOf(50);
    for (const each of [short, lowerThan(short)]) await one.draw(each);
    await expect.poll(() => one.draw({ ...short, ...next })).toBe(true);
  });

  test('are shared by two instances: both refuse after sixty calls in total', async () => {
    const { service, proxy, lines } = await start({ redisPatience });
    const other = await service.secondInstance({
      rateLimits: true,
      config: { redis: addressOf(`redis://127.0.0.1:${proxy.port}`) },
    });
    closing.push(() => other.stop());
    const answers: Answer[] = [];
    for (let round = 0; round < 10; round += 1) {
      const calls = Array.from({ length: 8 }, (_, place) => signIn(place % 2 === 0 ? service : other));
      answers.push(...(await Promise.all(calls)));
    }
    const refused = answers.filter(({ code }) => code === 'request/rate-limited');
    expect(refused).toHaveLength(20);
    const remaining = answers.filter(({ status }) => status === 401).map(left);
    expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, count) => count));
    for (const answer of [await signIn(service), await signIn(other), ...refused]) {
      expectRefusal(answer, 'request/rate-limited');
      const seconds = Number(answer.headers.get('retry-after'));
      // The window has moved on by the clock of Redis during the eighty calls.
      expect(seconds).toBeGreaterThan(20);
      expect(seconds).toBeLessThanOrEqual(60);
    }
    expect(lines).toEqual([]);
  });

  test('refund a right password on all instances', async () => {
    const { service, proxy } = await start({ redisPatience });
    const other = await service.secondInstance({
      rateLimits: true,
      config: { redis: addressOf(`redis://127.0.0.1:${proxy.port}`) },
    });
    closing.push(() => other.stop());
    const user = await service.signUp();
    const wrong = { ...user, password: 'wrong' };
    for (let count = 0; count < 9; count += 1) await (count % 2 === 0 ? service : other).signIn(wrong);
    for (let count = 0; count < 5; count += 1) {
      expect((await service.signIn(user)).status).toBe(200);
      expect((await other.signIn(user)).status).toBe(200);
    }
    expect((await service.signIn(wrong)).code).toBe('auth/invalid-credential');
    expectRefusal(await other.signIn(wrong), 'request/rate-limited');
  });

  test('that a user has reached are shown and lifted on any instance', async () => {
    const { service, proxy, lines } = await start({ redisPatience });
    const other = await service.secondInstance({
      rateLimits: true,
      config: { redis: addressOf(`redis://127.0.0.1:${proxy.port}`) },
    });
    closing.push(() => other.stop());
    const team = await teamScenario(() => service);
    const { token } = await team.newMember(service.app.app.id, 'support');
    const user = await service.signUp();
    const wrong = { ...user, password: 'wrong' };
    for (let count = 0; count < 10; count += 1) await service.signIn(wrong);
    await service.auditEntries();
    expectRefusal(await other.signIn(user), 'request/rate-limited');
    await other.auditEntries();
    const at = `/admin/users/${user.uid}`;
    const state = async () =>
      (await other.call<SignInState>('GET', `${at}/sign-in-state`, { token })).data.limits;
    const limit = { policy: 'auth-failures-email-ip', ip_address: '127.0.0.1' };
    expect(await state()).toMatchObject([limit]);
    expect((await other.call('POST', `${at}/lift-limits`, { token })).status).toBe(204);
    expect(await state()).toEqual([]);
    for (const instance of [service, other]) expect((await instance.signIn(user)).status).toBe(200);
    expect(lines).toEqual([]);
  });

  test('are counted per instance if Redis is down at start, with one warning, and shared once it is up', async () => {
    const startedAt = performance.now();
    const { service, proxy, lines } = await start({ down: true, redisPatience });
    // It waits for Redis, with a timeout.
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    const answers: Answer[] = [];
    for (let count = 0; count < 62; count += 1) answers.push(await signIn(service));
    expect(answers.slice(0, 60).map(left)).toEqual(Array.from({ length: 60 }, (_, count) => 59 - count));
    expectRefusal(answers[60] as Answer, 'request/rate-limited');
    expect(lines).toMatchObject([{ level: 'warn', msg: expect.stringContaining('counted per instance') }]);
    await proxy.mend();
    await until(service, lines, 'Redis answers again');
    expect(lines).toHaveLength(2);
  });

  test('continue in memory when Redis goes down, with one warning, and calls do not wait for it', async () => {
    const { service, proxy, lines } = await start({ redisPatience });
    expect(left(await signIn(service))).toBe(59);
    await proxy.cut();
    const answers: Answer[] = [];
    const times: number[] = [];
    for (let count = 0; count < 70; count += 1) {
      const startedAt = performance.now();
      answers.push(await signIn(service));
      times.push(performance.now() - startedAt);
    }
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(60);
    expect(answers.at(-1)?.code).toBe('request/rate-limited');
    times.sort((a, b) => a - b);
    // A busy machine is slow in only some calls.
    expect(times[times.length / 2]).toBeLessThan(1_000);
    expect(times.at(-1)).toBeLessThan(redisPatience.answerMilliseconds);
    expect(lines).toMatchObject([{ level: 'warn', msg: expect.stringContaining('counted per instance') }]);
    await proxy.mend();
    await until(service, lines, 'Redis answers again');
  });

  test('continue in memory when Redis stops answering, and no call waits a second', async () => {
    const { service, proxy, lines } = await start();
    const user = await service.signUp();
    const together = async () => {
      const startedAt = performance.now();
      const answers = await Promise.all(Array.from({ length: 10 }, () => service.signIn(user)));
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
      return performance.now() - startedAt;
    };
    await untilShared(service, lines);
    proxy.stall();
    const times: number[] = [];
    for (let round = 0; round < 3; round += 1) times.push(await together());
    // Waiting for Redis would show in every round; a busy machine is slow in only some.
    expect(Math.min(...times)).toBeLessThan(1_000 + (await together()));
    expect(Math.max(...times)).toBeLessThan(20_000);
    expect(lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
    await proxy.mend();
    await until(service, lines, 'Redis answers again');
  });
});
