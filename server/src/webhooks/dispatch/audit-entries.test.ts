// Entries of the audit log as events of webhooks: for those who name them, once each, in the form of the admin API.
import type { AuditEntry, SecretKeyScope, WebhookPayload } from '@foyer/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { testService } from '../../../test/harness.js';
import { expectRefusal } from '../../../test/refusal.js';
import { shared } from '../../../test/shared.js';
import { type Receiver, startReceiver, webhookScenario } from '../../../test/webhook-scenario.js';
import { createSecretKey } from '../../apps/secret-keys.js';
import { byCommandLine } from '../../model/actor.js';

const service = shared(() => testService({ config: { outboundLoopback: true } }));
const scenario = webhookScenario(() => service);
let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await scenario.removeAll();
  await receiver.stop();
});

type AuditPayload = Extract<WebhookPayload, { data: { entry: { action: string } } }>;
const create = (types: string[], url = receiver.url) => scenario.create({ url, types });
const typesAt = ({ received } = receiver) => received.map(({ payload }) => payload.type);
const changeSettings = (body: object = { sign_up: 'closed' }) =>
  scenario.call('PATCH', '/settings', { body });
const reopen = () => changeSettings({ sign_up: 'open' });

/** Everything that is due, and what follows from it. */
async function deliverAll(): Promise<void> {
  for (let round = 0; round < 3; round += 1) await service.advance(1_000);
}

test('a webhook receives each entry as the admin API returns it', async () => {
  await create(['audit.*']);
  const user = await service.signUp();
  await service.call('PATCH', '/me', { token: user.tokens.access_token, body: { first_name: 'Ada' } });
  service.clock.advance(1);
  await changeSettings();
  await deliverAll();
  await reopen();
  const { data } = await scenario.call<{ items: AuditEntry[] }>('GET', '/audit-log?limit=100');
  // Deliveries are concurrent.
  const payloads = receiver.received
    .map(({ payload }) => payload as AuditPayload)
    .sort((one, other) => (one.id < other.id ? -1 : 1));
  expect(payloads.map(({ type }) => type)).toEqual(['audit.user.signed_up', 'audit.settings.updated']);
  for (const payload of payloads) {
    const entry = data.items.find(({ id }) => `evt_${id}` === payload.id);
    expect(payload).toMatchObject({ timestamp: entry?.created_at, app_id: service.app.app.id });
    expect(payload.data).toEqual({ entry });
  }
  expect(payloads[0]?.data.entry).toMatchObject({ actor_name: 'Ada', target_name: 'Ada', uid: user.uid });
});

test.each([
  [['audit.settings.updated'], ['audit.settings.updated']],
  [
    ['user.created', 'audit.user.signed_up'],
    ['audit.user.signed_up', 'user.created'],
  ],
  [['audit.user.signed_in'], []],
  [[], ['session.created', 'user.created']],
])('a webhook of the types %j receives %j', async (types, expected) => {
  await create(types);
  await service.signUp();
  await changeSettings();
  await deliverAll();
  await reopen();
  expect(typesAt().sort()).toEqual(expected);
});

test('an entry waits for its deliveries only if an enabled webhook receives it', async () => {
  const { id } = await create(['audit.user.signed_up']);
  const pending = async () => {
    const entries = await service.database.prisma.auditLog.findMany({ where: { pending: true } });
    return entries.map(({ action }) => action);
  };
  await changeSettings();
  await reopen();
  expect(await pending()).toEqual([]);
  await service.signUp();
  expect(await pending()).toEqual(['user.signed_up']);
  await scenario.update(id, { enabled: false });
  await service.signUp();
  expect(await pending()).toEqual([]);
});

test('a failed sign-in, which is not written with its request, is received', async () => {
  await create(['audit.user.sign_in_failed']);
  const { email } = await service.signUp();
  await service.signIn({ email, password: 'wrong' });
  await deliverAll();
  expect(typesAt()).toEqual(['audit.user.sign_in_failed']);
});

test('the entries that deliveries cause are received once, and cause no others', async () => {
  const failing = await startReceiver();
  failing.answer(410);
  const { id } = await create(['audit.*']);
  const { id: gone } = await create(['audit.*'], failing.url);
  await deliverAll();
  await scenario.test(id);
  const { data } = await scenario.call<{ items: { id: string }[] }>('GET', `/webhooks/${id}/deliveries`);
  await scenario.call('POST', `/webhooks/${id}/deliveries/${data.items[0]?.id}/retry`);
  await deliverAll();
  const written = await service.auditEntries({ target: { in: [`webhook:${id}`, `webhook:${gone}`] } });
  const count = receiver.received.length;
  await service.advance(60_000);
  await deliverAll();
  expect(receiver.received).toHaveLength(count);
  expect(await service.auditEntries({ target: { in: [`webhook:${id}`, `webhook:${gone}`] } })).toEqual(
    written,
  );
  expect(written.map(({ action }) => action).filter((action) => action === 'webhook.disabled')).toHaveLength(
    1,
  );
  expect(typesAt().filter((type) => type === 'audit.webhook.disabled')).toHaveLength(1);
  await failing.stop();
});

