// Sending over HTTP: targets, refusals, status and receipts; and the rules of the schema of a message.
import { PushMessageInput } from '@foyer/contract';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { passQueueTime, statementLog, type TestUser } from '../../../test/harness.js';
import { apnsSettings } from '../../../test/push-providers.js';
import { type Device, hello, pushScenario } from '../../../test/push-scenario.js';
import { expectRefusal, ulidPattern } from '../../../test/refusal.js';
import { shared } from '../../../test/shared.js';

const statements = statementLog();
let ada: TestUser;
let bob: TestUser;
let devices: { ada: Device; bob: Device; free: Device };
const scenario = shared(() => pushScenario({ onStatement: statements.onStatement }));
beforeAll(async () => {
  [ada, bob] = [await scenario.service.signUp(), await scenario.service.signUp()];
});
beforeEach(async () => {
  await scenario.service.database.prisma.pushDevice.deleteMany();
  devices = {
    ada: await scenario.register('fcm', { user: ada }),
    bob: await scenario.register('apns', { user: bob }),
    free: await scenario.register('webpush'),
  };
});

const day = 86_400_000;
const subscribe = (device: Device, topic: string, user?: TestUser) =>
  scenario.service.call('PUT', `/push/devices/${device.id}/topics/${topic}`, {
    token: user?.tokens.access_token,
  });

/** The recipients, by what the providers have received. */
async function reached(body: object): Promise<string[]> {
  const { message, receipts } = await scenario.sent(body);
  expect(message.target_count).toBe(receipts.size);
  expect(message).toMatchObject({ status: 'done', accepted_count: receipts.size, failed_count: 0 });
  const names = new Map(Object.entries(devices).map(([name, { id }]) => [id, name]));
  return [...receipts.keys()].map((id) => names.get(id) ?? 'a stranger').sort();
}

