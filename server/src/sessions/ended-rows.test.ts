// A user's ended session rows: how many are stored, and that a sign-in does not read them.
import { limits } from '@foyer/contract';
import { Prisma } from '@foyer/prisma';
import { beforeAll, expect, test } from 'vitest';
import { testOnServer } from '../../test/blocked.js';
import { type TestUser, testService } from '../../test/harness.js';
import { revoked } from '../../test/session-scenario.js';
import { shared } from '../../test/shared.js';
import { thorough } from '../../test/thorough.js';

/** Thorough runs use the row counts of a real attack; an embedded database would take minutes to fill. */
const endedRows = thorough && process.env.DATABASE_URL ? 300_000 : 3_000;
const trimmedAtOnce = 500;

const service = shared(() => testService());
let user: TestUser;
beforeAll(async () => {
  user = await service.signUp();
});

const where = () => ({ appId: service.app.app.id, uid: user.uid });
const ended = () => service.database.prisma.session.count({ where: { ...where(), endedAt: { not: null } } });

/** Ended sessions, which are old unless their ids begin otherwise. */
async function fill(count: number, begin = '00'): Promise<void> {
  const { appId, uid } = where();
  const now = service.clock.now();
  const { text, values } =
    Prisma.sql`INSERT INTO sessions (app_id, id, user_id, key_id, secret_hash, method, amr,
      auth_time, device_type, created_at, last_used_at, ended_at, end_reason)
    SELECT ${appId}, ${begin} || lpad(n::text, 24, '0'), ${uid}, 1, '\\x00', 'password', '{pwd}', ${now}::timestamptz,
      'unknown', ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz, 'sign_out'
    FROM generate_series(1, ${count}::int) AS n ON CONFLICT DO NOTHING RETURNING id`;
  // Turns off the statement timeout, which a busy machine reaches.
  await service.database.connection(async ({ query, script }) => {
    await query(text, values);
    await script('ANALYZE sessions');
  });
}

test('a sign-in removes a bounded number of the oldest ended rows, whose tokens are answered as revoked', async () => {
  const first = (await service.signIn(user)).data;
  await service.call('POST', '/auth/sign-out', { token: first.access_token });
  expect(await service.refresh(first.refresh_token)).toMatchObject(revoked);
  await fill(endedRows);
  const before = await ended();
  expect((await service.signIn(user)).status).toBe(200);
  expect(await ended()).toBe(before - trimmedAtOnce);
  for (let signIns = 0; signIns < (endedRows > 5_000 ? 20 : 10); signIns += 1) {
    expect((await service.signIn(user)).status).toBe(200);
  }
  expect(await service.refresh(first.refresh_token)).toMatchObject(revoked);
  expect((await service.refresh(user.tokens.refresh_token)).status).toBe(200);
});

test('the newest few hundred ended rows of a user are stored', async () => {
  const { appId, uid } = where();
  await service.database.prisma.$executeRaw`DELETE FROM sessions
    WHERE app_id = ${appId} AND user_id = ${uid} AND id < '01'`;
  // With the live ones, just more than are stored before a sign-in deletes some.
  await fill(500);
  const last = (await service.signIn(user)).data;
  await service.call('POST', '/auth/sign-out', { token: last.access_token });
  expect((await service.signIn(user)).status).toBe(200);
  // Plus those that ended since the removal.
  expect(await ended()).toBeLessThan(limits.endedSessionsPerUser + 10);
  expect(await service.refresh(last.refresh_token)).toMatchObject(revoked);
  // The latest use is the sign-in that removed them.
  const path = `/admin/users/${user.uid}`;
  const shown = await service.call<{ last_active_at: string }>('GET', path, { token: service.app.secretKey });
  expect(shown.data.last_active_at).toContain(service.clock.now().toISOString().slice(0, -1));
});

test('the ended rows of other users stay', async () => {
  const other = await service.signUp();
  await service.call('POST', '/auth/sign-out', { token: other.tokens.access_token });
  // Newer and older ones than that of the other user, whose place is among those that are removed.
  await fill(300, '7Z');
  await fill(400);
  const before = await ended();
  expect((await service.signIn(user)).status).toBe(200);
  expect(await ended()).toBeLessThan(before);
  expect(await service.refresh(other.tokens.refresh_token)).toMatchObject(revoked);
  expect(await service.database.prisma.session.count({ where: { uid: other.uid } })).toBe(1);
});

testOnServer('what a sign-in asks of the sessions reads a few pages, however many have ended', async () => {
  await fill(endedRows);
  const { appId, uid } = where();
  const [row] = await service.database.prisma.$transaction(async (tx) => {
    // Whether a scan of few rows is as cheap depends on when autovacuum ran.
    await tx.$executeRaw`SET LOCAL enable_seqscan = off`;
    return tx.$queryRawUnsafe<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }[]>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT count(*) FROM sessions AS o
        WHERE o.app_id = '${appId}' AND o.user_id = '${uid}' AND o.ended_at IS NULL`,
    );
  });
  const plan = row?.['QUERY PLAN'][0]?.Plan;
  expect(JSON.stringify(plan)).toContain('sessions_live_idx');
  expect((plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)).toBeLessThan(100);
});
