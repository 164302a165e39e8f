// Index builds with concurrent writes, a crash, removal and a second declaration.
import type { Collection } from '@foyer/contract';
import { describe, expect, test } from 'vitest';
import { indexKeyOf } from '../../../engines/document-query/sort-key.js';
import { testOnServer, untilBlocked } from '../../../test/blocked.js';
import {
  asBackend,
  changeCollection,
  insertRecords,
  newCollection,
  type RecordPage,
} from '../../../test/data-scenario.js';
import { passQueueTime, statementLog, testService } from '../../../test/harness.js';
import { shared } from '../../../test/shared.js';

const hour = 3_600_000;

const statements = statementLog();
const service = shared(() => testService({ onStatement: statements.onStatement }));
const data = asBackend(service);

const building = async (name: string) =>
  (await service.call<Collection>('GET', `/admin/collections/${name}`, { token: service.app.secretKey })).data
    .building_fields;

async function askN(name: string, body: object) {
  const answer = await data.call<RecordPage>('POST', `${name}/query`, { body });
  return answer.data.items.map(({ fields }) => fields.n);
}

/** Expects exactly one entry for each record that has the field. */
async function expectCompleteIndex(name: string): Promise<void> {
  const { prisma } = service.database;
  const collection = await prisma.collection.findFirstOrThrow({ where: { name } });
  const [index] = collection.indexes as { number: number; ready: boolean }[];
  expect(index?.ready).toBe(true);
  const where = { collectionId: collection.id };
  const records = await prisma.record.findMany({ where, orderBy: { id: 'asc' } });
  const entries = await prisma.recordIndex.findMany({
    where: { ...where, number: index?.number ?? 0 },
    orderBy: { recordId: 'asc' },
  });
  const expected = records.flatMap(({ id, fields }) => {
    const { n } = fields as { n?: unknown };
    return n === undefined ? [] : [[id, indexKeyOf(n).toString('hex')]];
  });
  expect(entries.map(({ recordId, sortKey }) => [recordId, Buffer.from(sortKey).toString('hex')])).toEqual(
    expected,
  );
}

