// GET /admin/webhooks/{id}/deliveries/{delivery_id}: what was sent, what came back, and what is left after a deletion.
import type { Event, WebhookDeliveryDetails } from '@foyer/contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testService } from '../../../test/harness.js';
import { expectRefusal } from '../../../test/refusal.js';
import { shared } from '../../../test/shared.js';
import { startReceiver, webhookScenario } from '../../../test/webhook-scenario.js';
import { purgeDeletedAccounts } from '../../profile/purge-accounts.js';
import { responseText } from './message.js';

const service = shared(() => testService({ config: { outboundLoopback: true } }));
const receiver = shared(() => startReceiver());
const scenario = webhookScenario(() => service);
beforeEach(() => {
  receiver.received.length = 0;
  receiver.answer(204);
});
afterEach(() => scenario.removeAll());

const answerWith = (body: string | Buffer, status = 200) =>
  receiver.answer((_req, res) => res.writeHead(status, { 'content-type': 'text/html' }).end(body));

async function read(id: string, delivery: string): Promise<WebhookDeliveryDetails> {
  const answer = await scenario.call<WebhookDeliveryDetails>('GET', `/webhooks/${id}/deliveries/${delivery}`);
  expect([answer.status, answer.code]).toEqual([200, undefined]);
  return answer.data;
}

/** The newest delivery of a webhook to which the event of a new user was sent. */
async function sent(types = ['user.created']) {
  const { id } = await scenario.create({ url: receiver.url, types });
  const user = await service.signUp();
  await service.advance(1_000);
  return { id, user, delivery: await scenario.newest(id) };
}

test('a delivery shows the request as it arrived, without its signature, and the response', async () => {
  answerWith('{"received":true}');
  const { id, delivery } = await sent();
  const [received] = receiver.received;
  const { 'webhook-signature': signature, ...headers } = received?.headers ?? {};
  const shown = await read(id, delivery.id);
  expect(shown).toEqual({
    ...delivery,
    status: 'succeeded',
    response_status: 200,
    request: { url: receiver.url, headers: expect.anything(), body: received?.body },
    response_body: '{"received":true}',
  });
  expect(headers).toMatchObject(shown.request?.headers as object);
  expect(Object.keys(shown.request?.headers ?? {}).sort()).toEqual([
    'content-type',
    'user-agent',
    'webhook-id',
    'webhook-timestamp',
  ]);
  expect(JSON.stringify(shown)).not.toContain(signature);
});

test('a delivery names the user of its event, also after a deletion, and a test names none', async () => {
  const { id, user, delivery } = await sent();
  expect([delivery.uid, (await read(id, delivery.id)).uid]).toEqual([user.uid, user.uid]);
  await service.call('DELETE', `/admin/users/${user.uid}`, { token: service.app.secretKey });
  expect((await scenario.newest(id)).uid).toBe(user.uid);
  expect((await scenario.test(id)).data.uid).toBeNull();
  const ofAudit = await scenario.create({ url: receiver.url, types: ['audit.user.signed_up'] });
  const other = await service.signUp();
  await service.advance(1_000);
  expect((await scenario.newest(ofAudit.id)).uid).toBe(other.uid);
});

test('a delivery without an attempt has no request; the list never contains requests and responses', async () => {
  answerWith('an answer');
  const { id, delivery } = await sent();
  expect(Object.keys(delivery)).not.toContain('response_body');
  const where = { id: delivery.id };
  const unsent = { lastAttemptAt: null, requestUrl: null, responseBody: null, status: 'pending' };
  await service.database.prisma.webhookDelivery.updateMany({ where, data: unsent });
  expect(await read(id, where.id)).toMatchObject({ request: null, response_body: null });
});

test('the last attempt counts: its URL, its time and its response', async () => {
  answerWith('first', 500);
  const { id, delivery } = await sent();
  expect(await read(id, delivery.id)).toMatchObject({ response_status: 500, response_body: 'first' });
  const other = await startReceiver();
  await scenario.update(id, { url: other.url });
  await service.advance(10_000);
  const shown = await read(id, delivery.id);
  expect(shown).toMatchObject({ status: 'succeeded', attempts: 2, response_body: null });
  expect(shown.request?.url).toBe(other.url);
  expect(shown.request?.headers['webhook-timestamp']).toBe(other.received[0]?.headers['webhook-timestamp']);
  await other.stop();
});

test('an attempt without a response shows its request and no response', async () => {
  receiver.answer((req) => req.socket.destroy());
  const { id, delivery } = await sent();
  expect(await read(id, delivery.id)).toMatchObject({
    response_status: null,
    request: { url: receiver.url },
    response_body: null,
  });
});

