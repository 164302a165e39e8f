// Errors of an app's own backend: users, points, remote config and webhooks.
import { limits } from '@foyer/contract';
import { expect } from 'vitest';
import { type Sent, unknownId } from '../contract-routes.js';
import type { Context, ReachedOf } from './context.js';

export function adminErrors({ service, asBackend, asOwner, send, on }: Context): ReachedOf<'admin'> {
  const { prisma } = service.database;
  const user = (more: object): Sent => ({ ...asBackend, body: { email: 'made@example.com', ...more } });
  // A database that finds no match in batch after batch, each taking three seconds.
  let passed = 0;
  const query: typeof service.database.query = async <Row>(statement: {
    text: string;
    values: unknown[];
  }) => {
    if (!statement.text.startsWith('WITH')) return service.database.query<Row>(statement);
    passed += 3_000;
    // A batch is full, and a set is too large to be sorted.
    const size = statement.text.startsWith('WITH batch') ? statement.values.at(-1) : 2_000_000;
    return [{ size, lastKey: '2026-01-01T00:00:00Z', lastId: '', uid: null }] as Row[];
  };
  const slow = {
    database: { ...service.database, query, close: async () => {} },
    overrides: { elapsed: () => passed },
  };

  return {
    'admin/secret-key-not-found': on('keys.revoke', async () => ({
      ...(await asOwner()),
      params: { id: unknownId },
    })),
    'admin/too-many-secret-keys': on('keys.create', async () => {
      const { app } = await service.newApp();
      const row = {
        appId: app.id,
        name: 'One of many',
        lastFour: 'last',
        scopes: [],
        createdAt: service.clock.now(),
      };
      await prisma.secretKey.createMany({
        data: Array.from({ length: limits.secretKeysPerApp - 1 }, (_, place) => ({
          ...row,
          id: String(place),
          keyHash: Uint8Array.of(place),
        })),
      });
      const body = { name: 'One more', scopes: ['users:read'] };
      return { ...(await asOwner()), appKey: app.appKey, body };
    }),
    'admin/mail-not-configured': on(
      'settingsChecks.testMail',
      async () => ({ ...(await asOwner()), body: { purpose: 'reset' } }),
      { instance: { config: { devMailbox: false } } },
    ),
    'admin/version-conflict': on('appFiles.apply', {
      ...asBackend,
      body: { version: 'old', settings: { sign_up: 'open' } },
    }),
    'admin/invalid-secret-key': on('apps.getSettings', { token: 'sk_unknown' }),
    'admin/insufficient-scope': on('apps.updateSettings', async () => {
      const { app, secretKey: token } = await service.newApp();
      const data = { scopes: ['users:read'] };
      await prisma.secretKey.updateMany({ where: { appId: app.id }, data });
      return { appKey: app.appKey, token, body: {} };
    }),
    'admin/member-id-already-in-use': on('users.create', async () => {
      expect((await send('users.create', user({ member_id: 'one' }))).status).toBe(201);
      return user({ email: 'another-made@example.com', member_id: 'one' });
    }),
    'admin/claims-too-large': on('users.create', user({ claims: { big: 'x'.repeat(1_000) } })),
    'admin/password-import-not-supported': on('users.import', {
      ...asBackend,
      body: { users: [{ email: 'hashed@example.com', password_hash: 'x' }] },
    }),
    'admin/query-timeout': on('users.list', { ...asBackend, query: '?q=nobody' }, { instance: slow }),
    'admin/reserved-claim': on('users.create', user({ claims: { sub: 'x' } })),
  };
}

export function loyaltyErrors({ service, asBackend, send, on }: Context): ReachedOf<'loyalty'> {
  /** An entry of a new user, who has the points of an earlier one. */
  const entry = (points: number, earlier?: number, reference?: string) =>
    on('loyaltyEntries.add', async () => {
      const { uid } = await service.signUp();
      const sent = (amount: number) => ({
        ...asBackend,
        params: { uid },
        body: { points: amount, description: 'Points', reference },
      });
      if (earlier !== undefined) await send('loyaltyEntries.add', sent(earlier));
      return sent(points);
    });

  return {
    'loyalty/insufficient-points': entry(-1),
    'loyalty/balance-too-high': entry(1, 1_000_000_000),
    'loyalty/reference-conflict': entry(2, 1, 'order-1'),
  };
}

export function configErrors({ asBackend, on }: Context): ReachedOf<'config'> {
  const config = (parameters: object, version: string): Sent => ({
    ...asBackend,
    headers: { 'if-match': version },
    body: { parameters },
  });

  return {
    'config/invalid-parameter': on(
      'configVersions.replace',
      config({ banner: { type: 'string', value: 7 } }, '*'),
    ),
    'config/version-conflict': on('configVersions.replace', config({}, '"0-0"')),
    'config/version-not-found': on('configVersions.get', { ...asBackend, params: { version: '2147483647' } }),
  };
}

export function webhookErrors({ service, asBackend, send, on }: Context): ReachedOf<'webhooks'> {
  const made: Sent = { ...asBackend, body: { url: 'https://93.184.215.14/hooks' } };

  return {
    'webhooks/not-found': on('webhooks.get', { ...asBackend, params: { id: unknownId } }),
    'webhooks/invalid-url': on('webhooks.create', { ...asBackend, body: { url: 'https://10.0.0.1/' } }),
    'webhooks/limit-reached': on('webhooks.create', async () => {
      for (let count = 0; count < 10; count += 1) await send('webhooks.create', made);
      return made;
    }),
    'webhooks/replay-in-progress': on('webhooks.replay', async () => {
      await service.database.prisma.webhookEndpoint.deleteMany();
      const { id } = (await send('webhooks.create', made)).json.data;
      const replay: Sent = { ...asBackend, params: { id }, body: { since: '2026-01-01T00:00:00Z' } };
      await send('webhooks.replay', replay);
      return replay;
    }),
  };
}
