// Receivers that succeed, refuse, are down for hours, answer 410, close the connection, or never end.
import { limits } from '@foyer/contract';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ssrfSafeFetch } from '../../../engines/safe-fetch/ssrf-safe-fetch.js';
import { testService } from '../../../test/harness.js';
import { shared } from '../../../test/shared.js';
import {
  type Receiver,
  startReceiver,
  uidsAt,
  type WebhookWithSecret,
  webhookScenario,
} from '../../../test/webhook-scenario.js';

let receiver: Receiver;
let webhook: WebhookWithSecret;
/** The requests to the receiver; a test may shorten the timeout. */
let asked: number[] = [];
let timeoutMilliseconds: number | undefined;
let maxAnswerBytes: number;
let logged: string[] = [];
const service = shared(() => {
  const way = ssrfSafeFetch({ loopback: true });
  return testService({
    onLogLine: (line) => logged.push(line),
    overrides: {
      ssrfSafeFetch: {
        ...way,
        send: (address, request) => {
          asked.push(request.timeoutMilliseconds);
          maxAnswerBytes = request.maxAnswerBytes;
          return way.send(address, { ...request, timeoutMilliseconds: timeoutMilliseconds ?? 15_000 });
        },
      },
    },
  });
});
const scenario = webhookScenario(() => service);
beforeEach(async () => {
  asked = [];
  logged = [];
  timeoutMilliseconds = undefined;
  receiver = await startReceiver();
  webhook = await scenario.create({ url: receiver.url, types: ['user.created'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await scenario.removeAll();
  await receiver.stop();
});

const second = 1_000;
const hour = 3_600 * second;
const day = 24 * hour;

/** Verifies a signature as a receiver does, at the time of the service. */
function verify(secret: string, received = receiver.received.at(-1)) {
  vi.useFakeTimers({ toFake: ['Date'], now: service.clock.now() });
  try {
    return new Verifier(secret).verify(received?.body ?? '', received?.headers ?? {});
  } finally {
    vi.useRealTimers();
  }
}

describe('a receiver that answers 2xx', () => {
  test('gets each event once, with the user as of the event', async () => {
    const user = await scenario.signUp();
    await service.advance(day);
    expect(receiver.received.map(({ payload }) => payload)).toEqual([
      {
        id: expect.stringMatching(/^evt_[0-9A-Z]{26}$/),
        type: 'user.created',
        timestamp: user.tokens.user.created_at,
        app_id: service.app.app.id,
        data: {
          user: { ...user.tokens.user, member_id: expect.stringMatching(/^\d{10}$/), claims: {} },
        },
      },
    ]);
    expect(asked).toEqual([limits.webhookTimeoutSeconds * second]);
    expect(maxAnswerBytes).toBe(16_384);
    expect(await scenario.newest(webhook.id)).toMatchObject({
      event_id: receiver.received[0]?.payload.id,
      event_type: 'user.created',
      trigger: 'event',
      status: 'succeeded',
      attempts: 1,
      next_attempt_at: null,
      response_status: 204,
      error: null,
      duration_ms: expect.any(Number),
    });
  });

  test('can verify it with the Standard Webhooks library, and detects a modified one', async () => {
    await scenario.signUp();
    const [received] = receiver.received;
    expect(verify(webhook.secret)).toEqual(received?.payload);
    expect(received?.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': received?.payload.id,
      'webhook-timestamp': String(Math.floor(service.clock.now().getTime() / second)),
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    });
    const changed = { ...received, body: `${received?.body} ` } as typeof received;
    expect(() => verify(webhook.secret, changed)).toThrow();
    expect(() => verify(`whsec_${Buffer.alloc(32).toString('base64')}`)).toThrow();
  });
});

describe('a receiver that is down', () => {
  test('gets the event at every step of the schedule under one id, and never after the last', async () => {
    await receiver.stop();
    await scenario.signUp();
    for (const place of limits.webhookDelaySeconds.keys()) {
      const delivery = await scenario.newest(webhook.id);
      expect(delivery.attempts).toBe(place + 1);
      expect(delivery.error).toBe('the connection failed (ECONNREFUSED)');
      const next = limits.webhookDelaySeconds[place + 1];
      if (next === undefined) {
        expect(delivery).toMatchObject({ status: 'failed', next_attempt_at: null });
        break;
      }
      expect(delivery.status).toBe('pending');
      const wait = new Date(delivery.next_attempt_at as string).getTime() - service.clock.now().getTime();
      expect(wait).toBeGreaterThanOrEqual(next * 0.9 * second);
      expect(wait).toBeLessThanOrEqual(next * 1.1 * second);
      // The attempt is not made a moment earlier.
      await service.advance(wait - 1);
      expect((await scenario.newest(webhook.id)).attempts).toBe(place + 1);
      await service.advance(1);
    }
    expect(asked).toHaveLength(10);
    await service.advance(2 * day);
    expect(asked).toHaveLength(10);
    expect((await scenario.get(webhook.id)).enabled).toBe(true);
  });

  test('gets all events after it recovers, and another one of the app got each at once', async () => {
    const port = Number(new URL(receiver.url).port);
    await receiver.stop();
    const working = await startReceiver();
    const other = await scenario.create({ url: working.url, types: ['user.created'] });
    // Called at no time, though its URL fails.
    const uncalled = await scenario.create({ url: receiver.url, types: ['user.deleted'] });
    const users = [];
    for (let hours = 0; hours < 4; hours += 1) {
      users.push((await service.signUp()).uid);
      await service.advance(hour);
    }
    expect(uidsAt(working)).toEqual(users);
    const failing = async ({ id }: { id: string }) => (await scenario.get(id)).failing_since !== null;
    const found = [await failing(webhook), await failing(other), await failing(uncalled)];
    expect(found).toEqual([true, false, false]);
    receiver = await startReceiver(port);
    // The longest pending delay passes.
    for (let hours = 0; hours < 3; hours += 1) await service.advance(hour);
    expect(uidsAt(receiver).sort()).toEqual(users.sort());
    const deliveries = await scenario.deliveries(webhook.id);
    expect(deliveries.every(({ status }) => status === 'succeeded')).toBe(true);
    expect((await scenario.get(webhook.id)).failing_since).toBeNull();
    expect(uidsAt(working)).toEqual(users);
    await working.stop();
  });

  test('is disabled after five days without a success, audited, and works again once it is enabled', async () => {
    await receiver.stop();
    await scenario.signUp();
    const { failing_since } = await scenario.get(webhook.id);
    expect(failing_since).not.toBeNull();
    await service.advance(5 * day - 1);
    expect(await scenario.get(webhook.id)).toMatchObject({ enabled: true, failing_since });
    await service.signUp();
    await service.advance(1);
    const disabled = { enabled: false, disabled_reason: 'failing', failing_since };
    expect(await scenario.get(webhook.id)).toMatchObject(disabled);
    const entries = await service.auditEntries({ appId: service.app.app.id, action: 'webhook.disabled' });
    expect(entries).toMatchObject([
      { actor: 'service', target: `webhook:${webhook.id}`, details: { reason: 'failing' } },
    ]);
    const attempts = asked.length;
    await service.signUp();
    await service.advance(day);
    expect(asked).toHaveLength(attempts);
    const working = { enabled: true, disabled_reason: null, failing_since: null };
    expect(await scenario.update(webhook.id, { enabled: true })).toMatchObject(working);
  });
});

describe('a receiver that answers', () => {
  test.each([
    [500, 'answered 500'],
    [301, 'answered 301: redirects are not followed'],
  ])('%i gets the event again', async (status, error) => {
    const other = await startReceiver();
    receiver.answer((_, res) => res.writeHead(status, { location: other.url }).end());
    await scenario.signUp();
    const failed = { status: 'pending', response_status: status, error };
    expect(await scenario.newest(webhook.id)).toMatchObject(failed);
    receiver.answer(204);
    await service.advance(6 * second);
    const succeeded = { status: 'succeeded', attempts: 2, error: null };
    expect(await scenario.newest(webhook.id)).toMatchObject(succeeded);
    const [first, second_] = receiver.received;
    expect(second_?.body).toBe(first?.body);
    expect(second_?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second_?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp']);
    expect(other.received).toEqual([]);
    await other.stop();
  });

  test('410 is disabled at once', async () => {
    receiver.answer(410);
    await service.signUp();
    await scenario.signUp();
    expect(await scenario.get(webhook.id)).toMatchObject({ enabled: false, disabled_reason: 'gone' });
    const where = { appId: service.app.app.id, action: 'webhook.disabled', target: `webhook:${webhook.id}` };
    expect(await service.database.prisma.auditLog.count({ where })).toBe(1);
    for (const delivery of await scenario.deliveries(webhook.id)) {
      expect(delivery).toMatchObject({ status: 'failed', response_status: 410, attempts: 1 });
    }
  });
});

describe('a receiver that', () => {
  test('closes the connection gets the event again, possibly twice', async () => {
    receiver.answer((req) => req.socket.destroy());
    await scenario.signUp();
    expect(await scenario.newest(webhook.id)).toMatchObject({
      status: 'pending',
      response_status: null,
      error: 'the connection failed (UND_ERR_SOCKET)',
    });
    receiver.answer(204);
    await service.advance(6 * second);
    expect((await scenario.newest(webhook.id)).status).toBe('succeeded');
    const ids = receiver.received.map(({ payload }) => payload.id);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  test.each<[string, Parameters<Receiver['answer']>[0]]>([
    ['never answers', () => {}],
    ['starts a response and never ends it', (_, res) => void res.writeHead(200).write('x')],
  ])('%s fails after the timeout', async (_, behaviour) => {
    timeoutMilliseconds = 200;
    receiver.answer(behaviour);
    await scenario.signUp();
    expect(await scenario.newest(webhook.id)).toMatchObject({
      status: 'pending',
      response_status: null,
      error: 'no complete response within 15 seconds',
    });
  });

  test('answers 200 with an endless body has succeeded: the rest is not read', async () => {
    let written = 0;
    receiver.answer((_, res) => {
      const more = () => {
        while (!res.destroyed && written < 1e8 && res.write('x'.repeat(65_536))) written += 65_536;
      };
      res.on('drain', more);
      more();
    });
    await scenario.signUp();
    const succeeded = { status: 'succeeded', response_status: 200 };
    expect(await scenario.newest(webhook.id)).toMatchObject(succeeded);
    expect(written).toBeLessThan(2e7);
  });

  test('is slow does not delay the others', async () => {
    // A busy machine may need longer for all of them than the timeout of an attempt.
    timeoutMilliseconds = 120_000;
    const quick = await startReceiver();
    await scenario.create({ url: quick.url });
    await scenario.update(webhook.id, { types: [] });
    const held: (() => void)[] = [];
    receiver.answer((_, res) => void held.push(() => res.end()));
    await scenario.insertEvents(30);
    const done = service.advance(0);
    // There are at most ten concurrent attempts.
    await vi.waitFor(() => expect([quick.received.length, receiver.received.length]).toEqual([30, 10]), {
      timeout: 60_000,
    });
    receiver.answer(204);
    for (const end of held) end();
    await done;
    expect(receiver.received).toHaveLength(30);
    await quick.stop();
  });
});

describe('while the secret is rotated', () => {
  test('both secrets verify for 24 hours, to the millisecond, then only the new one', async () => {
    const { secret, previous_secret_expires_at } = await scenario.rotateSecret(webhook.id);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(secret).not.toBe(webhook.secret);
    const until = new Date(service.clock.now().getTime() + day).getTime();
    expect(new Date(previous_secret_expires_at as string).getTime()).toBe(until);
    await scenario.signUp();
    expect(verify(secret)).toEqual(verify(webhook.secret));
    service.clock.set(new Date(until - 1));
    await scenario.signUp();
    expect(verify(secret)).toEqual(verify(webhook.secret));
    service.clock.set(new Date(until));
    await scenario.signUp();
    expect(verify(secret)).toBeTruthy();
    expect(() => verify(webhook.secret)).toThrow();
    expect((await scenario.get(webhook.id)).previous_secret_expires_at).toBeNull();
  });

  test('a second rotation ends the oldest secret at once', async () => {
    const next = await scenario.rotateSecret(webhook.id);
    const last = await scenario.rotateSecret(webhook.id);
    await scenario.signUp();
    expect(verify(next.secret)).toEqual(verify(last.secret));
    expect(() => verify(webhook.secret)).toThrow();
  });
});

test('while receivers do not answer their tests, users change their data', async () => {
  const user = await service.signUp();
  const open: (() => void)[] = [];
  receiver.answer((_req, res) => {
    open.push(() => res.writeHead(204).end());
  });
  const tests = [webhook, webhook, webhook].map(({ id }) => scenario.call('POST', `/webhooks/${id}/test`));
  await vi.waitUntil(() => open.length === tests.length, { timeout: 60_000 });
  expect(service.deps.turns.running).toBe(0);
  const body = { first_name: 'Ada' };
  const changed = await service.call('PATCH', '/me', { token: user.tokens.access_token, body });
  expect(changed.status).toBe(200);
  for (const answer of open) answer();
  for (const each of await Promise.all(tests))
    expect(each).toMatchObject({ status: 200, data: { status: 'succeeded' } });
});

describe('a webhook whose secret no encryption key decrypts', () => {
  test('fails by the schedule, which says why, and sends nothing', async () => {
    await service.database.prisma.webhookEndpoint.updateMany({
      where: { id: webhook.id },
      data: { secret: new Uint8Array(64) },
    });
    await scenario.signUp();
    await service.advance(second);
    const [delivery] = await scenario.deliveries(webhook.id);
    const error = 'the secret of the webhook cannot be decrypted';
    expect(delivery).toMatchObject({ status: 'pending', attempts: 1, response_status: null, error });
    expect(receiver.received).toEqual([]);
    const lines = logged.filter((line) => line.includes('a webhook cannot be signed'));
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'error', app_id: service.app.app.id, webhook: webhook.id },
    ]);
    const answer = await service.call('POST', `/admin/webhooks/${webhook.id}/test`, {
      token: service.app.secretKey,
    });
    expect(answer).toMatchObject({ status: 200, data: { status: 'failed', error } });
  });
});
