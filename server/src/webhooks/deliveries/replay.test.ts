// Replays: their events, one per webhook, and backpressure of a slow receiver.
import { limits } from '@foyer/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { testService } from '../../../test/harness.js';
import { expectRefusal } from '../../../test/refusal.js';
import { shared } from '../../../test/shared.js';
import { startReceiver, uidsAt, webhookScenario } from '../../../test/webhook-scenario.js';
import { eventDispatcher } from '../dispatch/dispatch.js';

const service = shared(() => testService({ config: { outboundLoopback: true } }));
const receiver = shared(() => startReceiver());
const scenario = webhookScenario(() => service);
beforeEach(() => {
  receiver.received.length = 0;
});
afterEach(async () => {
  await scenario.removeAll();
  await prisma().event.deleteMany();
});

const prisma = () => service.database.prisma;
const dispatchEvents = () => eventDispatcher(service.deps)();
const day = 24 * 3_600_000;
const maxPending = limits.webhookReplayPending;

/** Inserts events that are already dispatched. */
const eventsNow = (count: number) => scenario.insertEvents(count, { pending: false });

function replay(id: string, since: Date = new Date(service.clock.now().getTime() - 1)) {
  const until = new Date(service.clock.now().getTime() + 1);
  return scenario.call('POST', `/webhooks/${id}/replay`, { body: { since, until } });
}

const pending = (endpointId: string) =>
  prisma().webhookDelivery.count({ where: { endpointId, nextAttemptAt: { not: null } } });

/** Completes some pending deliveries without sending them. */
async function complete(endpointId: string, count: number): Promise<void> {
  const where = { endpointId, nextAttemptAt: { not: null } };
  const rows = await prisma().webhookDelivery.findMany({ where, orderBy: { id: 'asc' }, take: count });
  await prisma().webhookDelivery.updateMany({
    where: { id: { in: rows.map(({ id }) => id) } },
    data: { status: 'succeeded', nextAttemptAt: null },
  });
}

describe('a replay', () => {
  test('sends the events of a period again, oldest first, each under its own id', async () => {
    await service.advance(day);
    const since = service.clock.now();
    const users = [(await service.signUp()).uid];
    for (let count = 0; count < 2; count += 1) {
      service.clock.advance(1_000);
      users.push((await service.signUp()).uid);
    }
    // A microsecond after the last of them.
    const until = service.clock.now().toISOString().replace('Z', '001Z');
    service.clock.advance(1);
    await service.signUp();
    // Created afterwards, so none of these events was sent before.
    const { id } = await scenario.create({ url: receiver.url, types: ['user.created'] });
    const answer = await scenario.call('POST', `/webhooks/${id}/replay`, { body: { since, until } });
    expect(answer.status).toBe(202);
    expect(answer.data).toMatchObject({ since: since.toISOString().replace('Z', '000Z') });
    await service.advance(0);
    // Deliveries are concurrent.
    expect(uidsAt(receiver).sort()).toEqual(users.sort());
    const deliveries = await scenario.deliveries(id);
    expect(deliveries.every(({ trigger }) => trigger === 'replay')).toBe(true);
    const path = '/events?type=user.created&limit=4';
    const listed = await scenario.call<{ items: { id: string }[] }>('GET', path);
    // Both lists have the newest first.
    const ids = listed.data.items.slice(1).map((event) => event.id);
    expect(deliveries.map(({ event_id }) => event_id)).toEqual(ids);
  });

  test.each([
    {},
    { since: 'yesterday' },
    { since: '2026-01-01' },
    { since: 1 },
    { since: '9999-12-31T23:59:59-23:59' },
    { since: '2026-01-02T00:00:00Z', until: '2026-01-02T00:00:00Z' },
    { since: '2026-01-02T00:00:00Z', until: '2026-01-02T01:00:00+02:00' },
  ])('is refused for %j', async (body) => {
    const { id } = await scenario.create({ url: receiver.url });
    const answer = await scenario.call('POST', `/webhooks/${id}/replay`, { body });
    expect(answer.code).toBe('request/validation-failed');
  });
});

