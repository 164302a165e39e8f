// The statements of a batch: what they read, and that those of two messages do not deadlock.
import { expect, test } from 'vitest';
import { testOnServer, untilBlocked } from '../../../test/blocked.js';
import { genericPlan } from '../../../test/generic-plan.js';
import { statementLog } from '../../../test/harness.js';
import { hello, pushScenario } from '../../../test/push-scenario.js';
import { shared } from '../../../test/shared.js';
import { findTargetsAmong } from '../devices/find-targets.js';
import { unlinkDevices } from '../devices/store.js';
import { failRetrying, type NewReceipt, writeReceipts } from './store.js';

const hour = 3_600_000;

const statements = statementLog();
const scenario = shared(() => pushScenario({ onStatement: statements.onStatement }));

test('a batch of a topic reads no subscriptions of the batches before it', async () => {
  const sent = await statements.during(() => scenario.sent({ ...hello, topic: 'news' }));
  const sql = sent.find((text) => /FROM push_topics.* LIMIT/s.test(text)) as string;
  const plan = JSON.stringify(await genericPlan(scenario.service.database, sql));
  expect(plan).toMatch(/"Relation Name":"push_topics"[^{}]*"Index Cond":"[^"]*device_id > /);
});

test('of the receipts of a message only those to retry are read, however many there are', async () => {
  const { service, providers } = scenario;
  const device = await scenario.register('fcm');
  providers.fcm.says(device.token, { status: 503 }, { status: 200, body: { name: 'a' } });
  const sent = await statements.during(async () => {
    const { message } = await scenario.sent({ ...hello, device_ids: [device.id] });
    await service.advance(hour);
    expect((await scenario.result(message.id)).message.status).toBe('done');
  });
  const isOnRetrying = (sql: string) =>
    /push_receipts.*status = 'retrying'/s.test(sql) && !sql.includes('INSERT');
  const onRetrying = new Set(sent.filter(isOnRetrying));
  // Whether there are any, which they are, and their end with the message.
  expect(onRetrying.size).toBe(3);
  for (const sql of onRetrying) {
    const plan = JSON.stringify(await genericPlan(service.database, sql));
    expect(plan).toContain('"Index Name":"push_receipts_retrying_idx"');
  }
});

test('the batches of an app have a share of their own in the queue', async () => {
  const { service } = scenario;
  const device = await scenario.register('fcm');
  await scenario.send({ ...hello, device_ids: [device.id] });
  const waiting = await service.database.prisma.$queryRaw`
    SELECT singleton_key AS share FROM pgboss.job WHERE name = 'push' AND state < 'active'`;
  expect(waiting).toEqual([{ share: service.app.app.id }]);
  await service.deps.queue.runNow();
});

test('a message that is stopped fails its pending retries in statements of at most 10,000 devices', async () => {
  const { service, providers } = scenario;
  const { prisma } = service.database;
  const { id: appId } = service.app.app;
  const device = await scenario.register('fcm');
  providers.fcm.says(device.token, { status: 503 });
  const { message } = await scenario.sent({ ...hello, device_ids: [device.id] });
  await prisma.$executeRaw`INSERT INTO push_receipts (app_id, message_id, device_id, provider, status, attempts, updated_at)
    SELECT ${appId}, ${message.id}, '0' || n, 'fcm', 'retrying', 1, ${service.clock.now()}::timestamptz
    FROM generate_series(1, 20000) AS n`;
  const switchOn = (enabled: boolean) => prisma.app.update({ where: { id: appId }, data: { enabled } });
  await switchOn(false);
  const sent = await statements.during(() => service.advance(hour));
  await switchOn(true);
  expect(sent.filter((sql) => sql.includes('UPDATE push_receipts'))).toHaveLength(3);
  const where = { messageId: message.id, status: 'failed' };
  expect(await prisma.pushReceipt.count({ where })).toBe(20_001);
  const failed = { status: 'failed', error: 'app-switched-off', failedCount: 20_001 };
  expect(await prisma.pushMessage.findFirst({ where: { id: message.id } })).toMatchObject(failed);
});

test('a late job fails no pending retries of a message that has advanced', async () => {
  const { service, providers } = scenario;
  const device = await scenario.register('fcm');
  providers.fcm.says(device.token, { status: 503 });
  const { message } = await scenario.sent({ ...hello, device_ids: [device.id] });
  const ids = { appId: service.app.app.id, messageId: message.id };
  const { prisma } = service.database;
  const { step } = await prisma.pushMessage.findFirstOrThrow({ where: { id: message.id } });
  const fail = (late: number) => failRetrying(prisma, { ...ids, step: step - late }, service.clock.now(), 10);
  const status = async () => (await scenario.result(message.id)).receipts.get(device.id)?.status;
  expect([await fail(1), await status()]).toEqual([0, 'retrying']);
  expect([await fail(0), await status()]).toEqual([1, 'failed']);
});