describe('a message', () => {
  test('goes to the devices of users, to devices, to a topic, or to all', async () => {
    await subscribe(devices.bob, 'news', bob);
    await subscribe(devices.free, 'news');
    expect(await reached({ ...hello, uids: [ada.uid, '01JC4Q7M0RZ9X2V5T8W3Y6K1NB'] })).toEqual(['ada']);
    const device_ids = [devices.free.id, devices.ada.id];
    expect(await reached({ ...hello, device_ids })).toEqual(['ada', 'free']);
    expect(await reached({ ...hello, topic: 'news' })).toEqual(['bob', 'free']);
    expect(await reached({ ...hello, all: true })).toEqual(['ada', 'bob', 'free']);
    expect(await reached({ ...hello, topic: 'nobody' })).toEqual([]);
  });

  test('does not go to invalid devices, devices of another app, or devices that a user no longer has', async () => {
    const { app } = await scenario.service.newApp();
    await scenario.service.call('POST', '/push/devices', {
      appKey: app.appKey,
      body: { provider: 'fcm', platform: 'android', token: 'of-another-app' },
    });
    await scenario.service.database.prisma.pushDevice.updateMany({
      where: { id: { in: [devices.free.id, devices.bob.id] } },
      data: { invalidAt: scenario.service.clock.now() },
    });
    expect(await reached({ ...hello, all: true })).toEqual(['ada']);
    expect(await reached({ ...hello, uids: [ada.uid, bob.uid] })).toEqual(['ada']);
    expect(await reached({ ...hello, device_ids: [devices.ada.id, devices.free.id] })).toEqual(['ada']);
    for (const [device, user] of [[devices.free], [devices.ada, ada]] as const)
      expect((await subscribe(device, 'some-invalid', user)).status).toBe(204);
    expect(await reached({ ...hello, topic: 'some-invalid' })).toEqual(['ada']);
    await scenario.service.call('POST', '/push/devices', {
      body: { provider: 'fcm', platform: 'android', token: devices.ada.token },
    });
    expect(await reached({ ...hello, uids: [ada.uid] })).toEqual([]);
  });

  test('is answered 202 with the number of targets, then stored with its results', async () => {
    const body = { ...hello, data: { order: '1' }, options: { ttl_seconds: 60 }, all: true };
    const answer = await scenario.send(body);
    expect([answer.status, answer.data]).toEqual([
      202,
      { id: expect.stringMatching(ulidPattern), status: 'queued', target_count: 3 },
    ]);
    const { id } = answer.data as { id: string };
    const expected = {
      id,
      target: { all: true },
      notification: hello.notification,
      data: { order: '1' },
      created_by: expect.stringMatching(/^secret_key:[0-9A-Z]{26}$/),
    };
    expect((await scenario.result(id)).message).toMatchObject({
      ...expected,
      options: { ttl_seconds: 60 },
      status: 'queued',
      accepted_count: 0,
      finished_at: null,
    });
    await scenario.service.deps.queue.runNow();
    const { message, receipts } = await scenario.result(id);
    expect(message).toMatchObject({
      ...expected,
      status: 'done',
      accepted_count: 3,
      error: null,
      finished_at: expect.any(String),
    });
    expect(receipts.get(devices.ada.id)).toEqual({
      device_id: devices.ada.id,
      uid: ada.uid,
      provider: 'fcm',
      status: 'accepted',
      error: null,
      provider_message_id: expect.stringContaining('projects/project-1/messages/'),
      attempts: 1,
      updated_at: expect.any(String),
    });
  });

  test('needs exactly one target', async () => {
    const targets = { uids: [ada.uid], device_ids: [devices.ada.id], topic: 'news', all: true };
    expectRefusal(await scenario.send(hello), 'push/invalid-target');
    for (const [one, two] of [
      ['uids', 'all'],
      ['topic', 'device_ids'],
      ['topic', 'all'],
    ] as const) {
      const body = { ...hello, [one]: targets[one], [two]: targets[two] };
      expectRefusal(await scenario.send(body), 'push/invalid-target');
    }
    expectRefusal(await scenario.send({ ...hello, topic: 'no topic' }), 'push/invalid-topic');
  });

  test.each([
    ['an unknown key', { ...hello, all: true, user_ids: [] }, ''],
    ['an icon', { all: true, notification: { ...hello.notification, icon: 'x' } }, 'notification'],
    ['an unknown option', { ...hello, all: true, options: { ttl: 1 } }, 'options'],
    ['neither notification nor data', { all: true }, 'notification'],
    ['neither notification nor a key of data', { all: true, data: {} }, 'notification'],
    ['no users', { ...hello, uids: [] }, 'uids'],
    ['data that is not a string', { all: true, data: { count: 1 } }, 'data.count'],
    ['a key reserved by the providers', { all: true, data: { aps: 'x' } }, 'data.aps'],
    ['all: false', { ...hello, all: false }, 'all'],
    [
      'a picture that is not https',
      { all: true, notification: { title: 'a', body: 'b', image_url: 'http://a.example/b' } },
      'notification.image_url',
    ],
  ])('with %s is refused', (_, body, field) => {
    const { error } = PushMessageInput.safeParse(body);
    expect(error?.issues.map(({ path }) => path.join('.'))).toContain(field);
  });

  test('has at most 1,000 users as target', async () => {
    const uids = Array.from({ length: 1_001 }, () => ada.uid);
    const fields = { uids: [expect.any(String)] };
    expectRefusal(await scenario.send({ ...hello, uids }), 'request/validation-failed', fields);
    expect((await scenario.send({ ...hello, uids: uids.slice(1), dry_run: true })).status).toBe(202);
  });

  test('has at most 3,500 bytes of notification and data, which every provider accepts', async () => {
    const bare = Buffer.byteLength(JSON.stringify({ data: { text: '' } }));
    const data = (bytes: number) => ({ data: { text: `ü${'x'.repeat(bytes - bare - 2)}` }, all: true });
    expectRefusal(await scenario.send(data(3_501)), 'push/payload-too-large');
    const { message } = await scenario.sent({
      ...data(3_500),
      options: { collapse_key: 'x'.repeat(64), sound: 'x'.repeat(64), badge: 1_000_000, ttl_seconds: 1 },
    });
    expect(message).toMatchObject({ status: 'done', accepted_count: 3 });
  });

  test('as a dry run is validated and counted, but neither stored nor sent', async () => {
    const before = await scenario.service.database.prisma.pushMessage.count();
    const { fcm, apns, web } = scenario.providers;
    const sent = () => [fcm, apns, web].map((one) => one.received.length);
    const received = sent();
    const answer = await scenario.send({ ...hello, all: true, dry_run: true });
    expect([answer.status, answer.data]).toEqual([202, { id: null, status: 'dry_run', target_count: 3 }]);
    expectRefusal(await scenario.send({ ...hello, dry_run: true }), 'push/invalid-target');
    await scenario.service.deps.queue.runNow();
    expect(await scenario.service.database.prisma.pushMessage.count()).toBe(before);
    expect(sent()).toEqual(received);
  });

  test('is counted in statements that read at most 20,000 devices each', async () => {
    const { service } = scenario;
    await service.database.prisma
      .$executeRaw`INSERT INTO push_devices (app_id, id, provider, token_hash, token, platform,
        environment, created_at, last_registered_at)
      SELECT ${service.app.app.id}, '0' || n, 'fcm', n::text::bytea, ''::bytea, 'ios', 'production',
        ${service.clock.now()}::timestamptz, ${service.clock.now()}::timestamptz FROM generate_series(1, 20000) AS n`;
    const sent = await statements.during(async () => {
      const answer = await scenario.send({ ...hello, all: true, dry_run: true });
      expect(answer.data).toMatchObject({ target_count: 20_003 });
    });
    const counts = sent.filter((sql) => sql.includes('count(*)') && sql.includes('push_devices'));
    expect(counts).toHaveLength(2);
  });

  test('repeated with its Idempotency-Key is sent once', async () => {
    const { service } = scenario;
    const call = () =>
      service.call<{ id: string }>('POST', '/admin/push/send', {
        token: service.app.secretKey,
        body: { ...hello, uids: [ada.uid] },
        headers: { 'idempotency-key': 'the-only-one' },
      });
    const [first, second] = [await call(), await call()];
    expect(second.data).toEqual(first.data);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    await service.deps.queue.runNow();
    expect(scenario.providers.fcm.count(devices.ada.token)).toBe(1);
  });

  test('is audited without its content', async () => {
    await scenario.sent({ ...hello, uids: [ada.uid] });
    const entry = (await scenario.service.auditEntries({ action: 'push.sent' })).at(-1);
    const target = expect.stringMatching(/^push_message:/);
    expect(entry).toMatchObject({ target, details: { target_count: 1 } });
    expect(JSON.stringify(entry)).not.toContain('Hello');
  });

  test('is deleted with its receipts after 30 days', async () => {
    const { clock, database, advance } = scenario.service;
    const start = clock.now();
    const { message } = await scenario.sent({ ...hello, all: true });
    await advance(30 * day);
    expect(await database.prisma.pushReceipt.count({ where: { messageId: message.id } })).toBe(3);
    await advance(day);
    expect(await database.prisma.pushReceipt.count({ where: { messageId: message.id } })).toBe(0);
    expect(await database.prisma.pushMessage.count({ where: { id: message.id } })).toBe(0);
    clock.set(start);
    [ada, bob] = [await scenario.service.signUp(), await scenario.service.signUp()];
  });
});

