// Every route of the contract that requires a recent sign-in or a secret key refuses all other calls before anything
// else is checked or changed, and every refused secret key is in the audit log.
import { credentialsOf, metadataOf, type SecretKeyScope, secretKeyScopes } from '@foyer/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import type { NewApp } from '../src/apps/create-app.js';
import { sha256 } from '../src/lib/crypto/digest.js';
import {
  type ContractRoute,
  callRoute,
  contractRoutes,
  expectDeclared,
  unknownParams,
} from './contract-routes.js';
import { type CallOptions, statementLog, type TestUser, testService } from './harness.js';
import { expectRefusal } from './refusal.js';
import { allRows, type Rows } from './rows.js';
import { shared } from './shared.js';
import { thorough } from './thorough.js';

const statements = statementLog();
const service = shared(() => testService({ onStatement: statements.onStatement }));

const minute = 60_000;
const walk = (routes: ContractRoute[]) => routes.map((each, place) => [each.id, each, place] as const);

function ask({ route }: ContractRoute, { body, ...options }: CallOptions) {
  const sent = route.method === 'GET' || body === undefined ? {} : { body };
  return callRoute(service, route, { params: unknownParams, ...options, ...sent });
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
/** The calls of members are tested with the console. */
const sensitive = recent.filter(({ route }) => metadataOf(route).auth === 'signed-in');

test('exactly these routes require a recent sign-in', () => {
  // PUT /me/password checks this itself: it also accepts the current password.
  expect(recent.map(({ id }) => id).sort()).toEqual([
    'appFiles.apply',
    ...[
      'console.invite',
      'console.removeFactors',
      'console.removeMember',
      'console.updateApp',
      'console.updateMember',
      'console.updateSettings',
      'identities.link',
    ],
    ...['identities.unlink', 'keys.create', 'keys.revoke', 'passkeys.create', 'passkeys.creationOptions'],
    ...['passkeys.remove', 'profile.changeEmail', 'profile.delete'],
    ...['secondFactor.beginTotp', 'secondFactor.newRecoveryCodes', 'secondFactor.removeTotp'],
    ...[
      'userExport.request',
      'users.removeFactors',
      'users.removePasskey',
      'users.setClaims',
      'webhooks.create',
      'webhooks.rotateSecret',
    ],
  ]);
  for (const { route } of recent)
    expect(['signed-in', 'console', 'member', 'admin']).toContain(metadataOf(route).auth);
});

test.each(walk(sensitive))('%s refuses an old sign-in, before anything happens', async (_id, each) => {
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
  // The error is another one without any session.
  for (const options of [{}, { token: 'nonsense' }]) {
    expectRefusal(await ask(each, options), 'auth/invalid-token');
  }
  expect(await everything()).toEqual(before);
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

const ofBackends = contractRoutes.filter(({ route }) => credentialsOf(metadataOf(route).auth).secretKey);
/** The endpoints that a user's token cannot call. */
const admin = ofBackends.filter(({ route }) => metadataOf(route).auth === 'admin');

type Key = { id: string; secretKey: string };

async function keyWith(
  scopes: readonly string[],
  more: { revokedAt?: Date; expiresAt?: Date } = {},
): Promise<Key> {
  const secretKey = `sk_${service.deps.random.bytes(32).toString('base64url')}`;
  const now = service.clock.now();
  const id = service.deps.random.ulid(now);
  const named = { appId: service.app.app.id, id, name: 'of a test', scopes: [...scopes], createdAt: now };
  const key = { keyHash: new Uint8Array(sha256(secretKey)), lastFour: secretKey.slice(-4) };
  await service.database.prisma.secretKey.create({ data: { ...named, ...key, ...more } });
  return { id, secretKey };
}

describe('the routes of the app’s own backend', () => {
  test('are these, each with its scope', () => {
    const scopeOf = ({ route }: ContractRoute) => metadataOf(route).scope as SecretKeyScope;
    const routesOf = (scope: SecretKeyScope) => ofBackends.filter((each) => scopeOf(each) === scope);
    const found = secretKeyScopes.map((scope) => [
      scope,
      routesOf(scope)
        .map(({ id }) => id)
        .join(' '),
    ]);
    expect(Object.fromEntries(found)).toEqual({
      'push:send': 'pushMessages.send pushMessages.cancel',
      'push:read':
        'pushMessages.list pushMessages.get pushMessages.topics pushMessages.receipts pushMessages.devices',
      'tokens:verify': 'tokenVerification.verify',
      'files:write': 'files.upload files.delete',
      'files:read': 'files.get files.url allFiles.list',
      'settings:manage':
        'apps.getSettings apps.updateSettings appFiles.read appFiles.apply ' +
        'settingsChecks.previewMail settingsChecks.checkProvider settingsChecks.checkPasskeys',
      'stats:read': 'stats.daily',
      'migration:read': 'migration.get',
      'audit:read': 'audit.list',
      'loyalty:write': 'loyaltyEntries.add',
      'loyalty:read': 'loyaltyEntries.status loyaltyEntries.list',
      'config:read': 'configVersions.current configVersions.list configVersions.get',
      'config:write': 'configVersions.replace configVersions.rollback',
      'users:read':
        'users.list users.get users.sessions users.factors users.identities users.passkeys ' +
        'support.signInState support.notes userExport.getOfUser',
      'users:support': 'support.liftLimits support.sendCode support.addNote',
      'users:write':
        'users.create users.import users.update users.delete users.setClaims users.revokeSessions users.endSession ' +
        'users.removeFactors users.removePasskey userExport.requestOfUser',
      'webhooks:manage':
        'webhooks.list webhooks.create webhooks.get webhooks.update webhooks.delete webhooks.rotateSecret ' +
        'webhooks.test webhooks.listDeliveries webhooks.getDelivery webhooks.retryDelivery webhooks.replay ' +
        'webhooks.listEvents',
      // The other scope of the calls of `settings:manage`; scope-rights tests which settings need which.
      'sign-in:manage': '',
      'data:write': 'data.create data.replace data.merge data.delete',
      'data:read': 'data.list data.get data.query',
      'data:manage':
        'collections.list collections.create collections.get collections.update collections.delete',
    });
    expect(secretKeyScopes).toEqual(expect.arrayContaining(ofBackends.map(scopeOf)));
    const also = ofBackends.filter(({ route }) => metadataOf(route).alsoScope);
    expect(also.map(({ id, route }) => [id, metadataOf(route).alsoScope].join(' '))).toEqual([
      'support.signInState audit:read',
      'webhooks.create users:read',
      'webhooks.getDelivery users:read',
      'webhooks.retryDelivery users:read',
      'webhooks.replay users:read',
      'webhooks.listEvents users:read',
    ]);
    const or = ofBackends.filter(({ route }) => metadataOf(route).orScope);
    expect(or.map(({ id, route }) => [id, metadataOf(route).orScope].join(' '))).toEqual([
      'apps.getSettings sign-in:manage',
      'apps.updateSettings sign-in:manage',
      'settingsChecks.previewMail sign-in:manage',
      'settingsChecks.checkProvider sign-in:manage',
      'settingsChecks.checkPasskeys sign-in:manage',
      'users.update users:support',
      'users.revokeSessions users:support',
      'users.endSession users:support',
      'support.liftLimits users:write',
      'support.sendCode users:write',
      'support.addNote users:write',
      'collections.list data:read',
      'collections.get data:read',
    ]);
  });

  test('name their audit entry, except those that change nothing', () => {
    // Read-only routes with a method other than GET, each with the reason.
    const reads: Record<string, string> = {
      'tokenVerification.verify': 'judges a token',
      'settingsChecks.previewMail': 'renders a mail',
      'settingsChecks.checkProvider': 'judges settings',
      'settingsChecks.checkPasskeys': 'judges settings',
    };
    const silent = admin.filter(({ route }) => metadataOf(route).audit === null);
    const silentWrites = silent.filter(({ route }) => route.method !== 'GET').map(({ id }) => id);
    expect(silentWrites).toEqual(Object.keys(reads));
    const loudReads = admin.filter(({ route }) => route.method === 'GET' && metadataOf(route).audit !== null);
    expect(loudReads).toEqual([]);
  });
});

describe('a call of the app’s own backend', () => {
  let other: NewApp;
  let keys: Record<'any' | 'none' | 'revoked' | 'expired', Key>;
  /** By scope: a key with only this one, and a key with all others. */
  const only = new Map<string, Key>();
  const lacking = new Map<string, Key>();
  let user: TestUser;
  let before: Rows;
  beforeAll(async () => {
    other = await service.newApp();
    user = await service.signUp();
    const now = service.clock.now();
    keys = {
      any: await keyWith(secretKeyScopes),
      none: await keyWith([]),
      revoked: await keyWith(secretKeyScopes, { revokedAt: now }),
      expired: await keyWith(secretKeyScopes, { expiresAt: now }),
    };
    for (const scope of secretKeyScopes) {
      only.set(scope, await keyWith([scope]));
      const alternatives = ofBackends.flatMap(({ route }) =>
        metadataOf(route).scope === scope ? (metadataOf(route).orScope ?? []) : [],
      );
      const others = secretKeyScopes.filter((one) => one !== scope && !alternatives.includes(one));
      lacking.set(scope, await keyWith(others));
    }
    before = await everything();
  });

  test('is refused on every route without a secret key', async () => {
    const own = keys.any.secretKey;
    const refused: [string, CallOptions][] = [
      ['no key', {}],
      ['an empty one', { headers: { authorization: 'Bearer ' } }],
      ['a user’s token', { token: user.tokens.access_token }],
      ['a refresh token', { token: user.tokens.refresh_token }],
      ['the app key', { token: service.app.app.appKey }],
      ['a key in other case', { token: own.toUpperCase() }],
      ['the key without its prefix', { token: own.slice(3) }],
      ['the key under another scheme', { headers: { authorization: `Basic ${own}` } }],
      ['the key without a scheme', { headers: { authorization: own } }],
    ];
    for (const [id, each, place] of walk(admin)) {
      // A short run: on each route without a key, and with one of the other credentials.
      const tried = (turn: number) => thorough || turn === 0 || turn === 1 + (place % (refused.length - 1));
      for (const [turn, [what, options]] of refused.entries()) {
        if (!tried(turn)) continue;
        const body = (place + turn) % 2 === 0 ? '{' : { sign_up: 'closed' };
        const answer = await ask(each, { ...options, body });
        expect([id, what, answer.code]).toEqual([id, what, 'admin/invalid-secret-key']);
        expectRefusal(answer, 'admin/invalid-secret-key');
      }
    }
    for (const each of ofBackends) {
      expectRefusal(await ask(each, { token: own, appKey: own }), 'request/invalid-app-key');
    }
    for (const each of ofBackends.filter((one) => !admin.includes(one))) {
      expectRefusal(await ask(each, { token: 'nonsense', body: '{' }), 'auth/invalid-token');
    }
  });

  test.each(walk(ofBackends))(
    'of %s is refused, and audited, without a live key of this app with its scope',
    async (_id, each, place) => {
      const scope = metadataOf(each.route).scope as SecretKeyScope;
      const own = keys.any.secretKey;
      const without = lacking.get(scope) as Key;
      const ofOther = { token: own, appKey: other.app.appKey };
      const fromPage = (origin: string) => ({ token: own, headers: { origin } });
      const refused: [string, CallOptions][] = [
        ['another app’s key', { token: other.secretKey }],
        ['one’s own key with another app', ofOther],
        ['a key that is revoked', { token: keys.revoked.secretKey }],
        ['a key that has expired', { token: keys.expired.secretKey }],
        ['a part of the key', { token: own.slice(0, -1) }],
        ['more than the key', { token: `${own}x` }],
        ['the key from a page', fromPage('https://app.example')],
        ['the key from a page of its own', fromPage('null')],
      ];
      // A key and reason has one entry a minute, which the previous route has written.
      service.clock.advance(minute);
      for (const [turn, [what, options]] of refused.entries()) {
        const body = (place + turn) % 2 === 0 ? '{' : { sign_up: 'closed' };
        const answer = await ask(each, { ...options, body });
        expect([what, answer.code]).toEqual([what, 'admin/invalid-secret-key']);
        expectRefusal(answer, 'admin/invalid-secret-key');
      }
      for (const { secretKey } of [without, keys.none]) {
        expectRefusal(await ask(each, { token: secretKey, body: '{' }), 'admin/insufficient-scope');
      }
      expectDeclared(each, 'admin/invalid-secret-key');
      expectDeclared(each, 'admin/insufficient-scope');

      const entries = await service.auditEntries({
        appId: service.app.app.id,
        action: 'secret_key.refused',
        createdAt: service.clock.now(),
      });
      const told = entries.map(({ actor, target, details }) => ({ actor, target, details }));
      expect(new Set(entries.map(({ ip }) => ip))).toEqual(new Set(['127.0.0.1']));
      for (const key of [own, without.secretKey]) expect(JSON.stringify(entries)).not.toContain(key.slice(3));
      const ofKey = ({ id }: Key, reason: string) => {
        const name = `secret_key:${id}`;
        return { actor: name, target: name, details: { reason, scope } };
      };
      expect(told).toHaveLength(6);
      expect(told).toEqual(
        expect.arrayContaining([
          ofKey(keys.revoked, 'revoked'),
          ofKey(keys.expired, 'expired'),
          ofKey(keys.any, 'in-browser'),
          ofKey(without, 'scope-missing'),
          ofKey(keys.none, 'scope-missing'),
          {
            ...{ actor: 'anonymous', target: `app:${service.app.app.id}` },
            details: { reason: 'unknown', scope, count: 3 },
          },
        ]),
      );
    },
  );

  test('changes nothing when it is refused', async () => {
    expect(await everything()).toEqual(before);
  });

  /** The minimal valid body of a route, unless it is an empty object. */
  const goodBodies: Record<string, object> = { 'tokenVerification.verify': { access_token: 'of nobody' } };

  /** Scopes that a route requires besides those of its metadata, whatever the input. */
  const moreScopes: Record<string, string[]> = {
    'appFiles.read': ['config:read', 'data:manage', 'webhooks:manage'],
  };

  test.each(walk(ofBackends))(
    'of %s is let in with a key of only its scopes, and validated',
    async (id, each) => {
      const { scope, alsoScope } = metadataOf(each.route);
      const others = [...(alsoScope ? [alsoScope] : []), ...(moreScopes[id] ?? [])];
      const { secretKey: token } =
        others.length > 0 ? await keyWith([scope as string, ...others]) : (only.get(scope as string) as Key);
      if (alsoScope) {
        const withoutIt = await ask(each, { token: only.get(scope as string)?.secretKey, body: '{' });
        expectRefusal(withoutIt, 'admin/insufficient-scope');
      }
      const { status, code } = await ask(each, { token, body: goodBodies[id] ?? {} });
      // The input names no existing resource.
      expect([status, code].join(' ')).toMatch(
        /^(200|404 [a-z]+\/[a-z-]*not-found|415 request\/unsupported-media-type|422 request\/validation-failed)/,
      );
    },
  );
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
