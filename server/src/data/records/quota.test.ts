// The quota of a user's records (`data.user_quota_bytes`).
import { limits } from '@foyer/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { asBackend, changeCollection, newCollection } from '../../../test/data-scenario.js';
import { statementLog, type TestUser, testService } from '../../../test/harness.js';
import { expectRefusal } from '../../../test/refusal.js';
import { shared } from '../../../test/shared.js';

const overhead = limits.recordOverheadBytes;
/** Records of 100 bytes that fit into the quota of these tests. */
const fitting = 5;
const quota = fitting * (100 + overhead);

const statements = statementLog();
let collection: string;
let one: TestUser;
let other: TestUser;
const service = shared(() => testService({ onStatement: statements.onStatement }));
beforeEach(async () => {
  await setQuota(quota);
  collection = await newCollection(service, { access_mode: 'shared', indexed_fields: ['a'] });
  [one, other] = [await service.signUp(), await service.signUp()];
});

const setQuota = (bytes: number) => service.changeSettings({ data: { user_quota_bytes: bytes } });

/** Fields of this many bytes. */
const fieldsOf = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });

function as({ tokens: { access_token: token } }: TestUser) {
  const call = (method: string, id: string, bytes?: number) =>
    service.call<{ id: string }>(method, `/data/${collection}${id && `/${id}`}`, {
      token,
      ...(bytes !== undefined && { body: { fields: fieldsOf(bytes) } }),
    });
  return {
    create: (bytes: number) => call('POST', '', bytes),
    put: (id: string, bytes: number) => call('PUT', id, bytes),
    merge: (id: string, bytes: number) => call('PATCH', id, bytes),
    delete: (id: string) => call('DELETE', id),
  };
}

/** The stored total, which must equal that of the records themselves. */
async function usedBy({ uid }: { uid: string }): Promise<number> {
  const { prisma } = service.database;
  const row = await prisma.dataUsage.findFirst({ where: { uid } });
  const records = await prisma.record.findMany({
    where: { OR: [{ countedUid: uid }, { countedUid: null, ownerUid: uid }] },
  });
  const sum = records.reduce((total, { bytes }) => total + bytes + overhead, 0);
  expect(Number(row?.bytes ?? 0)).toBe(sum);
  return sum;
}

async function fill(user: TestUser, prefix: string) {
  for (let i = 0; i < fitting; i += 1) expect((await as(user).put(`${prefix}${i}`, 100)).status).toBe(201);
}

describe('a user', () => {
  test('stores as much as the quota allows, and nothing more by creating, replacing or merging', async () => {
    await fill(one, 'of-one-');
    expect(await usedBy(one)).toBe(quota);
    expectRefusal(await as(one).create(10), 'data/quota-exceeded');
    expectRefusal(await as(one).put('new', 10), 'data/quota-exceeded');
    expectRefusal(await as(one).put('of-one-0', 101), 'data/quota-exceeded');
    expectRefusal(await as(one).merge('of-one-0', 101), 'data/quota-exceeded');
    expect(await usedBy(one)).toBe(quota);
    expect(await service.database.prisma.record.count({ where: { ownerUid: one.uid } })).toBe(fitting);
    expect((await as(other).create(100)).status).toBe(201);
  });

  test('may store again what a deletion or a smaller record has freed', async () => {
    await fill(one, 'of-one-');
    expect((await as(one).delete('of-one-0')).status).toBe(204);
    expect((await as(one).put('of-one-1', 40)).status).toBe(200);
    expect((await as(one).create(100)).status).toBe(201);
    expectRefusal(await as(one).put('of-one-2', 161), 'data/quota-exceeded');
    expect((await as(one).put('of-one-2', 160)).status).toBe(200);
    expect(await usedBy(one)).toBe(quota);
  });

  test('who is above a lowered quota can replace records by smaller ones and delete them', async () => {
    await fill(one, 'of-one-');
    await setQuota(10);
    expectRefusal(await as(one).create(10), 'data/quota-exceeded');
    expectRefusal(await as(one).put('of-one-0', 101), 'data/quota-exceeded');
    expect((await as(one).put('of-one-0', 100)).status).toBe(200);
    expect((await as(one).put('of-one-0', 99)).status).toBe(200);
    expect((await as(one).merge('of-one-0', 20)).status).toBe(200);
    expect((await as(one).delete('of-one-0')).status).toBe(204);
  });

  test('cannot exceed the quota by parallel calls', async () => {
    const calls = Array.from({ length: 20 }, (_, i) => as(one).put(`parallel-${i}`, 100));
    const created = (await Promise.all(calls)).filter(({ status }) => status === 201);
    expect(created).toHaveLength(fitting);
    expect(await usedBy(one)).toBe(quota);
  });

  test('cannot use up the quota of another user in a shared collection', async () => {
    await fill(one, 'of-one-');
    expect((await as(other).put('of-one-0', 110)).status).toBe(200);
    expect((await as(other).merge('of-one-1', 110)).status).toBe(200);
    expect(await usedBy(one)).toBe(quota - 2 * (100 + overhead));
    expect(await usedBy(other)).toBe(2 * (110 + overhead));
    expectRefusal(await as(other).put('of-one-2', quota), 'data/quota-exceeded');
    expect((await as(one).create(100)).status).toBe(201);
    // Made smaller by its owner, it still counts for the other user, until it is deleted.
    expect((await as(one).put('of-one-0', 50)).status).toBe(200);
    expect(await usedBy(other)).toBe(110 + 50 + 2 * overhead);
    expect((await as(one).delete('of-one-0')).status).toBe(204);
    expect(await usedBy(other)).toBe(110 + overhead);
  });
});

