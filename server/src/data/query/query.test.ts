// Queries over HTTP: Firestore's documented examples, the order of values, access modes, cursors.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asBackend, asking, newCollection, type RecordPage } from '../../../test/data-scenario.js';
import { cheapPasswordHasher, type TestService, type TestUser, testService } from '../../../test/harness.js';
import { valuesInOrder } from '../../../test/json-values.js';
import type { Asked } from '../../../test/query-oracle.js';
import { expectRefusal } from '../../../test/refusal.js';

let service: TestService;
let data: ReturnType<typeof asBackend>;
beforeAll(async () => {
  service = await testService({ overrides: { passwordHasher: await cheapPasswordHasher() } });
  data = asBackend(service);
});
afterAll(() => service.stop());

const { ask, idsOf, pagesOf } = asking(() => service);

/** The data of Firestore's documentation on queries. */
const cities = {
  BJ: {
    name: 'Beijing',
    state: null,
    country: 'China',
    capital: true,
    population: 21_500_000,
    regions: ['jingjinji', 'hebei'],
  },
  DC: {
    name: 'Washington, D.C.',
    state: null,
    country: 'USA',
    capital: true,
    population: 680_000,
    regions: ['east_coast'],
  },
  LA: {
    name: 'Los Angeles',
    state: 'CA',
    country: 'USA',
    capital: false,
    population: 3_900_000,
    regions: ['west_coast', 'socal'],
  },
  SF: {
    name: 'San Francisco',
    state: 'CA',
    country: 'USA',
    capital: false,
    population: 860_000,
    regions: ['west_coast', 'norcal'],
  },
  TOK: {
    name: 'Tokyo',
    state: null,
    country: 'Japan',
    capital: true,
    population: 9_000_000,
    regions: ['kanto', 'honshu'],
  },
};

describe.each([
  ['without an index', []],
  ['with indexes', ['state', 'population', 'country', 'capital', 'regions']],
])('Firestore’s documented examples, %s', (_, indexed_fields) => {
  let name: string;
  beforeAll(async () => {
    name = await newCollection(service, { indexed_fields });
    await data.putAll(name, cities);
  });

  const w = (field: string, op: string, value: unknown) => ({ field, op, value });
  test.each<[string, Asked, string[]]>([
    ['capital == true', { where: [w('capital', '==', true)] }, ['BJ', 'DC', 'TOK']],
    ['state == CA', { where: [w('state', '==', 'CA')] }, ['LA', 'SF']],
    ['state == null', { where: [w('state', '==', null)] }, ['BJ', 'DC', 'TOK']],
    ['population < 1,000,000', { where: [w('population', '<', 1_000_000)] }, ['DC', 'SF']],
    ['name >= San Francisco', { where: [w('name', '>=', 'San Francisco')] }, ['SF', 'TOK', 'DC']],
    ['capital != false', { where: [w('capital', '!=', false)] }, ['BJ', 'DC', 'TOK']],
    ['state != CA excludes null', { where: [w('state', '!=', 'CA')] }, []],
    ['state != null', { where: [w('state', '!=', null)] }, ['LA', 'SF']],
    ['an absent field != x', { where: [w('mayor', '!=', 'x')] }, []],
    ['country in USA, Japan', { where: [w('country', 'in', ['USA', 'Japan'])] }, ['DC', 'LA', 'SF', 'TOK']],
    ['country not-in USA, Japan', { where: [w('country', 'not-in', ['USA', 'Japan'])] }, ['BJ']],
    ['state not-in excludes null', { where: [w('state', 'not-in', ['NY'])] }, ['LA', 'SF']],
    ['not-in with a null finds nothing', { where: [w('country', 'not-in', ['USA', null])] }, []],
    [
      'in with a null finds null',
      { where: [w('state', 'in', ['CA', null])] },
      ['BJ', 'DC', 'LA', 'SF', 'TOK'],
    ],
    [
      'regions array-contains west_coast',
      { where: [w('regions', 'array-contains', 'west_coast')] },
      ['LA', 'SF'],
    ],
    [
      'regions array-contains-any',
      { where: [w('regions', 'array-contains-any', ['west_coast', 'east_coast'])] },
      ['DC', 'LA', 'SF'],
    ],
    [
      'regions in, by whole arrays',
      { where: [w('regions', 'in', [['west_coast', 'socal'], ['east_coast']])] },
      ['DC', 'LA'],
    ],
    [
      'state == CA and population < 1,000,000',
      { where: [w('state', '==', 'CA'), w('population', '<', 1_000_000)] },
      ['SF'],
    ],
    ['state >= CA and <= IN', { where: [w('state', '>=', 'CA'), w('state', '<=', 'IN')] }, ['LA', 'SF']],
    ['order by name, 3', { orderBy: [{ field: 'name' }], limit: 3 }, ['BJ', 'LA', 'SF']],
    [
      'order by name desc, 3',
      { orderBy: [{ field: 'name', direction: 'desc' }], limit: 3 },
      ['DC', 'TOK', 'SF'],
    ],
    [
      'order by country, population desc',
      { orderBy: [{ field: 'country' }, { field: 'population', direction: 'desc' }] },
      ['BJ', 'TOK', 'LA', 'SF', 'DC'],
    ],
    [
      'population > 100,000 order by population, 2',
      { where: [w('population', '>', 100_000)], orderBy: [{ field: 'population' }], limit: 2 },
      ['DC', 'SF'],
    ],
    ['order by an absent field', { orderBy: [{ field: 'mayor' }] }, []],
    [
      'start after a population',
      { orderBy: [{ field: 'population' }], startAfter: [1_000_000] },
      ['LA', 'TOK', 'BJ'],
    ],
    [
      'start after a value of two orders',
      { orderBy: [{ field: 'country' }, { field: 'population' }], startAfter: ['USA', 680_000] },
      ['SF', 'LA'],
    ],
    [
      'start after all of a country',
      { orderBy: [{ field: 'country', direction: 'desc' }], startAfter: ['USA'] },
      ['TOK', 'BJ'],
    ],
  ])('%s', async (_example, body, ids) => {
    expect(await idsOf(name, body)).toEqual(ids);
    expect(await pagesOf(name, { limit: 2, ...body, ...(body.startAfter ? { limit: 500 } : {}) })).toEqual(
      body.limit ? expect.arrayContaining(ids) : ids,
    );
  });
});

