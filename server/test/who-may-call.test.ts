// Every route of the contract that requires a recent sign-in or a secret key refuses all other calls before anything
// else is checked or changed.
import { metadataOf, type SecretKeyScope, secretKeyScopes } from '@foyer/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '../src/lib/crypto/digest.js';
import { type ContractRoute, contractRoutes, expectDeclared, pathOf } from './contract-routes.js';
import {
  type CallOptions,
  cheapPasswordHasher,
  statementLog,
  type TestService,
  testService,
} from './harness.js';
import { expectRefusal } from './refusal.js';
import { allRows, type Rows } from './rows.js';

const statements = statementLog();
let service: TestService;
beforeAll(async () => {
  const passwordHasher = await cheapPasswordHasher();
  service = await testService({ onStatement: statements.onStatement, overrides: { passwordHasher } });
});
afterAll(() => service.stop());

const minute = 60_000;
const params = {
  id: '01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
  app_id: '01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
  uid: '01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
  provider: 'provider-a',
  version: '1',
  topic: 'news',
  delivery_id: '01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
  collection: 'notes',
  name: 'notes',
};
const walk = (routes: ContractRoute[]) => routes.map((each) => [each.id, each] as const);

function ask({ route }: ContractRoute, options: CallOptions) {
  return service.call(route.method, pathOf(route, params), options);
}

/** Everything that a call could change, except the audit entry of a refused key, which is written later. */
async function everything(): Promise<Rows> {
  const rows = await allRows(service.database);
  const audit = rows.audit_log as { action: string }[];
  return { ...rows, audit_log: audit.filter(({ action }) => action !== 'secret_key.refused') };
}

/** Statements that write. */
const writes = (sent: string[]) => sent.filter((sql) => /\b(INSERT|UPDATE|DELETE)\b/.test(sql));

const recent = contractRoutes.filter(({ route }) => metadataOf(route).recentSignIn);
/** Those of members are tested with the console. */
const sensitive = recent.filter(({ route }) => metadataOf(route).auth === 'signed-in');

test('exactly these routes require a recent sign-in', () => {
  // PUT /me/password checks this itself: it also accepts the current password.
  expect(recent.map(({ id }) => id).sort()).toEqual([
    'console.invite',
    'console.removeMember',
    'console.updateMember',
    'identities.link',
    'identities.unlink',
    'keys.create',
    'keys.revoke',
    'profile.changeEmail',
    'profile.delete',
  ]);
  for (const { route } of recent)
    expect(['signed-in', 'console', 'member']).toContain(metadataOf(route).auth);
});

describe('an old sign-in is refused by', () => {
  test.each(walk(sensitive))('%s, with any body, before anything happens', async (_id, each) => {
    const { tokens } = await service.signUp();
    service.clock.advance(5 * minute + 1);
    const { data } = await service.refresh(tokens.refresh_token);
    const before = await everything();
    for (const token of [tokens.access_token, data.access_token]) {
      for (const body of ['{', {}, { email: 'new@example.com', id_token: 'x', nonce: 'y' }]) {
        const sent = await statements.during(async () => {
          expectRefusal(await ask(each, { token, body }), 'auth/requires-recent-login');
        });
        expect(writes(sent)).toEqual([]);
      }
    }
    expectDeclared(each, 'auth/requires-recent-login');
    expect(await everything()).toEqual(before);
  });

  test.each(walk(sensitive))('%s, with another error if there is no session at all', async (_id, each) => {
    expectRefusal(await ask(each, {}), 'auth/invalid-token');
    expectRefusal(await ask(each, { token: 'nonsense' }), 'auth/invalid-token');
  });
});

test('PUT /me/password requires the current password after an old sign-in, before anything is hashed', async () => {
  const { tokens } = await service.signUp();
  service.clock.advance(5 * minute + 1);
  const done = service.deps.passwordHasher.done;
  const body = { password: 'a new password of mine' };
  const answer = await service.call('PUT', '/me/password', { token: tokens.access_token, body });
  expectRefusal(answer, 'auth/requires-recent-login');
  expect(service.deps.passwordHasher.done).toBe(done);
});

const admin = contractRoutes.filter(({ route }) => metadataOf(route).auth === 'admin');

async function keyWith(scopes: readonly string[], more: { revokedAt?: Date; expiresAt?: Date } = {}) {
  const secretKey = `sk_${service.deps.random.bytes(32).toString('base64url')}`;
  const now = service.clock.now();
  await service.database.prisma.secretKey.create({
    data: {
      appId: service.app.app.id,
      id: service.deps.random.ulid(now),
      name: 'of a test',
      keyHash: new Uint8Array(sha256(secretKey)),
      lastFour: secretKey.slice(-4),
      scopes: [...scopes],
      createdAt: now,
      ...more,
    },
  });
  return secretKey;
}

/** The minimal valid body of a route, unless it is an empty object. */
const goodBodies: Record<string, object> = { 'tokenVerification.verify': { access_token: 'of nobody' } };

