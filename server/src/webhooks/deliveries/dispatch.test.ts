// No event is lost or duplicated: late commits, concurrent instances, leases, order.
import { type EventType, limits } from '@foyer/contract';
import type { Prisma } from '@foyer/prisma';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { cheapPasswordHasher, statementLog, type TestService, testService } from '../../../test/harness.js';
import { type Receiver, startReceiver, webhookScenario } from '../../../test/webhook-scenario.js';
import { deliveryWorker } from './delivery-worker.js';
import { dispatchEvents } from './dispatch.js';

let service: TestService;
let receiver: Receiver;
let webhookId: string;
const statements = statementLog();
const scenario = webhookScenario(() => service);
beforeAll(async () => {
  service = await testService({
    onStatement: statements.onStatement,
    overrides: { passwordHasher: await cheapPasswordHasher() },
    config: { outboundLoopback: true },
  });
});
afterAll(() => service.stop());
beforeEach(async () => {
  receiver = await startReceiver();
  webhookId = (await scenario.create({ url: receiver.url, types: ['user.created'] })).id;
});
afterEach(async () => {
  await scenario.removeAll();
  await receiver.close();
});

const prisma = () => service.database.prisma;
const minute = 60_000;
const uidsAt = ({ received }: Receiver) =>
  received.map(({ payload }) => (payload.data as { user: { uid: string } }).user.uid);
const receivedIds = () => receiver.received.map(({ payload }) => payload.id);

test('an event that commits after one with a higher id is sent', async () => {
  const { uid } = await service.signUp();
  await service.advance(0);
  const [first] = receiver.received;
  const low = service.deps.random.ulid(service.clock.now());
  // Another event with a higher id is committed and sent first.
  await service.signUp();
  await service.advance(0);
  expect(receiver.received).toHaveLength(2);
  await prisma().event.create({
    data: {
      appId: service.app.app.id,
      id: low,
      type: 'user.created' satisfies EventType,
      uid,
      data: JSON.parse(JSON.stringify(first?.payload.data)) as Prisma.InputJsonValue,
      pending: true,
      createdAt: service.clock.now(),
    },
  });
  await service.advance(0);
  expect(receivedIds().at(-1)).toBe(`evt_${low}`);
});

const patch = (body: object) =>
  service.call('PATCH', `/admin/webhooks/${webhookId}`, { token: service.app.secretKey, body });

test('events from before a webhook was disabled are sent when it is enabled again; events from the meantime are not', async () => {
  const before = await service.signUp();
  expect((await patch({ enabled: false })).status).toBe(200);
  await service.signUp();
  await service.advance(0);
  expect(receiver.received).toEqual([]);
  expect((await patch({ enabled: true })).status).toBe(200);
  const after = await service.signUp();
  await service.advance(0);
  expect(uidsAt(receiver)).toEqual([before.uid, after.uid]);
});

test('events from before a webhook or its subscription existed are not sent to it', async () => {
  await patch({ types: ['user.deleted'] });
  await service.signUp();
  await patch({ types: ['user.created'] });
  const late = await startReceiver();
  await scenario.create({ url: late.url, types: ['user.created'] });
  const { uid } = await service.signUp();
  await service.advance(0);
  for (const each of [receiver, late]) expect(uidsAt(each)).toEqual([uid]);
  await late.close();
});

test('an event of a transaction that is rolled back is never sent', async () => {
  const { uid } = await service.signUp();
  await service.advance(0);
  const count = await prisma().event.count();
  const undone = prisma().$transaction(async (tx) => {
    await tx.event.updateMany({ where: { uid }, data: { pending: true } });
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  await service.advance(0);
  expect(await prisma().event.count()).toBe(count);
  expect(receiver.received).toHaveLength(1);
});

test('three concurrent instances send each event once', async () => {
  const others = await Promise.all(
    [1, 2].map(() => service.secondInstance({ config: { outboundLoopback: true } })),
  );
  for (let count = 0; count < 60; count += 1) await service.signUp();
  const works = [service, ...others].map(({ deps }) => deliveryWorker(deps));
  await Promise.all(works.map((work) => work.runNow()));
  // The last poll sends what was above the limit of the webhook.
  await service.advance(0);
  expect(receivedIds()).toHaveLength(60);
  expect(new Set(receivedIds()).size).toBe(60);
  expect((await scenario.deliveries(webhookId)).every(({ status }) => status === 'succeeded')).toBe(true);
  for (const work of works) await work.stop();
  for (const other of others) await other.stop();
});

describe('an attempt whose instance dies before the answer', () => {
  test('is repeated by another instance when the lease expires, not before', async () => {
    receiver.answer(() => {});
    const dying = await service.secondInstance({ config: { outboundLoopback: true } });
    await service.signUp();
    const dead = deliveryWorker(dying.deps).runNow();
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), { timeout: 15_000 });
    receiver.answer(204);
    await service.advance(minute - 1);
    expect(receiver.received).toHaveLength(1);
    await service.advance(1);
    const [first, second] = receivedIds();
    expect(second).toBe(first);
    expect((await scenario.deliveries(webhookId))[0]).toMatchObject({ status: 'succeeded', attempts: 1 });
    // Otherwise it would claim deliveries of later tests.
    await dying.deps.ssrfSafeFetch.close();
    await dead;
    await dying.stop();
  });

  test('or answers after the lease has no effect', async () => {
    let late: (() => void) | undefined;
    receiver.answer((_, res) => {
      late = () => res.writeHead(500).end();
    });
    const slow = await service.secondInstance({ config: { outboundLoopback: true } });
    await service.signUp();
    const work = deliveryWorker(slow.deps);
    const done = work.runNow();
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), { timeout: 15_000 });
    receiver.answer(204);
    await service.advance(minute);
    expect((await scenario.deliveries(webhookId))[0]).toMatchObject({ status: 'succeeded', attempts: 1 });
    late?.();
    await done;
    expect((await scenario.deliveries(webhookId))[0]).toMatchObject({
      status: 'succeeded',
      attempts: 1,
      response_status: 204,
    });
    expect((await scenario.get(webhookId)).failing_since).toBeNull();
    await work.stop();
    await slow.stop();
  });
});

