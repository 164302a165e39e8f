// Refused secret keys: each refusal is in the audit log, by the key if it is known, on every route that takes one.
// who-may-call tests what each scope allows.
import {
  credentialsOf,
  type ErrorCode,
  metadataOf,
  type SecretKeyScope,
  secretKeyScopes,
} from '@foyer/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSecretKey, revokeSecretKey } from '../src/apps/secret-keys.js';
import { commandLine } from '../src/model/actor.js';
import { contractRoutes } from './contract-routes.js';
import { type CallOptions, cheapPasswordHasher, type TestService, testService } from './harness.js';
import { expectRefusal } from './refusal.js';

let service: TestService;
beforeAll(async () => {
  service = await testService({ overrides: { passwordHasher: await cheapPasswordHasher() } });
});
afterAll(() => service.stop());

const minute = 60_000;
const appId = () => service.app.app.id;

function keyWith(scopes: SecretKeyScope[], expiresAt: Date | null = null) {
  return createSecretKey(service.deps, appId(), { name: 'of a test', scopes, expiresAt }, commandLine);
}

async function refusals(target: string, ofApp = appId()) {
  await service.deps.auditBuffer.flush();
  const where = { appId: ofApp, action: 'secret_key.refused', target };
  return service.database.prisma.auditLog.findMany({ where, orderBy: { id: 'asc' } });
}

const read = (token: string, options: CallOptions = {}) =>
  service.call('GET', '/admin/settings', { token, ...options });

describe('refused and audited by its id is a key', () => {
  test('without the scope of the call', async () => {
    const { key, secretKey } = await keyWith(['users:read']);
    expectRefusal(await read(secretKey), 'admin/insufficient-scope');
    const target = `secret_key:${key.id}`;
    expect(await refusals(target)).toMatchObject([
      {
        actor: target,
        ipAddress: '127.0.0.1',
        details: { reason: 'scope-missing', scope: 'settings:manage' },
      },
    ]);
    expect(JSON.stringify(await refusals(target))).not.toContain(secretKey.slice(3));
  });

  test('in a browser', async () => {
    const { key, secretKey } = await keyWith(['settings:manage']);
    for (const origin of ['https://app.example', 'null']) {
      expectRefusal(await read(secretKey, { headers: { origin } }), 'admin/invalid-secret-key');
    }
    expect(await refusals(`secret_key:${key.id}`)).toMatchObject([{ details: { reason: 'in-browser' } }]);
  });

  test.each([
    [
      'an origin that is not allowed',
      'https://evil.example',
      'GET',
      '/admin/settings',
      'request/origin-not-allowed',
    ],
    [
      'an origin that is not allowed, for users',
      'https://evil.example',
      'GET',
      '/me',
      'request/origin-not-allowed',
    ],
    ['an allowed origin, for users', 'https://app.example', 'GET', '/me', 'auth/invalid-token'],
    [
      'an allowed origin, where a user may do without',
      'https://app.example',
      'POST',
      '/push/devices',
      'auth/invalid-token',
    ],
    ['an allowed origin, where it is not asked for', 'https://app.example', 'GET', '/config', undefined],
  ] as const)('in a browser, by %s', async (_, origin, method, path, code) => {
    const { app } = await service.newApp();
    const where = { id: app.id };
    await service.database.prisma.app.update({ where, data: { allowedOrigins: ['https://app.example'] } });
    service.deps.apps.forget();
    const given = { name: 'of a test', scopes: [], expiresAt: null };
    const { key, secretKey } = await createSecretKey(service.deps, app.id, given, commandLine);
    const answer = await service.call(method, path, {
      appKey: app.appKey,
      token: secretKey,
      headers: { origin },
      ...(method === 'POST' && { body: {} }),
    });
    expect(answer.code).toBe(code);
    const refused = await refusals(`secret_key:${key.id}`, app.id);
    expect(refused).toMatchObject([{ ipAddress: '127.0.0.1', details: { reason: 'in-browser' } }]);
  });

  test('that has expired, from that millisecond on', async () => {
    const expiresAt = new Date(service.clock.now().getTime() + 1_000);
    const { key, secretKey } = await keyWith(['settings:manage'], expiresAt);
    service.clock.advance(999);
    expect((await read(secretKey)).status).toBe(200);
    expect(await refusals(`secret_key:${key.id}`)).toEqual([]);
    service.clock.advance(1);
    expectRefusal(await read(secretKey), 'admin/invalid-secret-key');
    expect(await refusals(`secret_key:${key.id}`)).toMatchObject([{ details: { reason: 'expired' } }]);
  });

  test('that is revoked', async () => {
    const { key, secretKey } = await keyWith(['settings:manage']);
    await revokeSecretKey(service.deps, appId(), key.id, commandLine);
    expectRefusal(await read(secretKey), 'admin/invalid-secret-key');
    expect(await refusals(`secret_key:${key.id}`)).toMatchObject([{ details: { reason: 'revoked' } }]);
  });
});

