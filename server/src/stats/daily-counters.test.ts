// When the counts of daily statistics are written, in how many statements, and what happens on errors.
import type { Tx } from '@foyer/prisma';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { testOnServer, untilBlocked } from '../../test/blocked.js';
import { cutOff } from '../../test/cut-off.js';
import { statementLog, testService } from '../../test/harness.js';
import { shared } from '../../test/shared.js';
import type { NewApp } from '../apps/create-app.js';
import { deleteApp } from '../apps/delete-app.js';
import { byCommandLine } from '../model/actor.js';
import { scheduler } from '../scheduler.js';
import { dailyCounters } from './daily-counters.js';

const statements = statementLog();
const lines: string[] = [];
const service = shared(() =>
  testService({
    onStatement: statements.onStatement,
    onLogLine: (line) => lines.push(line),
  }),
);
let app: NewApp;
beforeEach(async () => {
  app = await service.newApp();
});

const stored = async (of = app): Promise<Record<string, number>> => {
  const rows = await service.database.prisma.dailyStat.findMany({
    where: { appId: of.app.id },
    orderBy: { name: 'asc' },
  });
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
};
const counters = () => service.deps.dailyCounters;
const uid = (place: number) => String(place).padStart(26, '0');

test('a sign-in and a refresh write no count themselves; the scheduler writes them every five seconds', async () => {
  const user = await service.signUp({ appKey: app.app.appKey });
  const sent = await statements.during(async () => {
    await service.signIn(user, { appKey: app.app.appKey });
    await service.refresh(user.tokens.refresh_token, app.app.appKey);
  });
  expect(sent.filter((sql) => sql.includes('daily_'))).toEqual([]);
  expect(await stored()).toEqual({});
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const work = scheduler(service.deps, { timer: true });
  vi.advanceTimersByTime(1_000);
  await expect.poll(() => stored()).toEqual({ active_users: 1, sign_ups: 1, 'sign_ins.password': 2 });
  await service.signIn(user, { appKey: app.app.appKey });
  service.clock.advance(4_999);
  vi.advanceTimersByTime(1_000);
  await vi.waitFor(() => work.run(), { timeout: 60_000 });
  expect(await stored()).toMatchObject({ 'sign_ins.password': 2 });
  service.clock.advance(1);
  vi.advanceTimersByTime(1_000);
  await expect.poll(() => stored()).toMatchObject({ 'sign_ins.password': 3 });
  await work.stop();
});

test('a flush is one statement a table for up to 1,000 counters and users, and none when nothing was counted', async () => {
  const ofTables = async () =>
    (await statements.during(() => counters().flush())).filter((sql) => sql.includes('daily_'));
  await counters().flush();
  expect(await ofTables()).toEqual([]);
  counters().count(app.app.id, 'sign_ups');
  expect(await ofTables()).toHaveLength(1);
  for (let place = 0; place < 1_000; place += 1) counters().recordActivity(app.app.id, uid(place), 'v2');
  counters().count(app.app.id, 'sign_ups');
  expect(await ofTables()).toHaveLength(2);
  for (let place = 0; place < 1_001; place += 1) counters().recordActivity(app.app.id, uid(place), 'v1');
  expect(await ofTables()).toHaveLength(4);
  expect(await stored()).toEqual({ active_users: 1_000, sign_ups: 2, v1_active_users: 1_001 });
  for (let place = 0; place < 1_001; place += 1) counters().recordActivity(app.app.id, uid(place), 'v1');
  expect(await ofTables()).toEqual([]);
});

test('what is counted during a write is written with the next', async () => {
  counters().count(app.app.id, 'sign_ups');
  const writing = counters().flush();
  await Promise.resolve();
  counters().count(app.app.id, 'sign_ups');
  counters().count(app.app.id, 'failed_sign_ins');
  await writing;
  await counters().flush();
  expect(await stored()).toEqual({ failed_sign_ins: 1, sign_ups: 2 });
});

test('a stop writes the counts', async () => {
  const second = await service.secondInstance();
  second.deps.dailyCounters.count(app.app.id, 'sign_ups');
  expect(await stored()).toEqual({});
  await second.stop();
  expect(await stored()).toEqual({ sign_ups: 1 });
});

