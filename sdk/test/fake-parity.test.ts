// The fake service of `/testing` against the real one: the same calls in the same order have the same statuses, error codes,
// invalid fields and shapes, and what the fake answers is valid by the contract.
import { contract } from '@foyer/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { newCollection } from '../../server/test/data-scenario.js';
import { clients, type ProviderScenario, providerScenario } from '../../server/test/provider-scenario.js';
import type { Provider } from '../src/generated/models.js';
import type { Route } from '../src/generated/routes.js';
import { sha256 } from '../src/sha256.js';
import { fakeService } from '../src/testing/fake.js';
import { fakeApi } from '../src/testing/fake-api.js';

/** One of the two services. */
interface World {
  baseUrl: string;
  appKey: string;
  fetch: typeof fetch;
  advance(ms: number): Promise<void> | void;
  code(email: string): Promise<string> | string;
  idToken(provider: Provider, email: string, nonce: string): Promise<string> | string;
  /** Makes a v1 token for a user with this password. */
  v1Token(email: string): Promise<string> | string;
  disable(email: string): Promise<void> | void;
}

type Sent = {
  route: Route;
  params?: Record<string, string>;
  query?: string;
  body?: unknown;
  form?: FormData;
  token?: string;
  headers?: Record<string, string>;
};
// biome-ignore lint/suspicious/noExplicitAny: steps reach into answers of every shape.
type Got = { status: number; data: any; json: any; headers: Headers };
type Call = (sent: Sent) => Promise<Got>;

const ada = { email: 'ada@example.com', password: 'correct horse battery staple' };
const bob = { email: 'bob@example.com', password: 'a password of his own' };
const unknownId = '01JC4Q7M0RZ9X2V5T8W3Y6K1NB';
const minuteMs = 60_000;
const dayMs = 86_400_000;

