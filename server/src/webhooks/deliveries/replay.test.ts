// Replays: their events, one per webhook, and backpressure of a slow receiver.
import { limits } from '@foyer/contract';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { cheapPasswordHasher, type TestService, testService } from '../../../test/harness.js';
import { expectRefusal } from '../../../test/refusal.js';
import { type Receiver, startReceiver, webhookScenario } from '../../../test/webhook-scenario.js';
import { dispatchEvents } from './dispatch.js';

let service: TestService;
let receiver: Receiver;
const scenario = webhookScenario(() => service);
beforeAll(async () => {
  const passwordHasher = await cheapPasswordHasher();
  service = await testService({ overrides: { passwordHasher }, config: { outboundLoopback: true } });
  receiver = await startReceiver();
});
afterEach(async () => {
  await scenario.removeAll();
  await prisma().event.deleteMany();
});
afterAll(async () => {
  await receiver.close();
  await service.stop();
});

const prisma = () => service.database.prisma;
const day = 24 * 3_600_000;
const maxPending = limits.webhookReplayPending;

/** Inserts events that are already dispatched, oldest first. */
async function eventsNow(count: number): Promise<string[]> {
  const now = service.clock.now();
  const ids = Array.from({ length: count }, () => service.deps.random.ulid(now)).sort();
  const event = { appId: service.app.app.id, type: 'user.updated', uid: service.deps.random.ulid(now) };
  await prisma().event.createMany({ data: ids.map((id) => ({ ...event, id, data: {}, createdAt: now })) });
  return ids.map((id) => `evt_${id}`);
}

function replay(id: string, since: Date = new Date(service.clock.now().getTime() - 1)) {
  const until = new Date(service.clock.now().getTime() + 1);
  return scenario.call('POST', `/webhooks/${id}/replay`, { body: { since, until } });
}

const pending = (endpointId: string) =>
  prisma().webhookDelivery.count({ where: { endpointId, nextAttemptAt: { not: null } } });
const setEnabled = (id: string, enabled: boolean) =>
  scenario.call('PATCH', `/webhooks/${id}`, { body: { enabled } });

describe('a replay', () => {
  test('sends the events of a period again, oldest first, each under its own id', async () => {
    await service.advance(day);
    const since = service.clock.now();
    const users = [];
    for (let count = 0; count < 3; count += 1) {
      users.push((await service.signUp()).uid);
      service.clock.advance(1_000);
    }
    const until = service.clock.now();
    await service.signUp();
    // Created afterwards, so none of these events was sent before.
    const { id } = await scenario.create({ url: receiver.url, types: ['user.created'] });
    const count = receiver.received.length;
    const answer = await scenario.call('POST', `/webhooks/${id}/replay`, { body: { since, until } });
    expect(answer.status).toBe(202);
    expect(answer.data).toMatchObject({ since: since.toISOString().replace('Z', '000Z') });
    await service.advance(0);
    const replayed = receiver.received.slice(count).map(({ payload }) => payload);
    expect(replayed.map(({ data }) => (data as { user: { uid: string } }).user.uid)).toEqual(users);
    expect((await scenario.deliveries(id)).every(({ trigger }) => trigger === 'replay')).toBe(true);
    const listed = await scenario.call<{ items: { id: string }[] }>(
      'GET',
      '/events?type=user.created&limit=4',
    );
    expect(replayed.map((event) => event.id).reverse()).toEqual(
      listed.data.items.slice(1).map((event) => event.id),
    );
    const entries = await prisma().auditLog.findMany({ where: { target: `webhook:${id}` } });
    expect(entries.map(({ action }) => action)).toContain('webhook.replayed');
  });

  test('of more events than the limit of pending deliveries sends each once', async () => {
    const ids = await eventsNow(maxPending + 600);
    const { id } = await scenario.create({ url: receiver.url });
    const count = receiver.received.length;
    await replay(id);
    await service.advance(0);
    const got = receiver.received.slice(count).map(({ payload }) => payload.id);
    expect(got).toHaveLength(ids.length);
    expect(new Set(got)).toEqual(new Set(ids));
  });

  test.each([
    {},
    { since: 'yesterday' },
    { since: '2026-01-01' },
    { since: 1 },
    { since: '9999-12-31T23:59:59-23:59' },
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

describe('a replay to a failing receiver', () => {
  test('creates deliveries up to the limit, and one more for each that completes', async () => {
    await eventsNow(maxPending + 2);
    const { id } = await scenario.create({ url: receiver.url });
    await setEnabled(id, false);
    await replay(id);
    for (let looks = 0; looks < 3; looks += 1) await service.advance(1_000);
    expect(await pending(id)).toBe(maxPending);
    expectRefusal(await replay(id), 'webhooks/replay-in-progress');
    const [done] = await prisma().webhookDelivery.findMany({ where: { endpointId: id }, take: 1 });
    await prisma().webhookDelivery.updateMany({
      where: { endpointId: id, id: done?.id as string },
      data: { status: 'succeeded', nextAttemptAt: null },
    });
    expect(await dispatchEvents(service.deps)).toBe(true);
    expect(await dispatchEvents(service.deps)).toBe(false);
    expect(await pending(id)).toBe(maxPending);
    expect(await prisma().webhookDelivery.count({ where: { endpointId: id } })).toBe(maxPending + 1);
  });

  test('continues when the receiver recovers, and sends each event once', async () => {
    const ids = await eventsNow(maxPending + 100);
    const { id } = await scenario.create({ url: receiver.url });
    await setEnabled(id, false);
    await replay(id);
    await service.advance(0);
    expect(await pending(id)).toBe(maxPending);
    const count = receiver.received.length;
    await setEnabled(id, true);
    await service.advance(0);
    expect(
      receiver.received
        .slice(count)
        .map(({ payload }) => payload.id)
        .sort(),
    ).toEqual(ids);
    expect((await replay(id)).status).toBe(202);
  });

  test('delays neither the replay of another webhook nor new events', async () => {
    await eventsNow(maxPending + 1);
    const { id } = await scenario.create({ url: receiver.url });
    await setEnabled(id, false);
    await replay(id);
    await service.advance(0);
    expect(await pending(id)).toBe(maxPending);
    const quick = await scenario.create({ url: receiver.url, types: ['user.updated'] });
    await replay(quick.id);
    const late = await scenario.create({ url: receiver.url, types: ['user.created'] });
    await service.signUp();
    await service.advance(0);
    expect(await prisma().webhookDelivery.count({ where: { endpointId: quick.id } })).toBe(maxPending + 1);
    expect(await scenario.deliveries(late.id)).toHaveLength(1);
    expect(await prisma().webhookReplay.count()).toBe(1);
  });
});
