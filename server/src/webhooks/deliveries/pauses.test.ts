// When an idle instance asks for webhook work: rarely, and still in time.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { statementLog, testService } from '../../../test/harness.js';
import { shared } from '../../../test/shared.js';
import { type Receiver, startReceiver, webhookScenario } from '../../../test/webhook-scenario.js';
import { deliveryWorker } from './delivery-worker.js';

const statements = statementLog();
const service = shared(() =>
  testService({ onStatement: statements.onStatement, config: { outboundLoopback: true } }),
);
const scenario = webhookScenario(() => service);
let receiver: Receiver;
let work: ReturnType<typeof deliveryWorker>;
beforeEach(async () => {
  receiver = await startReceiver();
  await scenario.create({ url: receiver.url, types: ['user.created'] });
  await service.advance(0);
  work = deliveryWorker(service.deps);
});
afterEach(async () => {
  await work.stop();
  await scenario.removeAll();
  await receiver.stop();
});

/** Polls as the timer does; returns the seconds at which the database was asked. */
async function polls(seconds: number): Promise<number[]> {
  const asked: number[] = [];
  for (let second = 0; second < seconds; second += 1) {
    if ((await statements.during(() => work.pollIfDue())).length > 0) asked.push(second);
    service.clock.advance(1_000);
  }
  return asked;
}

test('while nothing is due, the pauses between two polls grow to ten seconds', async () => {
  expect(await polls(40)).toEqual([0, 1, 3, 7, 15, 25, 35]);
});

test('an event of a request of this process is sent without waiting for the end of the pause', async () => {
  await polls(40);
  await service.signUp();
  // The clock does not move: only the end of the request ends the pause.
  await vi.waitFor(
    async () => {
      await work.pollIfDue();
      expect(receiver.received).toHaveLength(1);
    },
    { timeout: 60_000 },
  );
});

test('an event of another instance is found within ten seconds', async () => {
  await polls(40);
  const other = await service.secondInstance();
  await other.signUp();
  await polls(11);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), { timeout: 60_000 });
  await other.stop();
});

test('a retry ends a pause that is longer', async () => {
  await service.signUp();
  receiver.answer(500);
  await vi.waitFor(
    async () => {
      await work.pollIfDue();
      const rows = await service.database.prisma.webhookDelivery.findMany({
        where: { lastAttemptAt: { not: null } },
      });
      expect(rows.filter(({ step }) => step === 1)).toHaveLength(1);
    },
    { timeout: 60_000 },
  );
  const [row] = await service.database.prisma.webhookDelivery.findMany({ where: { step: 1 } });
  const dueAt = row?.nextAttemptAt?.getTime() ?? 0;
  receiver.answer(204);
  await polls(Math.floor((dueAt - service.clock.now().getTime()) / 1_000));
  service.clock.set(new Date(dueAt));
  await work.pollIfDue();
  await vi.waitFor(() => expect(receiver.received).toHaveLength(2), { timeout: 60_000 });
});
