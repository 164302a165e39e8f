// Records of a deleted account.
import { limits } from '@foyer/contract';
import { expect, test } from 'vitest';
import { testOnServer, untilBlocked } from '../../../test/blocked.js';
import { insertRecords, newCollection, type RecordPage } from '../../../test/data-scenario.js';
import { testService } from '../../../test/harness.js';
import { expectRefusal } from '../../../test/refusal.js';
import { shared } from '../../../test/shared.js';

const service = shared(() => testService());

const create = (collection: string, token: string) =>
  service.call('POST', `/data/${collection}`, { token, body: { fields: { a: 1 } } });
const recordsOf = (ownerUid: string) => service.database.prisma.record.count({ where: { ownerUid } });

test('the records of a deleted account are deleted or retained with its uid, as the collection declares', async () => {
  const [deleting, retaining] = [
    await newCollection(service, { access_mode: 'shared', indexed_fields: ['a'] }),
    await newCollection(service, { access_mode: 'shared', on_user_delete: 'keep', indexed_fields: ['a'] }),
  ];
  const [user, other] = [await service.signUp(), await service.signUp()];
  for (const collection of [deleting, retaining]) {
    for (const { tokens } of [user, user, other]) await create(collection, tokens.access_token);
  }
  expect((await service.call('DELETE', '/me', { token: user.tokens.access_token })).status).toBe(204);
  const listed = async (collection: string) => {
    const options = { token: other.tokens.access_token };
    const answer = await service.call<RecordPage>('GET', `/data/${collection}`, options);
    return answer.data.items.map(({ owner_uid }) => owner_uid);
  };
  expect(await listed(deleting)).toEqual([other.uid]);
  expect((await listed(retaining)).sort()).toEqual([user.uid, user.uid, other.uid].sort());
  expect(await service.database.prisma.recordIndex.count()).toBe(4);
});

test('records of an account that are too large for one statement are deleted in the background', async () => {
  const collection = await newCollection(service, { access_mode: 'owner' });
  const user = await service.signUp();
  await insertRecords(service, collection, 5, { ownerUid: user.uid, bytes: 20 * 1_024 * 1_024 });
  expect((await service.call('DELETE', '/me', { token: user.tokens.access_token })).status).toBe(204);
  expect(await recordsOf(user.uid)).toBe(3);
  await service.advance(10_000);
  expect(await recordsOf(user.uid)).toBe(0);
});

test('no read shows a record of a deleted account that is not purged yet, unless its collection retains it', async () => {
  const user = await service.signUp();
  const backend = { token: service.app.secretKey };
  const read = async (on_user_delete: 'delete' | 'keep') => {
    const collection = await newCollection(service, { on_user_delete, indexed_fields: ['n'] });
    await service.advance(0);
    await service.call('PUT', `/data/${collection}/other`, { ...backend, body: { fields: { n: 1 } } });
    await insertRecords(service, collection, 1_002, { ownerUid: user.uid });
    return collection;
  };
  const collections = [await read('delete'), await read('keep')];
  expect((await service.call('DELETE', '/me', { token: user.tokens.access_token })).status).toBe(204);
  const left = await service.database.prisma.record.findMany({ where: { ownerUid: user.uid } });
  const purged = collections.map((_, place) => place === 0);
  for (const [place, collection] of collections.entries()) {
    const { id: collectionId } = await service.database.prisma.collection.findFirstOrThrow({
      where: { name: collection },
    });
    const own = left.filter((row) => row.collectionId === collectionId).map(({ id }) => id);
    expect(own.length).toBeGreaterThan(0);
    const seen = (ids: string[]) => (purged[place] ? [] : ids);
    const get = await service.call('GET', `/data/${collection}/${own[0]}`, backend);
    expect(get.status).toBe(purged[place] ? 404 : 200);
    const idsOf = async (method: string, path: string, body?: object) => {
      const answer = await service.call<RecordPage>(method, path, { ...backend, ...(body && { body }) });
      return answer.data.items.map(({ id }) => id).filter((id) => id !== 'other');
    };
    // The first of the page is `other`.
    const first = seen(own.toSorted().slice(0, 24));
    expect(await idsOf('GET', `/data/${collection}?limit=25`)).toEqual(first);
    for (const where of [
      [{ field: '$owner_uid', op: '==', value: user.uid }],
      [{ field: '$id', op: '==', value: own[0] }],
    ]) {
      const found = await idsOf('POST', `/data/${collection}/query`, { where, limit: 1 });
      expect(found).toHaveLength(purged[place] ? 0 : 1);
    }
  }
});

