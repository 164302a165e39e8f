// Access modes over HTTP; access-rules.test.ts has the whole table.
import type { accessModes } from '@foyer/contract';
import { beforeAll, expect, test } from 'vitest';
import { untilBlocked } from '../../../test/blocked.js';
import { asBackend, changeCollection, newCollection, secretKeyWith } from '../../../test/data-scenario.js';
import { type TestUser, testService } from '../../../test/harness.js';
import { rawAnswer } from '../../../test/raw-http.js';
import { expectRefusal } from '../../../test/refusal.js';
import { shared } from '../../../test/shared.js';

let owner: TestUser;
let another: TestUser;
let readKey: string;
let writeKey: string;
const service = shared(() => testService());
beforeAll(async () => {
  [owner, another] = [await service.signUp(), await service.signUp()];
  [readKey, writeKey] = [
    await secretKeyWith(service, ['data:read']),
    await secretKeyWith(service, ['data:write']),
  ];
});

const callers = {
  anonymous: () => undefined,
  another: () => another.tokens.access_token,
  owner: () => owner.tokens.access_token,
  'a read key': () => readKey,
  'a write key': () => writeKey,
};
type Caller = keyof typeof callers;

type Outcome = 'yes' | 'none' | 'own' | 401 | 403 | 404 | 'scope';

const calls = {
  create: { of: 'create', method: 'POST', path: '', status: 201 },
  'create by PUT': { of: 'create', method: 'PUT', path: '/another-id', status: 201 },
  get: { of: 'read', method: 'GET', path: '/the-record', status: 200 },
  list: { of: 'list', method: 'GET', path: '', status: 200 },
  replace: { of: 'change', method: 'PUT', path: '/the-record', status: 200 },
  merge: { of: 'change', method: 'PATCH', path: '/the-record', status: 200 },
  delete: { of: 'change', method: 'DELETE', path: '/the-record', status: 204 },
} as const;
type Call = keyof typeof calls;

const refusals = {
  401: 'auth/invalid-token',
  403: 'data/permission-denied',
  404: 'data/not-found',
  scope: 'admin/insufficient-scope',
} as const;

type Row = [mode: (typeof accessModes)[number], call: Call, caller: Caller, expected: Outcome];

// Each call refused and allowed, by each kind of caller. A list omits hidden records.
const rows: Row[] = [
  ['owner', 'create', 'another', 'yes'],
  ['owner', 'create by PUT', 'another', 'yes'],
  ['owner', 'get', 'another', 404],
  ['owner', 'list', 'another', 'none'],
  ['owner', 'replace', 'another', 404],
  ['owner', 'merge', 'another', 404],
  ['owner', 'delete', 'another', 404],
  ['owner', 'get', 'owner', 'yes'],
  ['owner', 'list', 'owner', 'own'],
  ['owner', 'merge', 'owner', 'yes'],
  ['owner_public_read', 'replace', 'another', 403],
  ['owner_public_read', 'get', 'anonymous', 'yes'],
  ['owner_public_read', 'list', 'anonymous', 'yes'],
  ['shared', 'get', 'anonymous', 401],
  ['shared', 'list', 'anonymous', 401],
  ['shared', 'create', 'anonymous', 401],
  ['admin', 'list', 'owner', 403],
  ['admin', 'create', 'owner', 403],
  ['admin', 'create by PUT', 'owner', 403],
  ['admin', 'list', 'a read key', 'yes'],
  ['admin', 'replace', 'a read key', 'scope'],
  ['admin', 'get', 'a write key', 'scope'],
  ['admin', 'replace', 'a write key', 'yes'],
  ['admin', 'delete', 'a write key', 'yes'],
];

test.each(rows)('access mode %s, %s by %s: %s', async (mode, call, caller, expected) => {
  const collection = await newCollection(service, { access_mode: 'shared' });
  const backend = asBackend(service);
  const given = { token: owner.tokens.access_token, body: { fields: { of: 'the owner' } } };
  expect((await service.call('PUT', `/data/${collection}/the-record`, given)).status).toBe(201);
  await backend.put(collection, 'z-without-owner', { of: 'no user' });
  await changeCollection(service, collection, { access_mode: mode });
  const before = await service.database.prisma.record.findMany({ orderBy: { id: 'asc' } });

  const { method, path, status } = calls[call];
  const body = ['POST', 'PUT', 'PATCH'].includes(method) ? { body: { fields: { changed: true } } } : {};
  const answer = await service.call(method, `/data/${collection}${path}`, {
    token: callers[caller](),
    ...body,
  });

  if (expected in refusals) {
    expectRefusal(answer, refusals[expected as keyof typeof refusals]);
    expect(await service.database.prisma.record.findMany({ orderBy: { id: 'asc' } })).toEqual(before);
    return;
  }
  expect(answer.status).toBe(status);
  if (calls[call].of === 'list') {
    const items = (answer.data as { items: { id: string }[] }).items.map(({ id }) => id);
    const visible = { yes: ['the-record', 'z-without-owner'], own: ['the-record'], none: [] };
    expect(items).toEqual(visible[expected as keyof typeof visible]);
  } else
    expect(await service.database.prisma.record.findMany({ orderBy: { id: 'asc' } })).not.toEqual(
      calls[call].of === 'read' ? null : before,
    );
});

