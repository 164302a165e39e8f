// Collections over HTTP: creation, updates, deletion with and without records.
import type { Collection } from '@foyer/contract';
import { describe, expect, test } from 'vitest';
import { asBackend, changeCollection, newCollection } from '../../../test/data-scenario.js';
import { type CallOptions, statementLog, testService } from '../../../test/harness.js';
import { expectRefusal } from '../../../test/refusal.js';
import { shared } from '../../../test/shared.js';
import { inFull } from '../../../test/thorough.js';

const statements = statementLog();
const service = shared(() => testService({ onStatement: statements.onStatement }));
const data = asBackend(service);

const call = <Data = Collection>(method: string, path = '', options: CallOptions = {}) =>
  service.call<Data>(method, `/admin/collections${path}`, { token: service.app.secretKey, ...options });

test('a collection is created with the strictest mode by default, read, updated and deleted', async () => {
  const created = await call('POST', '', { body: { name: 'notes' } });
  expect(created.status).toBe(201);
  expect(created.data).toEqual({
    name: 'notes',
    access_mode: 'admin',
    on_user_delete: 'delete',
    indexed_fields: [],
    building_fields: [],
    created_at: expect.any(String),
    updated_at: created.data.created_at,
  });
  expect((await call('GET', '/notes')).data).toEqual(created.data);
  service.clock.advance(1_000);
  const body = { access_mode: 'owner', on_user_delete: 'keep', indexed_fields: ['a.b', '$updated_at'] };
  const changed = await call('PATCH', '/notes', { body });
  expect([changed.status, changed.data]).toMatchObject([200, { ...body, building_fields: [] }]);
  expect(changed.data.updated_at > created.data.updated_at).toBe(true);
  expect((await call('PATCH', '/notes', { body: {} })).data).toMatchObject(body);
  expect((await call('DELETE', '/notes')).status).toBe(204);
  for (const method of ['GET', 'DELETE'])
    expectRefusal(await call(method, '/notes'), 'data/collection-not-found');
  expectRefusal(await call('PATCH', '/notes', { body: {} }), 'data/collection-not-found');
});

describe('created with an idempotency key', () => {
  const create = (key: string, body: object) =>
    call('POST', '', { headers: { 'idempotency-key': key }, body });

  test('concurrent requests create one collection and receive equal responses', async () => {
    const body = { name: 'fifty', indexed_fields: ['a'] };
    const answers = await Promise.all(Array.from({ length: inFull(50, 15) }, () => create('fifty', body)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    const where = { target: 'collection:fifty' };
    expect(await service.database.prisma.auditLog.count({ where })).toBe(1);
  });

  test('the response is stored in the same transaction, so that a crash leaves both or neither', async () => {
    const sent = await statements.during(() => create('crash', { name: 'crash' }));
    expect(sent.join('\n')).toMatch(
      /^BEGIN.*INSERT INTO collections.*UPDATE idempotency_keys SET answer.*^COMMIT/ms,
    );
  });
});

test('a name is unique in an app, and free in another app and after deletion', async () => {
  await newCollection(service, { name: 'once' });
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => call('POST', '', { body: { name: 'twice' } })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  expectRefusal(await call('POST', '', { body: { name: 'once' } }), 'data/collection-exists');
  const other = await service.newApp();
  const there = { token: other.secretKey, appKey: other.app.appKey, body: { name: 'once' } };
  expect((await call('POST', '', there)).status).toBe(201);
  await call('DELETE', '/once');
  expect((await call('POST', '', { body: { name: 'once' } })).status).toBe(201);
});

test('max_collections applies to concurrent requests too', async () => {
  const { app, secretKey: token } = await service.newApp();
  const as = { appKey: app.appKey, token };
  const create = (name: string) => service.call('POST', '/admin/collections', { ...as, body: { name } });
  await service.call('PATCH', '/admin/settings', { ...as, body: { data: { max_collections: 3 } } });
  const answers = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(create));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409]);
  expectRefusal(await create('g'), 'data/too-many-collections');
  const names = answers.flatMap(({ data }) => (data as { name: string } | undefined)?.name ?? []);
  const name = names[0] as string;
  expectRefusal(await create(name), 'data/collection-exists');
  await service.call('DELETE', `/admin/collections/${name}`, as);
  expect((await create('g')).status).toBe(201);
});

