// Queries over HTTP: Firestore's documented examples, the order of values, access modes, cursors.
import { beforeAll, describe, expect, test } from 'vitest';
import {
  asBackend,
  asking,
  insertIndexed,
  newCollection,
  type RecordPage,
} from '../../../test/data-scenario.js';
import { type TestUser, testService } from '../../../test/harness.js';
import { valuesInOrder } from '../../../test/json-values.js';
import type { Asked } from '../../../test/query-oracle.js';
import { expectRefusal } from '../../../test/refusal.js';
import { shared } from '../../../test/shared.js';

const service = shared(() => testService());
const data = asBackend(service);

const { ask, idsOf, pagesOf } = asking(() => service);

/** The data of Firestore's documentation on queries. */
const cities = Object.fromEntries(
  (
    [
      ['BJ', 'Beijing', null, 'China', true, 21_500_000, ['jingjinji', 'hebei']],
      ['DC', 'Washington, D.C.', null, 'USA', true, 680_000, ['east_coast']],
      ['LA', 'Los Angeles', 'CA', 'USA', false, 3_900_000, ['west_coast', 'socal']],
      ['SF', 'San Francisco', 'CA', 'USA', false, 860_000, ['west_coast', 'norcal']],
      ['TOK', 'Tokyo', null, 'Japan', true, 9_000_000, ['kanto', 'honshu']],
    ] as const
  ).map(([id, name, state, country, capital, population, regions]) => [
    id,
    { name, state, country, capital, population, regions },
  ]),
);

describe.each([
  ['without an index', []],
  ['with indexes', ['state', 'population', 'country', 'capital', 'regions']],
])('Firestore’s documented examples, %s', (_, indexed_fields) => {
  let name: string;
  beforeAll(async () => {
    name = await newCollection(service, { indexed_fields });
    await data.putAll(name, cities);
  });

  type Condition = [field: string, op: string, value: unknown];
  test.each<[ids: string, ...Condition[]]>([
    ['BJ DC TOK', ['capital', '==', true]],
    ['LA SF', ['state', '==', 'CA']],
    ['BJ DC TOK', ['state', '==', null]],
    ['DC SF', ['population', '<', 1_000_000]],
    ['SF TOK DC', ['name', '>=', 'San Francisco']],
    ['BJ DC TOK', ['capital', '!=', false]],
    // Neither null nor an absent field is unequal to a value.
    ['', ['state', '!=', 'CA']],
    ['LA SF', ['state', '!=', null]],
    ['', ['mayor', '!=', 'x']],
    ['DC LA SF TOK', ['country', 'in', ['USA', 'Japan']]],
    ['BJ', ['country', 'not-in', ['USA', 'Japan']]],
    // `not-in` excludes null, and finds nothing with a null; `in` finds null.
    ['LA SF', ['state', 'not-in', ['NY']]],
    ['', ['country', 'not-in', ['USA', null]]],
    ['BJ DC LA SF TOK', ['state', 'in', ['CA', null]]],
    ['LA SF', ['regions', 'array-contains', 'west_coast']],
    ['DC LA SF', ['regions', 'array-contains-any', ['west_coast', 'east_coast']]],
    // The condition compares whole arrays.
    ['DC LA', ['regions', 'in', [['west_coast', 'socal'], ['east_coast']]]],
    ['SF', ['state', '==', 'CA'], ['population', '<', 1_000_000]],
    ['LA SF', ['state', '>=', 'CA'], ['state', '<=', 'IN']],
  ])('%j match %j %j', async (found, ...conditions) => {
    const ids = found.split(' ').filter(Boolean);
    const where = conditions.map(([field, op, value]) => ({ field, op, value }));
    expect(await idsOf(name, { where })).toEqual(ids);
    expect(await pagesOf(name, { where, limit: 2 })).toEqual(ids);
  });

  const desc = (field: string) => ({ field, direction: 'desc' as const });
  const many = [{ field: 'population', op: '>', value: 100_000 }];
  test.each<[ids: string, Asked]>([
    ['BJ LA SF', { orderBy: [{ field: 'name' }], limit: 3 }],
    ['DC TOK SF', { orderBy: [desc('name')], limit: 3 }],
    ['BJ TOK LA SF DC', { orderBy: [{ field: 'country' }, desc('population')] }],
    ['DC SF', { where: many, orderBy: [{ field: 'population' }], limit: 2 }],
    ['', { orderBy: [{ field: 'mayor' }] }],
    ['LA TOK BJ', { orderBy: [{ field: 'population' }], startAfter: [1_000_000] }],
    ['SF LA', { orderBy: [{ field: 'country' }, { field: 'population' }], startAfter: ['USA', 680_000] }],
    ['TOK BJ', { orderBy: [desc('country')], startAfter: ['USA'] }],
  ])('%j are the answer to %j', async (found, body) => {
    const ids = found.split(' ').filter(Boolean);
    expect(await idsOf(name, body)).toEqual(ids);
    const pages = await pagesOf(name, { limit: 2, ...body, ...(body.startAfter ? { limit: 500 } : {}) });
    expect(pages).toEqual(body.limit ? expect.arrayContaining(ids) : ids);
  });
});

