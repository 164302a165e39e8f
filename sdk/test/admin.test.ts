// The admin client on a failing network: what is retried, and where it refuses to run.
import { afterEach, expect, test, vi } from 'vitest';
import { createAdmin, type FoyerError, isFoyerError } from '../src/admin/index.js';
import type { SdkEvent } from '../src/events.js';
import { codeOf, movingClock, stopClock } from './harness.js';

const id = '01JC4Q7M0RZ9X2V5T8W3Y6K1NB';
const options = {
  baseUrl: 'https://accounts.example.com/api/v2',
  appKey: 'pk_test',
  secretKey: 'sk_secret',
};

type Step = Response | 'no answer';
const done = (data: unknown = { uid: id }, headers = {}) => Response.json({ data }, { headers });
const refused = (status: number, code: string, headers = {}) =>
  Response.json({ error: { code, message: 'no', fields: {} } }, { status, headers });
const gateway = () => new Response('<html>', { status: 502 });

/** An admin client with scripted responses and fake timers. */
function scripted(...steps: Step[]) {
  stopClock();
  const requests: { method: string; path: string; headers: Headers; body: unknown; atMs: number }[] = [];
  const events: SdkEvent[] = [];
  const admin = createAdmin({
    ...options,
    onEvent: (event) => events.push(event),
    fetch: (async (input: string, init: RequestInit) => {
      requests.push({
        method: String(init.method),
        path: input.slice(options.baseUrl.length),
        headers: new Headers(init.headers),
        body: init.body && JSON.parse(String(init.body)),
        atMs: Date.now(),
      });
      const step = steps.shift() ?? done();
      if (step === 'no answer') throw new TypeError('fetch failed');
      return step;
    }) as typeof fetch,
  });
  const keys = () => requests.map(({ headers }) => headers.get('Idempotency-Key'));
  return { admin, requests, events, keys };
}

afterEach(() => vi.unstubAllGlobals());

test('a creating call is retried after a network failure or 5xx with one generated key', async () => {
  const { admin, keys } = scripted('no answer', gateway());
  await movingClock(admin.users.create({ email: 'ada@example.com' }));
  const [key] = keys();
  expect(key).toMatch(/^[0-9a-f-]{36}$/);
  expect(keys()).toEqual([key, key, key]);
  await movingClock(admin.users.create({ email: 'bob@example.com' }));
  expect(keys()[3]).not.toBe(key);
});

test('a call is retried twice', async () => {
  const { admin, requests } = scripted('no answer', gateway(), 'no answer', 'no answer');
  expect(await movingClock(codeOf(admin.users.create({ email: 'ada@example.com' })))).toBe('client/network');
  expect(requests).toHaveLength(3);
});

test('a given idempotency key is sent unchanged', async () => {
  const { admin, keys } = scripted('no answer');
  await movingClock(admin.loyalty.add(id, { points: 1, description: 'x' }, { idempotencyKey: 'order-1' }));
  expect(keys()).toEqual(['order-1', 'order-1']);
});

test('a key given as a header is sent unchanged too, and ifMatch replaces a header of any case', async () => {
  const { admin, keys, requests } = scripted();
  const headers = { 'idempotency-key': 'order-2', 'if-match': '"1"' };
  await admin.loyalty.add(id, { points: 1, description: 'x' }, { headers });
  await admin.loyalty.add(id, { points: 1, description: 'x' }, { headers, idempotencyKey: 'order-3' });
  expect(keys()).toEqual(['order-2', 'order-3']);
  await admin.config.replace({}, { headers, ifMatch: '"2"' });
  expect(requests[2]!.headers.get('If-Match')).toBe('"2"');
});

test('a request whose idempotency key is in progress is retried', async () => {
  const running = () => refused(409, 'request/idempotency-key-in-progress', { 'Retry-After': '1' });
  const { admin, requests } = scripted('no answer', running(), done());
  await movingClock(admin.users.create({ email: 'ada@example.com' }));
  expect(requests).toHaveLength(3);
  expect(requests[2]!.atMs - requests[1]!.atMs).toBeGreaterThanOrEqual(1_000);
});

test('a client error is not retried', async () => {
  for (const refusal of [
    refused(409, 'auth/email-already-in-use'),
    refused(422, 'request/idempotency-key-reused'),
  ]) {
    const { admin, requests } = scripted(refusal);
    expect(await movingClock(codeOf(admin.users.create({ email: 'ada@example.com' })))).toMatch(
      /in-use|reused/,
    );
    expect(requests).toHaveLength(1);
  }
});

test('every call honours Retry-After when rate-limited, changes included', async () => {
  const limited = () => refused(429, 'request/rate-limited', { 'Retry-After': '7' });
  const { admin, requests } = scripted(limited());
  await movingClock(admin.settings.update({ sign_up: 'closed' }));
  expect(requests).toHaveLength(2);
  expect(requests[1]!.atMs - requests[0]!.atMs).toBeGreaterThanOrEqual(7_000);
});

test('a change without a key, or with a condition, is not retried after a lost response', async () => {
  const { admin, requests } = scripted('no answer', 'no answer');
  expect(await movingClock(codeOf(admin.settings.update({ sign_up: 'closed' })))).toBe('client/network');
  expect(await movingClock(codeOf(admin.config.replace({}, { ifMatch: '"1"' })))).toBe('client/network');
  expect(requests.map(({ method }) => method)).toEqual(['PATCH', 'PUT']);
});

