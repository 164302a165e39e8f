// The daily job, at both sides of each of its boundaries.
import type { AdminUser } from '@foyer/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { cheapPasswordHasher, type TestService, type TestUser, testService } from '../test/harness.js';
import { revoked, sessionStory } from '../test/session-story.js';
import { purgeOldAuditEntries } from './audit/purge-old-entries.js';
import { purgeOldEvents } from './events/purge-old-events.js';
import { firstUlidOf } from './lib/crypto/ulid-bytes.js';
import { dayMilliseconds } from './lib/timestamp.js';
import { scheduler } from './scheduler.js';
import { purgeEndedSessions } from './sessions/purge-ended.js';
import { purgeOldDeliveries } from './webhooks/deliveries/purge-old-deliveries.js';
import { purgePreviousSecrets } from './webhooks/endpoints/secret.js';

let service: TestService;
beforeAll(async () => {
  const passwordHasher = await cheapPasswordHasher();
  service = await testService({ given: { passwordHasher } });
});
afterAll(() => service.stop());

const { spend } = sessionStory(() => service);
const prisma = () => service.database.prisma;
const minute = 60_000;
const days = (count: number) => count * dayMilliseconds;

let user: TestUser;
beforeEach(async () => {
  await prisma().event.deleteMany();
  await prisma().session.deleteMany();
  user = await service.signUp();
});

const sessionsLeft = async () => {
  await purgeEndedSessions(service.deps);
  return prisma().session.count({ where: { uid: user.uid } });
};
const eventsLeft = async () => {
  await purgeOldEvents(service.deps);
  return prisma().event.count();
};

test('a failure that was noted is written within a tenth of a second', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const work = scheduler(service.deps, { timer: true });
  await service.signIn({ email: user.email, password: 'a wrong password' });
  const written = () => prisma().auditLog.count({ where: { uid: user.uid, action: 'user.sign_in_failed' } });
  expect(await written()).toBe(0);
  vi.advanceTimersByTime(100);
  await expect.poll(written).toBe(1);
  vi.useRealTimers();
  await work.stop();
});

describe('sessions', () => {
  test('that ended stay for 30 days, to the millisecond, and answer the same without their row', async () => {
    await service.call('POST', '/auth/sign-out', { token: user.tokens.access_token });
    service.clock.advance(days(30));
    expect(await sessionsLeft()).toBe(1);
    expect(await service.refresh(user.tokens.refresh_token)).toMatchObject(revoked);
    service.clock.advance(1);
    expect(await sessionsLeft()).toBe(0);
    expect(await service.refresh(user.tokens.refresh_token)).toMatchObject(revoked);
  });

  test('leave with their user when they were last used', async () => {
    service.clock.advance(days(1));
    const token = await spend(user.tokens.refresh_token);
    await service.refresh(token);
    const path = `/admin/users/${user.uid}`;
    const lastActiveAt = async () =>
      (await service.call<AdminUser>('GET', path, { token: service.app.secretKey })).data.last_active_at;
    const active = await lastActiveAt();
    expect(Date.parse(active as string)).toBe(service.clock.now().getTime());
    service.clock.advance(minute);
    await service.call('POST', `${path}/revoke-sessions`, { token: service.app.secretKey });
    service.clock.advance(days(29));
    expect(await sessionsLeft()).toBe(1);
    expect(await lastActiveAt()).toBe(active);
    service.clock.advance(days(2));
    expect(await sessionsLeft()).toBe(0);
    expect(await lastActiveAt()).toBe(active);
  });

  test('that expired stay for 30 days after the 90, to the millisecond', async () => {
    service.clock.advance(days(90 + 30) - 1);
    expect(await sessionsLeft()).toBe(1);
    service.clock.advance(1);
    expect(await sessionsLeft()).toBe(1);
    service.clock.advance(1);
    expect(await sessionsLeft()).toBe(0);
  });

  test('in use stay for good', async () => {
    let token = user.tokens.refresh_token;
    for (let month = 0; month < 6; month += 1) {
      service.clock.advance(days(60));
      expect(await sessionsLeft()).toBe(1);
      token = await spend(token);
    }
  });

  test('go in batches, however many there are', async () => {
    await prisma()
      .$executeRaw`INSERT INTO sessions (app_id, id, user_id, key_id, secret_hash, method, amr, auth_time, device_type,
        created_at, last_used_at, ended_at)
      SELECT app_id, lpad(number::text, 26, '0'), user_id, key_id, secret_hash, method, amr, auth_time, device_type,
        created_at, last_used_at, created_at
      FROM sessions CROSS JOIN generate_series(1, 5001) AS number WHERE user_id = ${user.uid}`;
    expect(await sessionsLeft()).toBe(5_002);
    service.clock.advance(days(30) + 1);
    expect(await sessionsLeft()).toBe(1);
  });
});

