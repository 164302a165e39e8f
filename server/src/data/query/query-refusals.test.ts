// Invalid queries are refused; injection attempts have no effect.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asBackend, asking, newCollection } from '../../../test/data-scenario.js';
import { type TestService, testService } from '../../../test/harness.js';
import { expectRefusal } from '../../../test/refusal.js';

let service: TestService;
let data: ReturnType<typeof asBackend>;
beforeAll(async () => {
  service = await testService();
  data = asBackend(service);
});
afterAll(() => service.stop());

const { ask, idsOf } = asking(() => service);

const ops = ['==', '!=', '<', '<=', '>', '>=', 'in', 'not-in', 'array-contains', 'array-contains-any'];

describe('refused with data/invalid-query:', () => {
  const w = (condition: object) => ({ where: [{ field: 'a', op: '==', value: 1, ...condition }] });
  test.each<[string, object | string, string]>([
    ['an unknown operator', w({ op: '~' }), 'where.0.op'],
    ['no value', { where: [{ field: 'a', op: '==' }] }, 'where.0.value'],
    ['an unknown key', w({ values: 2 }), 'where.0'],
    ['an unknown key in the body', { where: [], wher: [] }, 'body'],
    ['21 conditions', { where: Array.from({ length: 21 }, () => w({}).where[0]) }, 'where'],
    ['no list for in', w({ op: 'in' }), 'where.0.value'],
    ['an empty list', w({ op: 'in', value: [] }), 'where.0.value'],
    ['31 values', w({ op: 'not-in', value: Array.from({ length: 31 }, (_, i) => i) }), 'where.0.value'],
    ['five orders', { orderBy: ['a', 'b', 'c', 'd', 'e'].map((field) => ({ field })) }, 'orderBy'],
    ['an order twice', { orderBy: [{ field: 'a' }, { field: 'a' }] }, 'orderBy.1.field'],
    ['another direction', { orderBy: [{ field: 'a', direction: 'up' }] }, 'orderBy.0.direction'],
    ['limit 0', { limit: 0 }, 'limit'],
    ['limit 501', { limit: 501 }, 'limit'],
    ['an empty key in a path', w({ field: 'a..b' }), 'where.0.field'],
    ['a $ in a path', w({ field: 'a.$b' }), 'where.0.field'],
    ['an unknown $ field', w({ field: '$version' }), 'where.0.field'],
    ['an invalid time', w({ field: '$created_at', value: 'yesterday' }), 'where.0.value'],
    [
      'too few values to start after',
      { orderBy: [{ field: 'a' }, { field: 'b' }], startAfter: [1] },
      'startAfter',
    ],
    ['values to start after without an order', { startAfter: [1] }, 'startAfter'],
    ['a cursor of another list', { startAfter: 'WyJhIiwiYiJd' }, 'startAfter'],
    ['an invalid cursor', { startAfter: 'nonsense' }, 'startAfter'],
    [
      'a cursor whose key of $id belongs to another id',
      {
        orderBy: [{ field: '$id' }],
        startAfter: Buffer.from(`["${Buffer.of(0x40, 0, 0, 0).toString('base64url')}","one"]`).toString(
          'base64url',
        ),
      },
      'startAfter',
    ],
    [
      'a number that would be rounded',
      '{"where":[{"field":"a","op":"==","value":9007199254740993}]}',
      'where.0.value',
    ],
    ['a number that is not finite', '{"where":[{"field":"a","op":"in","value":[1e400]}]}', 'where.0.value.0'],
  ])('%s', async (_, body, field) => {
    const answer = await data.call('POST', `${await newCollection(service)}/query`, { body });
    expectRefusal(answer, 'data/invalid-query', expect.objectContaining({ [field]: [expect.any(String)] }));
  });

  test.each([
    [
      '20 conditions, 30 values, four orders, 500 records',
      {
        where: [
          ...Array.from({ length: 19 }, () => w({}).where[0]),
          { field: 'a', op: 'in', value: Array.from({ length: 30 }, (_, i) => i) },
        ],
        orderBy: ['a', 'b', 'c', 'd'].map((field) => ({ field })),
        limit: 500,
      },
    ],
    ['twenty keys in a path', { where: [{ field: Array(20).fill('a').join('.'), op: '!=', value: 1 }] }],
  ])('but not %s', async (_, body) => {
    expect((await ask(await newCollection(service), body)).status).toBe(200);
  });
});

