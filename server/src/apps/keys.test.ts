// The secret keys of an app: managed by its team with /admin/keys, and on the command line.
import { readFileSync } from 'node:fs';
import { contract, limits, type NewSecretKey, type SecretKey } from '@foyer/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CallOptions, testService } from '../../test/harness.js';
import { expectRefusal } from '../../test/refusal.js';
import { shared } from '../../test/shared.js';
import {
  memberPassword,
  type TeamScenario,
  type TestMember,
  teamScenario,
} from '../../test/team-scenario.js';
import { sha256 } from '../lib/crypto/digest.js';
import { byCommandLine } from '../model/actor.js';
import { createApp, type NewApp } from './create-app.js';
import { createSecretKey, type KeyDraft, listSecretKeys, revokeSecretKey } from './secret-keys.js';

type Page = { items: SecretKey[]; next_cursor: string | null };

const service = shared(() => testService());
let team: TeamScenario;
let app: NewApp;
let admin: TestMember;
let startedAt: Date;
beforeAll(async () => {
  startedAt = service.clock.now();
  team = await teamScenario(() => service);
  await newApp();
});
// The members have signed in at this time.
beforeEach(() => service.clock.set(startedAt));

async function newApp(): Promise<void> {
  app = await service.newApp();
  admin = await team.newMember(app.app.id, 'admin');
}

const unknown = '01JC4Q7M0RZ9X2V5T8W3Y6K1NB';
const draft = { name: 'nightly export', scopes: ['users:read', 'users:read', 'stats:read'] };
const call = <Data = unknown>(method: string, path = '', options: CallOptions = {}) =>
  service.call<Data>(method, `/admin/keys${path}`, {
    appKey: app.app.appKey,
    token: admin.token,
    ...options,
  });
const create = (body: object = draft, options: CallOptions = {}) =>
  call<NewSecretKey>('POST', '', { body, ...options });
const list = async (query = '') => (await call<Page>('GET', query)).data;
const use = (secretKey: string, from = service) =>
  from.call('GET', '/admin/users', { appKey: app.app.appKey, token: secretKey });

test('a key is returned once, works at once, and is listed with its last four characters and last use', async () => {
  const made = await create();
  expect(made.status).toBe(201);
  const { secret_key: secretKey, ...key } = made.data;
  expect(secretKey).toMatch(/^sk_[A-Za-z0-9_-]{43}$/);
  expect(key).toEqual({
    id: expect.stringMatching(/^[0-9A-Z]{26}$/),
    name: 'nightly export',
    scopes: ['users:read', 'stats:read'],
    last_four: secretKey.slice(-4),
    created_at: service.clock.now().toISOString().replace('Z', '000Z'),
    last_used_at: null,
    expires_at: null,
    revoked_at: null,
  });
  expect((await list()).items[0]).toEqual(key);
  expect((await use(secretKey)).status).toBe(200);
  const listed = await call<Page>('GET');
  expect(listed.data.items[0]?.last_used_at).toBe(key.created_at);
  expect(listed.text).not.toContain(secretKey);
});

test('a key is created once per idempotency key, and returned again', async () => {
  const headers = { 'idempotency-key': 'a key' };
  const once = { ...draft, name: 'made once' };
  const [first, again] = [await create(once, { headers }), await create(once, { headers })];
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect([again.status, again.data]).toEqual([201, first.data]);
  expect((await list()).items.filter(({ name }) => name === once.name)).toHaveLength(1);
});

test('a revoked key is rejected at once, stays listed, and cannot be revoked again', async () => {
  const { data } = await create();
  service.clock.advance(1_000);
  expect((await call('DELETE', `/${data.id}`)).status).toBe(204);
  expect((await use(data.secret_key)).code).toBe('admin/invalid-secret-key');
  const [key] = (await list()).items;
  expect(key).toMatchObject({
    id: data.id,
    revoked_at: service.clock.now().toISOString().replace('Z', '000Z'),
  });
  expectRefusal(await call('DELETE', `/${data.id}`), 'admin/secret-key-not-found');
  expectRefusal(await call('DELETE', `/${unknown}`), 'admin/secret-key-not-found');
  expect((await call('DELETE', '/not-an-id')).status).toBe(422);
});

test('keys are listed newest first, page by page', async () => {
  await newApp();
  for (let place = 0; place < 5; place += 1) await create({ ...draft, name: `key ${place}` });
  const first = await list('?limit=2');
  const second = await list(`?limit=2&cursor=${first.next_cursor}`);
  const third = await list(`?limit=2&cursor=${second.next_cursor}`);
  const names = [...first.items, ...second.items, ...third.items].map(({ name }) => name);
  expect(names).toEqual(['key 4', 'key 3', 'key 2', 'key 1', 'key 0', 'first key']);
  expect(third.next_cursor).toBeNull();
});