test('values of all types sort as documented, with an index and without', async () => {
  const name = await newCollection(service, { indexed_fields: ['v'] });
  const ids = valuesInOrder.map((_, i) => `r${(i * 37) % valuesInOrder.length}`);
  for (const [i, v] of valuesInOrder.entries()) await data.put(name, ids[i] as string, { v, plain: v });
  await data.put(name, 'missing', { other: 1 });
  for (const field of ['v', 'plain']) {
    expect(await idsOf(name, { orderBy: [{ field }], limit: 500 })).toEqual(ids);
    const desc = { orderBy: [{ field, direction: 'desc' as const }], limit: 7 };
    expect(await pagesOf(name, desc)).toEqual([...ids].reverse());
  }
});

describe('the fields of the record itself', () => {
  test('can be queried and ordered by', async () => {
    const name = await newCollection(service, { access_mode: 'shared', indexed_fields: ['$updated_at'] });
    const user = await service.signUp();
    await data.put(name, 'b', { n: 1 });
    service.clock.advance(1_000);
    const own = { token: user.tokens.access_token, body: { fields: { n: 2 } } };
    expect((await service.call('PUT', `/data/${name}/a`, own)).status).toBe(201);
    service.clock.advance(1_000);
    const last = await data.merge(name, 'b', { n: 3 });
    const { created_at, updated_at } = last.data;
    expect(await idsOf(name, { orderBy: [{ field: '$id', direction: 'desc' }] })).toEqual(['b', 'a']);
    expect(await idsOf(name, { orderBy: [{ field: '$updated_at', direction: 'desc' }] })).toEqual(['b', 'a']);
    expect(await idsOf(name, { orderBy: [{ field: '$created_at', direction: 'desc' }] })).toEqual(['a', 'b']);
    expect(await idsOf(name, { where: [{ field: '$owner_uid', op: '==', value: user.uid }] })).toEqual(['a']);
    expect(await idsOf(name, { where: [{ field: '$owner_uid', op: '==', value: null }] })).toEqual(['b']);
    expect(await idsOf(name, { where: [{ field: '$owner_uid', op: '>=', value: '' }] })).toEqual(['a']);
    expect(await idsOf(name, { where: [{ field: '$owner_uid', op: '!=', value: user.uid }] })).toEqual([]);
    expect(await idsOf(name, { where: [{ field: '$owner_uid', op: '!=', value: 'nobody' }] })).toEqual(['a']);
    expect(await idsOf(name, { where: [{ field: '$id', op: 'in', value: ['a', 'x', 1] }] })).toEqual(['a']);
    expect(await idsOf(name, { where: [{ field: '$id', op: '>', value: 'a' }] })).toEqual(['b']);
    expect(await idsOf(name, { where: [{ field: '$id', op: '==', value: 1 }] })).toEqual([]);
    expect(await idsOf(name, { where: [{ field: '$created_at', op: '>', value: created_at }] })).toEqual([
      'a',
    ]);
    expect(await idsOf(name, { where: [{ field: '$created_at', op: '!=', value: 1 }] })).toEqual(['a', 'b']);
    const short = updated_at.replace(/000Z$/, 'Z');
    expect(await idsOf(name, { where: [{ field: '$updated_at', op: '>=', value: short }] })).toEqual(['b']);
  });
});

