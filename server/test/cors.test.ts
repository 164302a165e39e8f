// CORS: tokens and no cookies, so any page may ask; an app's allowed origins are checked on the actual call.
import { contract } from '@foyer/contract';
import { readDocument } from '@foyer/openapi';
import { beforeAll, expect, test } from 'vitest';
import { endpointsOf } from '../src/http/no-such-route.js';
import type { App } from '../src/model/app.js';
import { type TestUser, testService } from './harness.js';
import { expectRefusal } from './refusal.js';
import { allRows } from './rows.js';
import { shared } from './shared.js';

let restricted: { app: App; user: TestUser };
const service = shared(() => testService());
beforeAll(async () => {
  const { app } = await service.newApp();
  const user = await service.signUp({ appKey: app.appKey });
  await service.database.prisma.app.update({
    where: { id: app.id },
    data: { allowedOrigins: ['https://app.example', 'capacitor://localhost', 'https://*.preview.example'] },
  });
  service.deps.apps.forget();
  restricted = { app, user };
});

const allowed =
  'Authorization, X-App-Key, Content-Type, If-Match, If-None-Match, Range, If-Range, Idempotency-Key, X-Client-Device, X-Client-Version, X-Code-Flow, X-Device-Token, traceparent, tracestate';
const exposed =
  'ETag, Retry-After, X-Request-Id, RateLimit, RateLimit-Policy, WWW-Authenticate, Location, Content-Range, Accept-Ranges, Content-Disposition, Sunset, Link, Deprecation, Idempotent-Replayed, X-Code-Flow, X-Device-Token';

function preflight(path: string, origin: string, method = 'POST'): Promise<Response> {
  return fetch(`${service.url}${path}`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type,x-app-key',
    },
  });
}

test('a preflight has the same answer for every origin, path and method, and needs no app key', async () => {
  const paths = endpointsOf(contract).map(({ path }) => `/api/v2${path.replace(/:\w+/g, 'x')}`);
  for (const path of [...paths, '/api/v2/nothing', '/', '/api/v2/me/sessions/%ff', '/api/v2/me?x=%00']) {
    for (const origin of ['https://app.example', 'https://evil.example', 'null', 'capacitor://localhost']) {
      const answer = await preflight(path, origin, origin === 'null' ? 'BREW' : 'PATCH');
      expect([path, origin, answer.status, await answer.text()]).toEqual([path, origin, 204, '']);
      expect({
        origin: answer.headers.get('access-control-allow-origin'),
        methods: answer.headers.get('access-control-allow-methods'),
        headers: answer.headers.get('access-control-allow-headers'),
        seconds: Number(answer.headers.get('access-control-max-age')),
        credentials: answer.headers.get('access-control-allow-credentials'),
      }).toEqual({
        origin: '*',
        methods: 'GET, POST, PUT, PATCH, DELETE',
        headers: allowed,
        seconds: 7_200,
        credentials: null,
      });
      expect(answer.headers.get('x-request-id')).toBeTruthy();
    }
  }
});

test('the pages of the service may call for an app with other origins, and only at its own URL', async () => {
  const headers = (origin: string) => ({ origin });
  const { app, user } = restricted;
  const call = (origin: string) =>
    service.call('GET', '/me', {
      appKey: app.appKey,
      token: user.tokens.access_token,
      headers: headers(origin),
    });
  expect((await call(service.deps.config.baseUrl)).status).toBe(200);
  for (const origin of ['https://accounts.test:8443', 'http://accounts.test', service.url, 'null'])
    expectRefusal(await call(origin), 'request/origin-not-allowed');
});

test.each<[string, string[]]>([
  // Sentry, OpenTelemetry, Datadog, New Relic, Application Insights, X-Ray, B3, and frameworks.
  ['baggage,sentry-trace', ['baggage', 'sentry-trace']],
  ['traceparent, TraceState, newrelic', ['newrelic']],
  [
    'x-datadog-origin,x-datadog-parent-id,x-datadog-sampling-priority,x-datadog-trace-id',
    ['x-datadog-origin', 'x-datadog-parent-id', 'x-datadog-sampling-priority', 'x-datadog-trace-id'],
  ],
  [
    'request-id,request-context,x-amzn-trace-id,b3,x-b3-traceid',
    ['request-id', 'request-context', 'x-amzn-trace-id', 'b3', 'x-b3-traceid'],
  ],
  ['x-requested-with,cache-control,pragma', ['x-requested-with', 'cache-control', 'pragma']],
  ['authorization,content-type,x-app-key,if-none-match', []],
  ['baggage,baggage , BAGGAGE', ['baggage']],
  // These are not names of headers.
  ['a b,"c",d:e,<f>,é,,', []],
  ['x'.repeat(101), []],
  // It would allow every header.
  ['*,baggage', ['baggage']],
  // A proxy says with these who calls and for what.
  [
    'forwarded,x-forwarded-for,x-forwarded-host,x-real-ip,x-original-url,x-rewrite-url,x-http-method-override,x-method-override,cf-connecting-ip,true-client-ip,x-remote-user,x-client-ip,x-cluster-client-ip,fly-client-ip,x-azure-clientip,x-appengine-user-ip,x-envoy-external-address,x-ssl-client-cert',
    [],
  ],
])('a preflight allows the headers of tracing scripts: %s', async (requested, others) => {
  const answer = await fetch(`${service.url}/api/v2/me`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://app.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': Buffer.from(requested).toString('latin1'),
    },
  });
  expect(answer.headers.get('access-control-allow-headers')).toBe([allowed, ...others].join(', '));
  expect(answer.headers.get('vary')).toBe('Access-Control-Request-Headers');
});