test('the audit log names the member who created and revoked a key', async () => {
  const { data } = await create();
  await call('DELETE', `/${data.id}`);
  const entries = await service.auditEntries({ appId: app.app.id, target: `secret_key:${data.id}` });
  expect(entries.map(({ actor, action }) => [actor, action])).toEqual([
    [`member:${admin.uid}`, 'secret_key.created'],
    [`member:${admin.uid}`, 'secret_key.revoked'],
  ]);
  expect(JSON.stringify(entries)).not.toContain(data.secret_key);
});

describe('an expiry', () => {
  const at = (milliseconds: number) => new Date(service.clock.now().getTime() + milliseconds).toISOString();

  test('in the future ends the key at that time', async () => {
    const { data } = await create({ ...draft, expires_at: at(1) });
    expect(data.expires_at).toBe(at(1).replace('Z', '000Z'));
    expect((await use(data.secret_key)).status).toBe(200);
    service.clock.advance(1);
    expect((await use(data.secret_key)).code).toBe('admin/invalid-secret-key');
  });

  test.each([0, -1])('%i ms from now is rejected', async (milliseconds) => {
    const answer = await create({ ...draft, expires_at: at(milliseconds) });
    expectRefusal(answer, 'request/validation-failed', { expires_at: ['must be in the future'] });
  });
});

test.each([
  [{}, ['name', 'scopes']],
  [{ name: '  ', scopes: ['users:read'] }, ['name']],
  [{ name: 'x'.repeat(101), scopes: ['users:read'] }, ['name']],
  [{ name: 'x', scopes: [] }, ['scopes']],
  [{ name: 'x', scopes: ['keys:write'] }, ['scopes.0']],
  [{ name: 'x', scopes: ['users:read'], expires_at: 'tomorrow' }, ['expires_at']],
  [{ name: 'x', scopes: ['users:read'], expires: null }, ['']],
])('%j is rejected', (body, fields) => {
  const { error } = contract.keys.create.body.safeParse(body);
  expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(fields);
});

describe('an app has at most 100 active keys', () => {
  beforeEach(newApp);
  afterAll(newApp);

  /** The first key of the app, and as many as make `count`. */
  async function fill(count: number): Promise<void> {
    const { prisma } = service.database;
    const present = await prisma.secretKey.count({ where: { appId: app.app.id } });
    const now = service.clock.now();
    const rows = Array.from({ length: count - present }, () => ({
      appId: app.app.id,
      id: service.deps.random.ulid(now),
      name: 'filler',
      keyHash: new Uint8Array(service.deps.random.bytes(32)),
      lastFour: 'xxxx',
      scopes: ['users:read'],
      createdAt: now,
    }));
    await prisma.secretKey.createMany({ data: rows });
  }

  test('the hundredth is created, another is not, and a revoked or expired one makes room', async () => {
    await fill(limits.secretKeysPerApp - 1);
    const expires_at = new Date(service.clock.now().getTime() + 60_000).toISOString();
    const { data } = await create({ ...draft, expires_at });
    expectRefusal(await create(), 'admin/too-many-secret-keys');
    service.clock.advance(60_000);
    expect((await create()).status).toBe(201);
    expectRefusal(await create(), 'admin/too-many-secret-keys');
    expect((await call('DELETE', `/${data.id}`)).status).toBe(204);
    expectRefusal(await create(), 'admin/too-many-secret-keys');
    const [newest] = (await list()).items;
    expect((await call('DELETE', `/${newest?.id}`)).status).toBe(204);
    expect((await create()).status).toBe(201);
  });

  test('of ten concurrent calls at 98 keys two create one', async () => {
    await fill(limits.secretKeysPerApp - 2);
    const statuses = (await Promise.all(Array.from({ length: 10 }, () => create()))).map(
      ({ status }) => status,
    );
    expect(statuses.sort()).toEqual([201, 201, ...Array(8).fill(409)]);
  });
});

test('keys are managed within five minutes of a sign-in; reading the list needs no recent one', async () => {
  service.clock.advance(5 * 60_000);
  const { data } = await create();
  expect(data.name).toBe('nightly export');
  service.clock.advance(1);
  expectRefusal(await create(), 'auth/requires-recent-login');
  expectRefusal(await call('DELETE', `/${data.id}`), 'auth/requires-recent-login');
  expect((await call('GET')).status).toBe(200);
  expectRefusal(await call('GET', '', { token: undefined }), 'auth/invalid-token');
  const again = await team.call('POST', '/auth/reauthenticate', {
    token: admin.token,
    body: { password: memberPassword },
  });
  expect(again.status).toBe(200);
  expect((await call('DELETE', `/${data.id}`)).status).toBe(204);
});

test('a sign-in that a step back of the clock leaves in the future is not recent', async () => {
  await newApp();
  service.clock.advance(-5 * 60_000);
  expect((await create()).status).toBe(201);
  service.clock.advance(-1);
  expectRefusal(await create(), 'auth/requires-recent-login');
  const body = { password: memberPassword };
  const again = await team.call('POST', '/auth/reauthenticate', { token: admin.token, body });
  expect(again.status).toBe(200);
  expect((await create()).status).toBe(201);
});

