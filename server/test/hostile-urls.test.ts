// Hostile URLs over HTTP: where a URL that the service calls is registered, and when it is called. Every form of a hostile
// URL: ssrf-safe-fetch.test.ts.
import type { WebhookDelivery } from '@foyer/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ssrfSafeFetch } from '../engines/safe-fetch/ssrf-safe-fetch.js';
import { testService } from './harness.js';
import { expectRefusal } from './refusal.js';
import { shared } from './shared.js';
import { type WebhookWithSecret, webhookScenario } from './webhook-scenario.js';

const publicAddress = { address: '93.184.215.14', family: 4 };
const internalAddress = { address: '10.0.0.1', family: 4 };
const guard = ssrfSafeFetch({
  loopback: false,
  resolve: async (hostname) =>
    hostname === 'internal.example' ? [publicAddress, internalAddress] : [publicAddress],
});

afterAll(() => guard.close());
const service = shared(() => testService({ overrides: { ssrfSafeFetch: guard } }));
const scenario = webhookScenario(() => service);
let webhook: WebhookWithSecret;
beforeAll(async () => {
  webhook = await scenario.create({ url: 'https://public.example/hooks' });
});

const sentences = {
  'not-public': 'must resolve to a public IP address',
  'not-https': 'must start with https://',
  credentials: 'must not contain a user name or a password',
};
const table: [url: string, reason: keyof typeof sentences][] = [
  ['https://169.254.169.254/latest/meta-data/', 'not-public'],
  ['https://2130706433/', 'not-public'],
  ['https://[::ffff:7f00:1]/', 'not-public'],
  ['https://localhost/', 'not-public'],
  ['https://internal.example/', 'not-public'],
  ['http://public.example/', 'not-https'],
  ['file:///etc/passwd', 'not-https'],
  ['https://user:password@public.example/', 'credentials'],
];

test.each(table)('%s is refused as a webhook', async (url, reason) => {
  for (const [method, path] of [
    ['POST', '/webhooks'],
    ['PATCH', `/webhooks/${webhook.id}`],
  ] as const) {
    const answer = await scenario.call(method, path, { body: { url } });
    expectRefusal(answer, 'webhooks/invalid-url', { url: [sentences[reason]] });
  }
});

test.each(table)('%s, stored in any way, is not called by a delivery', async (url, reason) => {
  const where = { appId_id: { appId: service.app.app.id, id: webhook.id } };
  await service.database.prisma.webhookEndpoint.update({ where, data: { url } });
  const { data } = await scenario.call<WebhookDelivery>('POST', `/webhooks/${webhook.id}/test`);
  expect(data).toMatchObject({ status: 'failed', attempts: 1, response_status: null });
  expect(data.error).toContain(sentences[reason]);
});

test.each(table)('%s is refused as the endpoint of a Web Push device', async (url) => {
  const keys = {
    p256dh: 'BDd3_hVL9fZi9Ybo2UUzA284WG5FZR30_95YeZJsiApwXKpNcF1rRPF3foIiBHXRdJI2Qhumhf6_LFTeZaNndIo',
    auth: 'AAAAAAAAAAAAAAAAAAAAAA',
  };
  const body = { provider: 'webpush', platform: 'web', token: url, keys };
  const answer = await service.call('POST', '/push/devices', { body });
  expect([answer.status, answer.code]).toEqual([422, 'push/invalid-token']);
  expect(Object.keys(answer.json.error.fields)).toEqual(['token']);
});
