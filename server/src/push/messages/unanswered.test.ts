// Web Push endpoints that do not answer: a stranger can register many, and they must not delay the other devices.
import { limits } from '@foyer/contract';
import { beforeEach, expect, test } from 'vitest';
import { passQueueTime } from '../../../test/harness.js';
import { type Device, hello, pushScenario } from '../../../test/push-scenario.js';
import { shared } from '../../../test/shared.js';

const hour = 3_600_000;

let silent: Device;
const scenario = shared(() => pushScenario());
beforeEach(async () => {
  await scenario.service.database.prisma.pushDevice.deleteMany();
  silent = await scenario.register('webpush');
  scenario.providers.web.says(silent.token, null);
});

const attempts = () => scenario.providers.web.count(silent.token);

/** Sends to all devices and waits until the message is finished. */
async function message() {
  let result = await scenario.sent({ ...hello, all: true });
  for (let retry = 0; retry < 5 && result.message.finished_at === null; retry += 1) {
    // The time is longer than every pause between the retries.
    await scenario.service.advance(hour);
    result = await scenario.result(result.message.id);
  }
  expect(result.message.finished_at).not.toBeNull();
  return result;
}

test('an endpoint that answers none of three messages over a day becomes invalid with the third', async () => {
  await message();
  scenario.service.clock.advance(12 * hour);
  await message();
  expect(await scenario.statusOf(silent)).toBe('active');
  scenario.service.clock.advance(12 * hour);
  await message();
  expect(await scenario.statusOf(silent)).toBe('invalid');
  expect((await message()).message.target_count).toBe(0);
});

test('an endpoint that answers none of four messages within a day is active until 24 hours after the first', async () => {
  const { service } = scenario;
  await scenario.sent({ ...hello, all: true });
  // Since the first was not answered, these are tried when the pause before their second pass is over.
  for (let count = 0; count < 2; count += 1) await scenario.sent({ ...hello, all: true });
  await service.advance(24 * hour - 1);
  const { unansweredMessages } = await service.database.prisma.pushDevice.findFirstOrThrow();
  expect(unansweredMessages).toBe(3);
  expect(await scenario.statusOf(silent)).toBe('active');
  await scenario.sent({ ...hello, all: true });
  await passQueueTime(service.database, hour);
  service.clock.advance(1);
  await service.deps.queue.runNow();
  expect(await scenario.statusOf(silent)).toBe('invalid');
});

test('an outage of hours makes no device invalid, however many messages it costs', async () => {
  for (let count = 0; count < 5; count += 1) {
    await scenario.sent({ ...hello, all: true });
    await scenario.service.advance(60_000);
  }
  const { unansweredMessages } = await scenario.service.database.prisma.pushDevice.findFirstOrThrow();
  expect(unansweredMessages).toBe(5);
  expect(await scenario.statusOf(silent)).toBe('active');
});

test('any answer of the endpoint starts the count again', async () => {
  for (const said of [null, null, { status: 500 }, null]) {
    scenario.providers.web.says(silent.token, said);
    await message();
    scenario.service.clock.advance(limits.pushUnansweredHours * hour);
  }
  expect(await scenario.statusOf(silent)).toBe('active');
});

test('a device that registers again does not start the count again', async () => {
  for (let count = 0; count < limits.pushUnansweredMessages; count += 1) {
    await message();
    scenario.service.clock.advance(limits.pushUnansweredHours * hour);
  }
  expect(await scenario.statusOf(silent)).toBe('invalid');
  const { id } = silent;
  await scenario.service.database.prisma.pushDevice.updateMany({ where: { id }, data: { invalidAt: null } });
  await message();
  expect(await scenario.statusOf(silent)).toBe('invalid');
});

test('one that did not answer the last message is tried after all other devices, and once', async () => {
  await message();
  expect(attempts()).toBeGreaterThan(1);
  const before = attempts();
  const good = await scenario.register('webpush');
  const { message: sent, receipts } = await scenario.sent({ ...hello, all: true });
  expect(receipts.get(good.id)).toMatchObject({ status: 'accepted', attempts: 1 });
  expect(receipts.get(silent.id)).toMatchObject({ status: 'retrying', attempts: 0 });
  expect(attempts()).toBe(before);
  await scenario.service.advance(hour);
  await scenario.service.advance(hour);
  const after = await scenario.result(sent.id);
  expect(after.message).toMatchObject({ status: 'done', accepted_count: 1, failed_count: 1 });
  expect(after.receipts.get(silent.id)).toMatchObject({ status: 'failed', attempts: 1, error: 'no-answer' });
  expect(attempts()).toBe(before + 1);
});

test('one that answers again receives messages as any other', async () => {
  await message();
  scenario.providers.web.says(silent.token, { status: 201 });
  expect((await message()).message).toMatchObject({ status: 'done', accepted_count: 1 });
  const { receipts } = await scenario.sent({ ...hello, all: true });
  expect(receipts.get(silent.id)).toMatchObject({ status: 'accepted', attempts: 1 });
});