describe('a new index', () => {
  test('is built in the background, and used from then on', async () => {
    const name = await newCollection(service);
    await insertRecords(service, name, 600);
    await data.put(name, 'without', { other: 1 });
    await changeCollection(service, name, { indexed_fields: ['n'] });
    expect(await building(name)).toEqual(['n']);
    const body = { orderBy: [{ field: 'n', direction: 'desc' }], limit: 2 };
    const before = await statements.during(async () => expect(await askN(name, body)).toEqual([599, 598]));
    expect(before.some((sql) => sql.includes('record_index'))).toBe(false);
    await service.advance(0);
    expect(await building(name)).toEqual([]);
    const after = await statements.during(async () => expect(await askN(name, body)).toEqual([599, 598]));
    expect(after.filter((sql) => sql.includes('record_index')).length).toBe(1);
    await expectCompleteIndex(name);
  });

  test('is correct after concurrent writes, merges and deletions', async () => {
    const name = await newCollection(service);
    await insertRecords(service, name, 1_100);
    await changeCollection(service, name, { indexed_fields: ['n'] });
    const writes: Promise<unknown>[] = [];
    const write = (i: number) => {
      const id = `r${String((i * 97) % 1_100).padStart(5, '0')}`;
      if (i % 4 === 0) return data.delete(name, id);
      if (i % 4 === 1) return data.put(name, id, i % 8 === 1 ? { other: 1 } : { n: -i });
      return data.merge(name, id, { n: -i });
    };
    const built = service.advance(0);
    for (let i = 0; i < 120; i += 1) writes.push(write(i));
    await Promise.all([built, ...writes]);
    // With so many writes an attempt may fail for lack of a connection; it is retried within seconds.
    await service.advance(60_000);
    await expectCompleteIndex(name);
  });

  test('is finished by another attempt after a crash', async () => {
    const name = await newCollection(service);
    await insertRecords(service, name, 600);
    await changeCollection(service, name, { indexed_fields: ['n'] });
    const { query } = service.deps;
    let batches = 0;
    const dying: typeof query = (statement) => {
      if (statement.text.includes('xmin')) batches += 1;
      if (batches === 2) throw new Error('the process died here');
      return query(statement);
    };
    service.deps.query = dying;
    await service.advance(0);
    service.deps.query = query;
    expect(await building(name)).toEqual(['n']);
    await data.put(name, 'r00001', { n: 'written since' });
    await data.delete(name, 'r00002');
    await service.advance(60_000);
    await service.advance(60_000);
    expect(await building(name)).toEqual([]);
    await expectCompleteIndex(name);
  });

  test('of more records than one job reads is built by further jobs', async () => {
    const name = await newCollection(service);
    const { id } = await service.database.prisma.collection.findFirstOrThrow({ where: { name } });
    await service.database.prisma.$executeRaw`
      INSERT INTO records (app_id, collection_id, id, fields, bytes, created_at, updated_at)
      SELECT ${service.app.app.id}, ${id}, 'r' || lpad(n::text, 5, '0'), json_build_object('n', n), 8, now(), now()
      FROM generate_series(1, 10001) AS n`;
    await changeCollection(service, name, { indexed_fields: ['n'] });
    await service.advance(0);
    expect(await building(name)).toEqual([]);
    await expectCompleteIndex(name);
  });

  test('is not used before it is complete, though another one of the collection is', async () => {
    const name = await newCollection(service);
    await insertRecords(service, name, 3);
    await changeCollection(service, name, { indexed_fields: ['n', 'other'] });
    const { query } = service.deps;
    let batches = 0;
    service.deps.query = (statement) => {
      const isBatch = statement.text.includes('xmin');
      if (isBatch) batches += 1;
      if (isBatch && batches === 1) throw new Error('the first build fails');
      return query(statement);
    };
    await service.advance(0);
    service.deps.query = query;
    expect(await building(name)).toHaveLength(1);
    await service.advance(60_000);
    expect(await building(name)).toEqual([]);
  });

  test('is finished within hours of the end of a failure, however long that lasts', async () => {
    const name = await newCollection(service);
    await insertRecords(service, name, 3);
    await changeCollection(service, name, { indexed_fields: ['n'] });
    const { query } = service.deps;
    let attempts = 0;
    service.deps.query = (statement) => {
      if (!statement.text.includes('xmin')) return query(statement);
      attempts += 1;
      throw new Error('the records cannot be read');
    };
    try {
      for (let hours = 0; hours < 60; hours += 3) await service.advance(3 * hour);
    } finally {
      service.deps.query = query;
    }
    // More than one job makes.
    expect(attempts).toBeGreaterThan(11);
    expect(await building(name)).toEqual(['n']);
    await service.advance(3 * hour);
    expect(await building(name)).toEqual([]);
    await expectCompleteIndex(name);
  });

  test('that is removed during its build stops and leaves no entries', async () => {
    const name = await newCollection(service);
    await insertRecords(service, name, 1_100);
    await changeCollection(service, name, { indexed_fields: ['n'] });
    const { query } = service.deps;
    let batches = 0;
    const removing: typeof query = async (statement) => {
      if (statement.text.includes('xmin')) batches += 1;
      if (batches === 2) {
        service.deps.query = query;
        await changeCollection(service, name, { indexed_fields: [] });
        service.deps.query = removing;
      }
      return query(statement);
    };
    service.deps.query = removing;
    await service.advance(0);
    service.deps.query = query;
    expect(batches).toBe(2);
    const { id: collectionId } = await service.database.prisma.collection.findFirstOrThrow({
      where: { name },
    });
    const entries = () => service.database.prisma.recordIndex.count({ where: { collectionId } });
    expect(await entries()).toBe(1_000);
    await service.advance(31_000);
    expect(await entries()).toBe(0);
  });

  test('has no entries of a removed index on the same field', async () => {
    const name = await newCollection(service, { indexed_fields: ['n'] });
    await data.putAll(name, { a: { n: 1 }, b: { n: 2 } });
    await changeCollection(service, name, { indexed_fields: [] });
    await data.put(name, 'a', { n: 3 });
    await changeCollection(service, name, { indexed_fields: ['n'] });
    await service.advance(31_000);
    await expectCompleteIndex(name);
    const where = { recordId: { in: ['a', 'b'] } };
    expect(await service.database.prisma.recordIndex.count({ where })).toBe(2);
  });
});