describe('an owner', () => {
  test('finds only own records with any query', async () => {
    const name = await newCollection(service, { access_mode: 'owner', indexed_fields: ['n'] });
    const [one, two] = [await service.signUp(), await service.signUp()];
    for (const [i, { tokens }] of [one, two, one, two].entries()) {
      const body = { fields: { n: i } };
      await service.call('PUT', `/data/${name}/r${i}`, { token: tokens.access_token, body });
    }
    const queries: Asked[] = [
      {},
      { orderBy: [{ field: 'n', direction: 'desc' }] },
      { where: [{ field: 'n', op: '>=', value: 0 }] },
      { where: [{ field: '$owner_uid', op: '==', value: two.uid }] },
      { where: [{ field: '$owner_uid', op: '!=', value: one.uid }] },
      { where: [{ field: '$id', op: 'in', value: ['r0', 'r1', 'r2', 'r3'] }] },
    ];
    const found = [];
    for (const body of queries) {
      const answer = await service.call<RecordPage>('POST', `/data/${name}/query`, {
        token: one.tokens.access_token,
        body,
      });
      found.push(answer.data.items.map(({ id }) => id));
    }
    expect(found).toEqual([['r0', 'r2'], ['r2', 'r0'], ['r0', 'r2'], [], [], ['r0', 'r2']]);
    expectRefusal(await service.call('POST', `/data/${name}/query`, { body: {} }), 'auth/invalid-token');
  });
});

describe('a cursor', () => {
  test('survives the deletion of its record, with an index and without', async () => {
    const name = await newCollection(service, { indexed_fields: ['n'] });
    for (let i = 0; i < 9; i += 1) await data.put(name, `r${i}`, { n: i % 3, plain: i % 3 });
    const bodies = ['n', 'plain'].map((field) => ({
      orderBy: [{ field, direction: 'desc' as const }],
      limit: 4,
    }));
    const pages = [];
    for (const body of bodies) pages.push((await ask(name, body)).data);
    for (const { items } of pages) expect(items.map(({ id }) => id)).toEqual(['r8', 'r5', 'r2', 'r7']);
    await data.delete(name, 'r7');
    for (const [i, body] of bodies.entries()) {
      const startAfter = pages[i]?.next_cursor;
      expect(await idsOf(name, { ...body, startAfter })).toEqual(['r4', 'r1', 'r6', 'r3']);
    }
  });

  test('stays small for large values, which are ordered by their beginning and the id', async () => {
    const name = await newCollection(service, { indexed_fields: ['v'] });
    const long = 'x'.repeat(500_000);
    for (const [id, v] of [
      ['b', `${long}1`],
      ['a', `${long}2`],
      ['c', 'x'],
    ] as const)
      await data.put(name, id, { v });
    const body = { orderBy: [{ field: 'v' }], limit: 1 };
    expect(await pagesOf(name, body)).toEqual(['c', 'a', 'b']);
    const { next_cursor } = (await ask(name, { ...body, limit: 2 })).data;
    expect(next_cursor?.length).toBeLessThan(5_000);
    expect(await idsOf(name, { where: [{ field: 'v', op: '>', value: `${'x'.repeat(1_600)}` }] })).toEqual([
      'a',
      'b',
    ]);
  });
});

test('`in` with long values that begin alike finds each record once, with an index', async () => {
  const name = await newCollection(service, { indexed_fields: ['v'] });
  const long = 'x'.repeat(2_000);
  await data.putAll(name, { a: { v: `${long}1` }, b: { v: `${long}2` }, c: { v: `${long}3` } });
  const where = [{ field: 'v', op: 'in', value: [`${long}1`, `${long}2`] }];
  expect(await idsOf(name, { where })).toEqual(['a', 'b']);
  expect(await pagesOf(name, { where, orderBy: [{ field: 'v' }], limit: 1 })).toEqual(['a', 'b']);
});

test.each([
  ['<', ['a']],
  ['<=', ['a', 'b']],
  ['==', ['b']],
  ['>=', ['b', 'c']],
  ['>', ['c']],
])('`%s` with a long value that others begin like finds %j, with an index', async (op, ids) => {
  const name = await newCollection(service, { indexed_fields: ['v'] });
  const long = 'x'.repeat(2_000);
  await data.putAll(name, { a: { v: `${long}1` }, b: { v: `${long}2` }, c: { v: `${long}3` } });
  expect(await idsOf(name, { where: [{ field: 'v', op, value: `${long}2` }] })).toEqual(ids);
});

test('equal values of the first order that fill a batch are sorted by the second one', async () => {
  const name = await newCollection(service, { indexed_fields: ['n'] });
  await insertIndexed(service, name, 1, { from: 0, to: 149 });
  const orderBy = [{ field: 'n' }, { field: 'm' }];
  expect(await idsOf(name, { orderBy, limit: 2 })).toEqual(['r0149', 'r0148']);
});

