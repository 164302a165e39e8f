// Hostile URLs over HTTP: where a URL that the service calls is registered, and when it is called.
import type { WebhookDelivery } from '@foyer/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ssrfSafeFetch } from '../src/lib/http/ssrf-safe-fetch.js';
import { testService } from './harness.js';
import { internalNames, internalUrls, localhostUrls } from './hostile-urls.js';
import { expectRefusal } from './refusal.js';
import { shared } from './shared.js';
import { type WebhookWithSecret, webhookScenario } from './webhook-scenario.js';

const publicName = 'public.example';
/** The name `internal-<n>.example` has the internal address n beside a public one. */
const resolved: string[] = [];
const guard = ssrfSafeFetch({
  loopback: false,
  async resolve(hostname) {
    resolved.push(hostname);
    const place = /^internal-(\d+)\./.exec(hostname)?.[1];
    const internal = place === undefined ? [] : [internalNames[Number(place)] ?? ''];
    return ['93.184.215.14', ...internal].map((address) => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }));
  },
});

afterAll(() => guard.close());
const service = shared(() => testService({ overrides: { ssrfSafeFetch: guard } }));
const scenario = webhookScenario(() => service);
let webhook: WebhookWithSecret;
beforeAll(async () => {
  webhook = await scenario.create({ url: `https://${publicName}/hooks` });
});

const internal = [
  ...internalUrls,
  ...localhostUrls,
  ...internalNames.map((_, place) => `https://internal-${place}.example/`),
];
const sentences = {
  'not-public': 'must resolve to a public IP address',
  'not-https': 'must start with https://',
  credentials: 'must not contain a user name or a password',
};
const table: [url: string, reason: keyof typeof sentences][] = [
  ...internal.map((url): [string, 'not-public'] => [url, 'not-public']),
  ['http://public.example/', 'not-https'],
  ['http://127.0.0.1/', 'not-https'],
  ['ftp://public.example/', 'not-https'],
  ['file:///etc/passwd', 'not-https'],
  ['https://user@public.example/', 'credentials'],
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

test('a URL is refused before its name is resolved, except names', () => {
  expect(new Set(resolved.map((name) => name.replace(/\d+/, 'n')))).toEqual(
    new Set([publicName, 'internal-n.example']),
  );
});
