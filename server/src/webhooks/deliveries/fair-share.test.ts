// Who is sent to first, and what is sent all the same: shares of apps, a dispatch that fails, and a stop in the middle.
import type { Webhook } from '@foyer/contract';
import type { PrismaClient } from '@foyer/prisma';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { cheapPasswordHasher, type TestService, testService } from '../../../test/harness.js';
import { type Receiver, startReceiver, webhookStory } from '../../../test/webhook-story.js';
import type { NewApp } from '../../apps/create-app.js';
import { type Outbound, outbound } from '../../lib/http/outbound.js';
import { webhookWork } from './deliver.js';
import { dispatchEvents } from './dispatch.js';
import { type Claim, claimDeliveries } from './store.js';

let service: TestService;
let other: NewApp;
let receiver: Receiver;
let quick: Receiver;
const story = webhookStory(() => service);
beforeAll(async () => {
  const passwordHasher = await cheapPasswordHasher();
  const way = outbound({ loopback: true });
  // A machine that is busy may hold a receiver for longer than an attempt may take.
  const send: Outbound['send'] = (address, request) =>
    way.send(address, { ...request, timeoutMilliseconds: 120_000 });
  service = await testService({ given: { passwordHasher, outbound: { ...way, send } } });
});
afterAll(() => service.stop());
beforeEach(async () => {
  other = await service.newApp();
  receiver = await startReceiver();
  quick = await startReceiver();
});
afterEach(async () => {
  await prisma().webhookEndpoint.deleteMany();
  await prisma().webhookDelivery.deleteMany();
  await prisma().event.deleteMany();
  await receiver.close();
  await quick.close();
});

const prisma = () => service.database.prisma;

/** Events of this moment that wait for delivery. */
async function waiting(appId: string, count: number): Promise<void> {
  const now = service.clock.now();
  const uid = service.deps.random.ulid(now);
  const event = { appId, type: 'user.updated', uid, data: {}, pending: true, createdAt: now };
  const data = Array.from({ length: count }, () => ({ ...event, id: service.deps.random.ulid(now) }));
  await prisma().event.createMany({ data });
}

async function webhookOfOther(): Promise<Webhook> {
  const as = { appKey: other.app.appKey, token: other.secretKey };
  return (await story.call<Webhook>('POST', '/webhooks', { ...as, body: { url: quick.url } })).data;
}

/** The database, with a say in the calls of one of its functions. */
function prismaWith(name: '$queryRaw' | '$transaction', before: (sql: string) => Promise<void>) {
  const real = prisma();
  const instead = async (...given: unknown[]) => {
    const [parts] = given;
    await before(Array.isArray(parts) ? parts.join('?') : '');
    return (real[name] as (...values: unknown[]) => Promise<unknown>)(...given);
  };
  return new Proxy(real, {
    get: (target, key) => (key === name ? instead : Reflect.get(target, key, target)),
  }) as PrismaClient;
}

describe('an app', () => {
  test('with 300 due deliveries to slow receivers has 64 running, and holds back no other', async () => {
    for (let count = 0; count < 10; count += 1) await story.create({ url: receiver.url });
    const held: (() => void)[] = [];
    receiver.answer((_, res) => void held.push(() => res.end()));
    await waiting(service.app.app.id, 30);
    const done = service.advance(0);
    await vi.waitFor(() => expect(held.length).toBeGreaterThanOrEqual(64), { timeout: 30_000 });
    await webhookOfOther();
    await waiting(other.app.id, 1);
    const more = service.advance(0);
    await vi.waitFor(() => expect(quick.received).toHaveLength(1), { timeout: 30_000 });
    expect(held).toHaveLength(64);
    receiver.answer(204);
    for (const end of held) end();
    await Promise.all([done, more]);
    expect(receiver.received).toHaveLength(300);
  }, 90_000);

  describe('that has much due, and since long,', () => {
    let mine: string;
    let theirs: string;
    beforeEach(async () => {
      mine = service.app.app.id;
      theirs = other.app.id;
      await story.create({ url: receiver.url });
      await webhookOfOther();
      await waiting(mine, 5);
      await dispatchEvents(service.deps);
      service.clock.advance(60_000);
      await waiting(theirs, 1);
      await dispatchEvents(service.deps);
    });

    async function claimed(claim: Partial<Claim>): Promise<string[]> {
      const now = service.clock.now();
      const rows = await claimDeliveries(prisma(), {
        now,
        until: new Date(now.getTime() + 60_000),
        leaseId: service.deps.random.ulid(now),
        most: 256,
        perWebhook: { working: 10, failing: 2 },
        perApp: 64,
        running: {},
        ...claim,
      });
      return rows.map(({ appId }) => appId).sort();
    }

    test('gets no second place before another has its first', async () => {
      expect(await claimed({ most: 2 })).toEqual([mine, theirs].sort());
    });

    test('waits for one that has less running', async () => {
      expect(await claimed({ most: 1, running: { [mine]: 1 } })).toEqual([theirs]);
    });

    test('gets as many places as it may have, with those that run', async () => {
      expect(await claimed({ perApp: 4, running: { [mine]: 1 } })).toEqual([mine, mine, mine, theirs].sort());
      expect(await claimed({ perApp: 4, running: { [mine]: 4 } })).toEqual([]);
      expect(await claimed({})).toEqual([mine, mine]);
    });
  });
});

test('what is due is sent also where no deliveries can be written', async () => {
  await story.create({ url: receiver.url });
  await waiting(service.app.app.id, 1);
  await dispatchEvents(service.deps);
  await waiting(service.app.app.id, 1);
  const broken = prismaWith('$transaction', () => Promise.reject(new Error('no transaction today')));
  const work = webhookWork({ ...service.deps, prisma: broken });
  await expect(work.look()).rejects.toThrow('no transaction today');
  await work.stop();
  expect(receiver.received).toHaveLength(1);
  await service.advance(0);
  expect(receiver.received).toHaveLength(2);
});

test('a stop waits for the claim under way, and then for what it began', async () => {
  const { id } = await story.create({ url: receiver.url });
  await waiting(service.app.app.id, 1);
  await dispatchEvents(service.deps);
  let goOn: (() => void) | undefined;
  const slow = prismaWith('$queryRaw', async (sql) => {
    if (!sql.includes('claimed AS')) return;
    await new Promise<void>((resolve) => {
      goOn = resolve;
    });
  });
  let answer: (() => void) | undefined;
  receiver.answer((_, res) => {
    answer = () => res.writeHead(204).end();
  });
  const work = webhookWork({ ...service.deps, prisma: slow });
  const looking = work.look();
  await vi.waitFor(() => expect(goOn).toBeDefined(), { timeout: 15_000 });
  let stopped = false;
  const stopping = work.stop().then(() => {
    stopped = true;
  });
  goOn?.();
  await looking;
  await vi.waitFor(() => expect(answer).toBeDefined(), { timeout: 15_000 });
  expect(stopped).toBe(false);
  answer?.();
  await stopping;
  expect(await story.deliveries(id)).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
});