describe('lists', () => {
  test('of receipts are those of a message of the app', async () => {
    const { id } = (await scenario.sent({ ...hello, all: true })).message;
    const other = await scenario.service.newApp();
    const as = { appKey: other.app.appKey, token: other.secretKey };
    const path = `/admin/push/messages/${id}/receipts`;
    expectRefusal(await scenario.service.call('GET', path, as), 'push/message-not-found');
  });

  test('of messages are newest first and of receipts by device, both in pages', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1)
      ids.push((await scenario.sent({ ...hello, all: true })).message.id);
    const token = scenario.service.app.secretKey;
    const page = async (path: string) => (await scenario.service.call('GET', path, { token })).json.data;
    const first = await page('/admin/push/messages?limit=2');
    expect(first.items.map(({ id }: { id: string }) => id)).toEqual([ids[2], ids[1]]);
    const next = await page(`/admin/push/messages?limit=1&cursor=${first.next_cursor}`);
    expect(next.items[0].id).toBe(ids[0]);
    const path = `/admin/push/messages/${ids[0]}/receipts`;
    const one = await page(`${path}?limit=2`);
    const two = await page(`${path}?limit=2&cursor=${one.next_cursor}`);
    const seen = [...one.items, ...two.items].map((receipt) => receipt.device_id);
    const known = Object.values(devices).map(({ id }) => id);
    expect(seen).toEqual(known.sort());
    expect(two.next_cursor).toBeNull();
  });

  test('of a user’s devices are available to the app’s backend', async () => {
    const token = scenario.service.app.secretKey;
    const { data } = await scenario.service.call('GET', `/admin/users/${ada.uid}/devices`, { token });
    expect(data).toMatchObject({ items: [{ id: devices.ada.id, user_uid: ada.uid }], next_cursor: null });
    const nobody = '/admin/users/01JC4Q7M0RZ9X2V5T8W3Y6K1NB/devices';
    expectRefusal(await scenario.service.call('GET', nobody, { token }), 'auth/user-not-found');
  });
});

