// A webhook whose URL changes during an attempt to the old one.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { cheapPasswordHasher, type TestService, testService } from '../../../test/harness.js';
import {
  type Receiver,
  startReceiver,
  type WebhookWithSecret,
  webhookScenario,
} from '../../../test/webhook-scenario.js';

let service: TestService;
let old: Receiver;
let next: Receiver;
let webhook: WebhookWithSecret;
const scenario = webhookScenario(() => service);
beforeAll(async () => {
  const passwordHasher = await cheapPasswordHasher();
  service = await testService({ overrides: { passwordHasher }, config: { outboundLoopback: true } });
});
afterAll(() => service.stop());
beforeEach(async () => {
  old = await startReceiver();
  next = await startReceiver();
  webhook = await scenario.create({ url: old.url, types: ['user.created'] });
});
afterEach(async () => {
  await scenario.removeAll();
  await old.close();
  await next.close();
});

const second = 1_000;
const change = (url: string) => scenario.call('PATCH', `/webhooks/${webhook.id}`, { body: { url } });

/** Starts an attempt to the old URL, changes the URL, and leaves the attempt unanswered. */
async function changeUrlDuringAttempt() {
  const held: ((status: number) => void)[] = [];
  old.answer((_, res) => void held.push((status) => res.writeHead(status).end()));
  const done = service.advance(0);
  await vi.waitFor(() => expect(held).toHaveLength(1), { timeout: 15_000 });
  await change(next.url);
  return async (status: number) => {
    for (const answer of held) answer(status);
    await done;
  };
}

describe('an answer of the old URL after the change does not affect the new one:', () => {
  test.each([410, 500])('%i, and the event is sent to the new one', async (status) => {
    await service.signUp();
    const answered = await changeUrlDuringAttempt();
    await answered(status);
    expect(await scenario.get(webhook.id)).toMatchObject({
      url: next.url,
      enabled: true,
      disabled_reason: null,
      failing_since: null,
    });
    expect((await scenario.deliveries(webhook.id))[0]).toMatchObject({ status: 'pending', attempts: 1 });
    await service.advance(6 * second);
    expect(next.received.map(({ payload }) => payload.id)).toEqual([old.received[0]?.payload.id]);
    expect(old.received).toHaveLength(1);
  });

  test('204, while the new one fails', async () => {
    await service.signUp();
    const answered = await changeUrlDuringAttempt();
    next.answer(500);
    await service.signUp();
    const more = service.advance(0);
    await expect.poll(async () => (await scenario.get(webhook.id)).failing_since).not.toBeNull();
    await answered(204);
    await more;
    expect((await scenario.get(webhook.id)).failing_since).not.toBeNull();
    expect(next.received).toHaveLength(1);
  });
});

test('a new URL resets the failures, the same one does not', async () => {
  old.answer(500);
  await service.signUp();
  await service.advance(0);
  const { failing_since } = await scenario.get(webhook.id);
  expect(failing_since).not.toBeNull();
  await change(old.url);
  expect((await scenario.get(webhook.id)).failing_since).toBe(failing_since);
  await change(next.url);
  expect((await scenario.get(webhook.id)).failing_since).toBeNull();
});

test('a URL that failed for five days and is replaced during a call does not disable the webhook', async () => {
  old.answer(500);
  await service.signUp();
  await service.advance(0);
  // The next attempt would disable it.
  service.clock.advance(5 * 24 * 3_600 * second);
  const answered = await changeUrlDuringAttempt();
  await answered(500);
  expect(await scenario.get(webhook.id)).toMatchObject({ enabled: true, failing_since: null });
});