const steps: Record<string, (call: Call, world: World) => Promise<unknown>> = {
  async accounts(call) {
    const signUp = (body: object) => call({ route: 'POST /auth/sign-up', body });
    await signUp({});
    await signUp({ email: 'ada', password: 5, first_name: 'x'.repeat(101) });
    await signUp({ ...ada, password: '1234567' });
    await signUp({ ...ada, email: ' ADA@example.com ', first_name: ' Ada ', last_name: '  ' });
    await signUp(ada);
    await call({ route: 'POST /auth/sign-in', body: { ...ada, password: 'wrong' } });
    await call({ route: 'POST /auth/sign-in', body: { email: 'nobody@example.com', password: 'x' } });
    const { data } = await call({ route: 'POST /auth/sign-in', body: ada });
    const token = data.access_token;
    await call({ route: 'GET /me' });
    await call({ route: 'GET /me', token: 'no.such.token' });
    await call({ route: 'GET /me', token });
    await call({ route: 'GET /me', headers: { 'x-app-key': 'pk_unknown' } });
    await call({ route: 'PATCH /me', token, body: { last_name: 'Lovelace', photo_url: null } });
    await call({ route: 'PATCH /me', token, body: { photo_url: 'ftp://example.com' } });
    await call({ route: 'GET /me/loyalty', token });
    await call({ route: 'GET /me/loyalty/history', token });
    await call({ route: 'GET /me/sessions', token, query: '?limit=1' });
    const { data: page } = await call({ route: 'GET /me/sessions', token, query: '?limit=101' });
    expect(page).toBeUndefined();
    await call({ route: 'DELETE /me/sessions/:id', token, params: { id: unknownId } });
    await call({ route: 'POST /auth/sign-out', token });
    await call({ route: 'GET /me', token });
    await call({ route: 'POST /auth/token/refresh', body: { refresh_token: data.refresh_token } });
  },

  async 'refresh rotation'(call, { advance }) {
    const { data: first } = await call({ route: 'POST /auth/sign-in', body: ada });
    const refresh = (refresh_token: string) =>
      call({ route: 'POST /auth/token/refresh', body: { refresh_token } });
    await refresh('rt_unknown');
    const { data: second } = await refresh(first.refresh_token);
    const { data: again } = await refresh(first.refresh_token);
    expect(again.refresh_token).toBe(second.refresh_token);
    await advance(2 * 3_600_000);
    await call({ route: 'GET /me', token: second.access_token });
    const { data: third } = await refresh(second.refresh_token);
    await call({ route: 'GET /me', token: third.access_token });
    await advance(31_000);
    await refresh(second.refresh_token);
    await refresh(third.refresh_token);
    await call({ route: 'GET /me', token: third.access_token });
    const { data: idle } = await call({ route: 'POST /auth/sign-in', body: ada });
    await advance(90 * dayMs + 1_000);
    await refresh(idle.refresh_token);
  },

  async 'emailed codes'(call, { advance, code }) {
    const email = 'code@example.com';
    const sent = await call({ route: 'POST /auth/email-code/send', body: { email } });
    expect(sent.headers.get('x-code-flow')).toMatch(/^fl_/);
    const verify = (guess: string, more: object = {}, headers = {}) =>
      call({ route: 'POST /auth/email-code/verify', body: { email, code: guess, ...more }, headers });
    await verify('12345');
    await verify('000000');
    const { data } = await verify(await code(email), { first_name: 'Coda' });
    expect(data.user).toMatchObject({ email, email_verified: true, first_name: 'Coda' });
    await verify('402718');
    await advance(minuteMs);
    await call({ route: 'POST /auth/email-code/send', body: { email } });
    await advance(11 * minuteMs);
    await verify(await code(email));
    const again = await call({ route: 'POST /auth/email-code/send', body: { email } });
    const flow = { 'x-code-flow': again.headers.get('x-code-flow')! };
    const valid = await code(email);
    for (let guess = 0; guess < 5; guess++) await verify('000000', {}, flow);
    await verify(valid, {}, flow);
  },

  async passwords(call, { advance, code }) {
    await call({ route: 'POST /auth/sign-up', body: bob });
    await call({ route: 'POST /auth/password/forgot', body: { email: 'nobody@example.com' } });
    await call({ route: 'POST /auth/password/forgot', body: { email: bob.email } });
    const reset = (body: object) => call({ route: 'POST /auth/password/reset', body: { ...bob, ...body } });
    await reset({ code: '000000' });
    await reset({ code: await code(bob.email), password: 'short' });
    await reset({ code: await code(bob.email), password: 'a reset password' });
    await call({ route: 'POST /auth/sign-in', body: bob });
    const { data } = await call({
      route: 'POST /auth/sign-in',
      body: { ...bob, password: 'a reset password' },
    });
    const token = data.access_token;
    const change = (body: object) => call({ route: 'PUT /me/password', token, body });
    await change({ password: 'short' });
    await change({ password: bob.password, current_password: 'wrong' });
    await change({ password: bob.password });
    await advance(6 * minuteMs);
    await change({ password: bob.password });
    await change({ password: bob.password, current_password: bob.password });
  },

  async 'sensitive calls'(call, { advance, code }) {
    const { data } = await call({ route: 'POST /auth/sign-in', body: bob });
    const token = data.access_token;
    const reauthenticate = (body: object) => call({ route: 'POST /auth/reauthenticate', token, body });
    await call({ route: 'POST /me/email', token, body: { email: ada.email } });
    await advance(6 * minuteMs);
    await call({ route: 'POST /me/email', token, body: { email: 'bobby@example.com' } });
    await reauthenticate({});
    await reauthenticate({ password: 'wrong' });
    await reauthenticate({ password: bob.password });
    await call({ route: 'POST /me/email', token, body: { email: 'bobby@example.com' } });
    const confirm = (guess: string) =>
      call({ route: 'POST /auth/email/verification/confirm', token, body: { code: guess } });
    await confirm('000000');
    await confirm(await code('bobby@example.com'));
    await call({ route: 'POST /auth/sign-in', body: bob });
    await advance(minuteMs);
    await call({ route: 'POST /auth/email/verification/send', token });
    await confirm(await code('bobby@example.com'));
    await advance(6 * minuteMs);
    await call({ route: 'DELETE /me', token });
    await reauthenticate({ password: bob.password });
    await call({ route: 'DELETE /me', token });
    await call({ route: 'GET /me', token });
  },

  async providers(call, { idToken }) {
    const nonce = 'a nonce of the client';
    const withA = async (email: string, own = nonce) =>
      call({
        route: 'POST /auth/provider-a',
        body: { id_token: await idToken('provider-a', email, nonce), nonce: own },
      });
    const proofB = async (email: string) => ({
      identity_token: await idToken('provider-b', email, sha256(nonce)),
      authorization_code: 'code',
      nonce,
    });
    await call({ route: 'POST /auth/provider-a', body: { nonce } });
    await call({ route: 'POST /auth/provider-a', body: { id_token: 'no.token.this', nonce } });
    await withA('grace@example.com', 'another nonce');
    await withA('grace@example.com');
    await withA('grace@example.com');
    await withA(ada.email);
    const signedIn = await call({
      route: 'POST /auth/provider-b',
      body: { ...(await proofB('grace@example.com')), first_name: 'Grace' },
    });
    const token = signedIn.data.access_token;
    const own = (provider: string) => ({ token, params: { provider } });
    await call({ route: 'GET /me/identities', token });
    await call({ route: 'DELETE /me/identities/:provider', ...own('provider-b') });
    await call({ route: 'DELETE /me/identities/:provider', ...own('provider-b') });
    const body = await proofB('grace2@example.com');
    await call({ route: 'POST /me/identities/:provider', ...own('provider-b'), body });
    const other = await proofB('grace3@example.com');
    await call({ route: 'POST /me/identities/:provider', ...own('provider-b'), body: other });
    await call({ route: 'GET /me/identities', token });
  },

  async 'the move from v1'(call, { v1Token }) {
    const account = { ...ada, email: 'v1@example.com' };
    await call({ route: 'POST /auth/sign-up', body: account });
    await call({ route: 'POST /auth/token/from-v1', body: {} });
    await call({ route: 'POST /auth/token/from-v1', body: { v1_token: 'f'.repeat(64) } });
    const body = { v1_token: await v1Token(account.email) };
    const { data } = await call({ route: 'POST /auth/token/from-v1', body });
    await call({ route: 'POST /auth/token/from-v1', body });
    await call({ route: 'GET /me', token: data.access_token });
  },

  async 'disabled users'(call, { disable }) {
    const account = { ...ada, email: 'disabled@example.com' };
    const { data } = await call({ route: 'POST /auth/sign-up', body: account });
    await disable(account.email);
    await call({ route: 'GET /me', token: data.access_token });
    await call({ route: 'POST /auth/token/refresh', body: { refresh_token: data.refresh_token } });
    await call({ route: 'POST /auth/sign-in', body: account });
    await call({ route: 'POST /auth/sign-in', body: { ...account, password: 'wrong' } });
  },

  async 'signing out everywhere'(call) {
    const { data } = await call({ route: 'POST /auth/sign-in', body: ada });
    const { data: other } = await call({ route: 'POST /auth/sign-in', body: ada });
    const token = data.access_token;
    const { data: page } = await call({ route: 'GET /me/sessions', token, query: '?limit=1' });
    await call({ route: 'GET /me/sessions', token, query: `?limit=1&cursor=${page.next_cursor}` });
    await call({ route: 'GET /me/sessions', token, query: '?cursor=nonsense' });
    const { data: last } = await call({ route: 'POST /auth/sign-in', body: ada });
    await call({
      route: 'DELETE /me/sessions/:id',
      token: last.access_token,
      params: { id: page.items[0].id },
    });
    await call({ route: 'POST /auth/sign-out-all', token });
    await call({ route: 'GET /me', token: other.access_token });
  },

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
    await call({ route: 'DELETE /files/:id', params: { id: own.id } });
    await call({ route: 'DELETE /files/:id', params: { id: own.id }, token });
    await call({ route: 'GET /files/:id', params: { id: own.id }, token });
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
    const where = (field: string, op: string, value: unknown) => ({ where: [{ field, op, value }] });
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
    ]) {
      found.push((await query(body))[0]);
    }
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

  async 'requests that are not of the API'(call) {
    await call({ route: 'GET /nothing' as Route });
    await call({ route: 'PUT /auth/sign-in' as Route, body: {} });
    await call({ route: 'POST /auth/sign-in', body: '{' });
    await call({ route: 'POST /auth/sign-in', body: [] });
  },
};

