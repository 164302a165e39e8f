// Messages for a later time: they start then, once, unless they were cancelled before.
import type { PushMessage } from '@foyer/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { testOnServer, untilBlocked } from '../../../test/blocked.js';
import { statementLog } from '../../../test/harness.js';
import { hello, pushScenario } from '../../../test/push-scenario.js';
import { expectRefusal } from '../../../test/refusal.js';
import { shared } from '../../../test/shared.js';
import { ulidWithTime } from '../../lib/crypto/ulid-bytes.js';
import { lockAppOf } from '../../model/app.js';
import { deleteMessagesBefore } from './store.js';

const statements = statementLog();
const scenario = shared(() => pushScenario({ onStatement: statements.onStatement }));
const hour = 3_600_000;
const day = 24 * hour;

beforeEach(async () => {
  const { prisma } = scenario.service.database;
  await prisma.pushDevice.deleteMany();
  await prisma.pushMessage.deleteMany();
  await prisma.$executeRaw`DELETE FROM pgboss.job`;
});

const inMilliseconds = (milliseconds: number) =>
  new Date(scenario.service.clock.now().getTime() + milliseconds).toISOString();

const admin = (method: string, path: string, more: object = {}, app = scenario.service.app) =>
  scenario.service.call(method, path, { token: app.secretKey, appKey: app.app.appKey, ...more });

async function schedule(milliseconds: number, body: object = { all: true }): Promise<string> {
  const answer = await scenario.send({ ...hello, ...body, send_at: inMilliseconds(milliseconds) });
  expect([answer.status, answer.json.data.status]).toEqual([202, 'scheduled']);
  return answer.json.data.id;
}

const cancel = (id: string) => admin('POST', `/admin/push/messages/${id}/cancel`);

