// Fairness between apps and webhooks, a failing dispatch, and a stop during a claim.
import type { Webhook } from '@foyer/contract';
import type { PrismaClient } from '@foyer/prisma';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { testService } from '../../../test/harness.js';
import { shared } from '../../../test/shared.js';
import {
  patientFetch,
  type Receiver,
  startReceiver,
  webhookScenario,
} from '../../../test/webhook-scenario.js';
import type { NewApp } from '../../apps/create-app.js';
import { eventDispatcher } from '../dispatch/dispatch.js';
import { claimDue, type Slots } from './claim-due.js';
import { deliveryWorker } from './delivery-worker.js';
import { findDueWebhooks } from './store.js';

let other: NewApp;
let receiver: Receiver;
let quick: Receiver;
const service = shared(() => testService({ overrides: { ssrfSafeFetch: patientFetch() } }));
const scenario = webhookScenario(() => service);
beforeEach(async () => {
  other = await service.newApp();
  receiver = await startReceiver();
  quick = await startReceiver();
});
afterEach(async () => {
  await prisma().webhookEndpoint.deleteMany();
  await prisma().webhookDelivery.deleteMany();
  await prisma().event.deleteMany();
  await receiver.stop();
  await quick.stop();
});

const prisma = () => service.database.prisma;

const dispatchEvents = () => eventDispatcher(service.deps)();

const waiting = (appId: string, count: number) => scenario.insertEvents(count, { appId });

async function webhookOfOther(): Promise<Webhook> {
  const as = { appKey: other.app.appKey, token: other.secretKey };
  return (await scenario.call<Webhook>('POST', '/webhooks', { ...as, body: { url: quick.url } })).data;
}

/** The database, with one function intercepted. */
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
  test('with 80 due deliveries to slow receivers has 64 running, and does not delay other apps', async () => {
    for (let count = 0; count < 10; count += 1) await scenario.create({ url: receiver.url });
    const held: (() => void)[] = [];
    receiver.answer((_, res) => void held.push(() => res.end()));
    await waiting(service.app.app.id, 8);
    const done = service.advance(0);
    await vi.waitFor(() => expect(held.length).toBeGreaterThanOrEqual(64), { timeout: 60_000 });
    await webhookOfOther();
    await waiting(other.app.id, 1);
    const more = service.advance(0);
    await vi.waitFor(() => expect(quick.received).toHaveLength(1), { timeout: 60_000 });
    expect(held).toHaveLength(64);
    receiver.answer(204);
    for (const end of held) end();
    await Promise.all([done, more]);
    expect(receiver.received).toHaveLength(80);
  });

  describe('with many overdue deliveries', () => {
    let mine: string;
    let theirs: string;
    beforeEach(async () => {
      mine = service.app.app.id;
      theirs = other.app.id;
      await scenario.create({ url: receiver.url });
      await webhookOfOther();
      await waiting(mine, 5);
      await dispatchEvents();
      service.clock.advance(60_000);
      await waiting(theirs, 1);
      await dispatchEvents();
    });

    async function claimed(slots: Partial<Slots>, database = prisma()): Promise<string[]> {
      const apps: string[] = [];
      const claim = {
        leaseId: service.deps.random.ulid(service.clock.now()),
        limit: 256,
        perWebhook: { working: 10, failing: 2 },
        perApp: 64,
        running: {},
        ...slots,
      };
      for await (const deliveries of claimDue({ ...service.deps, prisma: database }, claim)) {
        apps.push(...deliveries.map(({ appId }) => appId));
      }
      return apps.sort();
    }

    test('gets no second slot before another app has its first', async () => {
      expect(await claimed({ limit: 2 })).toEqual([mine, theirs].sort());
    });

    test('waits for an app with fewer running attempts', async () => {
      expect(await claimed({ limit: 1, running: { [mine]: 1 } })).toEqual([theirs]);
    });

    test('gets its maximum of slots, including running attempts', async () => {
      expect(await claimed({ perApp: 4, running: { [mine]: 1 } })).toEqual([mine, mine, mine, theirs].sort());
      expect(await claimed({ perApp: 4, running: { [mine]: 4 } })).toEqual([]);
      expect(await claimed({})).toEqual([mine, mine]);
    });

    test('gets its maximum of slots for working and failing webhooks together', async () => {
      const failing = await scenario.create({ url: receiver.url });
      await waiting(mine, 2);
      await dispatchEvents();
      const where = { id: failing.id };
      await prisma().webhookEndpoint.updateMany({ where, data: { failingSince: service.clock.now() } });
      const slots = { perApp: 6, perWebhook: { working: 5, failing: 2 } };
      expect(await claimed(slots)).toEqual([...Array(6).fill(mine), theirs].sort());
    });

    test('has a lease of full length, however slow the claims of other apps were', async () => {
      let claims = 0;
      const slow = prismaWith('$queryRaw', async (sql) => {
        if (!sql.includes('claimed AS')) return;
        claims += 1;
        if (claims === 1) service.clock.advance(59_000);
      });
      await claimed({}, slow);
      const now = service.clock.now().getTime();
      const leases = await prisma().webhookDelivery.findMany({ where: { leaseId: { not: null } } });
      const left = leases.map(({ nextAttemptAt }) => (nextAttemptAt?.getTime() ?? 0) - now);
      expect(new Set(left)).toEqual(new Set([1_000, 60_000]));
    });

    test('gets none for a webhook that was disabled since it was found', async () => {
      const disabling = prismaWith('$queryRaw', async (sql) => {
        if (sql.includes('claimed AS'))
          await prisma().webhookEndpoint.updateMany({ data: { enabled: false } });
      });
      expect(await claimed({}, disabling)).toEqual([]);
    });
  });
});

