// The daily job, at both sides of each of its boundaries.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cheapPasswordHasher, type TestService, type TestUser, testService } from '../test/harness.js';
import { revoked, sessionStory } from '../test/session-story.js';
import { forgetOldAuditEntries } from './audit/forget-old-entries.js';
import { dueWork } from './due-work.js';
import { dayMilliseconds } from './lib/timestamp.js';
import { forgetEndedSessions } from './sessions/forget-ended.js';
import { forgetOldEvents } from './webhooks/forget-old-events.js';

let service: TestService;
beforeAll(async () => {
  const passwordHasher = await cheapPasswordHasher();
  service = await testService({ given: { passwordHasher } });
});
afterAll(() => service.stop());

const { spend } = sessionStory(() => service);
const prisma = () => service.database.prisma;
const days = (count: number) => count * dayMilliseconds;

let user: TestUser;
beforeEach(async () => {
  await prisma().event.deleteMany();
  await prisma().session.deleteMany();
  user = await service.signUp();
});

const sessionsLeft = async () => {
  await forgetEndedSessions(service.deps);
  return prisma().session.count({ where: { userId: user.uid } });
};
const eventsLeft = async () => {
  await forgetOldEvents(service.deps);
  return prisma().event.count();
};

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

test('events stay for 30 days, to the millisecond', async () => {
  expect(await eventsLeft()).toBe(2);
  service.clock.advance(days(30));
  expect(await eventsLeft()).toBe(2);
  service.clock.advance(1);
  expect(await eventsLeft()).toBe(0);
});

test('the audit log stays for 400 days, to the millisecond', async () => {
  const second = await spend(user.tokens.refresh_token);
  service.clock.advance(30_001);
  expect(await service.refresh(user.tokens.refresh_token)).toMatchObject(revoked);
  expect(await service.refresh(second)).toMatchObject(revoked);
  const left = async () => {
    await forgetOldAuditEntries(service.deps);
    return prisma().auditLog.count();
  };
  service.clock.advance(days(400));
  expect(await left()).toBe(1);
  service.clock.advance(1);
  expect(await left()).toBe(0);
});

describe('the job', () => {
  test('runs at the start and then once a day', async () => {
    const job = dueWork(service.deps, { timer: false });
    const rowsAfter = async () => {
      await job.run();
      return prisma().event.count();
    };
    service.clock.advance(days(31));
    expect(await rowsAfter()).toBe(0);
    await service.signUp();
    service.clock.advance(-days(31));
    await service.signUp();
    service.clock.advance(days(32) - 1);
    expect(await rowsAfter()).toBe(4);
    service.clock.advance(1);
    expect(await rowsAfter()).toBe(2);
    await job.stop();
  });

  test('that fails is logged, stops nothing, and is tried again the next time', async () => {
    const lines: string[] = [];
    const logged = await service.beside({ onLogLine: (line) => lines.push(line) });
    let broken = true;
    const flaky = new Proxy(logged.deps.prisma, {
      get: (target, name) =>
        name === '$executeRaw' && broken
          ? () => Promise.reject(new Error('the database is away'))
          : Reflect.get(target, name, target),
    });
    const job = dueWork({ ...logged.deps, prisma: flaky }, { timer: false });
    service.clock.advance(days(31));
    await job.run();
    expect(lines.join('')).toContain('background work failed');
    expect(await prisma().event.count()).toBe(2);
    broken = false;
    await job.run();
    expect(await prisma().event.count()).toBe(0);
    await job.stop();
    await logged.stop();
  });

  test('on two instances at once does the same once', async () => {
    const other = await service.beside();
    service.clock.advance(days(31));
    const jobs = [service, other].map((instance) => dueWork(instance.deps, { timer: false }));
    await Promise.all(jobs.map((job) => job.run()));
    expect(await prisma().event.count()).toBe(0);
    await Promise.all(jobs.map((job) => job.stop()));
    await other.stop();
  });
});
