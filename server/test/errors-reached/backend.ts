// Errors of an app's own backend: users, points, remote config and webhooks.
import { limits } from '@foyer/contract';
import { expect } from 'vitest';
import { type TeamScenario, teamScenario } from '../team-scenario.js';
import type { Context, ReachedOf } from './context.js';

export function adminErrors({ service, adminCall }: Context): ReachedOf<'admin'> {
  const make = (body: object) =>
    adminCall('POST', '/admin/users', { body: { email: 'made@example.com', ...body } });

  let started: Promise<TeamScenario> | undefined;
  /** A call on the first app by an owner of the service, who has just signed in. */
  const asMember = async (method: string, path: string, body?: object, on = service) => {
    started ??= teamScenario(() => service);
    const token = await (await started).ownerToken();
    return on.call(method, path, { token, ...(body && { body }) });
  };

  return {
    'admin/secret-key-not-found': {
      route: 'keys.revoke',
      ask: () => asMember('DELETE', '/admin/keys/01JC4Q7M0RZ9X2V5T8W3Y6K1NB'),
    },
    'admin/too-many-secret-keys': {
      route: 'keys.create',
      async ask() {
        const body = { name: 'One of many', scopes: ['users:read'] };
        for (let keys = 1; keys < limits.secretKeysPerApp; keys += 1) {
          expect((await asMember('POST', '/admin/keys', body)).status).toBe(201);
        }
        return asMember('POST', '/admin/keys', body);
      },
    },
    'admin/mail-not-configured': {
      route: 'settingsChecks.testMail',
      async ask() {
        const silent = await service.secondInstance({ config: { devMailbox: false } });
        const answer = await asMember('POST', '/admin/settings/test-mail', { purpose: 'reset' }, silent);
        await silent.stop();
        return answer;
      },
    },
    'admin/invalid-secret-key': {
      route: 'apps.getSettings',
      ask: () => service.call('GET', '/admin/settings', { token: 'sk_unknown' }),
    },
    'admin/insufficient-scope': {
      route: 'apps.updateSettings',
      async ask() {
        const { app, secretKey } = await service.newApp();
        const data = { scopes: ['users:read'] };
        await service.database.prisma.secretKey.updateMany({ where: { appId: app.id }, data });
        return service.call('PATCH', '/admin/settings', { appKey: app.appKey, token: secretKey, body: {} });
      },
    },
    'admin/member-id-already-in-use': {
      route: 'users.create',
      async ask() {
        expect((await make({ member_id: 'one' })).status).toBe(201);
        return make({ email: 'another-made@example.com', member_id: 'one' });
      },
    },
    'admin/claims-too-large': {
      route: 'users.create',
      ask: () => make({ claims: { big: 'x'.repeat(1_000) } }),
    },
    'admin/password-import-not-supported': {
      route: 'users.import',
      ask: () =>
        adminCall('POST', '/admin/users/import', {
          body: { users: [{ email: 'hashed@example.com', password_hash: 'x' }] },
        }),
    },
    'admin/query-timeout': {
      route: 'users.list',
      async ask() {
        // A database that finds no match in batch after batch, each taking three seconds.
        const { database } = service;
        let passed = 0;
        const query: typeof database.query = async <Row>(statement: { text: string; values: unknown[] }) => {
          if (!statement.text.startsWith('WITH')) return database.query<Row>(statement);
          passed += 3_000;
          const size = statement.text.startsWith('WITH n') ? 2_000_000 : statement.values.at(-1);
          return [{ size, lastKey: '2026-01-01T00:00:00Z', lastId: '', uid: null }] as Row[];
        };
        const slow = await service.secondInstance({
          database: { ...database, query, close: async () => {} },
          overrides: { elapsed: () => passed, passwordHasher: service.deps.passwordHasher },
        });
        const answer = await slow.call('GET', '/admin/users?q=nobody', { token: service.app.secretKey });
        await slow.stop();
        return answer;
      },
    },
    'admin/reserved-claim': { route: 'users.create', ask: () => make({ claims: { sub: 'x' } }) },
  };
}

export function loyaltyErrors({ service }: Context): ReachedOf<'loyalty'> {
  const addPoints = (uid: string, points: number, reference?: string) =>
    service.call('POST', `/admin/users/${uid}/loyalty/entries`, {
      token: service.app.secretKey,
      body: { points, description: 'Points', reference },
    });

  return {
    'loyalty/insufficient-points': {
      route: 'loyaltyEntries.add',
      ask: async () => addPoints((await service.signUp()).uid, -1),
    },
    'loyalty/balance-too-high': {
      route: 'loyaltyEntries.add',
      async ask() {
        const { uid } = await service.signUp();
        await addPoints(uid, 1_000_000_000);
        return addPoints(uid, 1);
      },
    },
    'loyalty/reference-conflict': {
      route: 'loyaltyEntries.add',
      async ask() {
        const { uid } = await service.signUp();
        await addPoints(uid, 1, 'order-1');
        return addPoints(uid, 2, 'order-1');
      },
    },
  };
}

export function configErrors({ service, putConfig }: Context): ReachedOf<'config'> {
  return {
    'config/invalid-parameter': {
      route: 'configVersions.replace',
      ask: () => putConfig({ banner: { type: 'string', value: 7 } }),
    },
    'config/version-conflict': {
      route: 'configVersions.replace',
      ask: () => putConfig({}, { 'if-match': '"0-0"' }),
    },
    'config/version-not-found': {
      route: 'configVersions.get',
      ask: () => service.call('GET', '/admin/config/versions/2147483647', { token: service.app.secretKey }),
    },
  };
}

export function webhookErrors({ service, adminCall }: Context): ReachedOf<'webhooks'> {
  return {
    'webhooks/not-found': {
      route: 'webhooks.get',
      ask: () => adminCall('GET', '/admin/webhooks/01JC4Q7M0RZ9X2V5T8W3Y6K1NB'),
    },
    'webhooks/invalid-url': {
      route: 'webhooks.create',
      ask: () => adminCall('POST', '/admin/webhooks', { body: { url: 'https://10.0.0.1/' } }),
    },
    'webhooks/limit-reached': {
      route: 'webhooks.create',
      async ask() {
        const body = { url: 'https://93.184.215.14/hooks' };
        for (let count = 0; count < 10; count += 1) await adminCall('POST', '/admin/webhooks', { body });
        return adminCall('POST', '/admin/webhooks', { body });
      },
    },
    'webhooks/replay-in-progress': {
      route: 'webhooks.replay',
      async ask() {
        const body = { url: 'https://93.184.215.14/hooks' };
        await service.database.prisma.webhookEndpoint.deleteMany();
        const { data } = await adminCall<{ id: string }>('POST', '/admin/webhooks', { body });
        const replay = () =>
          adminCall('POST', `/admin/webhooks/${data.id}/replay`, { body: { since: '2026-01-01T00:00:00Z' } });
        await replay();
        return replay();
      },
    },
  };
}
