// No event is lost or duplicated: late commits, concurrent instances, leases, order, changes of the webhook.
import { type EventType, limits } from '@foyer/contract';
import type { Prisma } from '@foyer/prisma';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { testOnServer } from '../../../test/blocked.js';
import { statementLog, testService } from '../../../test/harness.js';
import { shared } from '../../../test/shared.js';
import {
  patientFetch,
  type Receiver,
  startReceiver,
  uidsAt,
  webhookScenario,
} from '../../../test/webhook-scenario.js';
import { deliveryWorker } from '../deliveries/delivery-worker.js';
import { eventDispatcher } from './dispatch.js';

let receiver: Receiver;
let webhookId: string;
const statements = statementLog();
const service = shared(() =>
  testService({ onStatement: statements.onStatement, overrides: { ssrfSafeFetch: patientFetch() } }),
);
const scenario = webhookScenario(() => service);
beforeEach(async () => {
  receiver = await startReceiver();
  webhookId = (await scenario.create({ url: receiver.url, types: ['user.created'] })).id;
});
afterEach(async () => {
  await scenario.removeAll();
  await receiver.stop();
});

const prisma = () => service.database.prisma;
const dispatchEvents = () => eventDispatcher(service.deps)();
const minute = 60_000;
const receivedIds = () => receiver.received.map(({ payload }) => payload.id);

