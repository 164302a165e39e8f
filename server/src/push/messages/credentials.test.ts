// Credentials of push providers in the settings of an app: write-only, and used for that app only.
import { AppSettingsPatch, limits } from '@foyer/contract';
import { expect, test } from 'vitest';
import { apnsSettings } from '../../../test/push-providers.js';
import { hello, pushScenario } from '../../../test/push-scenario.js';
import { expectRefusal } from '../../../test/refusal.js';
import { shared } from '../../../test/shared.js';
import type { NewApp } from '../../apps/create-app.js';

const scenario = shared(() => pushScenario({ rateLimits: true }));

const settings = (app: NewApp, push?: object) =>
  scenario.service.call(push ? 'PATCH' : 'GET', '/admin/settings', {
    appKey: app.app.appKey,
    token: app.secretKey,
    ...(push && { body: { push } }),
  });

test('credentials are stored encrypted and reported as set, and null removes them', async () => {
  const app = await scenario.service.newApp();
  const { serviceAccount } = scenario.providers.fcm;
  const secret = JSON.parse(serviceAccount).private_key.split('\n')[3];
  const answer = await settings(app, {
    fcm: { service_account: serviceAccount },
    apns: { ...apnsSettings, private_key: scenario.providers.apns.privateKey },
    web_push: { subject: 'mailto:push@example.com' },
  });
  const shown = {
    fcm: { project_id: 'project-1', service_account_set: true, service_account_fault: null },
    apns: { ...apnsSettings, private_key_set: true, private_key_fault: null },
    web_push: { subject: 'mailto:push@example.com', public_key: expect.any(String) },
  };
  expect(answer.json.data.push).toEqual(shown);
  const read = await settings(app);
  expect(read.json.data.push).toEqual(shown);
  for (const { text } of [answer, read]) expect(text).not.toMatch(/PRIVATE KEY|client_email/);
  const { prisma } = scenario.service.database;
  const rows = await prisma.appSecret.findMany({ where: { appId: app.app.id } });
  expect(rows.map(({ name }) => name).sort()).toEqual([
    'push.apns.private_key',
    'push.fcm.service_account',
    'push.web_push.private_key',
  ]);
  for (const { value } of rows) expect(Buffer.from(value).includes(secret)).toBe(false);
  const row = await prisma.app.findFirstOrThrow({ where: { id: app.app.id } });
  expect(JSON.stringify(row.settings)).not.toContain('PRIVATE');

  const removed = await settings(app, { fcm: { service_account: null }, apns: { private_key: null } });
  expect(removed.json.data.push).toMatchObject({
    fcm: { project_id: null, service_account_set: false },
    apns: { ...apnsSettings, private_key_set: false },
  });
  expect(await prisma.appSecret.count({ where: { appId: app.app.id } })).toBe(1);
});

test.each([
  ['an unknown name', { apns: { key: 'x' } }],
  ['a public key chosen by the caller', { web_push: { public_key: 'x' } }],
])('%s is refused', (_, push) => {
  expect(AppSettingsPatch.safeParse({ push }).success).toBe(false);
});

test('one secret key may send sixty messages a minute; reads have their own limit', async () => {
  scenario.service.clock.advance(60_000);
  const { limit } = limits.rateLimits['push-send'];
  const body = { ...hello, all: true, dry_run: true };
  expect((await scenario.send({ ...hello, topic: 'nobody' })).status).toBe(202);
  for (let count = 1; count < limit; count += 1) expect((await scenario.send(body)).status).toBe(202);
  const over = await scenario.send(body);
  expectRefusal(over, 'request/rate-limited');
  expect(over.headers.get('ratelimit-policy')).toBe('"push-send";q=60;w=60');
  const token = scenario.service.app.secretKey;
  const read = await scenario.service.call('GET', '/admin/push/messages', { token });
  expect([read.status, read.headers.get('ratelimit-policy')]).toEqual([200, '"admin";q=1000;w=60']);
  scenario.service.clock.advance(60_000);
  expect((await scenario.send(body)).status).toBe(202);
});
