// Refused secret keys in the audit log where who-may-call, which walks every route that takes one, does not look: on the
// routes of users, at the moment of expiry, and in a flood.
import type { SecretKeyScope } from '@foyer/contract';
import { expect, test } from 'vitest';
import type { NewApp } from '../src/apps/create-app.js';
import { createSecretKey } from '../src/apps/secret-keys.js';
import { byCommandLine } from '../src/model/actor.js';
import { type CallOptions, testService } from './harness.js';
import { expectRefusal } from './refusal.js';
import { shared } from './shared.js';

const service = shared(() => testService());

const minute = 60_000;

function keyWith(
  scopes: SecretKeyScope[],
  { app }: Pick<NewApp, 'app'> = service.app,
  expiresAt: Date | null = null,
) {
  return createSecretKey(service.deps, byCommandLine(app.id), { name: 'of a test', scopes, expiresAt });
}

const refusalsOf = ({ id }: { id: string }) =>
  service.auditEntries({ action: 'secret_key.refused', target: `secret_key:${id}` });

const read = (token: string, options: CallOptions = {}) =>
  service.call('GET', '/admin/settings', { token, ...options });

test.each([
  ['a foreign origin', 'https://evil.example', 'GET', '/admin/settings', 'request/origin-not-allowed'],
  ['a foreign origin, for users', 'https://evil.example', 'GET', '/me', 'request/origin-not-allowed'],
  ['an allowed origin, for users', 'https://app.example', 'GET', '/me', 'auth/invalid-token'],
  ['an allowed origin, for anyone', 'https://app.example', 'POST', '/push/devices', 'auth/invalid-token'],
  ['an allowed origin that asks for none', 'https://app.example', 'GET', '/config', undefined],
] as const)('a key in a browser is audited, from %s', async (_, origin, method, path, code) => {
  const made = await service.newApp();
  const { appKey, id } = made.app;
  const data = { allowedOrigins: ['https://app.example'] };
  await service.database.prisma.app.update({ where: { id }, data });
  service.deps.apps.forget();
  const { key, secretKey: token } = await keyWith([], made);
  const body = method === 'POST' ? { body: {} } : {};
  const answer = await service.call(method, path, { appKey, token, headers: { origin }, ...body });
  expect(answer.code).toBe(code);
  expect(await refusalsOf(key)).toMatchObject([
    { appId: id, ip: '127.0.0.1', details: { reason: 'in-browser' } },
  ]);
});

test('a key is refused and audited from the millisecond of its expiry on', async () => {
  const expiresAt = new Date(service.clock.now().getTime() + 1_000);
  const { key, secretKey } = await keyWith(['settings:manage'], service.app, expiresAt);
  service.clock.advance(999);
  expect((await read(secretKey)).status).toBe(200);
  expect(await refusalsOf(key)).toEqual([]);
  service.clock.advance(1);
  expectRefusal(await read(secretKey), 'admin/invalid-secret-key');
  expect(await refusalsOf(key)).toMatchObject([{ details: { reason: 'expired' } }]);
});

test('many refusals add one entry a key, reason and minute', async () => {
  const { key, secretKey } = await keyWith(['users:read']);
  const flood = async () => {
    for (let calls = 0; calls < 20; calls += 1) {
      await read(secretKey);
      await read(secretKey, { headers: { origin: 'https://app.example' } });
    }
    return (await refusalsOf(key)).length;
  };
  expect(await flood()).toBe(2);
  await service.advance(minute);
  expect(await flood()).toBe(4);
});