describe('the routes of the app’s own backend', () => {
  test('are these, each with its scope', () => {
    const scopes = Object.fromEntries(admin.map(({ id, route }) => [id, metadataOf(route).scope]));
    expect(scopes).toEqual({
      'pushMessages.send': 'push:send',
      'pushMessages.list': 'push:read',
      'pushMessages.get': 'push:read',
      'pushMessages.receipts': 'push:read',
      'pushMessages.devices': 'push:read',
      'tokenVerification.verify': 'tokens:verify',
      'allFiles.list': 'files:read',
      'apps.getSettings': 'settings:manage',
      'apps.updateSettings': 'settings:manage',
      'settingsChecks.previewMail': 'settings:manage',
      'settingsChecks.checkProvider': 'settings:manage',
      'stats.daily': 'stats:read',
      'migration.get': 'migration:read',
      'audit.list': 'audit:read',
      'loyaltyEntries.add': 'loyalty:write',
      'loyaltyEntries.list': 'loyalty:read',
      'configVersions.current': 'config:read',
      'configVersions.replace': 'config:write',
      'configVersions.list': 'config:read',
      'configVersions.get': 'config:read',
      'configVersions.rollback': 'config:write',
      'users.list': 'users:read',
      'users.create': 'users:write',
      'users.import': 'users:write',
      'users.get': 'users:read',
      'users.update': 'users:write',
      'users.delete': 'users:write',
      'users.setClaims': 'users:write',
      'users.revokeSessions': 'users:write',
      'users.sessions': 'users:read',
      'users.endSession': 'users:write',
      'users.identities': 'users:read',
      'webhooks.list': 'webhooks:manage',
      'webhooks.create': 'webhooks:manage',
      'webhooks.get': 'webhooks:manage',
      'webhooks.update': 'webhooks:manage',
      'webhooks.delete': 'webhooks:manage',
      'webhooks.rotateSecret': 'webhooks:manage',
      'webhooks.test': 'webhooks:manage',
      'webhooks.listDeliveries': 'webhooks:manage',
      'webhooks.getDelivery': 'webhooks:manage',
      'webhooks.retryDelivery': 'webhooks:manage',
      'webhooks.replay': 'webhooks:manage',
      'webhooks.listEvents': 'webhooks:manage',
      'collections.list': 'data:manage',
      'collections.create': 'data:manage',
      'collections.get': 'data:manage',
      'collections.update': 'data:manage',
      'collections.delete': 'data:manage',
    });
    for (const scope of Object.values(scopes)) expect(secretKeyScopes).toContain(scope);
  });

  test('name their audit entry, except those that change nothing', () => {
    // Read-only routes with a method other than GET, each with the reason.
    const reads: Record<string, string> = {
      'tokenVerification.verify': 'judges a token',
      'settingsChecks.previewMail': 'renders a mail',
      'settingsChecks.checkProvider': 'judges settings',
    };
    const silent = admin.filter(({ route }) => metadataOf(route).audit === null);
    const silentWrites = silent.filter(({ route }) => route.method !== 'GET').map(({ id }) => id);
    expect(silentWrites).toEqual(Object.keys(reads));
    const loudReads = admin.filter(({ route }) => route.method === 'GET' && metadataOf(route).audit !== null);
    expect(loudReads).toEqual([]);
  });

  test.each(walk(admin))('%s refuses calls without a live secret key of this app', async (_id, each) => {
    const user = await service.signUp();
    const other = await service.newApp();
    const now = service.clock.now();
    const own = service.app.secretKey;
    const refused: [string, CallOptions][] = [
      ['no key', {}],
      ['an empty one', { headers: { authorization: 'Bearer ' } }],
      ['a user’s token', { token: user.tokens.access_token }],
      ['a refresh token', { token: user.tokens.refresh_token }],
      ['the app key', { token: service.app.app.appKey }],
      ['another app’s key', { token: other.secretKey }],
      ['one’s own key with another app', { token: own, appKey: other.app.appKey }],
      ['a key that is revoked', { token: await keyWith(secretKeyScopes, { revokedAt: now }) }],
      ['a key that has expired', { token: await keyWith(secretKeyScopes, { expiresAt: now }) }],
      ['a key in other case', { token: own.toUpperCase() }],
      ['a part of the key', { token: own.slice(0, -1) }],
      ['more than the key', { token: `${own}x` }],
      ['the key without its prefix', { token: own.slice(3) }],
      ['the key under another scheme', { headers: { authorization: `Basic ${own}` } }],
      ['the key without a scheme', { headers: { authorization: own } }],
      ['the key from a page', { token: own, headers: { origin: 'https://app.example' } }],
      ['the key from a page of its own', { token: own, headers: { origin: 'null' } }],
    ];
    const before = await everything();
    for (const [what, options] of refused) {
      for (const body of ['{', { sign_up: 'closed' }]) {
        const answer = await ask(each, { ...options, ...(each.route.method !== 'GET' && { body }) });
        expect([what, answer.code]).toEqual([what, 'admin/invalid-secret-key']);
        expectRefusal(answer, 'admin/invalid-secret-key');
      }
    }
    expectRefusal(await ask(each, { token: own, appKey: own }), 'request/invalid-app-key');
    expectDeclared(each, 'admin/invalid-secret-key');
    expect(await everything()).toEqual(before);
  });

  test.each(walk(admin))('%s requires a key with its scope, and no other scope', async (_id, each) => {
    const scope = metadataOf(each.route).scope as SecretKeyScope;
    const others = secretKeyScopes.filter((one) => one !== scope);
    const lacking = [await keyWith(others), await keyWith([])];
    const [withIt, expiring] = [
      await keyWith([scope]),
      await keyWith([scope], { expiresAt: new Date(service.clock.now().getTime() + 1) }),
    ];
    const body = each.route.method === 'GET' ? {} : { body: goodBodies[each.id] ?? {} };
    const before = await everything();
    for (const token of lacking) {
      expectRefusal(await ask(each, { token, ...body }), 'admin/insufficient-scope');
    }
    expectDeclared(each, 'admin/insufficient-scope');
    expect(await everything()).toEqual(before);
    for (const token of [withIt, expiring]) {
      const { status, code } = await ask(each, { token, ...body });
      // Let in, and then validated: the input names no existing resource.
      expect([status, code].join(' ')).toMatch(
        /^(200|404 [a-z]+\/[a-z-]*not-found|422 request\/validation-failed)/,
      );
    }
    service.clock.advance(1);
    expectRefusal(await ask(each, { token: expiring, ...body }), 'admin/invalid-secret-key');
  });
});