test('a preflight names a bounded number of headers', async () => {
  const requested = Array.from({ length: 200 }, (_, n) => `x-${n}`).join(',');
  const headers = { 'access-control-request-method': 'GET', 'access-control-request-headers': requested };
  const answer = await fetch(`${service.url}/api/v2/me`, { method: 'OPTIONS', headers });
  expect(answer.headers.get('access-control-allow-headers')).toMatch(/, x-49$/);
});

test('a page of any origin may read every answer and the documented headers, refusals too', async () => {
  const headers = { origin: 'https://anywhere.example' };
  const user = await service.signUp();
  for (const answer of [
    await service.call('GET', '/me', { headers, token: user.tokens.access_token }),
    await service.call('GET', '/me', { headers }),
    await service.call('GET', '/me', { headers, appKey: null }),
    await service.call('GET', '/nothing', { headers }),
    await service.call('POST', '/auth/sign-in', { headers, body: '{' }),
    await service.call('GET', '/.well-known/jwks.json', { headers, appKey: null }),
    await service.call('GET', '/.well-known/jwks.json', { appKey: null }),
  ]) {
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-expose-headers')).toBe(exposed);
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  }
});

test('a page of any origin may read the refusal of a request that is not parsed', async () => {
  const answer = await fetch(`${service.url}/${'x'.repeat(17_000)}`);
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([413, '*']);
  expect(answer.headers.get('access-control-expose-headers')).toContain('X-Request-Id');
});

test('a page may send and read every header that the documents declare', () => {
  const listed = (headers: string) => headers.toLowerCase().split(', ');
  // CORS-safelisted headers (Fetch) need not be listed.
  const sent = [...listed(allowed), 'accept-language'];
  const read = [...listed(exposed), 'cache-control'];
  for (const version of ['v1', 'v2'] as const) {
    const { paths, components } = readDocument(version) as {
      paths: Record<string, Record<string, { parameters?: { name: string; in: string }[] }>>;
      components?: { headers?: object };
    };
    const parameters = Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap((operation) => operation.parameters ?? [])
      .filter((parameter) => parameter.in === 'header');
    expect(parameters.map(({ name }) => name).filter((name) => !sent.includes(name.toLowerCase()))).toEqual(
      [],
    );
    const answered = Object.keys(components?.headers ?? {});
    expect(answered.filter((name) => !read.includes(name.toLowerCase()))).toEqual([]);
  }
});

test('only the allowed origins of an app may read its answers', async () => {
  const { app, user } = restricted;
  const call = (origin: string) =>
    service.call('GET', '/me', { appKey: app.appKey, token: user.tokens.access_token, headers: { origin } });
  for (const origin of ['https://app.example', 'capacitor://localhost', 'https://a.preview.example']) {
    const answer = await call(origin);
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
  }
  for (const origin of [
    'https://evil.example',
    'https://app.example.evil.example',
    'https://preview.example',
    'https://a.preview.example.evil.example',
    'http://app.example',
    'https://app.example:8443',
    'https://app.example/',
    'https://APP.example',
    'null',
    '*',
    '',
  ]) {
    const answer = await call(origin);
    expectRefusal(answer, 'request/origin-not-allowed');
    const names = [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'));
    expect([origin, names]).toEqual([origin, []]);
  }
});

test('a foreign origin is refused on every endpoint that takes an app key, before anything is done', async () => {
  const { app, user } = restricted;
  const headers = { origin: 'https://evil.example' };
  const before = await allRows(service.database);
  for (const { method, path } of endpointsOf(contract)) {
    // These take no app key: key sets and discovery, the bytes of a file, and the callback to which a provider sends the browser.
    const open = path.includes('.well-known');
    const isRead = method === 'GET';
    const answer = await service.call(method, path.replace(/:\w+/g, app.id), {
      appKey: app.appKey,
      token: user.tokens.access_token,
      headers,
      ...(!isRead && { body: { refresh_token: user.tokens.refresh_token } }),
    });
    if (open) expect([path, answer.status]).toEqual([path, 200]);
    else if (path.endsWith('/content')) expectRefusal(answer, 'files/not-found');
    else if (path.endsWith('/callback'))
      expectRefusal(answer, isRead ? 'auth/invalid-credential' : 'request/unsupported-media-type');
    else expectRefusal(answer, 'request/origin-not-allowed');
  }
  expect(await allRows(service.database)).toEqual(before);
});

test('a call without an origin is not from a page and is answered, whichever origins the app allows', async () => {
  const { app, user } = restricted;
  const answer = await service.call('GET', '/me', { appKey: app.appKey, token: user.tokens.access_token });
  expect(answer.status).toBe(200);
});