test.each([
  [{ name: '1a' }, 'name'],
  [{ name: 'a'.repeat(65) }, 'name'],
  [{ name: 'a.b' }, 'name'],
  [{ name: 'a', access_mode: 'public' }, 'access_mode'],
  [{ name: 'a', on_user_delete: 'clear' }, 'on_user_delete'],
  [{ name: 'a', indexed_fields: Array.from({ length: 11 }, (_, i) => `f${i}`) }, 'indexed_fields'],
  [{ name: 'a', indexed_fields: ['a', 'a'] }, 'indexed_fields'],
  [{ name: 'a', indexed_fields: ['a..b'] }, 'indexed_fields.0'],
  [{ name: 'a', indexed_fields: ['$id'] }, 'indexed_fields.0'],
  [{ name: 'a', indexed_fields: ['$other'] }, 'indexed_fields.0'],
  [{ name: 'a', indexed_fields: ['a'.repeat(1_025)] }, 'indexed_fields.0'],
])('%j is refused', async (body, field) => {
  const answer = await call('POST', '', { body });
  expectRefusal(answer, 'request/validation-failed', { [field]: [expect.any(String)] });
});

test('the list is sorted by name and paginated', async () => {
  const other = await service.newApp();
  const options = { token: other.secretKey, appKey: other.app.appKey };
  for (const name of ['b', 'B', 'a', 'a-1', 'a1']) await call('POST', '', { ...options, body: { name } });
  type Page = { items: Collection[]; next_cursor: string | null };
  const first = (await call<Page>('GET', '?limit=3', options)).data;
  expect(first.items.map(({ name }) => name)).toEqual(['B', 'a', 'a-1']);
  const second = (await call<Page>('GET', `?limit=3&cursor=${first.next_cursor}`, options)).data;
  expect(second).toMatchObject({ items: [{ name: 'a1' }, { name: 'b' }], next_cursor: null });
});

test('a collection with records is deleted only with records=delete: at once, its records in the background', async () => {
  const name = await newCollection(service, { indexed_fields: ['a'] });
  await data.putAll(name, { one: { a: 1 }, two: { a: 2 } });
  expectRefusal(await call('DELETE', `/${name}`), 'data/collection-not-empty');
  expect((await data.get(name, 'one')).status).toBe(200);
  expect((await call('DELETE', `/${name}?records=delete`)).status).toBe(204);
  expectRefusal(await data.get(name, 'one'), 'data/collection-not-found');
  // The name is free before the records are deleted, and the new collection has none of them.
  await newCollection(service, { name });
  expectRefusal(await data.get(name, 'one'), 'data/not-found');
  await data.put(name, 'one', { a: 3 });
  await service.advance(0);
  const { prisma } = service.database;
  expect(await prisma.collection.count({ where: { name: null } })).toBe(0);
  expect(await prisma.record.count({ where: { id: { in: ['one', 'two'] } } })).toBe(1);
  expect(await prisma.recordIndex.count({ where: { recordId: { in: ['one', 'two'] } } })).toBe(0);
});

test('changes of a collection are audited, without its records', async () => {
  const name = await newCollection(service);
  await changeCollection(service, name, { access_mode: 'shared' });
  await call('DELETE', `/${name}`);
  const entries = await service.auditEntries({ target: `collection:${name}` });
  expect(entries.map(({ action, details }) => [action, details])).toEqual([
    ['collection.created', {}],
    [
      'collection.updated',
      { changed: ['access_mode'], changes: { access_mode: { from: 'admin', to: 'shared' } } },
    ],
    ['collection.deleted', {}],
  ]);
});