test('a write treats the record of a deleted account as absent before it is purged', async () => {
  const collection = await newCollection(service, { access_mode: 'shared', indexed_fields: ['n'] });
  const [user, other] = [await service.signUp(), await service.signUp()];
  await insertRecords(service, collection, 1_002, { ownerUid: user.uid });
  expect((await service.call('DELETE', '/me', { token: user.tokens.access_token })).status).toBe(204);
  const [first, second] = await service.database.prisma.record.findMany({ where: { ownerUid: user.uid } });
  const write = (method: string, id = '', body?: object) =>
    service.call(method, `/data/${collection}/${id}`, {
      token: other.tokens.access_token,
      ...(body && { body: { fields: body } }),
    });
  expectRefusal(await write('PATCH', first?.id, { n: 1 }), 'data/not-found');
  expectRefusal(await write('DELETE', first?.id), 'data/not-found');
  const replaced = await write('PUT', first?.id, { n: 2 });
  expect(replaced.status).toBe(201);
  expect(replaced.data).toMatchObject({ owner_uid: other.uid, fields: { n: 2 } });
  const byBackend = { token: service.app.secretKey, body: { fields: { n: 3 } } };
  const path = `/data/${collection}/${second?.id}`;
  expect((await service.call('PUT', path, byBackend)).data).toMatchObject({ owner_uid: null });
  await service.advance(10_000);
  expect((await write('GET', first?.id)).data).toEqual(replaced.data);
  expect((await write('GET', second?.id)).data).toMatchObject({ fields: { n: 3 } });
  const [usage] = await service.database.prisma.dataUsage.findMany({ where: { uid: other.uid } });
  expect(Number(usage?.bytes)).toBe(limits.recordOverheadBytes + '{"n":2}'.length);
});

testOnServer('a write in place of such a record locks the totals of all users in one order', async () => {
  const collection = await newCollection(service, { access_mode: 'shared' });
  const [first, last, owner] = [
    await service.signUp(),
    await service.signUp(),
    await service.signUp(),
  ] as const;
  for (const { tokens } of [first, last]) await create(collection, tokens.access_token);
  await insertRecords(service, collection, 1_002, { ownerUid: owner.uid });
  expect((await service.call('DELETE', '/me', { token: owner.tokens.access_token })).status).toBe(204);
  const { prisma } = service.database;
  const { id } = await prisma.record.findFirstOrThrow({ where: { ownerUid: owner.uid } });
  await prisma.record.updateMany({ where: { id }, data: { countedUid: last.uid } });
  const { replaced } = await prisma.$transaction(
    async (tx) => {
      const { id: appId } = service.app.app;
      await tx.$executeRaw`SELECT FROM data_usage WHERE app_id = ${appId} AND user_id = ${first.uid} FOR UPDATE`;
      const replaced = service.call('PUT', `/data/${collection}/${id}`, {
        token: first.tokens.access_token,
        body: { fields: {} },
      });
      await untilBlocked(service.database, 1, 'data_usage');
      // It waits for the first total before it has locked another.
      await tx.$executeRaw`SELECT FROM data_usage WHERE app_id = ${appId} AND user_id = ${last.uid} FOR UPDATE NOWAIT`;
      return { replaced };
    },
    { timeout: 60_000 },
  );
  expect((await replaced).status).toBe(201);
});

test('a write over the record of a deleted account that already counts for the writer counts once', async () => {
  const collection = await newCollection(service, { access_mode: 'shared' });
  const [user, other] = [await service.signUp(), await service.signUp()];
  await insertRecords(service, collection, 1_002, { ownerUid: user.uid });
  const put = (a: string) =>
    service.call('PUT', `/data/${collection}/r01001`, {
      token: other.tokens.access_token,
      body: { fields: { a } },
    });
  expect((await put('larger than before')).status).toBe(200);
  expect((await service.call('DELETE', '/me', { token: user.tokens.access_token })).status).toBe(204);
  expect(await recordsOf(user.uid)).toBeGreaterThan(0);
  expect((await put('new')).status).toBe(201);
  await service.advance(10_000);
  const [usage] = await service.database.prisma.dataUsage.findMany({ where: { uid: other.uid } });
  expect(Number(usage?.bytes)).toBe(limits.recordOverheadBytes + '{"a":"new"}'.length);
});

testOnServer('a record that another user is changing is deleted with its owner', async () => {
  const collection = await newCollection(service, { access_mode: 'shared' });
  const user = await service.signUp();
  const { id } = (await create(collection, user.tokens.access_token)).data as { id: string };
  let deletion: ReturnType<typeof service.call> | undefined;
  await service.database.prisma.$transaction(
    async (tx) => {
      await tx.$executeRaw`UPDATE records SET version = version + 1 WHERE id = ${id}`;
      deletion = service.call('DELETE', '/me', { token: user.tokens.access_token });
      await untilBlocked(service.database, 1);
    },
    { timeout: 60_000 },
  );
  expect((await deletion)?.status).toBe(204);
  await service.advance(10_000);
  expect(await recordsOf(user.uid)).toBe(0);
});