test('without failures, first attempts start in the order of the events', async () => {
  const begun: string[] = [];
  const { ssrfSafeFetch } = service.deps;
  const watched = await service.secondInstance({
    overrides: {
      ssrfSafeFetch: {
        ...ssrfSafeFetch,
        send: (address, request) => {
          begun.push(request.headers['webhook-id'] as string);
          return ssrfSafeFetch.send(address, request);
        },
      },
    },
  });
  for (let count = 0; count < 25; count += 1) await service.signUp();
  await watched.advance(0);
  const listed = await scenario.call<{ items: { id: string }[] }>(
    'GET',
    '/events?type=user.created&limit=25',
  );
  expect(begun).toEqual(listed.data.items.map(({ id }) => id).reverse());
  await watched.stop();
});

test('a failing webhook has two concurrent attempts, a working one ten', async () => {
  receiver.answer(500);
  await service.signUp();
  await service.advance(0);
  expect((await scenario.get(webhookId)).failing_since).not.toBeNull();
  const held: (() => void)[] = [];
  const count = receiver.received.length;
  receiver.answer((_, res) => void held.push(() => res.end()));
  for (let users = 0; users < 8; users += 1) await service.signUp();
  const done = service.advance(0);
  await vi.waitFor(() => expect(held).toHaveLength(2), { timeout: 15_000 });
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(receiver.received).toHaveLength(count + 2);
  receiver.answer(204);
  for (const end of held) end();
  await done;
  expect(receiver.received).toHaveLength(count + 8);
  expect((await scenario.get(webhookId)).failing_since).toBeNull();
});

test('a delivery whose event is no longer stored fails with the reason', async () => {
  await service.signUp();
  receiver.answer(500);
  await service.advance(0);
  await prisma().event.deleteMany();
  await service.advance(minute);
  expect((await scenario.deliveries(webhookId))[0]).toMatchObject({
    status: 'failed',
    error: 'the event is no longer stored',
  });
});

test('new events do not wait for the end of a long replay', async () => {
  await service.advance(0);
  const appId = service.app.app.id;
  const now = service.clock.now();
  const old = Array.from({ length: 1_100 }, () => ({
    appId,
    id: service.deps.random.ulid(now),
    type: 'user.created',
    uid: service.deps.random.ulid(now),
    data: {},
    pending: false,
    createdAt: now,
  }));
  await prisma().event.createMany({ data: old });
  const replay = { since: new Date(now.getTime() - minute), until: new Date(now.getTime() + minute) };
  const { status } = await scenario.call('POST', `/webhooks/${webhookId}/replay`, { body: replay });
  expect(status).toBe(202);
  expect(await dispatchEvents(service.deps)).toBe(true);
  await service.signUp();
  expect(await dispatchEvents(service.deps)).toBe(true);
  const count = (trigger: string) =>
    prisma().webhookDelivery.count({ where: { endpointId: webhookId, trigger } });
  expect([await count('event'), await count('replay')]).toEqual([1, limits.webhookReplayPending - 1]);
  await prisma().webhookReplay.deleteMany();
  await prisma().event.deleteMany({ where: { id: { in: old.map(({ id }) => id) } } });
});

test('an idle poll is one read statement', async () => {
  await service.advance(0);
  const work = deliveryWorker(service.deps);
  const sent = await statements.during(() => work.poll());
  expect(sent).toHaveLength(1);
  await work.stop();
});