const userOrAdmin = contractRoutes.filter(({ route }) => metadataOf(route).auth.endsWith('-or-admin'));

describe('where a secret key may replace a user’s token', () => {
  test('every route declares a scope', () => {
    for (const { route } of userOrAdmin) expect(secretKeyScopes).toContain(metadataOf(route).scope);
  });

  test('other apps’ keys and keys without the scope are refused before anything else is checked', async () => {
    const other = await service.newApp();
    const keys = new Map<string, string>();
    for (const { id, route } of userOrAdmin) {
      keys.set(id, await keyWith(secretKeyScopes.filter((one) => one !== metadataOf(route).scope)));
    }
    const before = await everything();
    for (const each of userOrAdmin) {
      const lacking = keys.get(each.id);
      const body = each.route.method === 'GET' ? {} : { body: '{' };
      for (const token of ['sk_unknown', other.secretKey]) {
        expectRefusal(await ask(each, { token, ...body }), 'admin/invalid-secret-key');
      }
      const headers = { origin: 'https://app.example' };
      const inBrowser = await ask(each, { token: service.app.secretKey, headers, ...body });
      expectRefusal(inBrowser, 'admin/invalid-secret-key');
      expectRefusal(await ask(each, { token: lacking, ...body }), 'admin/insufficient-scope');
      expectRefusal(await ask(each, { token: 'nonsense', ...body }), 'auth/invalid-token');
    }
    expect(await everything()).toEqual(before);
  });
});

test('a key with only the scope is let in like a user, and its input is validated', async () => {
  for (const each of userOrAdmin) {
    const token = await keyWith([metadataOf(each.route).scope as SecretKeyScope]);
    const body = each.route.method === 'GET' ? {} : { body: goodBodies[each.id] ?? {} };
    const { status } = await ask(each, { token, ...body });
    expect([each.id, [404, 415, 422].includes(status)]).toEqual([each.id, true]);
  }
  expect(userOrAdmin.length).toBeGreaterThan(5);
});

test('a secret key is not accepted as a user’s token on any signed-in route', async () => {
  const signedIn = contractRoutes.filter(({ route }) =>
    ['signed-in', 'optional-user'].includes(metadataOf(route).auth),
  );
  for (const each of signedIn) {
    expectRefusal(await ask(each, { token: service.app.secretKey }), 'auth/invalid-token');
  }
  expect(signedIn.length).toBeGreaterThan(10);
});

test('the last use of a secret key is recorded to the hour', async () => {
  const token = await keyWith(['settings:manage']);
  const lastUse = async () =>
    (
      await service.database.prisma.secretKey.findFirstOrThrow({
        where: { lastFour: token.slice(-4), name: 'of a test' },
        orderBy: { id: 'desc' },
      })
    ).lastUsedAt;
  const call = () => service.call('GET', '/admin/settings', { token });
  expect(await lastUse()).toBeNull();
  await call();
  const first = service.clock.now();
  expect(await lastUse()).toEqual(first);
  service.clock.advance(60 * minute - 1);
  await call();
  expect(await lastUse()).toEqual(first);
  service.clock.advance(1);
  await call();
  expect(await lastUse()).toEqual(service.clock.now());
});
