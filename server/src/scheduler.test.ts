// Retention, on both sides of each boundary, and the scheduler that applies it.
import type { AdminUser } from '@foyer/contract';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { testOnServer, untilBlocked } from '../test/blocked.js';
import { statementLog, type TestUser, testService } from '../test/harness.js';
import { revoked, sessionScenario } from '../test/session-scenario.js';
import { shared } from '../test/shared.js';
import { until } from '../test/until.js';
import { patientFetch, startReceiver, webhookScenario } from '../test/webhook-scenario.js';
import { firstUlidOf } from './lib/crypto/ulid-bytes.js';
import { dayMilliseconds } from './lib/timestamp.js';
import { purge } from './retention.js';
import { scheduler } from './scheduler.js';

const statements = statementLog();
const lines: string[] = [];
const service = shared(() =>
  testService({
    onStatement: statements.onStatement,
    onLogLine: (line) => lines.push(line),
    overrides: { ssrfSafeFetch: patientFetch() },
  }),
);

const { spend } = sessionScenario(() => service);
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
  await purge(service.deps, 'sessions');
  return prisma().session.count({ where: { uid: user.uid } });
};
const eventsLeft = async () => {
  await purge(service.deps, 'events');
  return prisma().event.count();
};

test('a recorded failure is written within 100 ms', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const work = scheduler(service.deps, { timer: true });
  await service.signIn({ email: user.email, password: 'a wrong password' });
  const written = () => prisma().auditLog.count({ where: { uid: user.uid, action: 'user.sign_in_failed' } });
  expect(await written()).toBe(0);
  vi.advanceTimersByTime(100);
  await expect.poll(written).toBe(1);
  await work.stop();
});

test('stop starts no webhook attempts while it waits for a step', async () => {
  const scenario = webhookScenario(() => service);
  const receiver = await startReceiver();
  const { id } = await scenario.create({ url: receiver.url });
  const held: (() => void)[] = [];
  receiver.answer((_, res) => void held.push(() => res.end()));
  await scenario.insertEvents(11);
  let endStep = () => {};
  const flush = () => new Promise<void>((resolve) => (endStep = resolve));
  const dailyCounters = { ...service.deps.dailyCounters, flush };
  const work = scheduler({ ...service.deps, dailyCounters }, { timer: false });
  const running = work.run();
  await until(() => held.length === 10);
  const stopped = work.stop();
  receiver.answer(204);
  for (const end of held) end();
  const succeeded = async () => (await scenario.deliveries(id, '&status=succeeded')).length;
  await expect.poll(succeeded, { timeout: 60_000 }).toBeGreaterThanOrEqual(10);
  endStep();
  await Promise.all([running, stopped]);
  expect(receiver.received).toHaveLength(10);
  await scenario.removeAll();
  await receiver.stop();
});

