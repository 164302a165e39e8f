// Administration of webhooks by an app's backend, and the list of events.
import { eventTypes, limits, type Webhook, type WebhookDelivery } from '@foyer/contract';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { cheapPasswordHasher, type TestService, testEncryptionKey, testService } from '../../test/harness.js';
import { expectRefusal } from '../../test/refusal.js';
import {
  type Receiver,
  startReceiver,
  type WebhookWithSecret,
  webhookScenario,
} from '../../test/webhook-scenario.js';
import { keyRing } from '../lib/crypto/key-ring.js';
import { systemRandom } from '../lib/crypto/random.js';
import { reencryptWebhookSecrets } from './endpoints/secret.js';

let service: TestService;
let receiver: Receiver;
const scenario = webhookScenario(() => service);
beforeAll(async () => {
  const passwordHasher = await cheapPasswordHasher();
  service = await testService({ overrides: { passwordHasher }, config: { outboundLoopback: true } });
  receiver = await startReceiver();
});
afterEach(() => scenario.removeAll());
afterAll(async () => {
  await receiver.close();
  await service.stop();
});

const unknown = '01JC4Q7M0RZ9X2V5T8W3Y6K1NB';
const day = 24 * 3_600_000;
const audit = (id: string) =>
  service.database.prisma.auditLog.findMany({ where: { target: `webhook:${id}` }, orderBy: { id: 'asc' } });

describe('a webhook', () => {
  test('is created, listed, read, updated and deleted, and each change is audited', async () => {
    const made = await scenario.create({ url: receiver.url, types: ['user.created'], description: 'Ours' });
    const { secret, ...webhook } = made;
    const created_at = made.created_at;
    expect(webhook).toEqual({
      id: expect.stringMatching(/^[0-9A-Z]{26}$/),
      url: receiver.url,
      description: 'Ours',
      types: ['user.created'],
      enabled: true,
      disabled_reason: null,
      failing_since: null,
      previous_secret_expires_at: null,
      created_at,
      updated_at: created_at,
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await scenario.get(made.id)).toEqual(webhook);
    const listed = await scenario.call<{ items: Webhook[] }>('GET', '/webhooks');
    expect(listed.data).toEqual({ items: [webhook], next_cursor: null });
    expect(listed.text).not.toContain('whsec_');

    service.clock.advance(1);
    const body = { types: [], description: null, enabled: false };
    const changed = await scenario.call<Webhook>('PATCH', `/webhooks/${made.id}`, { body });
    expect(changed.data).toMatchObject({ ...body, disabled_reason: 'admin', url: receiver.url });
    expect(changed.data.updated_at > created_at).toBe(true);
    expect((await scenario.call('DELETE', `/webhooks/${made.id}`)).status).toBe(204);
    expectRefusal(await scenario.call('GET', `/webhooks/${made.id}`), 'webhooks/not-found');

    const entries = await audit(made.id);
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ['webhook.created', {}],
      ['webhook.updated', { changed: ['description', 'types', 'enabled'] }],
      ['webhook.deleted', {}],
    ]);
    for (const { actor } of entries) expect(actor).toMatch(/^secret_key:/);
  });

  test('of another app is not found, by every endpoint', async () => {
    const { id } = await scenario.create({ url: receiver.url });
    const [delivery] = [(await scenario.call<WebhookDelivery>('POST', `/webhooks/${id}/test`)).data];
    const other = await service.newApp();
    const as = { appKey: other.app.appKey, token: other.secretKey };
    const calls: [string, string, object?][] = [
      ['GET', ''],
      ['PATCH', '', { enabled: false }],
      ['DELETE', ''],
      ['POST', '/rotate-secret'],
      ['POST', '/test'],
      ['GET', '/deliveries'],
      ['POST', `/deliveries/${delivery.id}/retry`],
      ['POST', '/replay', { since: '2026-01-01T00:00:00Z' }],
    ];
    for (const [method, path, body] of calls) {
      const answer = await scenario.call(method, `/webhooks/${id}${path}`, { ...as, body });
      expectRefusal(answer, 'webhooks/not-found');
    }
    // An own webhook gives no access to a delivery of another app.
    const own = await scenario.call<Webhook>('POST', '/webhooks', { ...as, body: { url: receiver.url } });
    const path = `/webhooks/${own.data.id}/deliveries/${delivery.id}/retry`;
    expectRefusal(await scenario.call('POST', path, as), 'webhooks/not-found');
    expect((await scenario.get(id)).enabled).toBe(true);
  });

  test('that is unknown is refused before anything is sent', async () => {
    const count = receiver.received.length;
    for (const path of ['/test', '/rotate-secret', `/deliveries/${unknown}/retry`]) {
      expectRefusal(await scenario.call('POST', `/webhooks/${unknown}${path}`), 'webhooks/not-found');
    }
    expect(receiver.received).toHaveLength(count);
  });

  test('must have an allowed URL on creation and update; the refusal has the reason', async () => {
    const { id } = await scenario.create({ url: receiver.url });
    for (const [url, reason] of [
      ['https://169.254.169.254/latest', 'must resolve to a public IP address'],
      ['https://[::ffff:10.0.0.1]/', 'must resolve to a public IP address'],
      ['https://3232235777/', 'must resolve to a public IP address'],
      ['http://receiver.example/', 'must start with https://'],
      ['https://user:password@receiver.example/', 'must not contain a user name or a password'],
      ['receiver.example', 'must be an https URL of at most 2,048 characters'],
    ]) {
      for (const [method, path] of [
        ['POST', '/webhooks'],
        ['PATCH', `/webhooks/${id}`],
      ] as const) {
        const answer = await scenario.call(method, path, { body: { url } });
        expectRefusal(answer, 'webhooks/invalid-url', { url: [reason] });
      }
    }
    expect((await scenario.get(id)).url).toBe(receiver.url);
    const strict = await service.secondInstance({ config: { outboundLoopback: false } });
    const body = { url: receiver.url };
    const answer = await strict.call('POST', '/admin/webhooks', { token: service.app.secretKey, body });
    expectRefusal(answer, 'webhooks/invalid-url', { url: ['must start with https://'] });
    await strict.stop();
  });

  test.each([
    [{}, 'url'],
    [{ url: 'https://a.example/ b' }, 'url'],
    [{ url: '' }, 'url'],
    [{ url: 'https://a.example/', types: ['user.no_such'] }, 'types.0'],
    [{ url: 'https://a.example/', types: ['user.created', 'user.created'] }, 'types'],
    [{ url: 'https://a.example/', description: 'x'.repeat(256) }, 'description'],
  ])('is not created from %j', async (body, field) => {
    const answer = await scenario.call('POST', '/webhooks', { body });
    expect(answer.code).toBe('request/validation-failed');
    expect(Object.keys(answer.json.error.fields)).toContain(field);
  });
});