test('an event that commits after one with a higher id is sent', async () => {
  const { uid } = await scenario.signUp();
  const [first] = receiver.received;
  const low = service.deps.random.ulid(service.clock.now());
  // Another event with a higher id is committed and sent first.
  await scenario.signUp();
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

const patch = (body: object) => scenario.update(webhookId, body);

test('events from before a webhook was disabled are sent when it is enabled again; events from the meantime are not', async () => {
  const before = await service.signUp();
  await patch({ enabled: false });
  await scenario.signUp();
  expect(receiver.received).toEqual([]);
  await patch({ enabled: true });
  const after = await scenario.signUp();
  // Deliveries are concurrent.
  expect(uidsAt(receiver).sort()).toEqual([before.uid, after.uid].sort());
});

test('events from before a webhook is disabled for its answer are sent when it is enabled again', async () => {
  let during: string | undefined;
  receiver.answer((_, res) => {
    service.signUp().then(({ uid }) => {
      during = uid;
      res.writeHead(410).end();
    });
  });
  await scenario.signUp();
  expect(await scenario.get(webhookId)).toMatchObject({ enabled: false, disabled_reason: 'gone' });
  expect(receiver.received).toHaveLength(1);
  receiver.answer(204);
  await patch({ enabled: true });
  await service.advance(0);
  expect(uidsAt(receiver).slice(1)).toEqual([during]);
});

test('a change of a webhook inserts no deliveries if no event is pending', async () => {
  await service.advance(0);
  const sent = await statements.during(() => patch({ types: [] }));
  expect(sent.filter((sql) => sql.includes('INSERT INTO webhook_deliveries'))).toEqual([]);
});

test('all events from before a change of a webhook go to it as it was, also more than one batch of them', async () => {
  await patch({ types: [] });
  await scenario.insertEvents(501);
  await patch({ types: ['user.deleted'] });
  expect(await prisma().event.count({ where: { pending: true } })).toBe(0);
  expect(await prisma().webhookDelivery.count({ where: { endpointId: webhookId } })).toBe(501);
});

test('events from before a webhook or its subscription existed are not sent to it', async () => {
  await patch({ types: ['user.deleted'] });
  await service.signUp();
  await patch({ types: ['user.created'] });
  const late = await startReceiver();
  await scenario.create({ url: late.url, types: ['user.created'] });
  const { uid } = await scenario.signUp();
  for (const each of [receiver, late]) expect(uidsAt(each)).toEqual([uid]);
  await late.stop();
});

test('an event of a transaction that is rolled back is never sent', async () => {
  const { uid } = await scenario.signUp();
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
  const others = await Promise.all([1, 2].map(() => service.secondInstance()));
  await patch({ types: [] });
  const names = await scenario.insertEvents(60);
  const works = [service, ...others].map(({ deps }) => deliveryWorker(deps));
  await Promise.all(works.map((work) => work.runNow()));
  // The last poll sends what was above the limit of the webhook.
  await service.advance(0);
  expect(receivedIds().sort()).toEqual(names);
  expect((await scenario.deliveries(webhookId)).every(({ status }) => status === 'succeeded')).toBe(true);
  for (const work of works) await work.stop();
  for (const other of others) await other.stop();
});

testOnServer('what another instance has locked is left to it, and the rest is sent', async () => {
  await patch({ types: ['user.updated', 'audit.user.signed_up'] });
  const [theirs, ours] = [await scenario.insertEvents(2), await scenario.insertEvents(1)];
  const { uid: other } = await service.signUp();
  await dispatchEvents();
  const locked = (await scenario.deliveries(webhookId)).filter(({ event_id }) => theirs.includes(event_id));
  const more = await scenario.insertEvents(2);
  const { uid } = await service.signUp();
  await prisma().$transaction(async (tx) => {
    const appId = service.app.app.id;
    const lockedIds = [more[0]?.slice(4), ...locked.map(({ id }) => id)];
    await tx.$executeRaw`SELECT FROM webhook_deliveries WHERE app_id = ${appId} AND id = ANY (${lockedIds}) FOR UPDATE`;
    await tx.$executeRaw`SELECT FROM events WHERE app_id = ${appId} AND id = ANY (${lockedIds}) FOR UPDATE`;
    await tx.$executeRaw`SELECT FROM audit_log WHERE app_id = ${appId} AND user_id = ${uid} FOR UPDATE`;
    await service.advance(0);
    const entry = await tx.auditLog.findFirstOrThrow({ where: { uid: other, action: 'user.signed_up' } });
    expect(receivedIds().sort()).toEqual([...ours, `evt_${entry.id}`, more[1]].sort());
  });
  await service.advance(0);
  expect(receivedIds()).toHaveLength(7);
});

describe('an attempt whose instance dies before the answer', () => {
  test('is repeated by another instance when the lease expires, not before; pending events are sent at once', async () => {
    receiver.answer(() => {});
    const dying = await service.secondInstance({ overrides: { ssrfSafeFetch: patientFetch() } });
    await patch({ types: [] });
    const begun = await scenario.insertEvents(12);
    const dead = deliveryWorker(dying.deps).runNow();
    // The limit of a webhook: two deliveries have not begun.
    await vi.waitFor(() => expect(receiver.received).toHaveLength(10), { timeout: 60_000 });
    const cutOff = receivedIds();
    receiver.answer(204);
    const since = await scenario.insertEvents(1);
    await service.advance(minute - 1);
    expect(receivedIds().slice(10).sort()).toEqual([...begun.slice(10), ...since]);
    await service.advance(1);
    expect(receivedIds().slice(13).sort()).toEqual(cutOff.sort());
    const deliveries = await scenario.deliveries(webhookId);
    expect(deliveries).toHaveLength(13);
    for (const each of deliveries) expect(each).toMatchObject({ status: 'succeeded', attempts: 1 });
    expect(await prisma().event.count({ where: { pending: true } })).toBe(0);
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
    const slow = await service.secondInstance();
    await service.signUp();
    const work = deliveryWorker(slow.deps);
    const done = work.runNow();
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), { timeout: 60_000 });
    receiver.answer(204);
    await service.advance(minute);
    const delivered = { status: 'succeeded', attempts: 1, response_status: 204 };
    expect(await scenario.newest(webhookId)).toMatchObject(delivered);
    late?.();
    await done;
    expect(await scenario.newest(webhookId)).toMatchObject(delivered);
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
  await patch({ types: [] });
  const names = await scenario.insertEvents(25);
  await watched.advance(0);
  expect(begun).toEqual(names);
  await watched.stop();
});

test('a failing webhook has two concurrent attempts, a working one ten', async () => {
  receiver.answer(500);
  await scenario.signUp();
  expect((await scenario.get(webhookId)).failing_since).not.toBeNull();
  const held: (() => void)[] = [];
  const count = receiver.received.length;
  receiver.answer((_, res) => void held.push(() => res.end()));
  await patch({ types: [] });
  await scenario.insertEvents(8);
  const done = service.advance(0);
  await vi.waitFor(() => expect(held).toHaveLength(2), { timeout: 60_000 });
  expect(await prisma().webhookDelivery.count({ where: { leaseId: { not: null } } })).toBe(2);
  receiver.answer(204);
  for (const end of held) end();
  await done;
  expect(receiver.received).toHaveLength(count + 8);
  expect((await scenario.get(webhookId)).failing_since).toBeNull();
});

test('a delivery whose event is no longer stored fails with the reason', async () => {
  receiver.answer(500);
  await scenario.signUp();
  await prisma().event.deleteMany();
  await service.advance(minute);
  const gone = { status: 'failed', error: 'the event is no longer stored' };
  expect(await scenario.newest(webhookId)).toMatchObject(gone);
});

test('new events do not wait for the end of a long replay', async () => {
  await service.advance(0);
  const now = service.clock.now();
  await patch({ types: ['user.created', 'user.updated'] });
  await scenario.insertEvents(1_100, { pending: false });
  const replay = { since: new Date(now.getTime() - minute), until: new Date(now.getTime() + minute) };
  const { status } = await scenario.call('POST', `/webhooks/${webhookId}/replay`, { body: replay });
  expect(status).toBe(202);
  expect(await dispatchEvents()).toBe(true);
  await service.signUp();
  expect(await dispatchEvents()).toBe(true);
  const count = (trigger: string) =>
    prisma().webhookDelivery.count({ where: { endpointId: webhookId, trigger } });
  expect([await count('event'), await count('replay')]).toEqual([1, limits.webhookReplayPending - 1]);
  await prisma().webhookReplay.deleteMany();
  await prisma().event.deleteMany();
});

test('an idle poll is one read statement', async () => {
  await service.advance(0);
  const work = deliveryWorker(service.deps);
  const sent = await statements.during(() => work.pollIfDue());
  expect(sent).toHaveLength(1);
  await work.stop();
});

describe('a URL that changes during an attempt', () => {
  let next: Receiver;
  beforeEach(async () => {
    next = await startReceiver();
  });
  afterEach(() => next.stop());

  /** Starts an attempt to the old URL, changes the URL, and leaves the attempt unanswered. */
  async function changeUrlDuringAttempt() {
    const held: ((status: number) => void)[] = [];
    receiver.answer((_, res) => void held.push((status) => res.writeHead(status).end()));
    const done = service.advance(0);
    await vi.waitFor(() => expect(held).toHaveLength(1), { timeout: 60_000 });
    await scenario.update(webhookId, { url: next.url });
    return async (status: number) => {
      for (const answer of held) answer(status);
      await done;
    };
  }

  test.each([410, 500])(
    'is not affected by the answer %i of the old one, and gets the event',
    async (status) => {
      await service.signUp();
      const answered = await changeUrlDuringAttempt();
      await answered(status);
      const working = { url: next.url, enabled: true, disabled_reason: null, failing_since: null };
      expect(await scenario.get(webhookId)).toMatchObject(working);
      expect(await scenario.newest(webhookId)).toMatchObject({ status: 'pending', attempts: 1 });
      await service.advance(6_000);
      expect(next.received.map(({ payload }) => payload.id)).toEqual([receiver.received[0]?.payload.id]);
      expect(receiver.received).toHaveLength(1);
    },
  );

  test('keeps its failures when the old one succeeds', async () => {
    await service.signUp();
    const answered = await changeUrlDuringAttempt();
    next.answer(500);
    await service.signUp();
    const more = service.advance(0);
    await vi.waitFor(async () => expect((await scenario.get(webhookId)).failing_since).not.toBeNull(), {
      timeout: 60_000,
    });
    await answered(204);
    await more;
    expect((await scenario.get(webhookId)).failing_since).not.toBeNull();
    expect(next.received).toHaveLength(1);
  });

  test('after five days of failures is not disabled', async () => {
    receiver.answer(500);
    await scenario.signUp();
    // The next attempt would disable it.
    service.clock.advance(5 * 24 * 60 * minute);
    const answered = await changeUrlDuringAttempt();
    await answered(500);
    expect(await scenario.get(webhookId)).toMatchObject({ enabled: true, failing_since: null });
  });
});

test('a new URL resets the failures, the same one does not', async () => {
  receiver.answer(500);
  await scenario.signUp();
  const { failing_since } = await scenario.get(webhookId);
  expect(failing_since).not.toBeNull();
  expect(await scenario.update(webhookId, { url: receiver.url })).toMatchObject({ failing_since });
  const url = `${receiver.url}/next`;
  expect(await scenario.update(webhookId, { url })).toMatchObject({ url, failing_since: null });
});
