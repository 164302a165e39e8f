// Administration of webhooks by an app's backend, and the list of events.
import { randomUUID } from 'node:crypto';
import { eventTypes, limits, type Webhook, type WebhookDelivery } from '@foyer/contract';
import { afterEach, describe, expect, test } from 'vitest';
import { keyRing } from '../../engines/keys/key-ring.js';
import { testOnServer, untilBlocked } from '../../test/blocked.js';
import { statementLog, testEncryptionKey, testService } from '../../test/harness.js';
import { expectRefusal } from '../../test/refusal.js';
import { shared } from '../../test/shared.js';
import { startReceiver, type WebhookWithSecret, webhookScenario } from '../../test/webhook-scenario.js';
import { systemRandom } from '../lib/crypto/random.js';
import { lockAppOf } from '../model/app.js';
import { reencryptWebhookSecrets } from './endpoints/secret.js';

const statements = statementLog();
const service = shared(() =>
  testService({ onStatement: statements.onStatement, config: { outboundLoopback: true } }),
);
const receiver = shared(() => startReceiver());
const scenario = webhookScenario(() => service);
afterEach(() => scenario.removeAll());

const unknown = '01JC4Q7M0RZ9X2V5T8W3Y6K1NB';
const day = 24 * 3_600_000;
const audit = (id: string) => service.auditEntries({ target: `webhook:${id}` });

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
    const changed = await scenario.update(made.id, body);
    expect(changed).toMatchObject({ ...body, disabled_reason: 'admin', url: receiver.url });
    expect(changed.updated_at > created_at).toBe(true);
    expect((await scenario.call('DELETE', `/webhooks/${made.id}`)).status).toBe(204);
    expectRefusal(await scenario.call('GET', `/webhooks/${made.id}`), 'webhooks/not-found');

    const entries = await audit(made.id);
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ['webhook.created', { url: new URL(receiver.url).origin }],
      [
        'webhook.updated',
        {
          changed: ['description', 'types', 'enabled'],
          changes: {
            description: { from: 'Ours', to: null },
            types: { from: ['user.created'], to: [] },
            enabled: { from: true, to: false },
          },
        },
      ],
      ['webhook.deleted', {}],
    ]);
    for (const { actor } of entries) expect(actor).toMatch(/^secret_key:/);
  });

  test('needs an https URL; the refusal has the reason', async () => {
    const answer = await scenario.call('POST', '/webhooks', { body: { url: 'receiver.example' } });
    const url = ['must be an https URL of at most 2,048 characters'];
    expectRefusal(answer, 'webhooks/invalid-url', { url });
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
  const create = () => scenario.call<WebhookWithSecret>('POST', '/webhooks', options);
  const [first, second] = [await create(), await create()];
  expect(second.data).toEqual(first.data);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect((await scenario.call<{ items: Webhook[] }>('GET', '/webhooks')).data.items).toHaveLength(1);
});

test.each<[string, (delivery: string) => [path: string, body?: object]]>([
  ['a retried delivery', (delivery) => [`/deliveries/${delivery}/retry`]],
  ['a replay', () => ['/replay', { since: service.clock.now() }]],
  ['a new secret', () => ['/rotate-secret']],
])(
  'the response with %s is stored in its transaction, so that a crash leaves both or neither',
  async (_, asked) => {
    const { id } = await scenario.create({ url: receiver.url, types: ['user.created'] });
    await scenario.signUp();
    const [path, body] = asked((await scenario.newest(id)).id);
    const options = { headers: { 'idempotency-key': randomUUID() }, ...(body && { body }) };
    const sent = await statements.during(async () => {
      expect((await scenario.call('POST', `/webhooks/${id}${path}`, options)).status).toBeLessThan(300);
    });
    const places = [/^BEGIN/, /UPDATE idempotency_keys SET answer/, /^COMMIT/].map((pattern) =>
      sent.findLastIndex((sql) => pattern.test(sql)),
    );
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  },
);