describe('a webhook has one replay at a time:', () => {
  test('a second is refused until the first has created its last delivery', async () => {
    await eventsNow(1);
    const { id } = await scenario.create({ url: receiver.url });
    const other = await scenario.create({ url: receiver.url });
    const answers = await Promise.all([replay(id), replay(id), replay(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    if (refused) expectRefusal(refused, 'webhooks/replay-in-progress');
    expect((await replay(other.id)).status).toBe(202);
    await service.advance(0);
    expect(await scenario.deliveries(id)).toHaveLength(1);
    expect(await scenario.deliveries(other.id)).toHaveLength(1);
    expect((await replay(id)).status).toBe(202);
  });

  test('it ends with the webhook', async () => {
    const { id } = await scenario.create({ url: receiver.url });
    expect((await replay(id)).status).toBe(202);
    await scenario.call('DELETE', `/webhooks/${id}`);
    expect(await prisma().webhookReplay.count()).toBe(0);
    expectRefusal(await replay(id), 'webhooks/not-found');
  });
});

test('a replay to a failing receiver is bounded, delays no other, and sends each event once after it recovers', async () => {
  const names = await eventsNow(maxPending + 20);
  const { id } = await scenario.create({ url: receiver.url, types: ['user.updated'] });
  await scenario.update(id, { enabled: false });
  await replay(id);
  await service.advance(0);
  expect(await pending(id)).toBe(maxPending);
  await service.advance(1_000);
  expect(await pending(id)).toBe(maxPending);
  expectRefusal(await replay(id), 'webhooks/replay-in-progress');
  // One more for each that completes.
  await complete(id, 1);
  expect(await dispatchEvents()).toBe(true);
  expect(await dispatchEvents()).toBe(false);
  expect(await pending(id)).toBe(maxPending);

  await eventsNow(3);
  const quick = await scenario.create({ url: receiver.url, types: ['user.updated'] });
  await replay(quick.id);
  const late = await scenario.create({ url: receiver.url, types: ['user.created'] });
  await scenario.signUp();
  expect(await scenario.deliveries(quick.id)).toHaveLength(3);
  expect(await scenario.deliveries(late.id)).toHaveLength(1);
  expect(await prisma().webhookReplay.count()).toBe(1);

  receiver.received.length = 0;
  await complete(id, maxPending - 10);
  await scenario.update(id, { enabled: true });
  await service.advance(0);
  const sent = receiver.received.map(({ payload }) => payload.id).sort();
  expect(sent).toEqual(names.slice(maxPending - 9));
  const deliveries = await prisma().webhookDelivery.findMany({ where: { endpointId: id } });
  expect(deliveries.map(({ eventId }) => `evt_${eventId}`).sort()).toEqual(names);
  expect((await replay(id)).status).toBe(202);
});

test('in a round at most four apps replay a batch each, and the next round goes on with the others', async () => {
  for (let count = 0; count < 6; count += 1) {
    const app = await service.newApp();
    const as = { appKey: app.app.appKey, token: app.secretKey };
    // The events are of another type: a batch advances the replay without deliveries.
    const body = { url: receiver.url, types: ['user.created'] };
    const { data } = await scenario.call<{ id: string }>('POST', '/webhooks', { ...as, body });
    await scenario.insertEvents(501, { appId: app.app.id, pending: false });
    const since = new Date(service.clock.now().getTime() - 1);
    const until = new Date(service.clock.now().getTime() + 1);
    await scenario.call('POST', `/webhooks/${data.id}/replay`, { ...as, body: { since, until } });
  }
  const dispatch = eventDispatcher(service.deps);
  const progress = async () => {
    const replays = await prisma().webhookReplay.findMany();
    return new Map(replays.map(({ appId, afterId }) => [appId, afterId]));
  };
  const inRound = async () => {
    const before = await progress();
    expect(await dispatch()).toBe(true);
    const after = await progress();
    return [...before.keys()].filter((appId) => after.get(appId) !== before.get(appId));
  };
  const [first, second, third] = [await inRound(), await inRound(), await inRound()];
  expect([first, second, third].map((each) => each.length)).toEqual([4, 4, 4]);
  // Twelve batches: each of the six apps had its two.
  expect(await prisma().webhookReplay.count()).toBe(0);
  expect(new Set([...first, ...second]).size).toBe(6);
  await prisma().webhookEndpoint.deleteMany();
});

test('of the replays that all wait for their receivers, each goes on with the first poll after it may', async () => {
  const apps: string[] = [];
  for (let count = 0; count < 6; count += 1) {
    const app = await service.newApp();
    const as = { appKey: app.app.appKey, token: app.secretKey };
    const { data } = await scenario.call<{ id: string }>('POST', '/webhooks', {
      ...as,
      body: { url: receiver.url },
    });
    const since = service.clock.now();
    await scenario.call('POST', `/webhooks/${data.id}/replay`, { ...as, body: { since } });
    await prisma().$executeRaw`INSERT INTO webhook_deliveries
        (app_id, id, endpoint_id, event_id, event_type, trigger, next_attempt_at, created_at)
      SELECT ${app.app.id}, ${data.id} || n, ${data.id}, n::text, 'user.created', 'replay', now() + interval '1 day', now()
      FROM generate_series(1, ${limits.webhookReplayPending}::int) AS n`;
    apps.push(app.app.id);
  }
  const dispatch = eventDispatcher(service.deps);
  const poll = async () => {
    while (await dispatch());
    return (await prisma().webhookReplay.findMany()).map(({ appId }) => appId).sort();
  };
  apps.sort();
  expect(await poll()).toEqual(apps);
  while (apps.length > 0) {
    await prisma().webhookDelivery.deleteMany({ where: { appId: apps.shift() as string } });
    expect(await poll()).toEqual(apps);
  }
  await prisma().webhookEndpoint.deleteMany();
});
