// The calls of remote config and records, after those of the accounts.
import { expect } from 'vitest';
import type { Route } from '../src/generated/routes.js';
import { ada, type Steps } from './parity-world.js';

export const featureSteps: Steps = {
  async 'sign-in methods'(call) {
    await call({ route: 'GET /auth/methods' });
  },

  async 'remote config'(call) {
    const { data, headers } = await call({ route: 'GET /config' });
    expect(data).toEqual({ color: 'green', cards: '[{"title":"A"}]', enabled: true });
    const known = { 'if-none-match': headers.get('etag')! };
    await call({ route: 'GET /config', headers: known });
    await call({ route: 'GET /config', headers: { 'if-none-match': '"other"' } });
    const tag = headers.get('etag')!;
    const forms = [`W/${tag}`, `"other", ${tag}`, tag.slice(1, -1), tag.replace(/"$/, '-gzip"'), '*'];
    for (const form of forms) await call({ route: 'GET /config', headers: { 'if-none-match': form } });
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
    const first = { 'if-match': (await put()).headers.get('etag') as string };
    await put({ headers: { 'if-none-match': '*' } });
    const tag = first['if-match'];
    const read = (ifNoneMatch: string) =>
      call({
        route: 'GET /data/:collection/:id',
        params: own,
        token,
        headers: { 'if-none-match': ifNoneMatch },
      });
    for (const form of [tag, `W/${tag}`, '"0"', `"0",${tag}`, '*']) await read(form);
    await put({ headers: { 'if-match': `W/${tag}` } });
    await put({ headers: first });
    await put({ body: { fields: 'text' } });
    for (const params of [{ id: 'a/b' }, { id: 'x'.repeat(129) }, { collection: '1' }]) {
      await put({ params: { ...own, ...params } });
      await put({ params: { ...own, ...params }, token: undefined });
    }
    const patch = { fields: { place: { floor: 2 }, done: true } };
    const merge = await call({ route: 'PATCH /data/:collection/:id', params: own, token, body: patch });
    expect(merge.data.fields).toEqual({ ...body.fields, place: { name: 'market', floor: 2 }, done: true });
    const [version] = /\d+/.exec(first['if-match']) as unknown as [string];
    expect(merge.headers.get('etag')).toBe(`"${Number(version) + 2}"`);
    for (const bearer of [foreign, token]) {
      await call({ route: 'GET /data/:collection/:id', params: own, token: bearer });
      await call({ route: 'GET /data/:collection', params: { collection: 'notes' }, token: bearer });
    }
    await call({ route: 'GET /data/:collection/:id', params: own });
    await call({ route: 'PATCH /data/:collection/:id', params: own, token: foreign, body: patch });
    await call({ route: 'DELETE /data/:collection/:id', params: own, token: foreign });
    await call({ route: 'PATCH /data/:collection/:id', params: { ...own, id: 'none' }, token, body: patch });
    await call({ route: 'DELETE /data/:collection/:id', params: own, token, headers: first });
    await call({ route: 'DELETE /data/:collection/:id', params: own, token });
    await call({ route: 'DELETE /data/:collection/:id', params: own, token });
    const shown = { collection: 'posts', id: 'one' };
    await call({ route: 'PUT /data/:collection/:id', params: shown, token, body });
    await call({ route: 'GET /data/:collection/:id', params: shown });
    await call({ route: 'PATCH /data/:collection/:id', params: shown, token: foreign, body: patch });
    // What is deleted with its owner's account.
    const left = { ...shown, id: 'left' };
    await call({ route: 'PUT /data/:collection/:id', params: left, token: foreign, body });
    await call({ route: 'DELETE /me', token: foreign });
    await call({ route: 'GET /data/:collection/:id', params: left });
  },

  async 'requests that are not of the API'(call) {
    await call({ route: 'GET /nothing' as Route });
    await call({ route: 'POST /auth/sign-in', body: '{' });
    await call({ route: 'POST /auth/sign-in', body: [] });
  },
};
