// Invalid queries are refused; injection attempts have no effect.
import { describe, expect, test } from 'vitest';
import { parseQuery } from '../../../engines/document-query/parse-query.js';
import type { Op } from '../../../engines/document-query/query.js';
import { accessPaths } from '../../../engines/document-query/scan.js';
import { asBackend, asking, newCollection } from '../../../test/data-scenario.js';
import { testService } from '../../../test/harness.js';
import { expectRefusal } from '../../../test/refusal.js';
import { shared } from '../../../test/shared.js';
import { batchStatement } from './scan-sql.js';

const service = shared(() => testService());
const data = asBackend(service);

const { ask, idsOf } = asking(() => service);

const ops = ['==', '!=', '<', '<=', '>', '>=', 'in', 'not-in', 'array-contains', 'array-contains-any'];

describe('refused with data/invalid-query:', () => {
  const anotherKey = Buffer.of(0x40, 0, 0, 0).toString('base64url');
  const ofAnotherId = Buffer.from(JSON.stringify([anotherKey, 'one'])).toString('base64url');
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
    ['a month that is none', w({ field: '$created_at', value: '2026-13-01T00:00:00Z' }), 'where.0.value'],
    ['too few values', { orderBy: [{ field: 'a' }, { field: 'b' }], startAfter: [1] }, 'startAfter'],
    ['values to start after without an order', { startAfter: [1] }, 'startAfter'],
    ['a cursor of another list', { startAfter: 'WyJhIiwiYiJd' }, 'startAfter'],
    ['an invalid cursor', { startAfter: 'nonsense' }, 'startAfter'],
    ['a key of $id of another id', { orderBy: [{ field: '$id' }], startAfter: ofAnotherId }, 'startAfter'],
    ['a number that is not exact', '{"where":[{"field":"a","op":"in","value":[1e400]}]}', 'where.0.value.0'],
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
    ...["x'); DROP TABLE records; --", "' OR '1'='1", '") OR 1=1 --', '$1', '{{where}}', 'c.fields'],
    ...["a' -> 'b", 'a"]}, true); --', "{}'::json) OR (true", '%s%n%d', '\\', "\\'; SELECT 1; --", '/* */'],
    ...['app_id', 'collection_id', 'fields', '__proto__', 'constructor', 'a::text', '*', '0', '1=1'],
  ];
  const valueFor = (op: string, value: unknown) =>
    ['in', 'not-in', 'array-contains-any'].includes(op) ? [value] : value;

  test.each(hostile)('%j is not in the text of a statement', (text) => {
    const where = { appId: 'app', collectionId: 'collection' };
    const statementsOf = (field: string, value: string) =>
      ops.flatMap((op) => {
        const condition = { field, op: op as Op, value: valueFor(op, value) };
        const orderBy = [{ field, direction: 'asc' as const }];
        const query = parseQuery({ where: [condition], orderBy, limit: 1, startAfter: [value] }, '{}');
        const paths = accessPaths(query, [{ number: 1, field, ready: true }], value);
        return paths.fallback.scans.map((scan) => {
          const batch = { position: { key: Buffer.from(value), id: value }, limit: 1, maxBytes: 1 };
          return batchStatement(where, query, value, scan, batch).text;
        });
      });
    const plain = text.split('.').map(() => 'a');
    expect(statementsOf(text, text)).toEqual(statementsOf(plain.join('.'), 'a'));
  });

  test('reads nothing of other collections and changes nothing', async () => {
    const [own, secret] = [await newCollection(service), await newCollection(service)];
    const { app, secretKey: token } = await service.newApp();
    const as = { appKey: app.appKey, token };
    await service.call('POST', '/admin/collections', { ...as, body: { name: own } });
    const body = { fields: { of: 'another app' } };
    expect((await service.call('PUT', `/data/${own}/theirs`, { ...as, body })).status).toBe(201);
    await data.put(own, 'own', { a: 1 });
    await data.put(secret, 'secret', { a: 1, of: 'another collection' });
    const before = await service.database.prisma.record.findMany({ orderBy: { id: 'asc' } });
    const cursor = (keys: unknown) => Buffer.from(JSON.stringify(keys)).toString('base64url');
    for (const text of hostile) {
      const bodies = [
        { where: ops.map((op) => ({ field: 'a', op, value: valueFor(op, text) })) },
        { where: [{ field: 'a', op: '!=', value: text }] },
        { where: [{ field: text, op: 'not-in', value: [1] }] },
        { orderBy: [{ field: text }] },
        { orderBy: [{ field: 'a' }], startAfter: [text] },
        { orderBy: [{ field: 'a', direction: text }] },
        { where: [{ field: 'a', op: text, value: 1 }] },
        { where: [{ field: 'a', op: '==', value: { [text]: text } }] },
        { startAfter: cursor([text]) },
        { orderBy: [{ field: 'a' }], startAfter: cursor([text, 'own']) },
      ];
      for (const body of bodies) {
        const answer = await ask(own, body);
        expect([200, 422], `${JSON.stringify(body)}: ${answer.text}`).toContain(answer.status);
        for (const { id } of answer.data?.items ?? []) expect(id).toBe('own');
      }
    }
    expect(await service.database.prisma.record.findMany({ orderBy: { id: 'asc' } })).toEqual(before);
  });

  test('a path descends only into objects, by own keys', async () => {
    const name = await newCollection(service, { indexed_fields: ['list.0', 'text.length'] });
    await data.put(name, 'r', {
      list: ['x'],
      text: 'abc',
      'a.b': 1,
      own: JSON.parse('{"__proto__":{"x":1}}'),
    });
    const absent = ['list.0', 'list.length', 'text.length', 'text.0', 'a.b', 'toString', 'constructor.name'];
    for (const field of absent) {
      expect([field, await idsOf(name, { orderBy: [{ field }] })]).toEqual([field, []]);
    }
    expect(await idsOf(name, { where: [{ field: 'own.__proto__.x', op: '==', value: 1 }] })).toEqual(['r']);
  });
});
