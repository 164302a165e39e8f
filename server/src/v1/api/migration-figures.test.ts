// GET /admin/migration: active users of v1, at both sides of each boundary, and the hourly count of v2.
import { beforeEach, expect, test } from 'vitest';
import { codeScenario } from '../../../test/code-scenario.js';
import { statementLog, testService } from '../../../test/harness.js';
import { shared } from '../../../test/shared.js';
import { v1Scenario } from '../../../test/v1-scenario.js';
import type { NewApp } from '../../apps/create-app.js';
import { countV2UsageDue } from './migration-figures.js';

const statements = statementLog();
const service = shared(() => testService({ onStatement: statements.onStatement }));
let app: NewApp;
beforeEach(async () => {
  app = await service.newApp();
});

const v1 = v1Scenario(() => service);
const scenario = codeScenario(() => service);
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const own = () => ({ appKey: app.app.appKey });

async function figures() {
  const answer = await service.call('GET', '/admin/migration', { ...own(), token: app.secretKey });
  expect([answer.status, answer.code]).toEqual([200, undefined]);
  return answer.json.data;
}

test('an unused app has zeros and no shutdown date', async () => {
  expect(await figures()).toEqual({
    v1_active_users_7d: 0,
    v1_active_users_30d: 0,
    v1_live_tokens: 0,
    v2_active_users_30d: 0,
    as_of: service.clock.now().toISOString().replace('Z', '000Z'),
    sunset_at: null,
  });
});

test('users of v1 count for 7 and 30 days after their last use, tokens for 90, each to the millisecond', async () => {
  const account = await v1.register({}, own());
  await v1.register({}, own());
  await v1.logIn(account, own());
  await v1.logIn(account, own());
  const now = async () => {
    const { v1_active_users_7d, v1_active_users_30d, v1_live_tokens } = await figures();
    return [v1_active_users_7d, v1_active_users_30d, v1_live_tokens];
  };
  for (const [advance, expected] of [
    [0, [2, 2, 2]],
    [7 * day - 1, [2, 2, 2]],
    [1, [0, 2, 2]],
    [23 * day - 1, [0, 2, 2]],
    [1, [0, 0, 2]],
    [60 * day - 1, [0, 0, 2]],
    [1, [0, 0, 0]],
  ] as const) {
    service.clock.advance(advance);
    expect(await now()).toEqual(expected);
  }
});

test('the figures of v1 are exact: they include a use, sign-out, exchange or deletion at once', async () => {
  const accounts = [await v1.register({}, own()), await v1.register({}, own()), await v1.register({}, own())];
  const tokens: string[] = [];
  for (const account of accounts) tokens.push(await v1.logIn(account, own()));
  expect(await figures()).toMatchObject({ v1_active_users_7d: 3, v1_live_tokens: 3 });
  service.clock.advance(8 * day);
  await v1.me(tokens[0]!, own());
  expect(await figures()).toMatchObject({ v1_active_users_7d: 1, v1_active_users_30d: 3, v1_live_tokens: 3 });
  await v1.exchange(tokens[1], own());
  expect(await figures()).toMatchObject({ v1_active_users_7d: 1, v1_active_users_30d: 3, v1_live_tokens: 2 });
  await v1.call('POST', '/logout', { ...own(), token: tokens[0]! });
  expect(await figures()).toMatchObject({ v1_active_users_7d: 1, v1_live_tokens: 1 });
  await v1.call('DELETE', '/account/delete', { ...own(), token: tokens[2]! });
  expect(await figures()).toMatchObject({ v1_active_users_7d: 1, v1_active_users_30d: 2, v1_live_tokens: 0 });
});

test('users of v2 with a session used in the last 30 days are counted once an hour, each once', async () => {
  const user = await service.signUp(own());
  await service.signIn(user, own());
  const other = await service.signUp(own());
  expect(await figures()).toMatchObject({ v2_active_users_30d: 2 });
  await service.signUp(own());
  await service.advance(hour - minute);
  expect(await figures()).toMatchObject({ v2_active_users_30d: 2 });
  await service.advance(minute);
  expect(await figures()).toMatchObject({ v2_active_users_30d: 3 });
  await service.advance(20 * day);
  await service.refresh(other.tokens.refresh_token, app.app.appKey);
  await service.advance(10 * day - hour - minute);
  expect((await figures()).v2_active_users_30d).toBe(3);
  await service.advance(hour);
  // The user who refreshed is the only one who has used v2 since.
  expect((await figures()).v2_active_users_30d).toBe(1);
});