test('of more than 1,000 webhooks with due deliveries, those that have waited longest are first', async () => {
  const appId = service.app.app.id;
  const now = service.clock.now();
  // The later one in the table has waited longer.
  await prisma()
    .$executeRaw`INSERT INTO webhook_endpoints (app_id, id, url, types, secret, created_at, updated_at)
    SELECT ${appId}, 'W' || n, ${quick.url}, '{}', ''::bytea, ${now}::timestamptz, ${now}::timestamptz
    FROM generate_series(1, 1001) AS n`;
  await prisma()
    .$executeRaw`INSERT INTO webhook_deliveries (app_id, id, endpoint_id, event_id, event_type, trigger,
      next_attempt_at, created_at)
    SELECT ${appId}, 'D' || n, 'W' || n, '', 'user.updated', 'event', ${now}::timestamptz - n * interval '1 second',
      ${now}::timestamptz FROM generate_series(1, 1001) AS n`;
  const due = await findDueWebhooks(prisma(), now);
  expect(due).toHaveLength(1_000);
  expect(due.slice(0, 2).map(({ id }) => id)).toEqual(['W1001', 'W1000']);
});

test('a webhook is due from the time of its first delivery on, unless it is disabled', async () => {
  const { id } = await scenario.create({ url: receiver.url });
  await waiting(service.app.app.id, 1);
  await dispatchEvents();
  const now = service.clock.now();
  const dueAt = async (time: Date) => (await findDueWebhooks(prisma(), time)).map((webhook) => webhook.id);
  expect(await dueAt(new Date(now.getTime() - 1))).toEqual([]);
  expect(await dueAt(now)).toEqual([id]);
  await scenario.update(id, { enabled: false });
  expect(await dueAt(now)).toEqual([]);
});

test('a webhook gets its own free slots only, however many another one of the app has', async () => {
  const busy = await scenario.create({ url: receiver.url });
  const free = await scenario.create({ url: quick.url });
  await waiting(service.app.app.id, 10);
  await dispatchEvents();
  const slots: Slots = {
    ...{ leaseId: 'lease', limit: 20, perWebhook: { working: 10, failing: 2 }, perApp: 64 },
    running: { [busy.id]: 8, [service.app.app.id]: 8 },
  };
  const claimed: string[] = [];
  for await (const deliveries of claimDue(service.deps, slots))
    claimed.push(...deliveries.map(({ endpointId }) => endpointId));
  expect(claimed.sort()).toEqual([...Array(2).fill(busy.id), ...Array(10).fill(free.id)].sort());
});

test('due deliveries are sent even if no new ones can be written', async () => {
  await scenario.create({ url: receiver.url });
  await waiting(service.app.app.id, 1);
  await dispatchEvents();
  await waiting(service.app.app.id, 1);
  const broken = prismaWith('$transaction', () => Promise.reject(new Error('no transaction today')));
  const work = deliveryWorker({ ...service.deps, prisma: broken });
  await expect(work.pollIfDue()).rejects.toThrow('no transaction today');
  await work.stop();
  expect(receiver.received).toHaveLength(1);
  await service.advance(0);
  expect(receiver.received).toHaveLength(2);
});