test('two users who grow records of each other at the same time are both answered', async () => {
  await setQuota(limits.userDataBytes.default);
  await as(one).put('of-one', 100);
  await as(other).put('of-other', 100);
  for (let round = 1; round <= 10; round += 1) {
    const answers = await Promise.all([
      as(one).put('of-other', 100 + round),
      as(other).put('of-one', 100 + round),
      as(one).put('of-one', 100 - round),
      as(other).put('of-other', 100 - round),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  }
  await usedBy(one);
  await usedBy(other);
});

test('the backend is not limited, and its records count for nobody', async () => {
  await setQuota(0);
  const data = asBackend(service);
  expect((await data.create(collection, fieldsOf(1_000))).status).toBe(201);
  expect(await service.database.prisma.dataUsage.count({ where: { uid: '' } })).toBe(0);
  await setQuota(quota);
  await as(one).put('grown', 100);
  expect((await data.put(collection, 'grown', fieldsOf(quota))).status).toBe(200);
  expect(await usedBy(one)).toBe(quota + overhead);
  expectRefusal(await as(one).create(10), 'data/quota-exceeded');
});

test('a refused precondition and an id that is taken change no total', async () => {
  await as(one).put('once', 100);
  const again = await service.call('PUT', `/data/${collection}/once`, {
    token: one.tokens.access_token,
    body: { fields: fieldsOf(200) },
    headers: { 'if-none-match': '*' },
  });
  expectRefusal(again, 'data/precondition-failed');
  expect(await usedBy(one)).toBe(100 + overhead);
});

test('a write changes the total in the statement that writes the record', async () => {
  const during = await statements.during(async () => {
    await as(one).put('counted', 100);
    await as(one).put('counted', 110);
    await as(one).delete('counted');
  });
  const counting = during.filter((sql) => sql.includes('data_usage'));
  expect(counting).toHaveLength(3);
  expect(counting.every((sql) => /(INSERT INTO|UPDATE|DELETE FROM) records\b/.test(sql))).toBe(true);
});

test('a deleted collection no longer counts, for each of its users', async () => {
  await fill(one, 'of-one-');
  await as(other).put('of-other', 70);
  await as(other).put('of-one-0', 110);
  const { secretKey: token } = service.app;
  const deleted = await service.call('DELETE', `/admin/collections/${collection}?records=delete`, { token });
  expect(deleted.status).toBe(204);
  await service.advance(1_000);
  expect(await service.database.prisma.record.count({ where: { ownerUid: one.uid } })).toBe(0);
  expect([await usedBy(one), await usedBy(other)]).toEqual([0, 0]);
});

test('the records of a deleted account no longer count for other users, and its total is deleted', async () => {
  await fill(one, 'of-one-');
  await as(other).put('of-one-0', 110);
  expect((await service.call('DELETE', '/me', { token: one.tokens.access_token })).status).toBe(204);
  expect([await usedBy(one), await usedBy(other)]).toEqual([0, 0]);
  expect(await service.database.prisma.dataUsage.count({ where: { uid: one.uid } })).toBe(0);
});

test('records that are retained with their owner remain counted for the deleted account', async () => {
  await changeCollection(service, collection, { on_user_delete: 'keep' });
  await as(one).put('retained', 100);
  expect((await service.call('DELETE', '/me', { token: one.tokens.access_token })).status).toBe(204);
  expect(await usedBy(one)).toBe(100 + overhead);
  expect((await as(other).put('retained', 110)).status).toBe(200);
  expect([await usedBy(one), await usedBy(other)]).toEqual([0, 110 + overhead]);
});

test('an app whose settings were stored before the quota existed has the default quota', async () => {
  const { app, secretKey } = await service.newApp();
  const { id } = app;
  const { settings } = await service.database.prisma.app.findUniqueOrThrow({ where: { id } });
  const stored = { ...(settings as object), data: { max_collections: 7 } };
  await service.database.prisma.app.update({ where: { id }, data: { settings: stored } });
  service.clock.advance(10_000);
  const answer = await service.call<{ data: object }>('GET', '/admin/settings', {
    appKey: app.appKey,
    token: secretKey,
  });
  expect(answer.data.data).toEqual({ max_collections: 7, user_quota_bytes: limits.userDataBytes.default });
});
