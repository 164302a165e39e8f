// Queries on many records, inserted by SQL: with an index they read no more of a large collection than of a small one;
// without one they end in time and yield to other requests. server/proofs/bench/DATA.md has the figures for a million.
import { beforeAll, describe, expect, test } from 'vitest';
import {
  asBackend,
  elapsedBy,
  insertIndexed,
  newCollection,
  type RecordPage,
} from '../../../test/data-scenario.js';
import { type TestService, testService } from '../../../test/harness.js';
import { expectRefusal } from '../../../test/refusal.js';
import { shared } from '../../../test/shared.js';

const [few, many] = [2_500, 25_000];
let collections: Record<number, string>;
const service = shared(() => testService());
beforeAll(async () => {
  collections = { [few]: await filled(few), [many]: await filled(many) };
});

/** Records `{n, half}`: `n` counts from 0 in another order than the ids and is indexed; `half` is 0 or 1. */
async function filled(size: number): Promise<string> {
  const name = await newCollection(service, { indexed_fields: ['n'] });
  const { prisma } = service.database;
  const { appId, id } = await prisma.collection.findFirstOrThrow({ where: { name } });
  await prisma.$executeRaw`INSERT INTO records (app_id, collection_id, id, fields, bytes, created_at, updated_at)
    SELECT ${appId}, ${id}, 'r' || lpad(i::text, 6, '0'), f.text::json, length(f.text), now(), now()
    FROM generate_series(0, ${size}::int - 1) AS i,
      LATERAL (SELECT '{"n":' || i * 7919 % ${size}::int || ',"half":' || i % 2 || '}' AS text) AS f`;
  await prisma.$executeRaw`INSERT INTO record_index (app_id, collection_id, number, sort_key, record_id)
    SELECT ${appId}, ${id}, 1, decode('30', 'hex') || CASE WHEN k.n = 0 THEN decode('8000000000000000', 'hex')
      ELSE set_byte(float8send(k.n), 0, get_byte(float8send(k.n), 0) | 128) END, 'r' || lpad(i::text, 6, '0')
    FROM generate_series(0, ${size}::int - 1) AS i, LATERAL (SELECT (i * 7919 % ${size}::int)::float8 AS n) AS k`;
  await prisma.$executeRaw`ANALYZE records`;
  await prisma.$executeRaw`ANALYZE record_index`;
  return name;
}

const ask = (asked: TestService, size: number, body: object) =>
  asBackend(asked).call<RecordPage>('POST', `${collections[size]}/query`, { body });

const isBatch = (sql: string) => sql.includes('AS MATERIALIZED');

type Read = { counts: number; statements: number; records: number };

/** Counts the statements that count rows or read the collection, and the records that they load. */
async function reading(asked: TestService, work: () => Promise<unknown>): Promise<Read> {
  const read: Read = { counts: 0, statements: 0, records: 0 };
  const { query } = asked.deps;
  asked.deps.query = async <Row>(statement: Parameters<typeof query>[0]) => {
    if (isBatch(statement.text)) read.statements += 1;
    if (statement.text.includes('AS counted')) read.counts += 1;
    const rows = await query<Row>(statement);
    if (isBatch(statement.text)) read.records += (rows[0] as { loaded: number } | undefined)?.loaded ?? 0;
    return rows;
  };
  await work();
  asked.deps.query = query;
  return read;
}

