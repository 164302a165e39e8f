// Records over HTTP: round trips, preconditions, merges, limits, pages.
import { RecordId } from '@foyer/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { asBackend, newCollection, type RecordPage } from '../../../test/data-scenario.js';
import { testService } from '../../../test/harness.js';
import { expectRefusal, ulidPattern } from '../../../test/refusal.js';
import { shared } from '../../../test/shared.js';
import { inFull } from '../../../test/thorough.js';

let collection: string;
const service = shared(() => testService());
const data = asBackend(service);
beforeAll(async () => {
  collection = await newCollection(service);
});

const timestampPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** Sends a literal body that JSON.stringify would not produce. */
const raw = (method: string, path: string, fields: string) =>
  data.call(method, path, { body: `{"fields":${fields}}` });

test('each write with a secret key is audited, but no read and no refusal', async () => {
  const { id } = (await data.create(collection, { title: 'A' })).data;
  await data.put(collection, 'audited', { a: 1 });
  await data.put(collection, 'audited', { a: 2 });
  await data.merge(collection, 'audited', { b: 1 });
  await data.get(collection, 'audited');
  await data.delete(collection, 'audited');
  await data.delete(collection, 'audited');
  const where = { appId: service.app.app.id, action: { startsWith: 'record.' } };
  const entries = await service.auditEntries(where);
  expect(entries.map(({ action, details }) => [action, details])).toEqual([
    ['record.created', { record: id }],
    // An id that the backend chose may be an email address.
    ['record.created', {}],
    ['record.replaced', {}],
    ['record.updated', {}],
    ['record.deleted', {}],
  ]);
  expect(new Set(entries.map(({ target }) => target))).toEqual(new Set([`collection:${collection}`]));
  expect(entries[0]).toMatchObject({ actor: expect.stringMatching(/^secret_key:/), ip: '127.0.0.1' });
});

describe('a record', () => {
  test('is created with an id, a version and timestamps', async () => {
    const { status, data: record, headers } = await data.create(collection, { title: 'A' });
    expect(status).toBe(201);
    expect(record).toEqual({
      id: expect.stringMatching(ulidPattern),
      collection,
      fields: { title: 'A' },
      owner_uid: null,
      version: 1,
      created_at: expect.stringMatching(timestampPattern),
      updated_at: record.created_at,
    });
    expect(headers.get('etag')).toBe('"1"');
    const read = await data.get(collection, record.id);
    expect([read.status, read.data, read.headers.get('etag')]).toEqual([200, record, '"1"']);
  });

  test('is created by PUT with 201, replaced with 200, merged, deleted with 204, and then not found', async () => {
    const first = await data.put(collection, 'r1', { a: 1, b: { c: 1 } });
    const { version } = first.data;
    expect(first.status).toBe(201);
    service.clock.advance(1_000);
    const second = await data.put(collection, 'r1', { b: { c: 2 } });
    expect([second.status, second.data.version]).toEqual([200, version + 1]);
    expect(second.data.fields).toEqual({ b: { c: 2 } });
    expect(second.data.created_at).toBe(first.data.created_at);
    expect(second.data.updated_at > first.data.updated_at).toBe(true);
    const third = await data.merge(collection, 'r1', { b: { d: null } });
    expect([third.status, third.headers.get('etag')]).toEqual([200, `"${version + 2}"`]);
    expect(third.data.fields).toEqual({ b: { c: 2, d: null } });
    const gone = await data.delete(collection, 'r1');
    expect([gone.status, gone.text]).toEqual([204, '']);
    expectRefusal(await data.get(collection, 'r1'), 'data/not-found');
    expectRefusal(await data.merge(collection, 'r1', {}), 'data/not-found');
    expectRefusal(await data.delete(collection, 'r1'), 'data/not-found');
  });

  test.each(['a', 'A-z_0.9@x:y', 'x'.repeat(128), 'query', '...', '.a'])('may have the id %s', async (id) => {
    const answer = await data.put(collection, id, {});
    expect([answer.status, answer.data.id]).toEqual([201, id]);
  });

  test.each(['x'.repeat(129), 'a%20b', '%C3%BC', '$id', 'a%2Fb'])('may not have the id %s', async (id) => {
    expect((await data.put(collection, id, {})).status).toBe(422);
  });

  test.each(['.', '..'])('may not have the id %s, which clients remove from the path of a URL', (id) => {
    expect(RecordId.safeParse(id).success).toBe(false);
  });
});