/** Events of the app, so old by now. */
async function events(count: number, ageMilliseconds: number): Promise<void> {
  const createdAt = new Date(service.clock.now().getTime() - ageMilliseconds);
  const first = firstUlidOf(createdAt).slice(0, 10);
  await prisma().$executeRaw`INSERT INTO events (app_id, id, type, user_id, data, created_at)
    SELECT ${service.app.app.id}, ${first} || lpad(number::text, 16, '0'), 'user.updated', ${user.uid}, '{}',
      ${createdAt}::timestamptz
    FROM generate_series(1, ${count}::int) AS number`;
}

test('events go in batches, however many there are, of every app', async () => {
  const other = await service.newApp();
  await service.signUp({ appKey: other.app.appKey });
  await events(10_001, days(30) + 1);
  expect(await eventsLeft()).toBe(4);
  service.clock.advance(days(30) + 1);
  expect(await eventsLeft()).toBe(0);
});

test('events stay for 30 days, to the millisecond', async () => {
  expect(await eventsLeft()).toBe(2);
  service.clock.advance(days(30));
  expect(await eventsLeft()).toBe(2);
  service.clock.advance(1);
  expect(await eventsLeft()).toBe(0);
});

test('deliveries go in batches, of every webhook: those that are old, and all of one that is gone', async () => {
  const { id: appId } = service.app.app;
  const now = service.clock.now();
  const secret = new Uint8Array([1]);
  const [kept, gone] = [service.deps.random.ulid(now), service.deps.random.ulid(now)];
  await prisma().webhookEndpoint.create({
    data: { appId, id: kept, url: 'https://receiver.example/', secret, createdAt: now, updatedAt: now },
  });
  const oldest = new Date(now.getTime() - days(30));
  const insert = (endpointId: string, time: Date, count: number) =>
    prisma()
      .$executeRaw`INSERT INTO webhook_deliveries (app_id, id, endpoint_id, event_id, event_type, trigger, created_at)
      SELECT ${appId}, ${firstUlidOf(time).slice(0, 10) + endpointId.slice(-10)} || lpad(number::text, 6, '0'),
        ${endpointId}, '', 'user.created', 'event', ${time}::timestamptz
      FROM generate_series(1, ${count}::int) AS number`;
  await insert(kept, new Date(oldest.getTime() - 1), 5_001);
  await insert(kept, oldest, 2);
  await insert(gone, now, 5_001);
  await purgeOldDeliveries(service.deps);
  expect(await prisma().webhookDelivery.findMany({ select: { endpointId: true, createdAt: true } })).toEqual([
    { endpointId: kept, createdAt: oldest },
    { endpointId: kept, createdAt: oldest },
  ]);
  await prisma().webhookEndpoint.deleteMany();
});

test('a secret of a webhook stays no longer than it signs, to the millisecond', async () => {
  const { id: appId } = service.app.app;
  const [id, until] = [service.deps.random.ulid(service.clock.now()), service.clock.now()];
  const [secret, previousSecret] = [new Uint8Array([1]), new Uint8Array([2])];
  const times = { createdAt: until, updatedAt: until, previousSecretUntil: until };
  await prisma().webhookEndpoint.create({
    data: { appId, id, url: 'https://receiver.example/', enabled: false, secret, previousSecret, ...times },
  });
  const kept = async () => {
    await purgePreviousSecrets(service.deps);
    return (await prisma().webhookEndpoint.findFirst({ where: { id } }))?.previousSecret;
  };
  service.clock.advance(-1);
  expect(await kept()).toEqual(previousSecret);
  service.clock.advance(1);
  expect(await kept()).toBeNull();
  await prisma().webhookEndpoint.deleteMany();
});

test('the audit log stays for 400 days, to the millisecond', async () => {
  const second = await spend(user.tokens.refresh_token);
  service.clock.advance(30_001);
  expect(await service.refresh(user.tokens.refresh_token)).toMatchObject(revoked);
  expect(await service.refresh(second)).toMatchObject(revoked);
  const left = async () => {
    await purgeOldAuditEntries(service.deps);
    return prisma().auditLog.count();
  };
  service.clock.advance(days(400));
  expect(await left()).toBe(1);
  service.clock.advance(1);
  expect(await left()).toBe(0);
});