describe('with an index a query reads no more of many records than of few:', () => {
  const atLeast100 = { field: 'n', op: '>=', value: 100 };
  const idsFrom = (from: string, to: string) => [
    { field: '$id', op: '>=', value: from },
    { field: '$id', op: '<=', value: to },
  ];
  const ofHalf = { field: 'half', op: '==', value: 1 };
  test.each([
    ['the first page of an order', { orderBy: [{ field: 'n' }], limit: 20 }, 20],
    ['one value', { where: [{ field: 'n', op: '==', value: 500 }] }, 1],
    ['an order, starting after a value', { orderBy: [{ field: 'n' }], startAfter: [500], limit: 20 }, 20],
    [
      'an order by id and then in the other direction',
      { orderBy: [{ field: '$id' }, { field: 'n', direction: 'desc' }], limit: 20 },
      20,
    ],
    [
      'an order by id with a condition on the indexed field that most records match',
      { where: [atLeast100], orderBy: [{ field: '$id' }], limit: 20 },
      20,
      1,
    ],
    [
      'a descending order with a condition that half of the records match',
      { where: [atLeast100, ofHalf], orderBy: [{ field: 'n', direction: 'desc' }], limit: 20 },
      20,
    ],
    ['an order by id, starting after a value', { orderBy: [{ field: '$id' }], startAfter: ['r002000'] }, 25],
    [
      'an order by id, descending, of a page larger than the first batch of others',
      { orderBy: [{ field: '$id', direction: 'desc' }], limit: 150 },
      150,
    ],
    [
      'several ranges of ids, of which the first is the narrowest',
      { where: [...idsFrom('r000010', 'r000019'), ...idsFrom('r000000', 'r000999')] },
      10,
    ],
    [
      'several ranges of ids, of which the last is the narrowest',
      { where: [...idsFrom('r000000', 'r000999'), ...idsFrom('r000010', 'r000019')] },
      10,
    ],
  ])('%s', async (_, body, count, counts = 0) => {
    for (const size of [few, many]) {
      const read = await reading(service, async () => {
        const answer = await ask(service, size, body);
        expect([answer.status, answer.data.items.length]).toEqual([200, count]);
      });
      expect(read).toEqual({ counts, statements: 1, records: count > 10 ? Math.max(100, count + 1) : count });
    }
  });

  test('a page that starts after another one, by id and then in the other direction', async () => {
    const body = { orderBy: [{ field: '$id' }, { field: 'n', direction: 'desc' }] };
    for (const size of [few, many]) {
      const { data } = await ask(service, size, { ...body, limit: 500 });
      const read = await reading(service, async () => {
        const next = await ask(service, size, { ...body, startAfter: data.next_cursor });
        expect(next.data.items[0]?.id).toBe('r000500');
      });
      expect(read).toEqual({ counts: 0, statements: 1, records: 100 });
    }
  });
});

describe('the records that a condition finds by its index, in another order', () => {
  let name: string;
  beforeAll(async () => {
    name = await newCollection(service, { indexed_fields: ['n'] });
    for (const [n, from, to] of [
      [1, 0, 1_999],
      [2, 2_000, 2_000],
      [3, 2_001, 2_005],
    ] as const)
      await insertIndexed(service, name, n, { from, to });
  });

  test.each([
    ['are all read if they are 2,000', [1], { counts: 1, records: 2_000 }],
    ['are all read if they are a few, of several values', [2, 3], { counts: 2, records: 6 }],
    [
      'are not if they are 2,001, which are counted no further: the order is read from its start',
      [1, 2, 3],
      { counts: 2, records: 100 },
    ],
  ])('%s', async (_, value, expected) => {
    const body = { where: [{ field: 'n', op: 'in', value }], orderBy: [{ field: '$id' }], limit: 5 };
    const { counts, records } = await reading(service, async () => {
      const answer = await asBackend(service).call<RecordPage>('POST', `${name}/query`, { body });
      expect(answer.data.items).toHaveLength(5);
    });
    expect({ counts, records }).toEqual(expected);
  });
});

describe('a query that has to read a whole collection', () => {
  const body = {
    where: [{ field: 'n', op: '!=', value: -1 }],
    orderBy: [{ field: 'half' }],
    limit: 500,
  };

  const instanceWithClock = (milliseconds: number) =>
    service.secondInstance({ overrides: { elapsed: elapsedBy(milliseconds) } });

  test('is aborted when its time is over', async () => {
    const slow = await instanceWithClock(100);
    const read = await reading(slow, async () =>
      expectRefusal(await ask(slow, many, body), 'data/query-timeout'),
    );
    expect(read.statements).toBeGreaterThan(2);
    expect(read.records).toBeLessThan(many / 2);
    await slow.stop();
  });

  test('yields to other requests between its batches', async () => {
    // At 10 ms per reading batches neither grow nor shrink: fifty of five hundred.
    const even = await instanceWithClock(10);
    const { tokens } = await service.signUp();
    let statements = 0;
    /** A request sent during the first batch: its status, and the number of batches when it was answered. */
    let other: Promise<[number, number]> | undefined;
    const { query } = even.deps;
    even.deps.query = (statement) => {
      if (isBatch(statement.text)) {
        statements += 1;
        other ??= even
          .call('GET', '/me', { token: tokens.access_token })
          .then(({ status }) => [status, statements]);
      }
      return query(statement);
    };
    expect((await ask(even, many, body)).data.items).toHaveLength(500);
    expect(statements).toBe(50);
    const [status, before] = (await other) as [number, number];
    expect(status).toBe(200);
    expect(before).toBeLessThan(statements);
    await even.stop();
  });
});