const routes = new Map(
  Object.values(contract)
    .flatMap((group) => Object.values(group))
    .map((route) => [`${route.method} ${route.path}`, route]),
);

/** The names and types of a value; of lists only whether they are empty, and the shape of their first item. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, key === 'fields' ? inner : shapeOf(inner)]),
  );
}

/** Depends on the service: the device of the test, and what the real service has in its settings. */
const own = new Set(['os', 'browser', 'type', 'tier', 'next_tier']);

/** Runs all steps and returns the outcome of each call, by step. */
async function outcomesOn(world: World, check?: (route: Route, got: Got) => void) {
  const outcomes: Record<string, unknown[]> = {};
  for (const [name, step] of Object.entries(steps)) {
    const seen: unknown[] = [];
    outcomes[name] = seen;
    const returned = await step(async (sent) => {
      const got = await send(world, sent);
      check?.(sent.route, got);
      const { code, fields } = got.json?.error ?? {};
      const answer = got.data === undefined ? Object.keys(fields ?? {}) : shapeOf(omitted(got.data));
      seen.push([sent.route, got.status, code, answer]);
      return got;
    }, world);
    seen.push(returned);
  }
  return outcomes;
}

function omitted(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner) => (own.has(key) ? undefined : inner)));
}

async function send({ baseUrl, appKey, fetch: request }: World, sent: Sent): Promise<Got> {
  const [method, template] = sent.route.split(' ') as [string, string];
  const path = template.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(sent.params?.[name] ?? ''),
  );
  const headers: Record<string, string> = { 'x-app-key': appKey, ...sent.headers };
  if (sent.token) headers.authorization = `Bearer ${sent.token}`;
  if (sent.body !== undefined) headers['content-type'] = 'application/json';
  const text = typeof sent.body === 'string' ? sent.body : JSON.stringify(sent.body);
  const body = sent.form ?? (sent.body === undefined ? null : text);
  const response = await request(`${baseUrl}${path}${sent.query ?? ''}`, { method, headers, body });
  const answer = await response.text();
  const json = answer === '' ? undefined : JSON.parse(answer);
  return { status: response.status, data: json?.data, json, headers: response.headers };
}