describe('a query with hostile paths and values', () => {
  const hostile = [
    "x'); DROP TABLE records; --",
    "' OR '1'='1",
    '") OR 1=1 --',
    '$1',
    '{{where}}',
    'c.fields',
    "a' -> 'b",
    'a"]}, true); --',
    "{}'::json) OR (true",
    '%s%n%d',
    '\\',
    "\\'; SELECT 1; --",
    '/* */',
    'app_id',
    'collection_id',
    'fields',
    '__proto__',
    'constructor',
    'a::text',
    '*',
    '0',
    '1=1',
  ];

  test('reads nothing of other collections and changes nothing', async () => {
    const [own, secret] = [await newCollection(service), await newCollection(service)];
    const other = await service.newApp();
    await service.call('POST', '/admin/collections', {
      token: other.secretKey,
      appKey: other.app.appKey,
      body: { name: own },
    });
    const theirs = {
      token: other.secretKey,
      appKey: other.app.appKey,
      body: { fields: { of: 'another app' } },
    };
    expect((await service.call('PUT', `/data/${own}/theirs`, theirs)).status).toBe(201);
    await data.put(own, 'own', { a: 1 });
    await data.put(secret, 'secret', { a: 1, of: 'another collection' });
    const before = await service.database.prisma.record.findMany({ orderBy: { id: 'asc' } });
    for (const text of hostile) {
      const bodies = [
        {
          where: ops.map((op) => ({
            field: 'a',
            op,
            value: op.includes('in') || op.endsWith('any') ? [text] : text,
          })),
        },
        ...ops.map((op) => ({
          where: [
            { field: 'a', op, value: ['in', 'not-in', 'array-contains-any'].includes(op) ? [text] : text },
          ],
        })),
        ...ops.map((op) => ({
          where: [{ field: text, op, value: ['in', 'not-in', 'array-contains-any'].includes(op) ? [1] : 1 }],
        })),
        { orderBy: [{ field: text }] },
        { orderBy: [{ field: 'a' }], startAfter: [text] },
        { orderBy: [{ field: 'a', direction: text }] },
        { where: [{ field: 'a', op: text, value: 1 }] },
        { where: [{ field: 'a', op: '==', value: { [text]: text } }] },
        { startAfter: Buffer.from(JSON.stringify([text])).toString('base64url') },
        {
          orderBy: [{ field: 'a' }],
          startAfter: Buffer.from(JSON.stringify([text, 'own'])).toString('base64url'),
        },
      ];
      for (const body of bodies) {
        const answer = await ask(own, body);
        expect([200, 422], `${JSON.stringify(body)}: ${answer.text}`).toContain(answer.status);
        for (const { id } of answer.data?.items ?? []) expect(id).toBe('own');
      }
    }
    expect(await service.database.prisma.record.findMany({ orderBy: { id: 'asc' } })).toEqual(before);
  }, 120_000);

  test('a path descends only into objects, by own keys', async () => {
    const name = await newCollection(service, { indexed_fields: ['list.0', 'text.length'] });
    await data.put(name, 'r', {
      list: ['x'],
      text: 'abc',
      'a.b': 1,
      own: JSON.parse('{"__proto__":{"x":1}}'),
    });
    for (const field of [
      'list.0',
      'list.length',
      'text.length',
      'text.0',
      'a.b',
      'toString',
      'constructor.name',
    ]) {
      expect([field, await idsOf(name, { orderBy: [{ field }] })]).toEqual([field, []]);
    }
    expect(await idsOf(name, { where: [{ field: 'own.__proto__.x', op: '==', value: 1 }] })).toEqual(['r']);
  });
});