describe('fields are returned as stored:', () => {
  test.each([
    ['every type', '{"a":null,"b":true,"c":-1.5,"d":"x","e":[1,[2]],"f":{"g":{}}}'],
    ['keys in their order', '{"b":1,"a":2,"10":3}'],
    ['large and small numbers', '{"a":1e+308,"b":5e-324,"c":9007199254740991,"d":-9007199254740991,"e":0.1}'],
    ['names of Object.prototype', '{"__proto__":{"x":1},"constructor":{"prototype":1},"hasOwnProperty":2}'],
    ['odd keys', '{"":1,"a.b":2,"a$":3,"😀":4," ":5}'],
    ['odd text', JSON.stringify({ a: '\u0001\u2028"\\/😀\u202e', b: "'; DROP TABLE records; --" })],
  ])('%s', async (_, fields) => {
    const created = await raw('POST', collection, fields);
    expect(created.status).toBe(201);
    const inOrder = JSON.stringify(JSON.parse(fields));
    expect(created.text).toContain(`"fields":${inOrder}`);
    expect((await data.get(collection, created.data.id)).text).toContain(`"fields":${inOrder}`);
    const merged = await raw('PATCH', `${collection}/${created.data.id}`, fields);
    expect(merged.text).toContain(`"fields":${inOrder}`);
  });
});

describe('POST, PUT and PATCH refuse with data/invalid-fields and the path:', () => {
  test.each([
    ['an integer that would be rounded', '{"a":{"b":[9007199254740993]}}', 'fields.a.b.0'],
    ['a key with a leading $', '{"a":{"$set":1}}', 'fields.a.$set'],
  ])('%s', async (_, fields, path) => {
    await data.put(collection, 'target', { unchanged: true });
    for (const [method, at] of [
      ['POST', collection],
      ['PUT', `${collection}/target`],
      ['PATCH', `${collection}/target`],
    ] as const) {
      expectRefusal(await raw(method, at, fields), 'data/invalid-fields', { [path]: [expect.any(String)] });
    }
    expect((await data.get(collection, 'target')).data.fields).toEqual({ unchanged: true });
  });

  test.each([
    ['half of a surrogate pair', '{"a":"\\ud800"}'],
    ['an array', '[]'],
    ['null', 'null'],
    ['a string', '"x"'],
  ])('%s, like in every body', async (_, fields) => {
    expectRefusal(await raw('POST', collection, fields), 'request/validation-failed', null);
  });
});