describe('a message whose sending keeps failing', () => {
  const days = (count: number) => passQueueTime(scenario.service.database, count * day);
  const queue = () => scenario.service.deps.queue;
  let id: string;
  beforeEach(async () => {
    ({ id } = (await scenario.send({ ...hello, all: true })).data as { id: string });
    // The credentials can no longer be decrypted.
    await scenario.service.database.prisma.$executeRaw`UPDATE app_secrets SET value = 'x'::bytea || value`;
  });
  afterEach(
    () => scenario.service.database.prisma.$executeRaw`UPDATE app_secrets SET value = substr(value, 2)`,
  );

  const failed = { status: 'failed', error: 'internal-error', accepted_count: 0, failed_count: 0 };

  test('fails with the last attempt', async () => {
    await queue().runNow();
    expect((await scenario.result(id)).message).toMatchObject({ status: 'sending', finished_at: null });
    for (let retry = 0; retry < 20; retry += 1) {
      await days(5);
      await queue().runNow();
    }
    const { message } = await scenario.result(id);
    expect(message).toMatchObject({ ...failed, finished_at: expect.any(String) });
  });

  test('fails within an hour of the last attempt if the process died in it', async () => {
    const { prisma } = scenario.service.database;
    await prisma.$executeRaw`UPDATE pgboss.job SET state = 'active', retry_count = retry_limit, started_on = now()`;
    await days(1);
    await queue().runNow();
    await queue().maintain();
    expect((await scenario.result(id)).message).toMatchObject(failed);
    expect(await prisma.$queryRaw`SELECT 1 FROM pgboss.job`).toEqual([]);
  });
});

describe('without credentials', () => {
  const body = { provider: 'fcm', platform: 'android', token: 'a-token' };

  test('on the embedded database a sink accepts every message', async () => {
    const app = await scenario.service.newApp();
    await scenario.service.call('POST', '/push/devices', { appKey: app.app.appKey, body });
    const answer = await scenario.send({ ...hello, all: true }, app);
    await scenario.service.deps.queue.runNow();
    const { id } = answer.data as { id: string };
    const where = { messageId: id };
    const receipt = await scenario.service.database.prisma.pushReceipt.findFirst({ where });
    expect(receipt).toMatchObject({ status: 'accepted', providerMessageId: expect.stringMatching(/^sink:/) });
  });

  test.each(Object.keys({ ...apnsSettings, private_key: '' }))(
    'on PostgreSQL a message by APNs is refused without the setting `%s`',
    async (missing) => {
      const served = await scenario.service.secondInstance({
        config: { ...scenario.service.deps.config, databaseUrl: 'postgresql://elsewhere' },
      });
      const app = await served.newApp();
      const as = { appKey: app.app.appKey, token: app.secretKey };
      const apns = { ...apnsSettings, private_key: scenario.providers.apns.privateKey };
      await served.changeSettings({ push: { apns: { ...apns, [missing]: null } } }, app);
      const device = { provider: 'apns', platform: 'ios', token: 'ab'.repeat(32) };
      await served.call('POST', '/push/devices', { appKey: as.appKey, body: device });
      const send = () => served.call('POST', '/admin/push/send', { ...as, body: { ...hello, all: true } });
      expectRefusal(await send(), 'push/provider-not-configured');
      await served.changeSettings({ push: { apns } }, app);
      expect((await send()).status).toBe(202);
      await served.stop();
    },
  );

  test('on PostgreSQL a message is refused if no target is reachable, otherwise it fails for unreachable ones', async () => {
    const served = await scenario.service.secondInstance({
      config: { ...scenario.service.deps.config, databaseUrl: 'postgresql://elsewhere' },
    });
    const app = await served.newApp();
    const as = { appKey: app.app.appKey, token: app.secretKey };
    const send = () => served.call('POST', '/admin/push/send', { ...as, body: { ...hello, all: true } });
    expect((await send()).status).toBe(202);
    await served.call('POST', '/push/devices', { appKey: as.appKey, body });
    expectRefusal(await send(), 'push/provider-not-configured');
    await served.changeSettings({ push: { web_push: { subject: 'mailto:a@example.com' } } }, app);
    const web = { ...scenario.providers.web.subscription(), provider: 'webpush', platform: 'web' };
    const device = await served.call('POST', '/push/devices', { appKey: as.appKey, body: web });
    expect([device.status, device.text]).toEqual([201, expect.any(String)]);
    const { data } = await send();
    await served.deps.queue.runNow();
    const path = `/admin/push/messages/${(data as { id: string }).id}`;
    const done = { status: 'done', accepted_count: 1, failed_count: 1 };
    expect((await served.call('GET', path, as)).data).toMatchObject(done);
    const receipts = (await served.call('GET', `${path}/receipts`, as)).json.data.items;
    const unreachable = receipts.find((one: { provider: string }) => one.provider === 'fcm');
    expect(unreachable).toMatchObject({ status: 'failed', error: 'provider-not-configured' });
    await served.stop();
  });
});