describe('on the command line', () => {
  const appId = () => app.app.id;
  const make = () => {
    const given: KeyDraft = { name: 'Backend', scopes: ['users:read'], expiresAt: null };
    return createSecretKey(service.deps, byCommandLine(appId()), given);
  };
  const revoke = (id: string) => revokeSecretKey(service.deps, byCommandLine(appId()), id);

  test('a key is stored only as a hash, and is recorded in the audit log without it', async () => {
    const { key, secretKey } = await make();
    const { prisma } = service.database;
    const row = await prisma.secretKey.findFirstOrThrow({ where: { id: key.id } });
    expect(Buffer.from(row.keyHash)).toEqual(sha256(secretKey));
    expect(JSON.stringify(row)).not.toContain(secretKey);
    const entries = await service.auditEntries({ target: `secret_key:${key.id}` });
    const details = { scopes: ['users:read'], expires_at: null };
    expect(entries).toMatchObject([{ actor: 'command_line', action: 'secret_key.created', details }]);
    expect(JSON.stringify(entries)).not.toContain(secretKey.slice(3));
  });

  test('a revoked key is refused at once on every instance, and stays revoked from that time', async () => {
    const second = await service.secondInstance();
    const { key, secretKey } = await make();
    const statuses = () => Promise.all([service, second].map((each) => use(secretKey, each)));
    expect((await statuses()).map(({ status }) => status)).toEqual([200, 200]);
    expect(await revoke(key.id)).toBe('revoked');
    for (const answer of await statuses()) expectRefusal(answer, 'admin/invalid-secret-key');
    const revokedAt = service.clock.now();
    service.clock.advance(1_000);
    expect(await revoke(key.id)).toBe('was revoked');
    const listed = (await listSecretKeys(service.deps, appId())).find(({ id }) => id === key.id);
    expect(listed).toMatchObject({ name: 'Backend', lastFour: secretKey.slice(-4), revokedAt });
    await second.stop();
  });

  test('exactly one of ten concurrent revocations is the first', async () => {
    const { key } = await make();
    const done = await Promise.all(Array.from({ length: 10 }, () => revoke(key.id)));
    expect(done.filter((verdict) => verdict === 'revoked')).toHaveLength(1);
    const where = { target: `secret_key:${key.id}`, action: 'secret_key.revoked' };
    expect(await service.database.prisma.auditLog.count({ where })).toBe(1);
  });

  test('a new app has one key, and the audit log records its creation', async () => {
    const created = await createApp(service.deps, { name: 'Another' });
    const [key] = await listSecretKeys(service.deps, created.app.id);
    const shown = { name: 'first key', lastFour: created.secretKey.slice(-4), expiresAt: null };
    expect(key).toMatchObject(shown);
    const entries = await service.auditEntries({ appId: created.app.id });
    const entry = { actor: 'command_line', action: 'app.created', target: `app:${created.app.id}` };
    expect(entries).toMatchObject([{ ...entry, details: { secret_key: key?.id } }]);
  });
});

test('the migration to sign-in:manage gives it to keys that could change those settings, and nothing to others', async () => {
  const sql = readFileSync(
    new URL('../../../prisma/migrations/20261127130500_sign_in_scope/migration.sql', import.meta.url),
    'utf8',
  );
  const made = await service.newApp();
  const cases = [
    [['settings:manage'], ['settings:manage', 'sign-in:manage']],
    [
      ['users:read', 'settings:manage'],
      ['users:read', 'settings:manage', 'sign-in:manage'],
    ],
    [
      ['settings:manage', 'sign-in:manage'],
      ['settings:manage', 'sign-in:manage'],
    ],
    [['webhooks:manage'], ['webhooks:manage']],
    [[], []],
  ] as const;
  const { secretKey: keys } = service.database.prisma;
  const stored = [];
  for (const [before, after] of cases) {
    const { key } = await createSecretKey(service.deps, byCommandLine(made.app.id), {
      name: 'earlier',
      scopes: [...before],
      expiresAt: null,
    });
    stored.push([key.id, after] as const);
  }
  await service.database.prisma.$executeRawUnsafe(sql);
  for (const [id, scopes] of stored) {
    const row = await keys.findUniqueOrThrow({ where: { appId_id: { appId: made.app.id, id } } });
    expect(row.scopes).toEqual(scopes);
  }
});

test('a secret key records its last use, to the hour', async () => {
  const { app, secretKey } = await service.newApp();
  const lastUse = async () => {
    await service.call('GET', '/admin/settings', { appKey: app.appKey, token: secretKey });
    const key = await service.deps.prisma.secretKey.findFirstOrThrow({ where: { appId: app.id } });
    return key.lastUsedAt;
  };
  const first = service.clock.now();
  expect(await lastUse()).toEqual(first);
  service.clock.advance(60 * 60 * 1_000 - 1);
  expect(await lastUse()).toEqual(first);
  service.clock.advance(1);
  expect(await lastUse()).toEqual(service.clock.now());
  // The clock steps back: the recorded use is in the future.
  service.clock.advance(-60 * 60 * 1_000);
  expect(await lastUse()).toEqual(service.clock.now());
});