test('counts wait while the database is down, and are written after it recovers', async () => {
  const { state, prisma } = cutOff(service.database);
  const own = dailyCounters({ ...service.deps, prisma });
  for (let round = 0; round < 3; round += 1) {
    own.count(app.app.id, 'sign_ups');
    own.recordActivity(app.app.id, uid(round), 'v2');
    await own.flush();
  }
  expect(await stored()).toEqual({});
  state.away = false;
  await own.flush();
  expect(await stored()).toEqual({ active_users: 3, sign_ups: 3 });
  await own.close();
});

test('memory is bounded while the database is down, and users who are forgotten are still counted once', async () => {
  const { state, prisma } = cutOff(service.database);
  let batches = 0;
  // The first 1,000 of the 50,000 users are really written.
  const $transaction = (work: (tx: Tx) => Promise<void>) => {
    if (!state.away) batches += 1;
    return batches > 1 && batches <= 50 ? Promise.resolve() : prisma.$transaction(work);
  };
  const own = dailyCounters({ ...service.deps, prisma: { $transaction } as unknown as typeof prisma });
  for (let place = 0; place < 50_001; place += 1) own.recordActivity(app.app.id, uid(place), 'v2');
  state.away = false;
  await own.flush();
  expect([batches, await stored()]).toEqual([50, { active_users: 1_000 }]);
  // At the limit: this call clears what the process remembers.
  own.recordActivity(app.app.id, uid(50_000), 'v2');
  for (let place = 0; place < 1_000; place += 1) own.recordActivity(app.app.id, uid(place), 'v2');
  await own.close();
  expect([batches, await stored()]).toEqual([52, { active_users: 1_001 }]);
});

test('a stop while the database is down logs how many counts are lost', async () => {
  const own = dailyCounters({ ...service.deps, prisma: cutOff(service.database).prisma });
  own.count(app.app.id, 'sign_ups');
  own.recordActivity(app.app.id, uid(1), 'v2');
  const from = lines.length;
  await own.close();
  expect(lines.slice(from).join('')).toContain('"counters":1,"users":1');
});

test('counts that the database rejects are lost, and the log says how many', async () => {
  const { prisma } = service.database;
  await counters().flush();
  await prisma.$executeRaw`ALTER TABLE daily_stats RENAME COLUMN count TO other`;
  const from = lines.length;
  counters().count(app.app.id, 'sign_ups');
  await counters().flush();
  await prisma.$executeRaw`ALTER TABLE daily_stats RENAME COLUMN other TO count`;
  const lost = lines.slice(from).filter((line) => line.includes('daily statistics are lost'));
  expect(lost).toHaveLength(1);
  counters().count(app.app.id, 'sign_ups');
  await counters().flush();
  expect(await stored()).toEqual({ sign_ups: 1 });
});

test('counts of an app that was deleted are dropped, and those of other apps are written', async () => {
  const gone = await service.newApp();
  await service.database.prisma.app.update({ where: { id: gone.app.id }, data: { enabled: false } });
  for (const { id } of [gone.app, app.app]) {
    counters().count(id, 'sign_ups');
    counters().recordActivity(id, uid(1), 'v2');
  }
  await counters().flush();
  await deleteApp({ ...service.deps, removeFiles: async () => {} }, byCommandLine(gone.app.id));
  expect(await stored(gone)).toEqual({});
  for (const { id } of [gone.app, app.app]) counters().count(id, 'sign_ups');
  await counters().flush();
  expect([await stored(gone), await stored()]).toEqual([{}, { active_users: 1, sign_ups: 2 }]);
});

testOnServer(
  'counts of an app that is deleted while they are written do not lose those of other apps',
  async () => {
    const { database } = service;
    const gone = await service.newApp();
    const kept = await service.newApp();
    for (const { id } of [gone.app, kept.app]) counters().count(id, 'sign_ups');
    const { flushed } = await database.prisma.$transaction(async (tx) => {
      await tx.secretKey.deleteMany({ where: { appId: gone.app.id } });
      await tx.app.delete({ where: { id: gone.app.id } });
      const flushed = counters().flush();
      await untilBlocked(database, 1);
      return { flushed };
    });
    await flushed;
    expect([await stored(gone), await stored(kept)]).toEqual([{}, { sign_ups: 1 }]);
  },
);