describe('a message with a time to send at', () => {
  test('to a device is not sent to another user who registered it meanwhile', async () => {
    const { service } = scenario;
    const device = await scenario.register('fcm', { user: await service.signUp() });
    const id = await schedule(hour, { device_ids: [device.id] });
    const { tokens } = await service.signUp();
    const body = { provider: 'fcm', platform: 'android', token: device.token };
    const moved = await service.call('POST', '/push/devices', { token: tokens.access_token, body });
    expect([moved.status, moved.json.data.id]).toEqual([200, device.id]);
    await service.advance(hour);
    const { message, receipts } = await scenario.result(id);
    expect(message).toMatchObject({ status: 'failed', target: { device_ids: [device.id] } });
    expect(message.target).not.toHaveProperty('owners');
    expect(receipts.get(device.id)).toMatchObject({ status: 'failed', error: 'no-longer-meant' });
  });

  test('to a device is sent to it though it has no user any more', async () => {
    const { service } = scenario;
    const device = await scenario.register('fcm', { user: await service.signUp() });
    const id = await schedule(hour, { device_ids: [device.id] });
    const body = { provider: 'fcm', platform: 'android', token: device.token };
    expect((await service.call('POST', '/push/devices', { body })).json.data.user_uid).toBeNull();
    await service.advance(hour);
    expect((await scenario.result(id)).message).toMatchObject({ status: 'done', accepted_count: 1 });
  });

  test('to a device without a user is sent to the one who signed in on it meanwhile', async () => {
    const { service } = scenario;
    const device = await scenario.register('fcm');
    const other = await scenario.register('fcm', { user: await service.signUp() });
    const id = await schedule(hour, { device_ids: [device.id] });
    // Only users of the devices that were named are kept with the message, and this one had none.
    const row = await service.database.prisma.pushMessage.findFirstOrThrow({ where: { id } });
    expect(row.target).toMatchObject({ device_ids: [device.id] });
    expect(JSON.stringify(row.target)).not.toContain(other.id);
    const { tokens } = await service.signUp();
    const body = { provider: 'fcm', platform: 'android', token: device.token };
    await service.call('POST', '/push/devices', { token: tokens.access_token, body });
    await service.advance(hour);
    const { message, receipts } = await scenario.result(id);
    expect(message).toMatchObject({ status: 'done', accepted_count: 1 });
    expect([...receipts.keys()]).toEqual([device.id]);
  });

  test('does not end with another one that is stopped', async () => {
    const { service } = scenario;
    await scenario.register('fcm');
    const [stopped, later] = [await schedule(hour), await schedule(2 * hour)];
    const where = { id: service.app.app.id };
    await service.database.prisma.app.update({ where, data: { enabled: false } });
    await service.advance(hour);
    await service.database.prisma.app.update({ where, data: { enabled: true } });
    expect((await scenario.result(stopped)).message).toMatchObject({ status: 'failed' });
    expect((await scenario.result(later)).message).toMatchObject({ status: 'scheduled', error: null });
    await service.advance(hour);
    expect((await scenario.result(later)).message).toMatchObject({ status: 'done', accepted_count: 1 });
  });

  test('is sent then, and not before, to the devices that are registered by then', async () => {
    await scenario.register('fcm');
    const id = await schedule(2 * hour);
    const sendAt = inMilliseconds(2 * hour);
    await scenario.service.advance(hour);
    // Another message, which is sent at once.
    expect((await scenario.sent({ ...hello, all: true })).message.status).toBe('done');
    const gone = await scenario.register('fcm');
    const added = await scenario.register('apns');
    const { message: waiting, receipts: none } = await scenario.result(id);
    expect(waiting).toMatchObject({ status: 'scheduled', target_count: 1, finished_at: null });
    expect([waiting.send_at?.slice(0, 19), none.size]).toEqual([sendAt.slice(0, 19), 0]);
    await scenario.service.database.prisma.pushDevice.deleteMany({ where: { id: gone.id } });
    await scenario.service.advance(hour);
    const { message, receipts } = await scenario.result(id);
    expect(message).toMatchObject({ status: 'done', target_count: 2, accepted_count: 2 });
    expect([...receipts.keys()]).toContain(added.id);
    await scenario.service.deps.queue.runNow();
    expect((await scenario.result(id)).message.accepted_count).toBe(2);
  });

  test('is retained for 30 days after that time', async () => {
    const id = await schedule(30 * day);
    const { prisma } = scenario.service.database;
    const kept = async (days: number) => {
      const time = new Date(scenario.service.clock.now().getTime() + days * day);
      await deleteMessagesBefore(prisma, {
        appId: scenario.service.app.app.id,
        after: '',
        time,
        maxRows: 10,
      });
      return prisma.pushMessage.count({ where: { id } });
    };
    expect([await kept(29), await kept(31)]).toEqual([1, 0]);
  });

  test('is sent by another instance that is started later', async () => {
    await scenario.register('fcm');
    const id = await schedule(hour);
    const other = await scenario.service.secondInstance({ config: scenario.service.deps.config });
    await other.advance(hour);
    await other.stop();
    expect((await scenario.result(id)).message).toMatchObject({ status: 'done', accepted_count: 1 });
  });

  test('is sent at once if the time is past, and refused beyond 30 days', async () => {
    const body = { ...hello, all: true };
    const past = await scenario.send({ ...body, send_at: inMilliseconds(0) });
    expect(past.json.data.status).toBe('queued');
    expect((await scenario.result(past.json.data.id)).message.send_at).toBeNull();
    expect((await scenario.send({ ...body, send_at: inMilliseconds(30 * day) })).status).toBe(202);
    const late = await scenario.send({ ...body, send_at: inMilliseconds(30 * day + 1_000) });
    expectRefusal(late, 'push/invalid-send-time');
    const fields = { send_at: expect.any(Array) };
    expectRefusal(await scenario.send({ ...body, send_at: 'tomorrow' }), 'request/validation-failed', fields);
    const dry = await scenario.send({ ...body, dry_run: true, send_at: inMilliseconds(hour) });
    expect(dry.json.data).toEqual({ id: null, status: 'dry_run', target_count: 0 });
  });

  test('comes before messages that were sent in the list, the latest first', async () => {
    const later = await schedule(2 * hour);
    const sent = (await scenario.sent({ ...hello, all: true })).message.id;
    const sooner = await schedule(hour);
    const { items } = (await admin('GET', '/admin/push/messages')).json.data as { items: PushMessage[] };
    expect(items.map(({ id }) => id)).toEqual([later, sooner, sent]);
  });

  test('is scheduled once by calls with one idempotency key', async () => {
    const body = { ...hello, all: true, send_at: inMilliseconds(hour) };
    const twice = () => admin('POST', '/admin/push/send', { body, headers: { 'idempotency-key': 'once' } });
    const [first, second] = [await twice(), await twice()];
    expect(second.json.data).toEqual(first.json.data);
    expect(await scenario.service.database.prisma.pushMessage.count()).toBe(1);
  });

  test('fails without an attempt if the app is disabled by then', async () => {
    await scenario.register('fcm');
    const { service } = scenario;
    const id = await schedule(hour);
    const where = { id: service.app.app.id };
    await service.database.prisma.app.update({ where, data: { enabled: false } });
    await service.advance(hour);
    await service.database.prisma.app.update({ where, data: { enabled: true } });
    const message = await service.database.prisma.pushMessage.findFirstOrThrow({ where: { id } });
    expect([message.status, message.error]).toEqual(['failed', 'app-switched-off']);
  });
});