describe('sizes', () => {
  const ofBytes = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });

  test('1 MiB is stored, a byte more is data/record-too-large, and beyond 1.1 MiB the body itself is', async () => {
    expect((await data.create(collection, ofBytes(1_048_576))).status).toBe(201);
    expectRefusal(await data.create(collection, ofBytes(1_048_577)), 'data/record-too-large');
    const wrapped = '{"fields":}'.length;
    const limit = Math.floor(1.1 * 1_024 * 1_024);
    expectRefusal(await data.create(collection, ofBytes(limit - wrapped)), 'data/record-too-large');
    expectRefusal(await data.create(collection, ofBytes(limit - wrapped + 1)), 'request/too-large');
  });

  test('the result of a merge is checked too: size and keys', async () => {
    await data.put(collection, 'big', ofBytes(1_000_000));
    expectRefusal(await data.merge(collection, 'big', { b: 'x'.repeat(100_000) }), 'data/record-too-large');
    expect((await data.merge(collection, 'big', { b: 'x'.repeat(40_000) })).status).toBe(200);
    const keys = (prefix: string) =>
      Object.fromEntries(Array.from({ length: 1_500 }, (_, i) => [prefix + i, i]));
    await data.put(collection, 'keys', keys('a'));
    const many = await data.merge(collection, 'keys', keys('b'));
    expectRefusal(many, 'data/invalid-fields', { fields: [expect.any(String)] });
    expect((await data.get(collection, 'keys')).data.fields).toEqual(keys('a'));
  });

  test('a page of large records ends early, and the next pages miss none', async () => {
    const large = await newCollection(service);
    for (let i = 0; i < 5; i += 1) await data.put(large, `r${i}`, ofBytes(1_000_000));
    const pages: string[][] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const path = `${large}?limit=100${cursor && `&cursor=${cursor}`}`;
      const page: RecordPage = (await data.call<RecordPage>('GET', path)).data;
      pages.push(page.items.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(pages).toEqual([['r0', 'r1'], ['r2', 'r3'], ['r4']]);
  });
});

describe('preconditions', () => {
  test('If-Match allows a write for the current version only', async () => {
    const { version } = (await data.put(collection, 'm', { n: 1 })).data;
    const [first, second, third] = [0, 1, 2].map((writes) => ({ 'if-match': `"${version + writes}"` }));
    expectRefusal(await data.put(collection, 'm', {}, second), 'data/precondition-failed');
    expect((await data.put(collection, 'm', { n: 2 }, first)).data.version).toBe(version + 1);
    expectRefusal(await data.merge(collection, 'm', {}, first), 'data/precondition-failed');
    expectRefusal(await data.delete(collection, 'm', first), 'data/precondition-failed');
    expect((await data.merge(collection, 'm', { n: 3 }, { 'if-match': '*' })).data.version).toBe(version + 2);
    expect((await data.delete(collection, 'm', third)).status).toBe(204);
    expectRefusal(await data.put(collection, 'm', {}, { 'if-match': '*' }), 'data/precondition-failed');
  });

  test('If-None-Match: * creates and never replaces', async () => {
    const once = { 'if-none-match': '*' };
    expect((await data.put(collection, 'once', { n: 1 }, once)).status).toBe(201);
    expectRefusal(await data.put(collection, 'once', { n: 2 }, once), 'data/precondition-failed');
    expect((await data.get(collection, 'once')).data.fields).toEqual({ n: 1 });
  });

  test('a merge and a delete require a record: If-None-Match: * always fails, another ETag does not', async () => {
    await data.put(collection, 'there', {});
    for (const change of [
      (id: string, headers: Record<string, string>) => data.merge(collection, id, {}, headers),
      (id: string, headers: Record<string, string>) => data.delete(collection, id, headers),
    ]) {
      expectRefusal(await change('there', { 'if-none-match': '*' }), 'data/precondition-failed');
      expectRefusal(await change('missing', { 'if-none-match': '*' }), 'data/not-found');
      expect((await change('there', { 'if-none-match': '"9"' })).status).toBeLessThan(300);
    }
  });

  test('of twenty concurrent creations with If-None-Match: *, one succeeds', async () => {
    const once = { 'if-none-match': '*' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => data.put(collection, 'race', { n }, once)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...new Array(19).fill(412)]);
  });

  test('of twenty concurrent replacements of the same version, one succeeds', async () => {
    const { version } = (await data.put(collection, 'one', {})).data;
    const ifMatch = { 'if-match': `"${version}"` };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => data.put(collection, 'one', { n }, ifMatch)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await data.get(collection, 'one')).data.version).toBe(version + 1);
  });

  test('the tag of a deleted record changes no record that is created with its id, in a new collection of the name either', async () => {
    const name = await newCollection(service);
    const generated = (await data.create(name, { n: 0 })).data;
    const chosen = (await data.put(name, 'again', { n: 0 })).data;
    const tags: string[] = [];
    const recreate = async (id: string) =>
      tags.push((await data.put(name, id, { n: 1 })).headers.get('etag')!);
    for (const { id, version } of [generated, chosen]) {
      const old = { 'if-match': `"${version}"` };
      expect((await data.delete(name, id)).status).toBe(204);
      await recreate(id);
      for (const change of [data.put, data.merge])
        expectRefusal(await change(name, id, { n: 2 }, old), 'data/precondition-failed');
      expectRefusal(await data.delete(name, id, old), 'data/precondition-failed');
    }
    const backend = { token: service.app.secretKey };
    const path = `/admin/collections/${name}?records=delete`;
    expect((await service.call('DELETE', path, backend)).status).toBe(204);
    const body = { name, access_mode: 'admin' };
    expect((await service.call('POST', '/admin/collections', { ...backend, body })).status).toBe(201);
    await recreate('again');
    expect(new Set([...tags, `"${generated.version}"`, `"${chosen.version}"`]).size).toBe(5);
  });
});

