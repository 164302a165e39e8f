// The calls of remote config, push, files and records, after those of the accounts.
import { expect } from 'vitest';
import type { Route } from '../src/generated/routes.js';
import { sha256 } from '../src/sha256.js';
import { ada, type Steps } from './parity-world.js';

/** Objects in each other; they and the value inside are counted. */
function nested(levels: number): object {
  return { a: levels === 1 ? 1 : nested(levels - 1) };
}

export const featureSteps: Steps = {
  async 'remote config'(call) {
    const { data, headers } = await call({ route: 'GET /config' });
    expect(data).toEqual({ color: 'green', cards: '[{"title":"A"}]', enabled: true });
    const known = { 'if-none-match': headers.get('etag')! };
    await call({ route: 'GET /config', headers: known });
    await call({ route: 'GET /config', headers: { 'if-none-match': '"other"' } });
  },

  async push(call) {
    const { data } = await call({ route: 'POST /auth/sign-in', body: ada });
    const token = data.access_token;
    const register = (body: object, bearer?: string) =>
      call({ route: 'POST /push/devices', body, ...(bearer && { token: bearer }) });
    const device = { provider: 'fcm', platform: 'android', token: 'a-token-of-firebase-messaging' };
    await register({});
    await register({ ...device, provider: 'pigeon' });
    await register({ ...device, provider: 'webpush', token: 'https://push.example.com/1', platform: 'web' });
    await register({ ...device, provider: 'webpush', token: 'https://push.example.com/1', keys: {} });
    await register({ ...device, token: 'two words' });
    await register({ ...device, provider: 'apns', platform: 'ios', token: 'not in hex' });
    const apns = { ...device, provider: 'apns', platform: 'ios', token: 'ab'.repeat(32) };
    await register(apns);
    await register({ ...apns, token: 'AB'.repeat(32) });
    const { data: made } = await register({ ...device, app_version: '1.0' }, token);
    const { data: again } = await register(device, token);
    expect(again.id).toBe(made.id);
    const params = { id: made.id, topic: 'news' };
    await call({ route: 'PUT /push/devices/:id/topics/:topic', params });
    await call({ route: 'PUT /push/devices/:id/topics/:topic', params, token });
    await call({ route: 'PUT /push/devices/:id/topics/:topic', params: { ...params, topic: 'a b' }, token });
    await call({ route: 'GET /push/devices', token });
    await call({ route: 'GET /push/devices' });
    await call({ route: 'DELETE /push/devices/:id/topics/:topic', params, token });
    await register(device);
    await call({ route: 'DELETE /push/devices/:id', params });
    await call({ route: 'DELETE /push/devices/:id', params });
    await call({ route: 'GET /push/web-key' });
  },

  async files(call, { fetch: read }) {
    const { data } = await call({ route: 'POST /auth/sign-in', body: ada });
    const token = data.access_token;
    const form = (visibility?: string) => {
      const made = new FormData();
      if (visibility) made.append('visibility', visibility);
      made.append('file', new Blob(['hello']), 'hello.txt');
      return made;
    };
    await call({ route: 'POST /files', form: form() });
    await call({ route: 'POST /files', token, form: new FormData() });
    await call({ route: 'POST /files', token, form: form('secret') });
    const { data: own } = await call({ route: 'POST /files', token, form: form() });
    expect(own).toMatchObject({ name: 'hello.txt', size: 5, sha256: sha256('hello') });
    const { data: open } = await call({ route: 'POST /files', token, form: form('public') });
    await call({ route: 'GET /files/:id', params: { id: own.id } });
    await call({ route: 'GET /files/:id', params: { id: own.id }, token });
    await call({ route: 'GET /files/:id', params: { id: open.id } });
    await call({ route: 'GET /files/:id/url', params: { id: own.id } });
    const { data: url } = await call({ route: 'GET /files/:id/url', params: { id: own.id }, token });
    expect(url.url).toContain(`/files/${own.id}/content`);
    // The URL of the real service under test is not that of this machine.
    if (url.url.startsWith('https://foyer.test')) expect(await (await read(url.url)).text()).toBe('hello');
    for (const query of ['0', '604801', 'soon', '1e2', '']) {
      await call({
        route: 'GET /files/:id/url',
        params: { id: own.id },
        token,
        query: `?expires_in=${query}`,
      });
    }
    await call({ route: 'GET /files/:id/url', params: { id: own.id }, token, query: '?download=yes' });
    await call({ route: 'GET /files/:id/url', params: { id: own.id }, token, query: '?expires=60' });
    await call({ route: 'DELETE /files/:id', params: { id: own.id } });
    await call({ route: 'DELETE /files/:id', params: { id: own.id }, token });
    await call({ route: 'GET /files/:id', params: { id: own.id }, token });
    await call({ route: 'GET /files/:id', params: { id: 'unknown' }, token });
    const types: string[] = [];
    for (const [content, type] of [
      ['hello', ''],
      ['a,b\n', 'text/csv'],
      ['a,b\n', 'image/png'],
      ['{}', 'application/json;charset=utf-8'],
      ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
      ['<!doctype html><p>', 'text/plain'],
      ['GIF89a\x01\0\x01\0', 'text/plain'],
      ['%PDF-1.7\n', ''],
      ['', 'text/plain'],
      ['\0', 'text/plain'],
      [new Uint8Array([0xc3, 0x28]), 'text/plain'],
    ] as const) {
      const made = new FormData();
      made.append('file', new Blob([content], { type }), 'file');
      types.push((await call({ route: 'POST /files', token, form: made })).data.content_type);
    }
    const large = new FormData();
    large.append('file', new Blob([new Uint8Array(25 * 1_024 * 1_024 + 1)]), 'large');
    await call({ route: 'POST /files', token, form: large });
    return types;
  },

  async 'records and their owners'(call) {
    const { data } = await call({ route: 'POST /auth/sign-in', body: ada });
    const carl = { email: 'carl@example.com', password: ada.password };
    const { data: other } = await call({ route: 'POST /auth/sign-up', body: carl });
    const [token, foreign] = [data.access_token, other.access_token];
    const body = { fields: { title: 'a', place: { name: 'market', floor: 1 }, tags: ['x'] } };
    for (const collection of ['unknown', 'closed', 'notes']) {
      await call({ route: 'POST /data/:collection', params: { collection }, body });
      await call({ route: 'POST /data/:collection', params: { collection }, body, token });
      await call({ route: 'GET /data/:collection', params: { collection } });
    }
    const own = { collection: 'notes', id: 'own' };
    const put = (more: object = {}) =>
      call({ route: 'PUT /data/:collection/:id', params: own, token, body, ...more });
    await put({ headers: { 'if-match': '"1"' } });
    await put();
    await put({ headers: { 'if-none-match': '*' } });
    await put({ headers: { 'if-match': '"1"' } });
    await put({ headers: { 'if-match': '"1"' } });
    await put({ body: { fields: 'text' } });
    for (const fields of [
      { $set: 1 },
      { a: { $set: 1 } },
      nested(21),
      { ['k'.repeat(257)]: 1 },
      Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`k${index}`, 1])),
      { a: 2 ** 53 },
      { a: 'x'.repeat(1_048_569) },
    ]) {
      await put({ body: { fields } });
      await call({ route: 'PATCH /data/:collection/:id', params: own, token, body: { fields } });
    }
    await put({ body: '{"fields":{"a":1e999}}' });
    for (const params of [{ id: 'a/b' }, { id: 'x'.repeat(129) }, { collection: '1' }]) {
      await put({ params: { ...own, ...params } });
      await put({ params: { ...own, ...params }, token: undefined });
    }
    await put({ params: { ...own, id: 'limits' }, body: { fields: nested(20) } });
    await put({ params: { ...own, id: 'limits' }, body: { fields: { a: 'x'.repeat(1_048_568), $: 0 } } });
    await put({ params: { ...own, id: 'limits' }, body: { fields: { a: 'x'.repeat(1_048_568) } } });
    await put({ params: { ...own, id: 'limits' }, body: { fields: { '': 1, 'a.b': 1e21, a$: -0.5 } } });
    await call({ route: 'DELETE /data/:collection/:id', params: { ...own, id: 'limits' }, token });
    const patch = { fields: { place: { floor: 2 }, done: true } };
    const merge = await call({ route: 'PATCH /data/:collection/:id', params: own, token, body: patch });
    expect(merge.data.fields).toEqual({ ...body.fields, place: { name: 'market', floor: 2 }, done: true });
    expect(merge.headers.get('etag')).toBe('"3"');
    for (const bearer of [foreign, token]) {
      await call({ route: 'GET /data/:collection/:id', params: own, token: bearer });
      await call({ route: 'GET /data/:collection', params: { collection: 'notes' }, token: bearer });
    }
    await call({ route: 'GET /data/:collection/:id', params: own });
    await call({ route: 'PATCH /data/:collection/:id', params: own, token: foreign, body: patch });
    await call({ route: 'DELETE /data/:collection/:id', params: own, token: foreign });
    await call({ route: 'PATCH /data/:collection/:id', params: { ...own, id: 'none' }, token, body: patch });
    await call({ route: 'DELETE /data/:collection/:id', params: own, token, headers: { 'if-match': '"1"' } });
    await call({ route: 'DELETE /data/:collection/:id', params: own, token });
    await call({ route: 'DELETE /data/:collection/:id', params: own, token });
    const shown = { collection: 'posts', id: 'one' };
    await call({ route: 'PUT /data/:collection/:id', params: shown, token, body });
    await call({ route: 'GET /data/:collection/:id', params: shown });
    await call({ route: 'PATCH /data/:collection/:id', params: shown, token: foreign, body: patch });
    // What is deleted with its owner's account.
    const left = { ...shown, id: 'left' };
    await call({ route: 'PUT /data/:collection/:id', params: left, token: foreign, body });
    const form = new FormData();
    form.append('visibility', 'public');
    form.append('file', new Blob(['left']), 'left.txt');
    const { data: file } = await call({ route: 'POST /files', token: foreign, form });
    await call({ route: 'DELETE /me', token: foreign });
    await call({ route: 'GET /data/:collection/:id', params: left });
    await call({ route: 'GET /files/:id', params: { id: file.id } });
  },

  async queries(call) {
    const { data } = await call({ route: 'POST /auth/sign-in', body: ada });
    const token = data.access_token;
    const values = [
      null,
      false,
      true,
      -1,
      2,
      10,
      'a',
      'b',
      'é',
      '𝄞',
      ['x'],
      ['x', 'y'],
      { a: 1 },
      { a: 1, b: 0 },
    ];
    for (const [index, value] of values.entries()) {
      const params = { collection: 'values', id: `r${String(index).padStart(2, '0')}` };
      const fields = { value, group: index % 3, ...(index % 2 && { odd: { deep: index } }) };
      await call({ route: 'PUT /data/:collection/:id', params, token, body: { fields } });
    }
    const params = { collection: 'values' };
    const query = async (body: object) => {
      const got = await call({ route: 'POST /data/:collection/query', params, token, body });
      return [got.data?.items?.map(({ id }: { id: string }) => id), got.data] as const;
    };
    const where = (field: unknown, op: string, value: unknown) => ({ where: [{ field, op, value }] });
    const found: unknown[] = [];
    for (const body of [
      {},
      { orderBy: [{ field: 'value' }] },
      { orderBy: [{ field: 'value', direction: 'desc' }] },
      { orderBy: [{ field: 'group', direction: 'desc' }, { field: 'value' }] },
      { orderBy: [{ field: 'odd.deep' }] },
      { orderBy: [{ field: 'value' }], startAfter: [2] },
      ...['==', '!=', '<', '<=', '>', '>='].flatMap((op) =>
        [2, 'b', null].map((value) => where('value', op, value)),
      ),
      where('value', '==', { a: 1 }),
      where('value', 'in', [2, 'a', { a: 1 }]),
      where('value', 'not-in', [2, 'a']),
      where('value', 'not-in', [2, null]),
      where('value', 'array-contains', 'y'),
      where('value', 'array-contains-any', ['y', 'x']),
      where('odd.deep', '>', 3),
      where('$id', '>=', 'r12'),
      where('$owner_uid', '==', 'nobody'),
      where('value', 'like', 'a'),
      where('value', 'in', []),
      { limit: 501 },
      { wher: [] },
      { startAfter: 'nonsense' },
      { orderBy: [{ field: 'value' }], startAfter: [1, 2] },
      { startAfter: [] },
      { limit: '10' },
      { where: {} },
      { where: ['value'] },
      { where: Array.from({ length: 21 }, () => ({ field: 'value', op: '==', value: 1 })) },
      { where: [{ field: 'value', op: '==' }] },
      { where: [{ op: '==', value: 1 }] },
      { where: [{ field: 'value', op: '==', value: 1, more: 1 }] },
      where('value', 'in', new Array(31).fill(1)),
      ...['', 'a..b', '$value', 'value.$deep', '$id.deep', 5].map((field) => where(field, '==', 1)),
      { orderBy: 'value' },
      { orderBy: ['value'] },
      { orderBy: [{ field: 'value', direction: 'up' }] },
      { orderBy: [{ field: 'value' }, { field: 'value' }] },
      { orderBy: ['a', 'b', 'c', 'd', 'e'].map((field) => ({ field })) },
      where('$created_at', '>', 'yesterday'),
    ]) {
      found.push((await query(body))[0]);
    }
    const { next_cursor } = (await query({ limit: 1 }))[1];
    await query({ orderBy: [{ field: 'group' }], startAfter: next_cursor });
    // A time as JavaScript writes it has milliseconds.
    const { created_at } = (await query({ limit: 1 }))[1].items[0];
    const written = new Date(created_at).toISOString();
    found.push((await query({ ...where('$created_at', '>=', written), limit: 1 }))[0]);
    for (const order of [[], [{ field: 'group', direction: 'desc' }]]) {
      let startAfter: string | undefined;
      do {
        const [ids, page]: readonly [unknown, { next_cursor: string }] = await query({
          orderBy: order,
          limit: 5,
          startAfter,
        });
        found.push(ids);
        startAfter = page.next_cursor ?? undefined;
      } while (startAfter);
    }
    return found;
  },

  async 'text that cannot be stored'(call) {
    const { data } = await call({ route: 'POST /auth/sign-in', body: ada });
    const token = data.access_token;
    const params = { collection: 'notes', id: 'own' };
    for (const text of ['a\0', '\ud800b', '\udc00']) {
      await call({ route: 'POST /auth/sign-in', body: { ...ada, password: text } });
      await call({ route: 'POST /auth/sign-in', body: { email: ada.email, more: [{ text }] } });
      await call({ route: 'POST /auth/sign-in', body: text });
      await call({ route: 'PATCH /me', body: { first_name: text } });
      await call({ route: 'PATCH /me', body: { first_name: text, photo_url: 1 }, token });
      for (const fields of [
        { a: text },
        { a: { b: ['', { c: text }] } },
        { [text]: 1 },
        { a: { [text]: text } },
      ]) {
        await call({ route: 'PUT /data/:collection/:id', params, body: { fields } });
        await call({ route: 'PUT /data/:collection/:id', params, body: { fields }, token });
      }
      for (const collection of ['unknown', 'closed']) {
        const body = { fields: { a: text } };
        await call({ route: 'POST /data/:collection', params: { collection }, body, token });
      }
      const where = [{ field: 'a', op: '==', value: text }];
      await call({ route: 'POST /data/:collection/query', params, body: { where }, token });
    }
    const route = 'GET /data/:collection';
    for (const query of ['?limit=%00', '?cursor=%ff', '?%ff=1', '?cursor=%ed%a0%80', '?a=%00&limit=2']) {
      await call({ route, params, query });
      await call({ route, params, query, token });
      await call({ route, params: { collection: 'unknown' }, query, token });
    }
    await call({ route: 'GET /data/:collection/:id', params: { ...params, id: 'a\0' }, token });
    await call({ route: 'GET /data/:collection/:id', params: { ...params, collection: 'a\0' }, token });
    await call({ route: 'GET /files/:id', params: { id: 'a\0' }, token });
  },

  async 'requests that are not of the API'(call) {
    await call({ route: 'GET /nothing' as Route });
    await call({ route: 'PUT /auth/sign-in' as Route, body: {} });
    await call({ route: 'POST /auth/sign-in', body: '{' });
    await call({ route: 'POST /auth/sign-in', body: [] });
  },
};
