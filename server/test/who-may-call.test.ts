// Walks the contract: what demands a recent sign-in, and what demands a secret key, refuses all others before anything
// else is looked at, and long before anything happens.
import { metadataOf, type SecretKeyScope, secretKeyScopes } from '@foyer/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '../src/lib/digest.js';
import { type ContractRoute, contractRoutes, expectDeclared, pathOf } from './contract-routes.js';
import {
  type CallOptions,
  cheapPasswordHasher,
  statementLog,
  type TestService,
  testService,
} from './harness.js';
import { expectRefusal } from './refusal.js';

const statements = statementLog();
let service: TestService;
beforeAll(async () => {
  const passwordHasher = await cheapPasswordHasher();
  service = await testService({ onStatement: statements.onStatement, given: { passwordHasher } });
});
afterAll(() => service.stop());

const minute = 60_000;
const params = {
  id: '01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
  app_id: '01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
  provider: 'provider-a',
};
const walk = (routes: ContractRoute[]) => routes.map((each) => [each.id, each] as const);

function ask({ route }: ContractRoute, options: CallOptions) {
  return service.call(route.method, pathOf(route, params), options);
}

/** Everything that a call could change. */
async function everything(): Promise<unknown> {
  const { prisma } = service.database;
  const [jobs] = await prisma.$queryRaw<unknown[]>`SELECT count(*)::int FROM pgboss.job`;
  return {
    jobs,
    apps: await prisma.app.findMany(),
    users: await prisma.user.findMany(),
    sessions: await prisma.session.findMany(),
    identities: await prisma.identity.findMany(),
    codes: await prisma.code.findMany(),
    events: await prisma.event.findMany(),
    audit: await prisma.auditLog.findMany(),
    secrets: await prisma.appSecret.findMany(),
  };
}

/** Statements that write. */
const writes = (sent: string[]) => sent.filter((sql) => /\b(INSERT|UPDATE|DELETE)\b/.test(sql));

const sensitive = contractRoutes.filter(({ route }) => metadataOf(route).recentSignIn);

test('what demands a recent sign-in is this, and no more', () => {
  // PUT /me/password judges for itself: there the present password does as well.
  expect(sensitive.map(({ id }) => id).sort()).toEqual([
    'identities.link',
    'identities.unlink',
    'profile.changeEmail',
    'profile.delete',
  ]);
  for (const { route } of sensitive) expect(metadataOf(route).auth).toBe('signed-in');
});

describe('an old sign-in is refused by', () => {
  test.each(walk(sensitive))('%s, whatever is sent along, before anything happens', async (_id, each) => {
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

  test.each(walk(sensitive))('%s, though not as such where there is no session at all', async (_id, each) => {
    expectRefusal(await ask(each, {}), 'auth/invalid-token');
    expectRefusal(await ask(each, { token: 'nonsense' }), 'auth/invalid-token');
  });
});

test('PUT /me/password demands the present password of an old sign-in, before anything is hashed', async () => {
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

describe('the routes of the app’s own backend', () => {
  test('are these, each with the scope that it needs', () => {
    const scopes = admin.map(({ id, route }) => [id, metadataOf(route).scope]);
    expect(scopes).toEqual([
      ['apps.getSettings', 'settings:manage'],
      ['apps.updateSettings', 'settings:manage'],
    ]);
    for (const [, scope] of scopes) expect(secretKeyScopes).toContain(scope);
  });

  test.each(walk(admin))('%s answers nobody without a live secret key of this app', async (_id, each) => {
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

  test.each(walk(admin))('%s answers no key without its scope, and one with it alone', async (_id, each) => {
    const scope = metadataOf(each.route).scope as SecretKeyScope;
    const others = secretKeyScopes.filter((one) => one !== scope);
    const without = await keyWith(others);
    const [withIt, expiring] = [
      await keyWith([scope]),
      await keyWith([scope], { expiresAt: new Date(service.clock.now().getTime() + 1) }),
    ];
    const body = each.route.method === 'GET' ? {} : { body: {} };
    const before = await everything();
    for (const token of [without, await keyWith([])]) {
      expectRefusal(await ask(each, { token, ...body }), 'admin/insufficient-scope');
    }
    expectDeclared(each, 'admin/insufficient-scope');
    expect(await everything()).toEqual(before);
    for (const token of [withIt, expiring]) {
      expect((await ask(each, { token, ...body })).status).toBe(200);
    }
    service.clock.advance(1);
    expectRefusal(await ask(each, { token: expiring, ...body }), 'admin/invalid-secret-key');
  });
});

test('a secret key is no user’s token, on any signed-in route', async () => {
  const signedIn = contractRoutes.filter(({ route }) =>
    ['signed-in', 'optional-user'].includes(metadataOf(route).auth),
  );
  for (const each of signedIn) {
    expectRefusal(await ask(each, { token: service.app.secretKey }), 'auth/invalid-token');
  }
  expect(signedIn.length).toBeGreaterThan(10);
});

test('the last use of a secret key is noted, to the hour', async () => {
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