test('a deletion whose response was lost succeeds when its retry finds nothing', async () => {
  const gone = () => refused(404, 'webhooks/not-found');
  const { admin } = scripted('no answer', gone(), gateway(), gone(), gone());
  expect(await movingClock(codeOf(admin.webhooks.delete(id)))).toBe('resolved');
  expect(await movingClock(codeOf(admin.webhooks.delete(id)))).toBe('resolved');
  expect(await movingClock(codeOf(admin.webhooks.delete(id)))).toBe('webhooks/not-found');
});

test('a list is read page by page, with its filters on each page', async () => {
  const page = (item: string, next: string | null) => done({ items: [{ id: item }], next_cursor: next });
  const { admin, requests } = scripted(page('a', 'c1'), page('b', 'c2'), page('c', null));
  const entries = await admin.auditLog.list({ action: 'user.deleted', limit: 1 }).toArray({ limit: 10 });
  expect(entries.map((entry) => entry.id)).toEqual(['a', 'b', 'c']);
  expect(requests.map(({ path }) => path)).toEqual([
    '/admin/audit-log?action=user.deleted&limit=1',
    '/admin/audit-log?action=user.deleted&limit=1&cursor=c1',
    '/admin/audit-log?action=user.deleted&limit=1&cursor=c2',
  ]);
});

test("the config's ETag is returned, and sent with a change", async () => {
  const config = { version: 7, updated_at: '', updated_by: '', parameters: {} };
  const { admin, requests } = scripted(
    done(config, { ETag: '"7-a"' }),
    done(config, { ETag: '"8-b"' }),
    done(config),
  );
  const { etag, parameters } = await admin.config.get();
  expect(etag).toBe('"7-a"');
  const banner = { type: 'string' as const, value: 'x' };
  const next = await admin.config.replace({ ...parameters, banner }, { ifMatch: etag });
  expect(next.etag).toBe('"8-b"');
  await admin.config.replace({}, { ifMatch: etag, validateOnly: true });
  expect(requests.map(({ method, path, headers }) => [method, path, headers.get('If-Match')])).toEqual([
    ['GET', '/admin/config', null],
    ['PUT', '/admin/config', '"7-a"'],
    ['PUT', '/admin/config?validate_only=true', '"7-a"'],
  ]);
});

test('failures are FoyerErrors, and no event contains a key, an id or an email', async () => {
  const { admin, events } = scripted(refused(403, 'admin/insufficient-scope', { 'X-Request-Id': 'r1' }));
  const error: FoyerError = await admin.users.create({ email: 'ada@example.com' }).catch((caught) => caught);
  expect(isFoyerError(error, 'admin/insufficient-scope')).toBe(true);
  expect(error).toMatchObject({ status: 403, requestId: 'r1' });
  await admin.users.get(id);
  expect(events.filter(({ type }) => type === 'request')).toMatchObject([
    { path: '/admin/users', status: 403, requestId: 'r1' },
    { path: '/admin/users/:uid', status: 200 },
  ]);
  expect(JSON.stringify([events, error])).not.toMatch(/sk_|ada@|01JC/);
});

test('a secret key is rejected in pages, workers and apps', () => {
  const refusal = expect.objectContaining({
    code: 'client/invalid-argument',
    message: expect.stringMatching(/in a browser or an app/),
  });
  for (const globals of [
    { document: {} },
    { importScripts: () => {}, location: {} },
    { navigator: { product: 'ReactNative' } },
  ]) {
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
    expect(() => createAdmin(options)).toThrow(refusal);
    const { secretKey, ...keyless } = options;
    expect(() => createAdmin(keyless)).not.toThrow();
    vi.unstubAllGlobals();
  }
  // Servers that define some globals of a browser.
  vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' });
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('importScripts', () => {});
  expect(() => createAdmin(options)).not.toThrow();
});

test('no response is kept by a cache of a framework, and an old Worker is not asked to', async () => {
  const caches: unknown[] = [];
  const fetch = async (_url: RequestInfo | URL, init?: RequestInit) => {
    caches.push(init && 'cache' in init ? init.cache : 'not given');
    return Response.json({ data: { keys: [] } });
  };
  const get = () => createAdmin({ ...options, fetch }).users.get(id);
  await get();
  // Its constructor throws for the option.
  vi.stubGlobal('Request', class {});
  await get();
  vi.unstubAllGlobals();
  expect(caches).toEqual(['no-store', 'not given']);
});

test('without a secret key no call is sent', async () => {
  const { secretKey, ...keyless } = options;
  const { users, files } = createAdmin(keyless);
  expect(await codeOf(users.get(id))).toBe('client/invalid-argument');
  expect(await codeOf(files.upload(new Blob(['a'])))).toBe('client/invalid-argument');
});

test('a malformed secret key is refused without being shown', () => {
  for (const malformed of ['sk_secret\nsk_other', 'sk_secret\0', 'sk_secret sk_other', 'Bearer sk_secret']) {
    const error = failureOf(() => createAdmin({ ...options, secretKey: malformed }));
    expect(error.code).toBe('client/invalid-argument');
    expect(`${error.message} ${error.cause}`).not.toContain('sk_secret');
  }
});

test('white space around a secret key is not sent', async () => {
  const sent: (string | null)[] = [];
  const fetch = async (_url: RequestInfo | URL, init?: RequestInit) => {
    sent.push(new Headers(init?.headers).get('Authorization'));
    return done();
  };
  await createAdmin({ ...options, secretKey: '\nsk_secret\n', fetch }).users.get(id);
  expect(sent).toEqual(['Bearer sk_secret']);
});

function failureOf(work: () => unknown): FoyerError {
  try {
    work();
  } catch (error) {
    if (isFoyerError(error)) return error;
  }
  throw new Error('It is not refused.');
}