test('`in` returns the first ids of all its values, though the first value alone fills the page', async () => {
  const name = await newCollection(service, { indexed_fields: ['n'] });
  await insertIndexed(service, name, 1, { from: 800, to: 805 });
  await insertIndexed(service, name, 2, { from: 0, to: 149 });
  const where = [
    { field: 'n', op: 'in', value: [1, 2] },
    { field: 'm', op: 'in', value: [-140, -141, -142, -800, -801, -802] },
  ];
  expect(await idsOf(name, { where, limit: 2 })).toEqual(['r0140', 'r0141']);
});

test('`startAfter` with values finds the record with this id if it follows in the next order', async () => {
  const name = await newCollection(service);
  await data.putAll(name, { a: { n: 2 }, b: { n: 2 }, c: { n: 2 } });
  const orderBy = [{ field: '$id' }, { field: 'n' }];
  expect(await idsOf(name, { orderBy, startAfter: ['b', 1] })).toEqual(['b', 'c']);
  expect(await idsOf(name, { orderBy, startAfter: ['b', 2] })).toEqual(['c']);
});

test.each([
  ['asc', ['b'], ['c', 'd']],
  ['desc', ['c'], ['b', 'a']],
  // Numbers and null come before strings, arrays after them.
  ['asc', [5], ['a', 'b', 'c', 'd']],
  ['asc', [null], ['a', 'b', 'c', 'd']],
  ['asc', [[]], []],
  ['desc', [5], []],
  ['desc', [[]], ['d', 'c', 'b', 'a']],
] as const)('by id %s, the records after %j are %j', async (direction, startAfter, ids) => {
  const name = await newCollection(service);
  await data.putAll(name, { a: {}, b: {}, c: {}, d: {} });
  const orderBy = [{ field: '$id', direction }];
  expect(await idsOf(name, { orderBy, startAfter })).toEqual(ids);
});

test('more records of one indexed value than a batch reads are returned page by page, by id', async () => {
  const name = await newCollection(service, { indexed_fields: ['n'] });
  expect((await data.put(name, 'r000', { n: 1 })).status).toBe(201);
  const { prisma } = service.database;
  const { appId, id } = await prisma.collection.findFirstOrThrow({ where: { name } });
  await prisma.$executeRaw`INSERT INTO records (app_id, collection_id, id, fields, bytes, created_at, updated_at)
    SELECT ${appId}, collection_id, 'r' || lpad(i::text, 3, '0'), fields, bytes, created_at, updated_at
    FROM records, generate_series(1, 149) AS i WHERE app_id = ${appId} AND collection_id = ${id}`;
  await prisma.$executeRaw`INSERT INTO record_index (app_id, collection_id, number, sort_key, record_id)
    SELECT ${appId}, collection_id, number, sort_key, 'r' || lpad(i::text, 3, '0')
    FROM record_index, generate_series(1, 149) AS i WHERE app_id = ${appId} AND collection_id = ${id}`;
  const found = await pagesOf(name, { where: [{ field: 'n', op: '==', value: 1 }], limit: 60 });
  const ids = Array.from({ length: 150 }, (_, number) => `r${String(number).padStart(3, '0')}`);
  expect(found).toEqual(ids);
});

test('records that have grown to exactly the size of a page when they are read leave none out', async () => {
  const name = await newCollection(service);
  await data.putAll(name, { a: {}, b: {}, c: {} });
  const half = { x: 'x'.repeat(524_288 - '{"x":""}'.length) };
  const { query } = service.deps;
  service.deps.query = async (statement) => {
    if (statement.text.includes('json_array_elements_text')) {
      service.deps.query = query;
      for (const id of ['a', 'b']) expect((await data.put(name, id, half)).status).toBe(200);
    }
    return query(statement);
  };
  expect(await pagesOf(name, {})).toEqual(['a', 'b', 'c']);
  expect(service.deps.query).toBe(query);
});

test('a record that is moved ahead of the scan is in the page once', async () => {
  const name = await newCollection(service, { indexed_fields: ['n'] });
  // Two of them fill the first batch.
  const large = 'x'.repeat(40_000);
  await data.putAll(name, { a: { n: 1, large }, b: { n: 2, large }, c: { n: 3, large } });
  const { query } = service.deps;
  service.deps.query = async (statement) => {
    const rows = await query(statement);
    if (statement.text.includes('record_index')) {
      service.deps.query = query;
      expect((await data.merge(name, 'a', { n: 4 })).status).toBe(200);
    }
    return rows as never;
  };
  expect(await idsOf(name, { orderBy: [{ field: 'n' }] })).toEqual(['a', 'b', 'c']);
  expect(service.deps.query).toBe(query);
});