test('users are counted in batches, and two concurrent counts give the same result', async () => {
  const { id: appId } = app.app;
  const { prisma } = service.database;
  await service.signUp(own());
  await prisma.$executeRaw`INSERT INTO users (app_id, id, email, member_id, created_at, updated_at)
    SELECT ${appId}, 'X' || lpad(number::text, 25, '0'), number || '@example.com', number::text, now(), now()
    FROM generate_series(1, 4001) AS number`;
  // The foreign key check was planned for few users.
  await prisma.$executeRaw`ANALYZE users`;
  await prisma.$executeRaw`INSERT INTO sessions (app_id, id, user_id, key_id, secret_hash, method, amr, auth_time,
      device_type, created_at, last_used_at)
    SELECT ${appId}, 'S' || substr(u.id, 2), u.id, 1, ''::bytea, 'password', '{pwd}', now(), 'unknown', now(),
      ${service.clock.now()}::timestamptz
    FROM users AS u WHERE app_id = ${appId} AND id LIKE 'X%'`;
  await prisma.v2Usage.deleteMany({ where: { appId } });
  await Promise.all([countV2UsageDue(service.deps), countV2UsageDue(service.deps)]);
  expect((await figures()).v2_active_users_30d).toBe(4_002);
});

test('a count reads at most 2,000 sessions in a statement, also of one user, and counts that user once', async () => {
  const { id: appId } = app.app;
  const { prisma } = service.database;
  const { uid } = await service.signUp(own());
  await service.signUp(own());
  await prisma.$executeRaw`INSERT INTO sessions (app_id, id, user_id, key_id, secret_hash, method, amr, auth_time,
      device_type, created_at, last_used_at)
    SELECT ${appId}, 'S' || lpad(number::text, 25, '0'), ${uid}, 1, ''::bytea, 'password', '{pwd}', now(), 'unknown',
      now(), ${service.clock.now()}::timestamptz
    FROM generate_series(1, 4001) AS number`;
  await prisma.v2Usage.deleteMany({ where: { appId } });
  const sent = await statements.during(async () => {
    expect((await figures()).v2_active_users_30d).toBe(2);
  });
  // 4,003 sessions.
  expect(sent.filter((sql) => sql.includes('FROM sessions') && sql.includes('WITH batch'))).toHaveLength(3);
});

test('a count of v1 reads 2,000 uses in a statement, with all others of the last time, and counts each once', async () => {
  const { id: appId } = app.app;
  const { prisma } = service.database;
  const account = await v1.register({}, own());
  await v1.logIn(account, own());
  service.clock.advance(8 * day);
  const usedAt = service.clock.now();
  const { id: uid } = await prisma.user.findFirstOrThrow({ where: { appId }, select: { id: true } });
  // The foreign key check was planned for few users.
  await prisma.$executeRaw`ANALYZE users`;
  // With the first one, which is older, exactly 2,000; then 4,500 a microsecond later, and 501.
  await prisma.$executeRaw`INSERT INTO v1_tokens (app_id, user_id, token_hash, signed_in_at, last_used_at)
    SELECT ${appId}, ${uid}, sha256(number::text::bytea), now(),
      ${usedAt}::timestamptz - interval '1 microsecond' * (CASE WHEN number <= 1999 THEN 2 WHEN number <= 6499 THEN 1 ELSE 0 END)
    FROM generate_series(1, 7000) AS number`;
  const sent = await statements.during(async () => {
    expect(await figures()).toMatchObject({
      v1_active_users_7d: 0,
      v1_active_users_30d: 1,
      v1_live_tokens: 7_001,
    });
  });
  expect(sent.filter((sql) => sql.includes('FROM v1_tokens') && sql.includes('WITH TIES'))).toHaveLength(3);
  expect(sent.filter((sql) => sql.includes('FROM users') && sql.includes('WITH TIES'))).toHaveLength(1);
});

test('returns the current shutdown date of the settings', async () => {
  await scenario.set({ v1_sunset_at: '2027-01-31T00:00:00Z' }, app);
  expect((await figures()).sunset_at).toBe('2027-01-31T00:00:00.000000Z');
});