test('a record of a collection without indexes is created without a statement for them', async () => {
  const [plain, indexed] = [
    await newCollection(service),
    await newCollection(service, { indexed_fields: ['n'] }),
  ];
  const entriesOf = async (name: string, fields: object) => {
    const sent = await statements.during(() => data.create(name, fields));
    return sent.filter((sql) => sql.includes('record_index')).length;
  };
  expect([await entriesOf(plain, { n: 1 }), await entriesOf(indexed, {})]).toEqual([0, 0]);
  expect(await entriesOf(indexed, { n: 1 })).toBe(1);
});

testOnServer('a removed index of more entries than a job deletes is removed by further jobs', async () => {
  const name = await newCollection(service, { indexed_fields: ['n'] });
  await data.put(name, 'r', {});
  const { prisma } = service.database;
  const { appId, id: collectionId, indexes } = await prisma.collection.findFirstOrThrow({ where: { name } });
  const [index] = indexes as { number: number }[];
  await prisma.$executeRaw`INSERT INTO record_index (app_id, collection_id, number, sort_key, record_id)
    SELECT ${appId}, ${collectionId}, ${index?.number}::int, int4send(n), 'r'
    FROM generate_series(1, 40001) AS n`;
  const entries = () => prisma.recordIndex.count({ where: { collectionId } });
  await changeCollection(service, name, { indexed_fields: [] });
  await passQueueTime(service.database, 31_000);
  await service.deps.queue.runNow();
  expect(await entries()).toBe(0);
});

testOnServer('a removed index leaves no entries when a record is deleted meanwhile', async () => {
  const name = await newCollection(service);
  await insertRecords(service, name, 2_100);
  await changeCollection(service, name, { indexed_fields: ['n'] });
  await service.advance(0);
  await changeCollection(service, name, { indexed_fields: [] });
  const { appId, id: collectionId } = await service.database.prisma.collection.findFirstOrThrow({
    where: { name },
  });
  const { removal } = await service.database.prisma.$transaction(async (tx) => {
    await tx.$executeRaw`DELETE FROM record_index WHERE app_id = ${appId} AND collection_id = ${collectionId}
      AND record_id = (SELECT min(record_id) FROM record_index
        WHERE app_id = ${appId} AND collection_id = ${collectionId})`;
    await passQueueTime(service.database, 31_000);
    const removal = service.deps.queue.runNow();
    await untilBlocked(service.database, 1, 'DELETE FROM record_index');
    return { removal };
  });
  await removal;
  expect(await service.database.prisma.recordIndex.count({ where: { collectionId } })).toBe(0);
});

test('a deleted collection with more records than one job deletes is removed whole', async () => {
  const name = await newCollection(service);
  const { id } = await service.database.prisma.collection.findFirstOrThrow({ where: { name } });
  await service.database.prisma.$executeRaw`
    INSERT INTO records (app_id, collection_id, id, fields, bytes, created_at, updated_at)
    SELECT ${service.app.app.id}, ${id}, 'r' || n, '{}', 2, now(), now() FROM generate_series(1, 10001) AS n`;
  const path = `/admin/collections/${name}?records=delete`;
  expect((await service.call('DELETE', path, { token: service.app.secretKey })).status).toBe(204);
  await service.advance(0);
  const { record, collection } = service.database.prisma;
  expect(await record.count({ where: { collectionId: id } })).toBe(0);
  expect(await collection.count({ where: { id } })).toBe(0);
});

test('a statement deletes at most 32 MiB and one record, since a deletion that takes too long never ends', async () => {
  const name = await newCollection(service);
  await insertRecords(service, name, 5, { bytes: 20 * 1_024 * 1_024 });
  const path = `/admin/collections/${name}?records=delete`;
  expect((await service.call('DELETE', path, { token: service.app.secretKey })).status).toBe(204);
  const sent = await statements.during(() => service.advance(0));
  // Two, two, one and none.
  expect(sent.filter((sql) => sql.includes('DELETE FROM records'))).toHaveLength(4);
});