describe('at the same time', () => {
  /** On a busy machine a transaction may wait too long for its turn: it is refused without effect, and sent again. */
  async function untilAvailable<Came extends { code: string | undefined }>(
    send: () => Promise<Came>,
  ): Promise<Came> {
    const answer = await send();
    return answer.code === 'request/unavailable' ? untilAvailable(send) : answer;
  }

  test('concurrent merges of different keys are all applied', async () => {
    const merges = inFull(40, 12);
    const first = await data.put(collection, 'merges', { deep: {} });
    const answers = await Promise.all(
      Array.from({ length: merges }, (_, n) =>
        untilAvailable(() => data.merge(collection, 'merges', { deep: { [`k${n}`]: n } })),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const { fields, version } = (await data.get(collection, 'merges')).data;
    expect(Object.keys(fields.deep as object)).toHaveLength(merges);
    expect(version).toBe(first.data.version + merges);
  });

  test('concurrent PUTs of a new record create one record with a version each', async () => {
    const puts = inFull(20, 8);
    const answers = await Promise.all(
      Array.from({ length: puts }, (_, n) => untilAvailable(() => data.put(collection, 'puts', { n }))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...new Array(puts - 1).fill(200), 201]);
    const versions = answers.map(({ data: { version } }) => version).sort((a, b) => a - b);
    expect(versions).toEqual(versions.map((_, place) => versions[0]! + place));
    expect((await data.get(collection, 'puts')).data.version).toBe(versions.at(-1));
  });
});

describe('the list', () => {
  test('is sorted by the bytes of the id, and a cursor survives the deletion of its record', async () => {
    const listed = await newCollection(service);
    const ids = ['B', 'a', '-', 'b.1', 'A', 'b-1', '0', 'b_1', 'ab', 'b:1'];
    for (const id of ids) await data.put(listed, id, { id });
    const page = async (query: string) => (await data.call<RecordPage>('GET', `${listed}?${query}`)).data;
    const sorted = [...ids].sort();
    expect((await page('')).items.map(({ id }) => id)).toEqual(sorted);
    const first = await page('limit=4');
    expect(first.items.map(({ id }) => id)).toEqual(sorted.slice(0, 4));
    await data.delete(listed, sorted[3] as string);
    const second = await page(`limit=6&cursor=${first.next_cursor}`);
    expect(second.items.map(({ id }) => id)).toEqual(sorted.slice(4));
    expect(second.next_cursor).toBeNull();
    expectRefusal(await data.call('GET', `${listed}?cursor=nonsense`), 'request/validation-failed', {
      cursor: [expect.any(String)],
    });
  });

  test('a record is not visible in another collection', async () => {
    const [one, two] = [await newCollection(service), await newCollection(service)];
    await data.put(one, 'same', { of: 'one' });
    await data.put(two, 'same', { of: 'two' });
    expect((await data.get(one, 'same')).data.fields).toEqual({ of: 'one' });
    expect((await data.get(two, 'same')).data.fields).toEqual({ of: 'two' });
  });
});