test.each([
  ['1,000 characters', 'x'.repeat(1_000), 'x'.repeat(1_000)],
  ['1,001 characters', `${'x'.repeat(1_000)}y`, 'x'.repeat(1_000)],
  ['characters of two code units', '\u{1f600}'.repeat(1_001), '\u{1f600}'.repeat(1_000)],
  ['nothing', '', null],
])('of a response with %s the beginning is stored as text', (_, body, expected) => {
  expect(responseText(Buffer.from(body))).toBe(expected);
});

test('a response that no column can store is stored as text', async () => {
  answerWith(Buffer.from([97, 0, 0xff, 98]));
  const { id, delivery } = await sent();
  expect((await read(id, delivery.id)).response_body).toBe('a\ufffd\ufffdb');
});

test('a test shows its request and response too', async () => {
  answerWith('tested');
  const { id } = await scenario.create({ url: receiver.url });
  const { data } = await scenario.test(id);
  const shown = await read(id, data.id);
  expect(shown.response_body).toBe('tested');
  expect(shown.request?.body).toBe(receiver.received[0]?.body);
});

test('a deleted account is in no response any more, but for that to its deletion', async () => {
  const { prisma } = service.database;
  receiver.answer((_req, res) => res.end(receiver.received.at(-1)?.body));
  const { id, user, delivery } = await sent(['user.created', 'user.deleted']);
  expect((await read(id, delivery.id)).response_body).toContain(user.email);
  await service.call('DELETE', `/admin/users/${user.uid}`, { token: service.app.secretKey });
  const { data } = await scenario.call<{ items: Event[] }>('GET', `/events?uid=${user.uid}`);
  expect(data.items.map(({ type }) => type)).toContain('user.deleted');
  expect(await read(id, delivery.id)).toMatchObject({ response_body: null });
  expect(JSON.stringify(await prisma.webhookDelivery.findMany({ where: { id: delivery.id } }))).not.toContain(
    user.email,
  );
  await service.advance(1_000);
  const deletion = await scenario.newest(id);
  expect(deletion.event_type).toBe('user.deleted');
  const ofDeletion = async () => (await read(id, deletion.id)).response_body;
  expect(await ofDeletion()).toContain(user.email);
  service.clock.advance(4 * 24 * 3_600_000);
  await purgeDeletedAccounts(service.deps);
  expect(await ofDeletion()).toBeNull();
  // A response is never shown for longer than the event is stored.
  const late = { responseBody: `hello ${user.email}` };
  await prisma.webhookDelivery.updateMany({ where: { id: deletion.id }, data: late });
  await prisma.event.deleteMany({ where: { type: 'user.deleted', uid: user.uid } });
  expect(await ofDeletion()).toBeNull();
});

test('a request of an audit entry that is no longer stored has no body', async () => {
  const { id, delivery } = await sent(['audit.user.signed_up']);
  expect((await read(id, delivery.id)).request?.body).toBe(receiver.received[0]?.body);
  const entry = {
    appId: service.app.app.id,
    id: receiver.received[0]?.payload.id.slice('evt_'.length) ?? '',
  };
  await service.database.prisma.auditLog.deleteMany({ where: entry });
  expect((await read(id, delivery.id)).request).toMatchObject({ url: receiver.url, body: null });
});

test.each([
  ['an event', 'user.created'],
  ['an audit entry', 'audit.user.signed_up'],
])(
  'a response to %s that repeats a user who was deleted during the attempt is not shown',
  async (_, type) => {
    const { id, user, delivery } = await sent([type]);
    await service.call('DELETE', `/admin/users/${user.uid}`, { token: service.app.secretKey });
    await service.database.prisma.webhookDelivery.updateMany({
      where: { id: delivery.id },
      data: { responseBody: `hello ${user.email}` },
    });
    expect((await read(id, delivery.id)).response_body).toBeNull();
  },
);

test('an unknown delivery, and one of another webhook, is not found', async () => {
  const { id, delivery } = await sent();
  const another = await scenario.create({ url: receiver.url });
  const unknown = '01JC4Q7M0RZ9X2V5T8W3Y6K1NB';
  for (const [webhook, of] of [
    [id, unknown],
    [another.id, delivery.id],
    [unknown, delivery.id],
  ])
    expectRefusal(await scenario.call('GET', `/webhooks/${webhook}/deliveries/${of}`), 'webhooks/not-found');
});