test('a replay sends the entries of the period again, with their ids', async () => {
  const { id } = await create(['audit.settings.updated']);
  const since = service.clock.now();
  await changeSettings();
  await deliverAll();
  await reopen();
  await deliverAll();
  const ids = () => receiver.received.map(({ payload }) => payload.id);
  const sent = ids();
  expect(sent).toHaveLength(2);
  await scenario.call('POST', `/webhooks/${id}/replay`, { body: { since } });
  await deliverAll();
  // Deliveries are concurrent.
  expect(ids().sort()).toEqual([...sent, ...sent].sort());
});

describe('the entry of a deleted user', () => {
  test('is sent without personal data, and no response to one is shown', async () => {
    receiver.answer(500);
    const { id } = await create(['audit.user.signed_up']);
    const user = await service.signUp();
    await deliverAll();
    receiver.answer((_, res) => void res.end('it was Ada'));
    const [delivery] = await scenario.deliveries(id);
    const read = () =>
      scenario.call<{ response_body: string | null }>('GET', `/webhooks/${id}/deliveries/${delivery?.id}`);
    await service.advance(60_000);
    expect((await read()).data.response_body).toBe('it was Ada');
    await service.call('DELETE', '/me', { token: user.tokens.access_token });
    expect((await read()).data.response_body).toBeNull();
    await scenario.call('POST', `/webhooks/${id}/deliveries/${delivery?.id}/retry`);
    await deliverAll();
    const { entry } = (receiver.received.at(-1) as { payload: AuditPayload }).payload.data;
    expect(entry).toMatchObject({ uid: user.uid, ip_address: null, actor_name: null });
    expect(entry.details).toEqual({});
  });

  test('has no stored responses once the account is purged, and those of another user remain', async () => {
    receiver.answer((_, res) => void res.end('it was Ada'));
    const { id: endpointId } = await create(['audit.user.signed_up']);
    const user = await service.signUp();
    await deliverAll();
    const stored = async () => {
      const where = { endpointId, responseBody: { not: null } };
      return (await service.database.prisma.webhookDelivery.findMany({ where })).map(({ id }) => id);
    };
    const [own] = await stored();
    await service.signUp();
    await deliverAll();
    const others = (await stored()).filter((id) => id !== own);
    expect([own, ...others]).toEqual([expect.any(String), expect.any(String)]);
    await service.call('DELETE', '/me', { token: user.tokens.access_token });
    await service.advance(60_000);
    expect(await stored()).toEqual(others);
  });
});

describe('a secret key without the scope audit:read', () => {
  const withScopes = async (scopes: SecretKeyScope[]) => {
    const by = byCommandLine(service.app.app.id);
    return (await createSecretKey(service.deps, by, { name: 'narrow', scopes, expiresAt: null })).secretKey;
  };

  test('cannot subscribe to entries, redirect them or read one', async () => {
    const { id } = await create(['audit.settings.updated']);
    await changeSettings();
    await deliverAll();
    await reopen();
    const [delivery] = await scenario.deliveries(id);
    const token = await withScopes(['webhooks:manage', 'users:read']);
    const types = ['audit.*'];
    const call = (method: string, path: string, body?: object) =>
      scenario.call(method, path, { token, ...(body && { body }) });
    const { url } = receiver;
    const refused = [
      ['POST', '/webhooks', { url, types }, 'types'],
      ['PATCH', `/webhooks/${id}`, { types }, 'types'],
      ['PATCH', `/webhooks/${id}`, { url }, 'url'],
      ['GET', `/webhooks/${id}/deliveries/${delivery?.id}`, undefined, 'delivery_id'],
    ] as const;
    for (const [method, path, body, field] of refused) {
      const fields = { [field]: ['requires the scope audit:read'] };
      expectRefusal(await call(method, path, body), 'admin/insufficient-scope', fields);
    }
    expect((await call('PATCH', `/webhooks/${id}`, { types: ['user.created'] })).status).toBe(200);
    expect((await call('PATCH', `/webhooks/${id}`, { url })).status).toBe(200);
  });
});