test('a key unknown to the app, also another app’s, is audited under the app', async () => {
  const other = await service.newApp();
  await service.advance(minute);
  expectRefusal(await read(other.secretKey), 'admin/invalid-secret-key');
  expectRefusal(await read('sk_made-up'), 'admin/invalid-secret-key');
  expect(await refusals(`app:${appId()}`)).toMatchObject([
    { actor: 'anonymous', ipAddress: '127.0.0.1', details: { reason: 'unknown' } },
  ]);
});

test('many refusals add one entry a key, reason and minute', async () => {
  const { key, secretKey } = await keyWith(['users:read']);
  const flood = async () => {
    for (let calls = 0; calls < 20; calls += 1) {
      await read(secretKey);
      await read(secretKey, { headers: { origin: 'https://app.example' } });
    }
    return (await refusals(`secret_key:${key.id}`)).length;
  };
  expect(await flood()).toBe(2);
  await service.advance(minute);
  expect(await flood()).toBe(4);
});

test('a refusal does not update the last use of a key', async () => {
  const { key, secretKey } = await keyWith(['users:read']);
  await read(secretKey);
  const row = await service.database.prisma.secretKey.findFirstOrThrow({ where: { id: key.id } });
  expect(row.lastUsedAt).toBeNull();
});

const withScope = contractRoutes.filter(({ route }) => credentialsOf(metadataOf(route).auth).secretKey);

describe('every route that a secret key may call audits each refusal with its reason:', () => {
  test.each(withScope.map((each) => [each.id, each] as const))('%s', async (_, { route }) => {
    const scope = metadataOf(route).scope as SecretKeyScope;
    const others = secretKeyScopes.filter((one) => one !== scope);
    const [lacking, good, gone] = [await keyWith(others), await keyWith([scope]), await keyWith([scope])];
    await revokeSecretKey(service.deps, appId(), gone.key.id, commandLine);
    const other = await service.newApp();
    // Unknown keys of one network have one entry a minute, which the previous route has written.
    service.clock.advance(minute);
    const path = route.path.replace(/:\w+/g, '01JC4Q7M0RZ9X2V5T8W3Y6K1NB');
    const refused = async (token: string, code: ErrorCode, headers: Record<string, string> = {}) => {
      const body = route.method === 'GET' ? {} : { body: '{' };
      expectRefusal(await service.call(route.method, path, { token, headers, ...body }), code);
    };
    await refused(lacking.secretKey, 'admin/insufficient-scope');
    await refused(good.secretKey, 'admin/invalid-secret-key', { origin: 'https://app.example' });
    await refused(gone.secretKey, 'admin/invalid-secret-key');
    await refused(other.secretKey, 'admin/invalid-secret-key');
    await service.deps.auditBuffer.flush();
    const entries = await service.database.prisma.auditLog.findMany({
      where: { appId: appId(), action: 'secret_key.refused', createdAt: service.clock.now() },
    });
    const told = entries.map(({ actor, target, details }) => ({ actor, target, ...(details as object) }));
    const ofKey = ({ key }: { key: { id: string } }, reason: string) => {
      const name = `secret_key:${key.id}`;
      return { actor: name, target: name, reason, scope };
    };
    expect(told).toHaveLength(4);
    expect(told).toEqual(
      expect.arrayContaining([
        ofKey(lacking, 'scope-missing'),
        ofKey(good, 'in-browser'),
        ofKey(gone, 'revoked'),
        { actor: 'anonymous', target: `app:${appId()}`, reason: 'unknown', scope, count: 1 },
      ]),
    );
    // An app has a limit of active keys.
    for (const { key } of [lacking, good]) await revokeSecretKey(service.deps, appId(), key.id, commandLine);
  });
});