test('the creator owns a record; one created with a secret key has no owner; replacing changes neither', async () => {
  const collection = await newCollection(service, { access_mode: 'shared' });
  const as = (token: string, method: string, path: string) =>
    service.call<{ owner_uid: string | null }>(method, `/data/${path}`, { token, body: { fields: {} } });
  const owned = await as(owner.tokens.access_token, 'POST', collection);
  expect(owned.data.owner_uid).toBe(owner.uid);
  expect((await as(writeKey, 'PUT', `${collection}/a`)).data.owner_uid).toBeNull();
  expect((await as(another.tokens.access_token, 'PUT', `${collection}/a`)).data.owner_uid).toBeNull();
  const put = await as(owner.tokens.access_token, 'PUT', `${collection}/b`);
  expect(put.data.owner_uid).toBe(owner.uid);
  expect((await as(another.tokens.access_token, 'PATCH', `${collection}/b`)).data.owner_uid).toBe(owner.uid);
});

test('an unknown collection is data/collection-not-found for every caller', async () => {
  for (const token of [undefined, owner.tokens.access_token, readKey]) {
    expectRefusal(await service.call('GET', '/data/nothing', { token }), 'data/collection-not-found');
    expectRefusal(await service.call('GET', '/data/nothing/a', { token }), 'data/collection-not-found');
  }
  for (const token of [undefined, owner.tokens.access_token, writeKey]) {
    const options = { token, body: { fields: {} } };
    expectRefusal(await service.call('POST', '/data/nothing', options), 'data/collection-not-found');
    expectRefusal(await service.call('PATCH', '/data/nothing/a', options), 'data/collection-not-found');
  }
});

test('a caller without access is refused before the body arrives', async () => {
  const { port } = service.listening;
  const closed = await newCollection(service, { access_mode: 'admin' });
  const shared = await newCollection(service, { access_mode: 'shared' });
  const sending = (method: string, path: string, token?: string) =>
    rawAnswer(
      port,
      Buffer.from(
        [
          `${method} /api/v2/data/${path} HTTP/1.1`,
          'Host: accounts.test',
          `X-App-Key: ${service.app.app.appKey}`,
          ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
          'Content-Type: application/json',
          'Content-Length: 50000',
          '\r\n',
        ].join('\r\n'),
      ),
    );
  const user = owner.tokens.access_token;
  for (const [method, rest] of [
    ['POST', ''],
    ['PUT', '/a'],
    ['PATCH', '/a'],
    ['POST', '/query'],
  ] as const) {
    expectRefusal(await sending(method, `${closed}${rest}`), 'data/permission-denied');
    expectRefusal(await sending(method, `${closed}${rest}`, user), 'data/permission-denied');
    expectRefusal(await sending(method, `${shared}${rest}`), 'auth/invalid-token');
    expectRefusal(await sending(method, `nothing${rest}`, user), 'data/collection-not-found');
    expectRefusal(await sending(method, `9${rest}`), 'request/validation-failed', {
      collection: [expect.any(String)],
    });
  }
});

test('a creation is refused if its access mode changes after it was checked', async () => {
  const collection = await newCollection(service, { access_mode: 'shared' });
  const { query } = service.deps;
  for (const [method, path] of [
    ['POST', ''],
    ['PUT', '/new'],
  ]) {
    await changeCollection(service, collection, { access_mode: 'shared' });
    service.deps.query = async (statement) => {
      const rows = await query<never>(statement);
      if (statement.text.includes('FROM collections')) {
        service.deps.query = query;
        await changeCollection(service, collection, { access_mode: 'admin' });
      }
      return rows;
    };
    const options = { token: owner.tokens.access_token, body: { fields: {} } };
    const answer = await service.call(method as string, `/data/${collection}${path}`, options);
    expect(service.deps.query).toBe(query);
    expectRefusal(answer, 'data/permission-denied');
  }
});

test('a write that waits while its user signs out is refused', async () => {
  const collection = await newCollection(service, { access_mode: 'owner' });
  const user = await service.signUp();
  const token = user.tokens.access_token;
  const { prisma } = service.database;
  if (service.database.kind !== 'postgresql') {
    // With one connection nothing can wait inside a transaction, so only the ended session is tested.
    await service.call('POST', '/auth/sign-out', { token });
    const late = await service.call('POST', `/data/${collection}`, { token, body: { fields: {} } });
    expectRefusal(late, 'auth/invalid-token');
    return;
  }
  let waiting: Promise<{ status: number; headers: Headers; text: string }> | undefined;
  await prisma.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT FROM users
        WHERE app_id = ${service.app.app.id} AND id = ${user.uid} FOR UPDATE`;
    waiting = service.call('POST', `/data/${collection}`, { token, body: { fields: {} } });
    await untilBlocked(service.database, 1);
    await tx.$executeRaw`UPDATE sessions SET ended_at = now(), end_reason = 'sign_out_all' WHERE user_id = ${user.uid}`;
  });
  expectRefusal((await waiting) as NonNullable<Awaited<typeof waiting>>, 'auth/invalid-token');
  expect(await prisma.record.count({ where: { ownerUid: user.uid } })).toBe(0);
});