describe('the job', () => {
  test('runs at the start and then once a day', async () => {
    const job = scheduler(service.deps, { timer: false });
    const rowsAfter = async () => {
      await job.run();
      return prisma().event.count();
    };
    service.clock.advance(days(31));
    expect(await rowsAfter()).toBe(0);
    await events(2, days(31));
    service.clock.advance(days(1) - 1);
    expect(await rowsAfter()).toBe(2);
    service.clock.advance(1);
    expect(await rowsAfter()).toBe(0);
    await job.stop();
  });

  /** A job whose statements fail where they hold the text, and the statements that it sent. */
  async function failingJob(text: string) {
    const lines: string[] = [];
    const logged = await service.beside({ onLogLine: (line) => lines.push(line) });
    const state = { broken: true, sent: [] as string[], before: async () => {} };
    const { prisma: real } = logged.deps;
    const $executeRaw = async (parts: TemplateStringsArray, ...values: unknown[]) => {
      const sql = parts.join('?');
      state.sent.push(sql);
      await state.before();
      return state.broken && sql.includes(text)
        ? Promise.reject(new Error('the database is away'))
        : real.$executeRaw(parts, ...values);
    };
    const flaky = new Proxy(real, {
      get: (target, name) => (name === '$executeRaw' ? $executeRaw : Reflect.get(target, name, target)),
    });
    const job = scheduler({ ...logged.deps, prisma: flaky }, { timer: false });
    return {
      state,
      lines,
      /** How many statements of a run delete from the table. */
      async runs(...tables: string[]) {
        state.sent = [];
        await job.run();
        return tables.map(
          (table) => state.sent.filter((sql) => sql.includes(`DELETE FROM ${table} `)).length,
        );
      },
      async stop() {
        await job.stop();
        await logged.stop();
      },
    };
  }

  test('that fails is logged, stops nothing, and is tried again a minute later', async () => {
    const { state, lines, runs, stop } = await failingJob('DELETE');
    service.clock.advance(days(31));
    await runs();
    expect(lines.join('')).toContain('background work failed');
    expect(await prisma().event.count()).toBe(2);
    state.broken = false;
    service.clock.advance(minute);
    await runs();
    expect(await prisma().event.count()).toBe(0);
    await stop();
  });

  test('repeats only the step that failed, once a minute until it succeeds, and then all once a day', async () => {
    const { state, lines, runs, stop } = await failingJob('DELETE FROM codes');
    service.clock.advance(days(31));
    expect(await runs('sessions', 'codes', 'events')).toEqual([1, 1, 1]);
    expect(await prisma().event.count()).toBe(0);
    expect(lines.filter((line) => line.includes('"step":"purgeOldCodes"'))).toHaveLength(1);
    service.clock.advance(minute - 1);
    expect(await runs('sessions', 'codes', 'events')).toEqual([0, 0, 0]);
    service.clock.advance(1);
    expect(await runs('sessions', 'codes', 'events')).toEqual([0, 1, 0]);
    state.broken = false;
    service.clock.advance(minute);
    expect(await runs('sessions', 'codes', 'events')).toEqual([0, 1, 0]);
    service.clock.advance(minute);
    expect(await runs('sessions', 'codes', 'events')).toEqual([0, 0, 0]);
    service.clock.advance(days(1));
    expect(await runs('sessions', 'codes', 'events')).toEqual([1, 1, 1]);
    await stop();
  });

  test('that is stopped ends the step it is at, and begins no other', async () => {
    const { state, runs, stop } = await failingJob('DELETE');
    let goOn: (() => void) | undefined;
    state.before = () =>
      new Promise((resolve) => {
        goOn = resolve;
      });
    service.clock.advance(days(31));
    const running = runs('sessions', 'events');
    await vi.waitFor(() => expect(goOn).toBeDefined(), { timeout: 15_000 });
    const stopped = stop();
    goOn?.();
    await stopped;
    expect(await running).toEqual([1, 0]);
  });

  test('on two instances at once does the same once', async () => {
    const other = await service.beside();
    service.clock.advance(days(31));
    const jobs = [service, other].map((instance) => scheduler(instance.deps, { timer: false }));
    await Promise.all(jobs.map((job) => job.run()));
    expect(await prisma().event.count()).toBe(0);
    await Promise.all(jobs.map((job) => job.stop()));
    await other.stop();
  });
});