test.each([
  ['==', 1, 1, 2],
  ['!=', 1, 2, 1],
  ['!=', 1, 2, null],
  ['!=', 1, 2, undefined],
  ['in', [1, null], null, 2],
  ['not-in', [1, 2], 3, 2],
  ['not-in', [1, 2], 3, null],
  ['<', 2, 1, 2],
  ['<=', 2, 2, 3],
  ['>', 2, 3, 2],
  ['>=', 2, 2, 1],
  ['>=', 2, 2, '3'],
  ['array-contains', 1, [1], [2]],
  ['array-contains', 1, [1], 1],
  ['array-contains-any', [1, 2], [2], 2],
])(
  'of the records that match %s %j, one with %j is left out if it is %j when it is read',
  async (op, value, matching, other) => {
    const name = await newCollection(service);
    await data.putAll(name, { changed: { n: matching }, same: { n: matching }, still: { n: matching } });
    const { query } = service.deps;
    service.deps.query = async (statement) => {
      if (statement.text.includes('json_array_elements_text')) {
        service.deps.query = query;
        expect((await data.put(name, 'changed', { n: other })).status).toBe(200);
        expect((await data.put(name, 'still', { n: matching, more: 1 })).status).toBe(200);
      }
      return query(statement);
    };
    expect(await idsOf(name, { where: [{ field: 'n', op, value }] })).toEqual(['same', 'still']);
    expect(service.deps.query).toBe(query);
  },
);

test('a record that has lost a field of the order when it is read is left out, another one is not', async () => {
  const name = await newCollection(service, { access_mode: 'shared' });
  const { tokens } = await service.signUp();
  const putOwn = (fields: object) =>
    service.call('PUT', `/data/${name}/d`, { token: tokens.access_token, body: { fields } });
  await data.putAll(name, { a: { n: 1 }, b: { n: 2 }, c: { n: 3 } });
  expect((await putOwn({ n: 4 })).status).toBe(201);
  const { query } = service.deps;
  service.deps.query = async (statement) => {
    if (statement.text.includes('json_array_elements_text')) {
      service.deps.query = query;
      expect((await data.put(name, 'b', { m: 2 })).status).toBe(200);
      expect((await putOwn({ n: 4, m: 2 })).status).toBe(200);
    }
    return query(statement);
  };
  expect(await idsOf(name, { orderBy: [{ field: 'n' }] })).toEqual(['a', 'c', 'd']);
  expect(service.deps.query).toBe(query);
});

test('a query whose statement fails is answered as an internal error', async () => {
  const name = await newCollection(service);
  const { query } = service.deps;
  service.deps.query = (statement) => {
    if (statement.text.includes('AS MATERIALIZED')) throw new Error('the statement failed');
    return query(statement);
  };
  const answer = await ask(name, {});
  service.deps.query = query;
  expectRefusal(answer, 'request/internal-error', null);
});

test('a record that changes its owner between scan and read is not returned to the previous owner', async () => {
  const [before, after] = [await service.signUp(), await service.signUp()];
  const name = await newCollection(service, { access_mode: 'owner' });
  const as = (user: TestUser, method: string, path: string, body?: object) =>
    service.call<RecordPage>(method, `/data/${name}${path}`, { token: user.tokens.access_token, body });
  await as(before, 'PUT', '/same', { fields: { n: 1 } });
  await as(before, 'PUT', '/unchanged', { fields: { n: 1 } });
  await as(before, 'PUT', '/written-again', { fields: { n: 1 } });
  const { query } = service.deps;
  service.deps.query = async (statement) => {
    // The scan is done; now the records are read.
    if (statement.text.includes('json_array_elements_text')) {
      service.deps.query = query;
      expect((await as(before, 'DELETE', '/same')).status).toBe(204);
      expect((await as(after, 'PUT', '/same', { fields: { n: 1, secret: 'of another' } })).status).toBe(201);
      expect((await as(before, 'PUT', '/written-again', { fields: { n: 1, m: 2 } })).status).toBe(200);
    }
    return query(statement);
  };
  const where = [
    { field: 'n', op: '==', value: 1 },
    { field: '$id', op: '!=', value: 'none' },
    { field: '$owner_uid', op: '==', value: before.uid },
    { field: '$created_at', op: '>', value: '2001-01-01T00:00:00Z' },
    { field: '$updated_at', op: '>', value: '2001-01-01T00:00:00Z' },
  ];
  const answer = await as(before, 'POST', '/query', { where });
  expect(service.deps.query).toBe(query);
  expect(answer.data.items.map(({ id }) => id)).toEqual(['unchanged', 'written-again']);
  expect(answer.text).not.toContain('of another');
});