test('an app has at most ten webhooks, also if two are created concurrently as the tenth', async () => {
  for (let count = 0; count < 9; count += 1) await scenario.create({ url: receiver.url });
  const body = { url: receiver.url };
  const answers = await Promise.all([1, 2, 3].map(() => scenario.call('POST', '/webhooks', { body })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  const refused = answers.find(({ status }) => status === 409);
  if (refused) expectRefusal(refused, 'webhooks/limit-reached');
  const where = { appId: service.app.app.id };
  expect(await service.database.prisma.webhookEndpoint.count({ where })).toBe(limits.webhooksPerApp);

  const first = await scenario.call<{ items: Webhook[]; next_cursor: string }>('GET', '/webhooks?limit=6');
  const cursor = encodeURIComponent(first.data.next_cursor);
  const rest = await scenario.call<{ items: Webhook[] }>('GET', `/webhooks?limit=6&cursor=${cursor}`);
  const ids = [...first.data.items, ...rest.data.items].map(({ id }) => id);
  expect(new Set(ids).size).toBe(10);
  expect(rest.data).toMatchObject({ next_cursor: null });

  await scenario.call('DELETE', `/webhooks/${ids[0]}`);
  expect((await scenario.call('POST', '/webhooks', { body })).status).toBe(201);
});

testOnServer(
  'webhooks of an app are created one after another, so that none is missed in their number',
  async () => {
    const { id: appId } = service.app.app;
    const { created } = await service.database.prisma.$transaction(async (tx) => {
      await tx.$executeRaw(lockAppOf(appId));
      const created = scenario.call('POST', '/webhooks', { body: { url: receiver.url } });
      await untilBlocked(service.database, 1);
      return { created };
    });
    expect((await created).status).toBe(201);
  },
);

testOnServer('an update that waits for another one records what that one has left', async () => {
  const { id } = await scenario.create({ url: receiver.url });
  const { id: appId } = service.app.app;
  const { updated } = await service.database.prisma.$transaction(async (tx) => {
    await tx.$executeRaw`UPDATE webhook_endpoints SET description = 'First' WHERE app_id = ${appId} AND id = ${id}`;
    const updated = scenario.update(id, { description: 'Second' });
    await untilBlocked(service.database, 1, 'webhook_endpoints');
    return { updated };
  });
  await updated;
  const entry = (await audit(id)).at(-1);
  expect(entry?.details).toMatchObject({ changes: { description: { from: 'First', to: 'Second' } } });
});

describe('a test', () => {
  test('is sent at once, and answered with its result', async () => {
    const { id } = await scenario.create({ url: receiver.url, types: ['user.deleted'] });
    const answer = await scenario.test(id);
    const succeeded = { trigger: 'test', status: 'succeeded', response_status: 204, attempts: 1 };
    expect(answer.data).toMatchObject(succeeded);
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
    const [first, again] = [await scenario.test(id, { headers }), await scenario.test(id, { headers })];
    expect(again.data).toEqual(first.data);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(receiver.received).toHaveLength(count + 1);
  });

  test('that fails is not retried and does not mark the webhook as failing; a disabled webhook can be tested', async () => {
    const { id } = await scenario.create({ url: receiver.url });
    receiver.answer(410);
    const failed = await scenario.test(id);
    expect(failed.data).toMatchObject({ status: 'failed', next_attempt_at: null, response_status: 410 });
    expect(await scenario.get(id)).toMatchObject({ enabled: true, failing_since: null });
    receiver.answer(204);
    await scenario.update(id, { enabled: false });
    expect((await scenario.test(id)).data.status).toBe('succeeded');
    const count = receiver.received.length;
    await service.advance(day);
    expect(receiver.received).toHaveLength(count);
  });
});

describe('a delivery', () => {
  test('can be retried in any state, and its schedule restarts', async () => {
    const { id } = await scenario.create({ url: receiver.url, types: ['user.created'] });
    await scenario.signUp();
    const delivery = await scenario.newest(id);
    const count = receiver.received.length;
    const path = `/webhooks/${id}/deliveries/${delivery.id}/retry`;
    const retried = await scenario.call<WebhookDelivery>('POST', path);
    expect(retried.status).toBe(202);
    expect(retried.data).toMatchObject({ id: delivery.id, status: 'pending', attempts: 1 });
    receiver.answer(500);
    await service.advance(0);
    receiver.answer(204);
    await service.advance(6_000);
    expect(receiver.received).toHaveLength(count + 2);
    expect(receiver.received.at(-1)?.payload.id).toBe(delivery.event_id);
    expect(await scenario.newest(id)).toMatchObject({ status: 'succeeded', attempts: 3 });
    const other = `/webhooks/${id}/deliveries/${unknown}/retry`;
    expectRefusal(await scenario.call('POST', other), 'webhooks/not-found');
  });

  test('of a deleted webhook is neither listed, shown nor retried, and the webhook is not tested', async () => {
    const { id } = await scenario.create({ url: receiver.url, types: ['user.created'] });
    await scenario.signUp();
    const delivery = await scenario.newest(id);
    expect((await scenario.call('DELETE', `/webhooks/${id}`)).status).toBe(204);
    const before = await audit(id);
    for (const [method, path] of [
      ['GET', '/deliveries'],
      ['GET', `/deliveries/${delivery.id}`],
      ['POST', `/deliveries/${delivery.id}/retry`],
      ['POST', '/test'],
    ]) {
      const answer = await scenario.call(method as string, `/webhooks/${id}${path}`);
      expectRefusal(answer, 'webhooks/not-found');
    }
    expect(await audit(id)).toEqual(before);
    const where = { endpointId: id };
    expect(await service.database.prisma.webhookDelivery.count({ where })).toBe(1);
  });

  test('of a webhook that is deleted before the attempt is not found', async () => {
    const { id } = await scenario.create({ url: receiver.url });
    const { deps } = service;
    const { prisma } = deps;
    const sent = receiver.received.length;
    const late = async (...query: Parameters<typeof prisma.$queryRaw>) => {
      const isLookup = String(query[0]).includes('FROM webhook_deliveries AS c');
      if (isLookup) await prisma.webhookEndpoint.deleteMany({ where: { id } });
      return prisma.$queryRaw(...query);
    };
    deps.prisma = new Proxy(prisma, {
      get: (target, name) => (name === '$queryRaw' ? late : Reflect.get(target, name)),
    });
    const answer = await scenario.test(id);
    deps.prisma = prisma;
    expectRefusal(answer, 'webhooks/not-found');
    expect(receiver.received).toHaveLength(sent);
  });

  test('of a webhook that is deleted during the attempt is answered with the response', async () => {
    const { id } = await scenario.create({ url: receiver.url });
    receiver.answer(async (_req, res) => {
      await scenario.call('DELETE', `/webhooks/${id}`);
      res.writeHead(410).end();
    });
    expect((await scenario.test(id)).data).toMatchObject({ status: 'failed', response_status: 410 });
    receiver.answer(204);
    expectRefusal(await scenario.call('GET', `/webhooks/${id}`), 'webhooks/not-found');
  });

  test('is listed newest first, in pages, by status', async () => {
    const { id } = await scenario.create({ url: receiver.url, types: ['user.created'] });
    for (let count = 0; count < 5; count += 1) await service.signUp();
    await service.advance(0);
    receiver.answer(500);
    await scenario.signUp();
    receiver.answer(204);
    expect(await scenario.deliveries(id, '&status=pending')).toHaveLength(1);
    expect(await scenario.deliveries(id, '&status=failed')).toHaveLength(0);
    const all = (await scenario.deliveries(id)).map((delivery) => delivery.id);
    expect(all).toEqual(all.toSorted().reverse());
    type Page = { items: WebhookDelivery[]; next_cursor: string | null };
    const page = async (query: string) =>
      (await scenario.call<Page>('GET', `/webhooks/${id}/deliveries?limit=4${query}`)).data;
    const first = await page('');
    const second = await page(`&cursor=${first.next_cursor}`);
    expect([...first.items, ...second.items].map((delivery) => delivery.id)).toEqual(all);
    expect(second.next_cursor).toBeNull();
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
    const earlier = await list(`${mine}&created_before=${between.toISOString()}`);
    expect(earlier).toEqual(['session.created', 'user.created']);
    // Events have whole milliseconds: between two of them, this is after the first.
    const later = after.toISOString().replace('Z', '001Z');
    expect(await list(`${mine}&created_after=${later}`)).toEqual(['session.ended']);
    expect(await list(`${mine}&created_before=${later}`)).toEqual(earlier);
    expect((await list(`?created_after=${after.toISOString()}`)).length).toBe(3);
    expect(await list('?created_after=2999-01-01T00:00:00Z')).toEqual([]);
    expect(await list('?created_before=1969-01-01T00:00:00Z')).toEqual([]);
    const first = await scenario.call<{ next_cursor: string }>('GET', `/events${mine}&limit=2`);
    expect(await list(`${mine}&limit=2&cursor=${first.data.next_cursor}`)).toEqual(['user.created']);
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
    await scenario.update(id, { enabled: false });
    await service.signUp();
    expect(await waiting()).toBe(0);
  });
});

test('secrets are encrypted with ENCRYPTION_KEYS, and rotate-keys re-encrypts both secrets of a webhook', async () => {
  const { prisma } = service.database;
  await prisma.webhookEndpoint.deleteMany();
  const made = await scenario.create({ url: receiver.url });
  const { secret } = await scenario.rotateSecret(made.id);
  const stored = await prisma.webhookEndpoint.findFirstOrThrow({ where: { id: made.id } });
  for (const bytes of [stored.secret, stored.previousSecret as Uint8Array]) {
    expect(Buffer.from(bytes).toString()).not.toContain('whsec_');
  }
  const keys = ['another secret key for tests, long enough', testEncryptionKey];
  const later = await service.secondInstance({ config: { encryptionKeys: keys, outboundLoopback: true } });
  expect(await reencryptWebhookSecrets(later.deps, service.app.app.id)).toBe(1);
  expect(await reencryptWebhookSecrets(later.deps, service.app.app.id)).toBe(0);
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
