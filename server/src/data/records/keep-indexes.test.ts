// Indexes that are built while records are written, cut off in the middle, taken away and declared again; and the limits
// on queries that need one.
import type { Collection, DataRecord } from '@foyer/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asBackend, changeCollection, newCollection } from '../../../test/data-story.js';
import { cheapPasswordHasher, statementLog, type TestService, testService } from '../../../test/harness.js';
import { expectRefusal } from '../../../test/refusal.js';
import { indexKeyOf } from '../query/sort-key.js';

const statements = statementLog();
let service: TestService;
let data: ReturnType<typeof asBackend>;
beforeAll(async () => {
  const passwordHasher = await cheapPasswordHasher();
  service = await testService({ onStatement: statements.onStatement, given: { passwordHasher } });
  data = asBackend(service);
});
afterAll(() => service.stop());

type Page = { items: DataRecord[]; next_cursor: string | null };

/** Many records at once, as if they had been there for long. */
async function fill(name: string, count: number): Promise<void> {
  const { prisma } = service.database;
  const { id: collectionId } = await prisma.collection.findFirstOrThrow({ where: { name } });
  const now = service.clock.now();
  await prisma.record.createMany({
    data: Array.from({ length: count }, (_, n) => ({
      ...{
        appId: service.app.app.id,
        collectionId,
        id: `r${String(n).padStart(5, '0')}`,
        fields: { n },
        bytes: 9,
      },
      ...{ createdAt: now, updatedAt: now },
    })),
  });
}

const building = async (name: string) =>
  (await service.call<Collection>('GET', `/admin/collections/${name}`, { token: service.app.secretKey })).data
    .building_fields;

async function askN(name: string, body: object) {
  const answer = await data.call<Page>('POST', `${name}/query`, { body });
  return answer.data.items.map(({ fields }) => fields.n);
}

/** The index holds the key of every record that has the field, and nothing else. */
async function expectWhole(name: string): Promise<void> {
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
    await fill(name, 1_200);
    await changeCollection(service, name, { indexed_fields: ['n'] });
    expect(await building(name)).toEqual(['n']);
    const body = { orderBy: [{ field: 'n', direction: 'desc' }], limit: 2 };
    const before = await statements.during(async () =>
      expect(await askN(name, body)).toEqual([1_199, 1_198]),
    );
    expect(before.some((sql) => sql.includes('record_index'))).toBe(false);
    await service.advance(0);
    expect(await building(name)).toEqual([]);
    const after = await statements.during(async () => expect(await askN(name, body)).toEqual([1_199, 1_198]));
    expect(after.filter((sql) => sql.includes('record_index')).length).toBe(1);
    await expectWhole(name);
  });

  test('is right whatever is written, merged and deleted while it is built', async () => {
    const name = await newCollection(service);
    await fill(name, 1_500);
    await changeCollection(service, name, { indexed_fields: ['n'] });
    const writes: Promise<unknown>[] = [];
    const write = (i: number) => {
      const id = `r${String((i * 97) % 1_500).padStart(5, '0')}`;
      if (i % 4 === 0) return data.delete(name, id);
      if (i % 4 === 1) return data.put(name, id, i % 8 === 1 ? { other: 1 } : { n: -i });
      return data.merge(name, id, { n: -i });
    };
    const built = service.advance(0);
    for (let i = 0; i < 120; i += 1) writes.push(write(i));
    await Promise.all([built, ...writes]);
    // Among so many writes a try may fail for want of a connection, and is then made again within seconds.
    await service.advance(60_000);
    await expectWhole(name);
  });

  test('is finished by another try when the process dies in the middle', async () => {
    const name = await newCollection(service);
    await fill(name, 1_300);
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
    await expectWhole(name);
  });

  test('that is taken away while it is built is built no further, and leaves nothing behind', async () => {
    const name = await newCollection(service);
    await fill(name, 2_100);
    await changeCollection(service, name, { indexed_fields: ['n'] });
    const { query } = service.deps;
    let batches = 0;
    const takingAway: typeof query = async (statement) => {
      if (statement.text.includes('xmin')) batches += 1;
      if (batches === 2) {
        service.deps.query = query;
        await changeCollection(service, name, { indexed_fields: [] });
        service.deps.query = takingAway;
      }
      return query(statement);
    };
    service.deps.query = takingAway;
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

  test('has nothing of one of the same field that was taken away', async () => {
    const name = await newCollection(service, { indexed_fields: ['n'] });
    await data.putAll(name, { a: { n: 1 }, b: { n: 2 } });
    await changeCollection(service, name, { indexed_fields: [] });
    await data.put(name, 'a', { n: 3 });
    await changeCollection(service, name, { indexed_fields: ['n'] });
    await service.advance(31_000);
    await expectWhole(name);
    const where = { recordId: { in: ['a', 'b'] } };
    expect(await service.database.prisma.recordIndex.count({ where })).toBe(2);
  });
});

describe('a query that reads much', () => {
  test('is given up after five seconds of real time with data/query-timeout, whatever the clock says', async () => {
    const name = await newCollection(service);
    await fill(name, 400);
    const goingBy = async (milliseconds: number) => {
      let passed = 0;
      const elapsed = () => {
        passed += milliseconds;
        return passed;
      };
      return service.beside({ given: { elapsed, passwordHasher: service.deps.passwordHasher } });
    };
    const body = { where: [{ field: 'n', op: '==', value: -1 }], orderBy: [{ field: 'n' }] };
    const quick = await goingBy(100);
    expect((await asBackend(quick).call('POST', `${name}/query`, { body })).status).toBe(200);
    const slower = await goingBy(2_000);
    const answer = await asBackend(slower).call('POST', `${name}/query`, { body });
    expectRefusal(answer, 'data/query-timeout');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    await quick.stop();
    await slower.stop();
  });
});
