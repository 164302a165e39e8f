// Large records and pages: their fields pass from the database to the client as text.
import { limits } from '@foyer/contract';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { asBackend, newCollection, type RecordPage } from '../../../test/data-scenario.js';
import { testService } from '../../../test/harness.js';
import { shared } from '../../../test/shared.js';

const service = shared(() => testService({ judgeAnswers: false }));

/** The raw response text. */
async function textOf(method: string, path: string, body?: string): Promise<string> {
  const answer = await fetch(`${service.url}/api/v2/data/${path}`, {
    method,
    headers: {
      'x-app-key': service.app.app.appKey,
      authorization: `Bearer ${service.app.secretKey}`,
      'content-type': 'application/json',
    },
    ...(body !== undefined && { body }),
  });
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  return answer.text();
}

test('every response has the fields as JSON.stringify serializes what was sent', async () => {
  const name = await newCollection(service);
  const sent =
    '{"z":1.0,"a":1e21,"b":-0,"c":1E-7,"d":0.1,"__proto__":1.50,"e":"\\u00e4\\u2028","f":{"g":[1e2]}}';
  const stored = JSON.stringify(JSON.parse(sent));
  const body = `{"fields":${sent}}`;
  expect(await textOf('PUT', `${name}/one`, body)).toContain(`"fields":${stored},`);
  expect(await textOf('GET', `${name}/one`)).toContain(`"fields":${stored},`);
  expect(await textOf('GET', name)).toContain(`"fields":${stored},`);
  expect(await textOf('POST', `${name}/query`, '{}')).toContain(`"fields":${stored},`);
  expect(await textOf('PATCH', `${name}/one`, '{"fields":{"z":2.0}}')).toContain('"fields":{"z":2,');
  expect(await textOf('POST', name, body)).toContain(`"fields":${stored},`);
});

test.each([
  ['one record', 'GET', '/a', 7],
  ['a list', 'GET', '', 14],
  ['a query', 'POST', '/query', 14],
])('%s counts against the memory budget with the bytes of its records', async (_, method, path, bytes) => {
  const name = await newCollection(service);
  await asBackend(service).putAll(name, { a: { n: 1 }, b: { n: 2 } });
  const reserve = vi.spyOn(service.deps.byteBudget, 'reserve');
  onTestFinished(() => reserve.mockRestore());
  await textOf(method, `${name}${path}`, method === 'POST' ? '{}' : undefined);
  expect(reserve.mock.calls.map(([, reserved]) => reserved)).toEqual([bytes]);
});

describe('of records of a megabyte', () => {
  /** Few bytes, expensive to parse. */
  const nested = JSON.stringify({ a: new Array(300_000).fill([]) });
  let name: string;
  beforeAll(async () => {
    name = await newCollection(service);
    const { prisma } = service.database;
    const { appId, id } = await prisma.collection.findFirstOrThrow({ where: { name } });
    for (let i = 0; i < 3; i += 1) {
      await prisma.$executeRaw`INSERT INTO records (app_id, collection_id, id, fields, bytes, created_at, updated_at)
        VALUES (${appId}, ${id}, ${`r${i}`}, ${nested}::json, ${nested.length}, now(), now())`;
    }
  });

  test.each([
    ['a list', 'GET', ''],
    ['a query', 'POST', '/query'],
    ['one', 'GET', '/r1'],
  ])('%s is neither parsed nor serialized again', async (_, method, path) => {
    const [parse, stringify] = [vi.spyOn(JSON, 'parse'), vi.spyOn(JSON, 'stringify')];
    const restore = () => {
      parse.mockRestore();
      stringify.mockRestore();
    };
    onTestFinished(restore);
    const text = await textOf(method, `${name}${path}`, method === 'POST' ? '{}' : undefined);
    const parsed = Math.max(0, ...parse.mock.calls.map(([given]) => String(given).length));
    const written = Math.max(0, ...stringify.mock.results.map(({ value }) => String(value).length));
    restore();
    expect(text.length).toBeGreaterThan(nested.length);
    expect(parsed).toBeLessThan(10_000);
    expect(written).toBeLessThan(10_000);
    expect(JSON.parse(text).data).toBeTypeOf('object');
  });

  test('a query answers at most a page and one record', async () => {
    const page = await asBackend(service).call<RecordPage>('POST', `${name}/query`, { body: { limit: 100 } });
    expect(page.text.length).toBeLessThan(limits.recordPageBytes + limits.recordBytes);
    expect([page.data.items.length, page.data.next_cursor]).toEqual([2, expect.any(String)]);
  });

  test('a query answers no more of records that grow between scan and read', async () => {
    const [growing, data] = [await newCollection(service), asBackend(service)];
    await data.putAll(growing, { r0: {}, r1: {}, r2: {}, r3: {} });
    const { query } = service.deps;
    service.deps.query = async (statement) => {
      if (statement.text.includes('json_array_elements_text')) {
        service.deps.query = query;
        const large = 'x'.repeat(600_000);
        for (const id of ['r0', 'r2', 'r3']) await data.put(growing, id, { large });
        await data.delete(growing, 'r1');
      }
      return query(statement);
    };
    const { data: page } = await data.call<RecordPage>('POST', `${growing}/query`, { body: {} });
    expect(service.deps.query).toBe(query);
    expect(page.items.map(({ id }) => id)).toEqual(['r0', 'r2']);
    const body = { startAfter: page.next_cursor };
    const { data: next } = await data.call<RecordPage>('POST', `${growing}/query`, { body });
    expect([next.items.map(({ id }) => id), next.next_cursor]).toEqual([['r3'], null]);
  });
});