testOnServer(
  'messages of an app are scheduled one after another, so that none is missed in their number',
  async () => {
    const { database, app } = scenario.service;
    const { scheduled } = await database.prisma.$transaction(async (tx) => {
      await tx.$executeRaw(lockAppOf(app.app.id));
      const scheduled = schedule(hour);
      await untilBlocked(database, 1);
      return { scheduled };
    });
    expect(await scheduled).toBeTypeOf('string');
  },
);

describe('a scheduled message that is cancelled', () => {
  test('is never sent, remains in the list, and is recorded with its schedule in the audit log', async () => {
    await scenario.register('fcm');
    const id = await schedule(hour);
    const answer = await cancel(id);
    expect(answer.json.data).toMatchObject({ id, status: 'cancelled', finished_at: expect.any(String) });
    expectRefusal(await cancel(id), 'push/not-scheduled');
    await scenario.service.advance(2 * hour);
    const { message, receipts } = await scenario.result(id);
    expect([message.status, receipts.size]).toEqual(['cancelled', 0]);
    const target = encodeURIComponent(`push_message:${id}`);
    const { items } = (await admin('GET', `/admin/audit-log?target=${target}`)).json.data;
    expect(items).toMatchObject([
      { action: 'push.cancelled' },
      { action: 'push.sent', details: { send_at: message.send_at } },
    ]);
    expect(items).toHaveLength(2);
  });

  test('has its response stored in the transaction that cancels it, so that a crash leaves both or neither', async () => {
    const id = await schedule(hour);
    const path = `/admin/push/messages/${id}/cancel`;
    const sent = await statements.during(async () => {
      const headers = { 'idempotency-key': 'one cancellation' };
      expect((await admin('POST', path, { headers })).status).toBe(200);
    });
    const places = [/^BEGIN/, /UPDATE push_messages/, /UPDATE idempotency_keys SET answer/, /^COMMIT/].map(
      (pattern) => sent.findLastIndex((sql) => pattern.test(sql)),
    );
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  test('must not have started, and must be one of the app', async () => {
    const sent = (await scenario.sent({ ...hello, all: true })).message.id;
    expectRefusal(await cancel(sent), 'push/not-scheduled');
    const queued = await scenario.send({ ...hello, all: true });
    expectRefusal(await cancel(queued.json.data.id), 'push/not-scheduled');
    const id = await schedule(hour);
    const other = await scenario.service.newApp();
    expectRefusal(
      await admin('POST', `/admin/push/messages/${id}/cancel`, {}, other),
      'push/message-not-found',
    );
    expect((await scenario.result(id)).message.status).toBe('scheduled');
  });

  test('makes room for another one, of which an app has at most 1,000', async () => {
    const { service } = scenario;
    const first = await schedule(hour);
    const row = await service.database.prisma.pushMessage.findFirstOrThrow({ where: { id: first } });
    const at = new Date(service.clock.now().getTime() + hour);
    const data = Array.from({ length: 999 }, () => ({ ...row, target: { all: true }, content: {} }));
    await service.database.prisma.pushMessage.createMany({
      data: data.map((copy) => ({
        ...copy,
        id: ulidWithTime(service.deps.random.ulid(service.clock.now()), at),
      })),
    });
    const another = { ...hello, all: true, send_at: inMilliseconds(day) };
    expectRefusal(await scenario.send(another), 'push/too-many-scheduled');
    expect((await scenario.send({ ...hello, all: true })).status).toBe(202);
    await cancel(first);
    expect((await scenario.send(another)).status).toBe(202);
  });
});