test('a batch whose receipts cannot be written is repeated', async () => {
  const { deps } = scenario.service;
  const { prisma } = deps;
  const device = await scenario.register('fcm');
  let failures = 0;
  const failing: typeof prisma.$executeRaw = (sql, ...values) => {
    if (!sql.toString().includes('push_receipts')) return prisma.$executeRaw(sql, ...values);
    failures += 1;
    throw new Error('the receipts cannot be written');
  };
  deps.prisma = new Proxy(prisma, {
    get: (target, name) => (name === '$executeRaw' ? failing : Reflect.get(target, name)),
  });
  const { message } = await scenario.sent({ ...hello, device_ids: [device.id] });
  deps.prisma = prisma;
  expect([failures, message.status]).toEqual([1, 'sending']);
  await scenario.service.advance(60_000);
  const { receipts } = await scenario.result(message.id);
  expect(receipts.get(device.id)).toMatchObject({ status: 'accepted' });
});

test('a batch that ends after another attempt at it queues no batch of its own', async () => {
  const { service, providers } = scenario;
  const { prisma } = service.database;
  const device = await scenario.register('fcm');
  providers.fcm.says(device.token, { status: 503 });
  const { pushSenders, queue } = service.deps;
  const [{ send }, { send: enqueue }] = [pushSenders.fcm, queue];
  pushSenders.fcm.send = async (...message) => {
    await prisma.pushMessage.updateMany({ where: { finishedAt: null }, data: { step: { increment: 1 } } });
    return send(...message);
  };
  const steps: unknown[] = [];
  queue.send = (tx, name, job, ...more) => {
    if (name === 'push') steps.push((job as { step: number }).step);
    return enqueue(tx, name, job, ...more);
  };
  await scenario.sent({ ...hello, device_ids: [device.id] });
  pushSenders.fcm.send = send;
  queue.send = enqueue;
  expect(steps).toEqual([0]);
});

test('of the devices to retry only these are read', async () => {
  const { deps, app } = scenario.service;
  const [one] = [await scenario.register('fcm'), await scenario.register('fcm')];
  const found = await findTargetsAmong(deps, app.app.id, { all: true }, [one.id]);
  expect([...found.keys()]).toEqual([one.id]);
});

/** Sends a message, and returns a write of receipts that make its devices invalid. */
async function invalidation(deviceIds: string[]): Promise<() => Promise<void>> {
  const { database, app, clock } = scenario.service;
  const { data } = await scenario.send({ ...hello, device_ids: deviceIds });
  const receipts = deviceIds.map(
    (deviceId): NewReceipt => ({
      deviceId,
      provider: 'fcm',
      status: 'invalid',
      error: 'UNREGISTERED',
      providerMessageId: null,
      attempts: 1,
      unanswered: false,
      answered: false,
      registeredAt: clock.now(),
    }),
  );
  const ids = { appId: app.app.id, messageId: (data as { id: string }).id };
  return () => writeReceipts(database.prisma, ids, receipts, clock.now());
}

testOnServer(
  'receipts and the end of the links of a user, for the same devices, do not deadlock',
  async () => {
    const { database, app, signUp } = scenario.service;
    const user = await signUp();
    const ids = { appId: app.app.id, uid: user.uid };
    const registered = [await scenario.register('fcm', { user }), await scenario.register('fcm', { user })];
    const devices = registered.map(({ id }) => id).sort();
    const first = { appId: ids.appId, id: devices[0] as string };
    // Moves the row behind the other.
    await database.prisma.pushDevice.updateMany({ where: first, data: { name: 'moved' } });
    const write = await invalidation(devices);
    const both = await database.prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT FROM push_devices WHERE app_id = ${ids.appId} AND id = ${first.id} FOR UPDATE`;
      const written = write();
      await untilBlocked(database, 1, 'push_receipts');
      const unlinked = database.prisma.$transaction((other) => unlinkDevices(other, ids));
      await untilBlocked(database, 2, 'push_devices');
      return [written, unlinked];
    });
    expect(await Promise.all(both)).toEqual([undefined, 2]);
  },
);

testOnServer('messages whose receipts make the same devices invalid do not deadlock', async () => {
  const { database, app } = scenario.service;
  const appId = app.app.id;
  const devices = [await scenario.register('fcm'), await scenario.register('fcm')].map(({ id }) => id).sort();
  const [inOrder, reversed] = [await invalidation(devices), await invalidation(devices.toReversed())];
  const writes = await database.prisma.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT FROM push_devices WHERE app_id = ${appId} AND id = ${devices[0]} FOR UPDATE`;
    const first = inOrder();
    await untilBlocked(database, 1, 'push_receipts');
    const second = reversed();
    await untilBlocked(database, 2, 'push_receipts');
    return [first, second];
  });
  await Promise.all(writes);
});