test.each([[[]], [['v']]])(
  'values of all types sort as documented, indexed by %j',
  async (indexed_fields) => {
    const name = await newCollection(service, { indexed_fields });
    const ids = valuesInOrder.map((_, i) => `r${(i * 37) % valuesInOrder.length}`);
    for (const [i, v] of valuesInOrder.entries()) await data.put(name, ids[i] as string, { v });
    await data.put(name, 'missing', { other: 1 });
    expect(await idsOf(name, { orderBy: [{ field: 'v' }], limit: 500 })).toEqual(ids);
    const desc = { orderBy: [{ field: 'v', direction: 'desc' as const }], limit: 7 };
    expect(await pagesOf(name, desc)).toEqual([...ids].reverse());
  },
);

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
    expect(await idsOf(name, { where: [{ field: '$id', op: 'in', value: ['a', 'x', 1] }] })).toEqual(['a']);
    expect(await idsOf(name, { where: [{ field: '$id', op: '>', value: 'a' }] })).toEqual(['b']);
    expect(await idsOf(name, { where: [{ field: '$id', op: '==', value: 1 }] })).toEqual([]);
    expect(await idsOf(name, { where: [{ field: '$created_at', op: '>', value: created_at }] })).toEqual([
      'a',
    ]);
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
  test.each([[[]], [['n']]])(
    'survives the deletion of its record, with the indexes %j',
    async (indexed_fields) => {
      const name = await newCollection(service, { indexed_fields });
      for (let i = 0; i < 9; i += 1) await data.put(name, `r${i}`, { n: i % 3 });
      const body = { orderBy: [{ field: 'n', direction: 'desc' as const }], limit: 4 };
      const first = (await ask(name, body)).data;
      expect(first.items.map(({ id }) => id)).toEqual(['r8', 'r5', 'r2', 'r7']);
      await data.delete(name, 'r7');
      const second = (await ask(name, { ...body, startAfter: first.next_cursor })).data;
      expect(second.items.map(({ id }) => id)).toEqual(['r4', 'r1', 'r6', 'r3']);
    },
  );

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

test('a record that changes its owner between scan and read is not returned to the previous owner', async () => {
  const [before, after] = [await service.signUp(), await service.signUp()];
  const name = await newCollection(service, { access_mode: 'owner' });
  const as = (user: TestUser, method: string, path: string, body?: object) =>
    service.call<RecordPage>(method, `/data/${name}${path}`, { token: user.tokens.access_token, body });
  await as(before, 'PUT', '/same', { fields: { n: 1 } });
  await as(before, 'PUT', '/unchanged', { fields: { n: 1 } });
  const { query } = service.deps;
  service.deps.query = async (statement) => {
    // The scan is done; now the records are read.
    if (statement.text.includes('json_array_elements_text')) {
      service.deps.query = query;
      expect((await as(before, 'DELETE', '/same')).status).toBe(204);
      expect((await as(after, 'PUT', '/same', { fields: { n: 1, secret: 'of another' } })).status).toBe(201);
    }
    return query(statement);
  };
  const answer = await as(before, 'POST', '/query', { where: [{ field: 'n', op: '==', value: 1 }] });
  expect(service.deps.query).toBe(query);
  expect(answer.data.items.map(({ id }) => id)).toEqual(['unchanged']);
  expect(answer.text).not.toContain('of another');
});