test('events of an app that cannot be dispatched do not keep those of other apps', async () => {
  const { id: failing } = service.app.app;
  await scenario.create({ url: receiver.url });
  await webhookOfOther();
  await waiting(failing, 1);
  await waiting(other.app.id, 1);
  const execute = (sql: string) => prisma().$executeRawUnsafe(sql);
  await execute(`ALTER TABLE webhook_deliveries ADD CONSTRAINT refused CHECK (app_id <> '${failing}')`);
  await expect(dispatchEvents()).rejects.toThrow('refused');
  await execute('ALTER TABLE webhook_deliveries DROP CONSTRAINT refused');
  const pending = { where: { pending: true } };
  expect(await prisma().event.findMany(pending)).toMatchObject([{ appId: failing }]);
  expect(await dispatchEvents()).toBe(false);
  expect(await prisma().event.count(pending)).toBe(0);
});

test('while no event can be dispatched, three apps are tried and not all of them', async () => {
  for (let app = 0; app < 5; app += 1) await waiting(`app ${app}`, 1);
  let tries = 0;
  const broken = prismaWith('$transaction', () => {
    tries += 1;
    return Promise.reject(new Error('no transaction today'));
  });
  await expect(eventDispatcher({ ...service.deps, prisma: broken })()).rejects.toThrow(
    'no transaction today',
  );
  expect(tries).toBe(3);
});

test('events of more apps than one look finds are all dispatched without a pause', async () => {
  for (const [app, count] of [300, 200, 100].entries()) {
    await scenario.insertEvents(count, { appId: `app ${app}` });
    service.clock.advance(1);
  }
  const dispatch = eventDispatcher(service.deps);
  while (await dispatch());
  expect(await prisma().event.count({ where: { pending: true } })).toBe(0);
});

test('stop waits for the running claim, then for its attempts', async () => {
  const { id } = await scenario.create({ url: receiver.url });
  await waiting(service.app.app.id, 1);
  await dispatchEvents();
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
  const work = deliveryWorker({ ...service.deps, prisma: slow });
  const polling = work.pollIfDue();
  await vi.waitFor(() => expect(goOn).toBeDefined(), { timeout: 60_000 });
  let stopped = false;
  const stopping = work.stop().then(() => {
    stopped = true;
  });
  goOn?.();
  await polling;
  await vi.waitFor(() => expect(answer).toBeDefined(), { timeout: 60_000 });
  expect(stopped).toBe(false);
  answer?.();
  await stopping;
  expect(await scenario.deliveries(id)).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
});

test('stop ends a claim before the next app', async () => {
  await scenario.create({ url: receiver.url });
  await webhookOfOther();
  await waiting(service.app.app.id, 1);
  await waiting(other.app.id, 1);
  await dispatchEvents();
  let stopping: Promise<void> | undefined;
  const stops = prismaWith('$queryRaw', async (sql) => {
    if (sql.includes('claimed AS')) stopping ??= work.stop();
  });
  const work = deliveryWorker({ ...service.deps, prisma: stops });
  await work.pollIfDue();
  await stopping;
  expect([...receiver.received, ...quick.received]).toHaveLength(1);
});

test('stop starts no attempt in place of one that ends, and a later poll asks for nothing', async () => {
  await scenario.create({ url: receiver.url });
  await waiting(service.app.app.id, 12);
  await dispatchEvents();
  const answers: (() => void)[] = [];
  receiver.answer((_, res) => void answers.push(() => res.writeHead(204).end()));
  let isStopped = false;
  let asked = 0;
  const counted = prismaWith('$queryRaw', async (sql) => {
    if (isStopped && !sql.includes('WITH done AS')) asked += 1;
  });
  const work = deliveryWorker({ ...service.deps, prisma: counted });
  await work.pollIfDue();
  await vi.waitUntil(() => answers.length === 10, { timeout: 60_000 });
  const stopping = work.stop();
  isStopped = true;
  for (const answer of answers) answer();
  await stopping;
  await work.pollIfDue();
  expect([receiver.received.length, asked]).toEqual([10, 0]);
});