test('a repeated Idempotency-Key creates one webhook and returns the same secret', async () => {
  const options = { body: { url: receiver.url }, headers: { 'idempotency-key': 'one webhook' } };
  const [first, second] = [
    await scenario.call<WebhookWithSecret>('POST', '/webhooks', options),
    await scenario.call<WebhookWithSecret>('POST', '/webhooks', options),
  ];
  expect(second.data).toEqual(first.data);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect((await scenario.call<{ items: Webhook[] }>('GET', '/webhooks')).data.items).toHaveLength(1);
});

describe('an app has at most ten webhooks', () => {
  test('also if two are created concurrently as the tenth', async () => {
    for (let count = 0; count < 9; count += 1) await scenario.create({ url: receiver.url });
    const body = { url: receiver.url };
    const answers = await Promise.all([1, 2, 3].map(() => scenario.call('POST', '/webhooks', { body })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    if (refused) expectRefusal(refused, 'webhooks/limit-reached');
    expect(
      await service.database.prisma.webhookEndpoint.count({ where: { appId: service.app.app.id } }),
    ).toBe(limits.webhooksPerApp);

    const first = await scenario.call<{ items: Webhook[]; next_cursor: string }>('GET', '/webhooks?limit=6');
    const cursor = encodeURIComponent(first.data.next_cursor);
    const rest = await scenario.call<{ items: Webhook[] }>('GET', `/webhooks?limit=6&cursor=${cursor}`);
    const ids = [...first.data.items, ...rest.data.items].map(({ id }) => id);
    expect(new Set(ids).size).toBe(10);
    expect(rest.data).toMatchObject({ next_cursor: null });

    await scenario.call('DELETE', `/webhooks/${ids[0]}`);
    expect((await scenario.call('POST', '/webhooks', { body })).status).toBe(201);
  });
});

describe('a test', () => {
  test('is sent at once, and answered with its result', async () => {
    const { id } = await scenario.create({ url: receiver.url, types: ['user.deleted'] });
    const answer = await scenario.call<WebhookDelivery>('POST', `/webhooks/${id}/test`);
    expect(answer.data).toMatchObject({
      trigger: 'test',
      status: 'succeeded',
      response_status: 204,
      attempts: 1,
    });
    expect(receiver.received.at(-1)?.payload).toMatchObject({
      id: answer.data.event_id,
      type: 'webhook.test',
      app_id: service.app.app.id,
      data: { webhook_id: id },
    });
    expect((await audit(id)).map(({ action }) => action)).toContain('webhook.tested');
  });

  test('repeated with its Idempotency-Key is sent once', async () => {
    const { id } = await scenario.create({ url: receiver.url });
    const count = receiver.received.length;
    const headers = { 'idempotency-key': 'one test' };
    const first = await scenario.call<WebhookDelivery>('POST', `/webhooks/${id}/test`, { headers });
    const again = await scenario.call<WebhookDelivery>('POST', `/webhooks/${id}/test`, { headers });
    expect(again.data).toEqual(first.data);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(receiver.received).toHaveLength(count + 1);
  });

  test('that fails is not retried and does not mark the webhook as failing; a disabled webhook can be tested', async () => {
    const { id } = await scenario.create({ url: receiver.url });
    receiver.answer(410);
    const failed = await scenario.call<WebhookDelivery>('POST', `/webhooks/${id}/test`);
    expect(failed.data).toMatchObject({ status: 'failed', next_attempt_at: null, response_status: 410 });
    expect(await scenario.get(id)).toMatchObject({ enabled: true, failing_since: null });
    receiver.answer(204);
    await scenario.call('PATCH', `/webhooks/${id}`, { body: { enabled: false } });
    expect((await scenario.call<WebhookDelivery>('POST', `/webhooks/${id}/test`)).data.status).toBe(
      'succeeded',
    );
    const count = receiver.received.length;
    await service.advance(day);
    expect(receiver.received).toHaveLength(count);
  });
});

describe('a delivery', () => {
  test('can be retried in any state, and its schedule restarts', async () => {
    const { id } = await scenario.create({ url: receiver.url, types: ['user.created'] });
    await service.signUp();
    await service.advance(0);
    const [delivery] = await scenario.deliveries(id);
    const count = receiver.received.length;
    const retried = await scenario.call<WebhookDelivery>(
      'POST',
      `/webhooks/${id}/deliveries/${delivery?.id}/retry`,
    );
    expect(retried.status).toBe(202);
    expect(retried.data).toMatchObject({ id: delivery?.id, status: 'pending', attempts: 1 });
    receiver.answer(500);
    await service.advance(0);
    receiver.answer(204);
    await service.advance(6_000);
    expect(receiver.received).toHaveLength(count + 2);
    expect(receiver.received.at(-1)?.payload.id).toBe(delivery?.event_id);
    expect((await scenario.deliveries(id))[0]).toMatchObject({ status: 'succeeded', attempts: 3 });
    expectRefusal(
      await scenario.call('POST', `/webhooks/${id}/deliveries/${unknown}/retry`),
      'webhooks/not-found',
    );
  });

  test('is listed newest first, in pages, by status', async () => {
    const { id } = await scenario.create({ url: receiver.url, types: ['user.created'] });
    for (let count = 0; count < 5; count += 1) await service.signUp();
    await service.advance(0);
    receiver.answer(500);
    await service.signUp();
    await service.advance(0);
    receiver.answer(204);
    expect(await scenario.deliveries(id, '&status=pending')).toHaveLength(1);
    expect(await scenario.deliveries(id, '&status=failed')).toHaveLength(0);
    const all = await scenario.deliveries(id);
    expect(all.map((delivery) => delivery.id)).toEqual(
      all
        .map((delivery) => delivery.id)
        .sort()
        .reverse(),
    );
    const pages: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const path: string = `/webhooks/${id}/deliveries?limit=4${cursor && `&cursor=${cursor}`}`;
      const { data } = await scenario.call<{ items: WebhookDelivery[]; next_cursor: string | null }>(
        'GET',
        path,
      );
      pages.push(...data.items.map((delivery) => delivery.id));
      cursor = data.next_cursor;
    }
    expect(pages).toEqual(all.map((delivery) => delivery.id));
  });

  test('is stored for 30 days, to the millisecond, and no longer than its webhook', async () => {
    const { id } = await scenario.create({ url: receiver.url, types: ['user.created'] });
    const gone = await scenario.create({ url: receiver.url, types: ['user.created'] });
    await service.signUp();
    await service.advance(0);
    const count = (endpointId: string) =>
      service.database.prisma.webhookDelivery.count({ where: { endpointId } });
    await scenario.call('DELETE', `/webhooks/${gone.id}`);
    await service.advance(30 * day);
    expect([await count(id), await count(gone.id)]).toEqual([1, 0]);
    // The daily job runs a day later.
    await service.advance(day);
    expect(await count(id)).toBe(0);
  });
});

describe('events', () => {
  test('are listed without a webhook too, newest first, filtered by type, user and time', async () => {
    await service.advance(day);
    const after = service.clock.now();
    const user = await service.signUp();
    service.clock.advance(1_000);
    const between = service.clock.now();
    await service.call('POST', '/auth/sign-out', { token: user.tokens.access_token });
    const list = async (query: string) => {
      const answer = await scenario.call<{ items: { type: string; id: string }[] }>('GET', `/events${query}`);
      expect(answer.status).toBe(200);
      return answer.data.items.map(({ type }) => type);
    };
    const mine = `?uid=${user.uid}`;
    expect(await list(mine)).toEqual(['session.ended', 'session.created', 'user.created']);
    expect(await list(`${mine}&type=session.created`)).toEqual(['session.created']);
    expect(await list(`${mine}&created_after=${between.toISOString()}`)).toEqual(['session.ended']);
    expect(await list(`${mine}&created_before=${between.toISOString()}`)).toEqual([
      'session.created',
      'user.created',
    ]);
    expect((await list(`?created_after=${after.toISOString()}`)).length).toBe(3);
    expect(await list('?created_after=2999-01-01T00:00:00Z')).toEqual([]);
    expect(await list('?created_before=1969-01-01T00:00:00Z')).toEqual([]);
    const first = await scenario.call<{ items: { id: string }[]; next_cursor: string }>(
      'GET',
      `/events${mine}&limit=2`,
    );
    expect(await list(`${mine}&limit=2&cursor=${first.data.next_cursor}`)).toEqual(['user.created']);
  });

  test('of other apps are not listed', async () => {
    const other = await service.newApp();
    await service.signUp();
    const as = { appKey: other.app.appKey, token: other.secretKey };
    expect((await scenario.call('GET', '/events', as)).data).toEqual({ items: [], next_cursor: null });
  });

  test('leave nothing pending without an enabled webhook', async () => {
    const { prisma } = service.database;
    const waiting = () => prisma.event.count({ where: { pending: true } });
    await service.signUp();
    expect(await waiting()).toBe(0);
    const { id } = await scenario.create({ url: receiver.url, types: ['user.deleted'] });
    await service.signUp();
    expect(await waiting()).toBe(2);
    await service.advance(0);
    expect(await waiting()).toBe(0);
    expect(await scenario.deliveries(id)).toEqual([]);
    await scenario.call('PATCH', `/webhooks/${id}`, { body: { enabled: false } });
    await service.signUp();
    expect(await waiting()).toBe(0);
  });
});

test('secrets are encrypted with ENCRYPTION_KEYS, and rotate-keys re-encrypts both secrets of a webhook', async () => {
  const { prisma } = service.database;
  await prisma.webhookEndpoint.deleteMany();
  const made = await scenario.create({ url: receiver.url });
  const { secret } = (await scenario.call<WebhookWithSecret>('POST', `/webhooks/${made.id}/rotate-secret`))
    .data;
  const stored = await prisma.webhookEndpoint.findFirstOrThrow({ where: { id: made.id } });
  for (const bytes of [stored.secret, stored.previousSecret as Uint8Array]) {
    expect(Buffer.from(bytes).toString()).not.toContain('whsec_');
  }
  const keys = ['another secret key for tests, long enough', testEncryptionKey];
  const later = await service.secondInstance({ config: { encryptionKeys: keys, outboundLoopback: true } });
  expect(await reencryptWebhookSecrets(later.deps)).toBe(1);
  expect(await reencryptWebhookSecrets(later.deps)).toBe(0);
  const alone = keyRing(keys.slice(0, 1), systemRandom());
  const row = await prisma.webhookEndpoint.findFirstOrThrow({ where: { id: made.id } });
  const context = `webhook ${row.appId} ${row.id}`;
  expect(alone.decrypt(row.secret, context).toString()).toBe(secret);
  expect(alone.decrypt(row.previousSecret as Uint8Array, context).toString()).toBe(made.secret);
  await later.stop();
});

test('every event type can be subscribed to', async () => {
  const { id } = await scenario.create({ url: receiver.url, types: [...eventTypes] });
  expect((await scenario.get(id)).types).toEqual(eventTypes);
});