let scenario: ProviderScenario;
let real: World;

beforeAll(async () => {
  scenario = await providerScenario();
  const { service, a, b } = scenario;
  const backend = (method: string, path: string, body: object) =>
    service.call<{ uid: string; items: { uid: string }[] }>(method, path, {
      token: service.app.secretKey,
      body,
    });
  await scenario.set({ push: { web_push: { subject: 'mailto:push@example.com' } } });
  await newCollection(service, { name: 'notes', access_mode: 'owner' });
  await newCollection(service, { name: 'posts', access_mode: 'owner_public_read' });
  await newCollection(service, { name: 'values', access_mode: 'shared' });
  await newCollection(service, { name: 'closed' });
  await service.call('PUT', '/admin/config', {
    token: service.app.secretKey,
    headers: {
      'if-match': (await service.call('GET', '/admin/config', { token: service.app.secretKey })).headers.get(
        'etag',
      )!,
    },
    body: {
      parameters: {
        color: { type: 'string', value: 'green' },
        cards: { type: 'json', value: [{ title: 'A' }] },
        enabled: { type: 'boolean', value: true },
      },
    },
  });
  real = {
    baseUrl: `${service.url}/api/v2`,
    appKey: service.app.app.appKey,
    fetch,
    advance: (ms) => service.advance(ms),
    code: async (email) => String((await service.mailbox(email)).find(({ code }) => code)?.code),
    idToken: (provider, email, nonce) => {
      const claims = { sub: `sub-${email}`, email, email_verified: true, nonce };
      return provider === 'provider-a'
        ? a.idToken({ claims })
        : b.idToken({ claims: { ...claims, aud: clients.bundle } });
    },
    async v1Token(email) {
      const body = { email, password: ada.password };
      return (await service.call<{ token: string }>('POST', '/login', { version: 'v1', body })).data.token;
    },
    async disable(email) {
      const found = await service.call<{ items: { uid: string }[] }>(
        'GET',
        `/admin/users?email=${encodeURIComponent(email)}`,
        { token: service.app.secretKey },
      );
      await backend('PATCH', `/admin/users/${found.data.items[0]!.uid}`, { disabled: true });
    },
  };
});

afterAll(() => scenario.stop());

test('the fake answers each call like the real service, in shapes of the contract', async () => {
  const service = fakeService({
    collections: { notes: 'owner', posts: 'owner_public_read', values: 'shared', closed: 'admin' },
    config: { color: 'green', cards: [{ title: 'A' }], enabled: true },
  });
  let v1Tokens = 0;
  const fake: World = {
    ...service.options,
    advance: service.advance,
    code: service.code,
    // Provider B is asked for a token with the hash.
    idToken: (provider, email, nonce) =>
      service.idToken(provider, {
        email,
        nonce: provider === 'provider-a' ? nonce : 'a nonce of the client',
      }),
    v1Token(email) {
      const token = String(++v1Tokens).padStart(64, '0');
      service.addV1Token(token, email);
      return token;
    },
    disable: (email) => service.updateUser(email, { disabled: true }),
  };
  const called = new Set<Route>();
  const faked = await outcomesOn(fake, (route, { status, json }) => {
    const responses = routes.get(route)?.responses as Record<number, z.ZodType> | undefined;
    if (status >= 300 || !responses) return;
    called.add(route);
    if (status === 204) expect(json).toBeUndefined();
    else responses[status]!.parse(json);
  });
  expect(faked).toEqual(await outcomesOn(real));
  expect(appRoutes().filter((route) => !called.has(route))).toEqual([]);
});

/** The routes that the fake has: all that apps call, by its type. */
function appRoutes(): Route[] {
  const api = fakeApi({ baseUrl: '', appKey: '', nextCode: () => '' });
  const found = [...routes.values()].map(({ method, path }) => api.routeOf(method, path.replaceAll(':', '')));
  return found.filter((route) => route !== undefined);
}