describe('sessions', () => {
  test('that ended are stored for exactly 30 days, and their tokens are answered as revoked afterwards', async () => {
    await service.call('POST', '/auth/sign-out', { token: user.tokens.access_token });
    service.clock.advance(days(30));
    expect(await sessionsLeft()).toBe(1);
    expect(await service.refresh(user.tokens.refresh_token)).toMatchObject(revoked);
    service.clock.advance(1);
    expect(await sessionsLeft()).toBe(0);
    expect(await service.refresh(user.tokens.refresh_token)).toMatchObject(revoked);
  });

  test('that are deleted leave the last use of the user unchanged', async () => {
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

  test('that expired after 90 days are stored for exactly 30 more', async () => {
    service.clock.advance(days(90 + 30) - 1);
    expect(await sessionsLeft()).toBe(1);
    service.clock.advance(1);
    expect(await sessionsLeft()).toBe(1);
    service.clock.advance(1);
    expect(await sessionsLeft()).toBe(0);
  });

  test('in use are never deleted', async () => {
    let token = user.tokens.refresh_token;
    for (let month = 0; month < 6; month += 1) {
      service.clock.advance(days(60));
      expect(await sessionsLeft()).toBe(1);
      token = await spend(token);
    }
  });

  test('are deleted in batches, without a limit on their number', async () => {
    await prisma()
      .$executeRaw`INSERT INTO sessions (app_id, id, user_id, key_id, secret_hash, method, amr, auth_time, device_type,
        created_at, last_used_at, ended_at)
      SELECT app_id, lpad(number::text, 26, '0'), user_id, key_id, secret_hash, method, amr, auth_time, device_type,
        created_at, last_used_at, created_at
      FROM sessions CROSS JOIN generate_series(1, 1001) AS number WHERE user_id = ${user.uid}`;
    expect(await sessionsLeft()).toBe(1_002);
    service.clock.advance(days(30) + 1);
    expect(await sessionsLeft()).toBe(1);
  });
});

/** Inserts events of the app with the given age. */
async function events(count: number, ageMilliseconds: number): Promise<void> {
  const createdAt = new Date(service.clock.now().getTime() - ageMilliseconds);
  const first = firstUlidOf(createdAt).slice(0, 10);
  await prisma().$executeRaw`INSERT INTO events (app_id, id, type, user_id, data, created_at)
    SELECT ${service.app.app.id}, ${first} || lpad(number::text, 16, '0'), 'user.updated', ${user.uid}, '{}',
      ${createdAt}::timestamptz
    FROM generate_series(1, ${count}::int) AS number`;
}

test('events of every app are deleted in batches', async () => {
  const other = await service.newApp();
  await service.signUp({ appKey: other.app.appKey });
  await events(1_001, days(30) + 1);
  expect(await eventsLeft()).toBe(4);
  service.clock.advance(days(30) + 1);
  expect(await eventsLeft()).toBe(0);
});

test('events are stored for exactly 30 days', async () => {
  expect(await eventsLeft()).toBe(2);
  service.clock.advance(days(30));
  expect(await eventsLeft()).toBe(2);
  service.clock.advance(1);
  expect(await eventsLeft()).toBe(0);
});

test('deliveries are deleted in batches: old ones of every webhook, and all of a deleted webhook', async () => {
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
  await insert(kept, new Date(oldest.getTime() - 1), 1_001);
  await insert(kept, oldest, 2);
  await insert(gone, now, 1_001);
  await purge(service.deps, 'deliveries');
  expect(await prisma().webhookDelivery.findMany({ select: { endpointId: true, createdAt: true } })).toEqual([
    { endpointId: kept, createdAt: oldest },
    { endpointId: kept, createdAt: oldest },
  ]);
  await prisma().webhookEndpoint.deleteMany();
});

test('a previous webhook secret is deleted at the millisecond at which it stops signing', async () => {
  const { id: appId } = service.app.app;
  const [id, until] = [service.deps.random.ulid(service.clock.now()), service.clock.now()];
  const [secret, previousSecret] = [new Uint8Array([1]), new Uint8Array([2])];
  const times = { createdAt: until, updatedAt: until, previousSecretUntil: until };
  await prisma().webhookEndpoint.create({
    data: { appId, id, url: 'https://receiver.example/', enabled: false, secret, previousSecret, ...times },
  });
  const kept = async () => {
    await purge(service.deps, 'previousWebhookSecrets');
    return (await prisma().webhookEndpoint.findFirst({ where: { id } }))?.previousSecret;
  };
  service.clock.advance(-1);
  expect(await kept()).toEqual(previousSecret);
  service.clock.advance(1);
  expect(await kept()).toBeNull();
  await prisma().webhookEndpoint.deleteMany();
});

test('audit entries are stored for exactly 400 days, or as many as AUDIT_DAYS', async () => {
  const second = await spend(user.tokens.refresh_token);
  service.clock.advance(30_001);
  expect(await service.refresh(user.tokens.refresh_token)).toMatchObject(revoked);
  expect(await service.refresh(second)).toMatchObject(revoked);
  const left = async (auditDays = 400) => {
    await purge({ ...service.deps, config: { ...service.deps.config, auditDays } }, 'auditEntries');
    return prisma().auditLog.count();
  };
  expect(service.deps.config.auditDays).toBe(400);
  service.clock.advance(days(400));
  expect(await left()).toBe(1);
  service.clock.advance(1);
  expect(await left(401)).toBe(1);
  expect(await left()).toBe(0);
});

testOnServer('a batch of which another call has deleted a row is not the last', async () => {
  const appId = service.app.app.id;
  const oldest = new Date(service.clock.now().getTime() - days(200));
  await prisma().$executeRaw`INSERT INTO v1_tokens (app_id, token_hash, user_id, signed_in_at, last_used_at)
    SELECT ${appId}, sha256(n::text::bytea), ${user.uid}, ${oldest}::timestamptz,
      ${oldest}::timestamptz + n * interval '1 second'
    FROM generate_series(1, 1500) AS n`;
  const { purging } = await prisma().$transaction(async (tx) => {
    await tx.$executeRaw`DELETE FROM v1_tokens WHERE app_id = ${appId} AND token_hash = sha256('7')`;
    const purging = purge(service.deps, 'v1Tokens');
    await untilBlocked(service.database, 1, 'v1_tokens');
    return { purging };
  });
  await purging;
  expect(await prisma().v1Token.count()).toBe(0);
});

test('the daily run runs each step at the start and once a day, and one that fails every minute until it succeeds', async () => {
  const job = scheduler(service.deps, { timer: false });
  const tables = ['sessions', 'codes', 'events'];
  /** The tables that one run deletes from, or looks for apps with rows in. */
  const run = async () => {
    const sent = await statements.during(() => job.run());
    const reaches = (table: string) => new RegExp(`(DELETE|SELECT app_id) FROM ${table} `);
    return tables.filter((table) => sent.some((sql) => reaches(table).test(sql)));
  };
  const rename = (from: string, to: string) =>
    prisma().$executeRawUnsafe(`ALTER TABLE ${from} RENAME TO ${to}`);
  service.clock.advance(days(31));
  await rename('codes', 'away');
  lines.length = 0;
  expect(await run()).toEqual(tables);
  expect(await prisma().event.count()).toBe(0);
  const failures = lines.filter((line) => line.includes('background work failed'));
  expect(failures).toEqual([expect.stringContaining('"step":"codes"')]);
  service.clock.advance(minute - 1);
  expect(await run()).toEqual([]);
  service.clock.advance(1);
  expect(await run()).toEqual(['codes']);
  await rename('away', 'codes');
  service.clock.advance(minute);
  expect(await run()).toEqual(['codes']);
  service.clock.advance(days(1) - 2 * minute - 1);
  expect(await run()).toEqual([]);
  service.clock.advance(1);
  expect(await run()).toEqual(['sessions', 'events']);
  await job.stop();
});

test('signing keys that cannot be read are logged once, and once more if they cannot after they could', async () => {
  const job = scheduler(service.deps, { timer: false });
  const rename = (from: string, to: string) =>
    prisma().$executeRawUnsafe(`ALTER TABLE ${from} RENAME TO ${to}`);
  const failures = async () => {
    service.clock.advance(minute);
    await job.run();
    return lines.filter((line) => line.includes('the signing keys could not be read again')).length;
  };
  await job.run();
  lines.length = 0;
  await rename('signing_keys', 'away');
  const during = [await failures(), await failures()];
  await rename('away', 'signing_keys');
  const after = await failures();
  await rename('signing_keys', 'away');
  const again = await failures();
  await rename('away', 'signing_keys');
  expect([...during, after, again]).toEqual([1, 1, 1, 2]);
  await job.stop();
});
