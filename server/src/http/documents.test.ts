import { createHash } from 'node:crypto';
import { get, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { contract } from '@foyer/contract';
import express from 'express';
import { describe, expect, onTestFinished, test } from 'vitest';
import { testService } from '../../test/harness.js';
import { localServer } from '../../test/local-server.js';
import { expectRefusal } from '../../test/refusal.js';
import { shared } from '../../test/shared.js';
import { teamScenario } from '../../test/team-scenario.js';
import { documentPages } from './documents.js';

const service = shared(() => testService());

test('the OpenAPI document is served without an app key, with the URL of this installation', async () => {
  const answer = await service.call('GET', '/openapi.json', { appKey: null });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  expect(answer.json.openapi).toMatch(/^3\.1/);
  expect(JSON.stringify(answer.json.servers)).toContain('https://accounts.test/api/v2');
  expect(answer.json.paths[contract.signIn.signUp.path].post.operationId).toBe('signInSignUp');
});

test.each(['/docs', '/docs/v1'])(
  '%s and its resources come from the service, and its policy allows no other',
  async (path) => {
    const page = await fetch(`${service.url}${path}`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(page.headers.get('content-security-policy')).toMatch(/default-src '(self|none)'/);
    const html = await page.text();
    const sources = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] as string);
    const loaded = sources.filter((source) => !source.startsWith('data:'));
    expect(loaded.length).toBeGreaterThan(0);
    for (const source of loaded) {
      const part = await fetch(new URL(source, `${service.url}/docs`));
      expect([source, part.status, new URL(part.url).origin]).toEqual([source, 200, service.url]);
    }
  },
);

test.each(['client', 'client-3.0', 'webhooks'])(
  'the document for generators (%s) is served beside it, with the URL of this installation',
  async (name) => {
    const answer = await service.call('GET', `/openapi.${name}.json`, { appKey: null });
    expect(answer.status).toBe(200);
    expect(answer.json.openapi).toMatch(name === 'client-3.0' ? /^3\.0/ : /^3\.1/);
    expect(answer.json.servers).toEqual([{ url: 'https://accounts.test/api/v2' }]);
    expect((await fetch(`${service.url}/api/v1/openapi.${name}.json`)).status).toBe(404);
  },
);

describe.each([
  '/api/v2/openapi.json',
  '/api/v1/openapi.json',
  '/docs',
  '/docs/v1',
  '/docs/redoc.standalone.js',
])('%s', (path) => {
  test('is sent in the best encoding that the client accepts, each with its own ETag', async () => {
    const plain = await raw(path, {});
    expect([plain.status, plain.headers['content-encoding'], plain.headers.vary]).toEqual([
      200,
      undefined,
      expect.stringContaining('Accept-Encoding'),
    ]);
    const tags = [plain.headers.etag];
    for (const [accepted, coding, decode] of [
      ['gzip, deflate', 'gzip', gunzipSync],
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['br;q=0, gzip', 'gzip', gunzipSync],
    ] as const) {
      const answer = await raw(path, { 'accept-encoding': accepted });
      expect([answer.status, answer.headers['content-encoding']]).toEqual([200, coding]);
      expect(answer.headers['content-length']).toBe(String(answer.body.length));
      expect(decode(answer.body).equals(plain.body)).toBe(true);
      tags.push(answer.headers.etag);
    }
    expect(new Set(tags).size).toBe(3);
    for (const tag of tags) expect(tag).toMatch(/^"[^"]+"$/);
  });

  test('is answered 304 without a body if the client has it', async () => {
    const first = await raw(path, { 'accept-encoding': 'gzip' });
    const again = await raw(path, {
      'accept-encoding': 'gzip',
      'if-none-match': `"other", ${first.headers.etag}`,
    });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    expect(again.headers).toMatchObject({
      etag: first.headers.etag,
      vary: first.headers.vary,
      'cache-control': first.headers['cache-control'],
    });
    const other = await raw(path, { 'accept-encoding': 'gzip', 'if-none-match': '"other"' });
    expect([other.status, other.body.equals(first.body)]).toEqual([200, true]);
  });
});

/** The raw bytes: fetch would decode them. */
function raw(path: string, headers: Record<string, string>) {
  return new Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
    get(`${service.url}${path}`, { headers }, (res) => {
      buffer(res).then(
        (body) => resolve({ status: res.statusCode as number, headers: res.headers, body }),
        reject,
      );
    }).on('error', reject);
  });
}

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('the page at /', () => {
  const read = (url = service.url) => fetch(url, { headers: { accept: browser } });

  test('leads a browser to pages that exist, and allows nothing but its own style', async () => {
    const answer = await read();
    expect(answer.headers.get('vary')).toContain('Accept');
    const text = await answer.text();
    const [, style = ''] = /<style>(.*)<\/style>/s.exec(text) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'cache-control': 'no-cache',
      'referrer-policy': 'no-referrer',
    });
    const links = [...text.matchAll(/<a href="([^"]+)"/g)].map((match) => match[1] as string);
    expect(links).toEqual(['/dashboard', '/docs/sdk', '/docs', '/docs/v1', '/api/v2/openapi.json']);
    expect(text).toMatch(
      /<code>npm install https:\/\/accounts\.test\/sdk\/foyer-sdk-\d+\.\d+\.\d+\.tgz<\/code>/,
    );
    expect(text).toMatch(
      /<code>npm install \S+foyer-sdk-\S+tgz \S+foyer-elements-\d+\.\d+\.\d+\.tgz<\/code>/,
    );
    for (const link of links) expect((await fetch(service.url + link)).status).toBe(200);
  });

  test('says how to become the first owner, as does the dashboard, until there is one', async () => {
    const own = await testService();
    const dashboard = async () => (await fetch(`${own.url}/dashboard`)).text();
    expect(await (await read(own.url)).text()).toContain('There is no owner yet.');
    expect(await dashboard()).toContain('&quot;has_owner&quot;:false');
    await teamScenario(() => own);
    expect(await (await read(own.url)).text()).not.toContain('owner');
    expect(await dashboard()).toContain('&quot;has_owner&quot;:true');
    await own.stop();
  });

  test.each([
    ['links to the mails of `foyer dev`', true, '<a href="/dev/mailbox">'],
    ['does not reveal the secret of another mailbox', false, '<dt>Development mailbox</dt>'],
  ])('%s', async (_, openMailbox, expected) => {
    const config = { openMailbox, baseUrl: 'http://localhost:3000' };
    const app = express();
    app.use(
      documentPages({ ...service.deps.config, ...config }, { hasMailbox: true, hasOwner: async () => true }),
    );
    const { origin, stop } = await localServer(app);
    const text = await (await read(origin)).text();
    expect(text).toContain(expected);
    expect(text).not.toContain('secret=');
    await stop();
  });
});

test('a service whose packages are not built names neither them nor their guides', async () => {
  const start = { hasMailbox: false, hasOwner: async () => true };
  const none = { sdk: null, elements: null };
  const { origin, stop } = await localServer(express().use(documentPages(service.deps.config, start, none)));
  onTestFinished(stop);
  const names = async (url: string) => {
    const { data } = (await (await fetch(url)).json()) as { data: object };
    return Object.keys(data);
  };
  const packages = ['sdk', 'elements', 'guides', 'llms'];
  expect(await names(service.url)).toEqual(expect.arrayContaining(packages));
  expect(await names(origin)).toEqual((await names(service.url)).filter((name) => !packages.includes(name)));
});

describe.each(['/api/v1', '/api/v1/', '/api/v2', '/api/v2/'])('the base URL %s', (path) => {
  test('redirects a browser to the documentation page', async () => {
    for (const method of ['GET', 'HEAD']) {
      const headers = { accept: browser };
      const answer = await fetch(`${service.url}${path}`, { method, headers, redirect: 'manual' });
      expect([answer.status, answer.headers.get('location')]).toEqual([302, '/docs']);
      expect(answer.headers.get('vary')).toContain('Accept');
    }
  });
});

describe.each(['/', '/api/v1', '/api/v1/', '/api/v2', '/api/v2/'])('the base URL %s', (path) => {
  test.each([['*/*'], ['application/json']])(
    'answers a program that accepts %s with the URLs of the API',
    async (accept) => {
      const answer = await fetch(`${service.url}${path}`, { headers: { accept } });
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({
        data: {
          name: 'Foyer',
          version: expect.stringMatching(/^\d+\.\d+\.\d+/),
          documentation: 'https://accounts.test/docs',
          dashboard: 'https://accounts.test/dashboard',
          sdk: expect.stringMatching(/^https:\/\/accounts\.test\/sdk\/foyer-sdk-.+\.tgz$/),
          elements: expect.stringMatching(/^https:\/\/accounts\.test\/sdk\/foyer-elements-.+\.tgz$/),
          guides: 'https://accounts.test/docs/sdk',
          llms: 'https://accounts.test/llms.txt',
          api: { v2: 'https://accounts.test/api/v2', v1: 'https://accounts.test/api/v1' },
          openapi: {
            v2: 'https://accounts.test/api/v2/openapi.json',
            v1: 'https://accounts.test/api/v1/openapi.json',
          },
          health: { live: 'https://accounts.test/healthz', ready: 'https://accounts.test/readyz' },
        },
      });
    },
  );
});

test.each(['/docs', '/docs/v1', '/docs/sdk', '/docs/sdk/getting-started'])(
  'the page %s also works with a trailing slash',
  async (path) => {
    const answer = await fetch(`${service.url}${path}/`);
    expect([answer.status, answer.url]).toEqual([200, `${service.url}${path}`]);
  },
);

test.each(['/api/v2/openapi.json', '/docs', '/healthz', '/readyz'])(
  '%s refuses every other method with Allow, including OPTIONS, and answers a preflight',
  async (path) => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const answer = await fetch(`${service.url}${path}`, { method });
      const { status, headers } = answer;
      expectRefusal({ status, headers, text: await answer.text() }, 'request/method-not-allowed');
      expect(headers.get('allow')).toBe('GET, HEAD');
    }
    const asks = { 'access-control-request-method': 'GET' };
    const preflight = await fetch(`${service.url}${path}`, { method: 'OPTIONS', headers: asks });
    expect([preflight.status, await preflight.text()]).toEqual([204, '']);
  },
);

/** The headers that every answer has, or that depend on the connection. */
const ofEveryAnswer =
  /^(date|connection|keep-alive|content-length|transfer-encoding|x-request-id|access-control-.*|etag)$/;
const json = { 'content-type': 'application/json; charset=utf-8', 'x-content-type-options': 'nosniff' };
const kept = { 'cache-control': 'public, max-age=300', vary: 'Accept-Encoding', 'content-encoding': 'gzip' };
const asked = { ...kept, 'cache-control': 'public, no-cache' };
const shown = {
  'content-type': 'text/html; charset=utf-8',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

test.each<[path: string, accept: string, headers: object]>([
  ['/', '*/*', { ...json, 'cache-control': 'public, max-age=300', vary: 'Accept' }],
  ['/', 'text/html', { ...shown, 'cache-control': 'no-cache', vary: 'Accept' }],
  ['/api/v2/openapi.json', '*/*', { ...json, ...kept }],
  ['/api/v2/openapi.client.json', '*/*', { ...json, ...kept }],
  ['/docs', '*/*', { ...shown, ...asked, 'cache-control': 'no-cache' }],
  ['/docs/v1', '*/*', { ...shown, ...asked, 'cache-control': 'no-cache' }],
  [
    '/docs/redoc.standalone.js',
    '*/*',
    {
      ...json,
      ...kept,
      'cache-control': 'public, max-age=86400',
      'content-type': 'text/javascript; charset=utf-8',
    },
  ],
  ['/docs/sdk', '*/*', { ...shown, ...asked }],
  ['/docs/sdk.md', '*/*', { ...json, ...asked, 'content-type': 'text/markdown; charset=utf-8' }],
  ['/llms.txt', '*/*', { ...json, ...asked, 'content-type': 'text/plain; charset=utf-8' }],
  ['/healthz', '*/*', { ...json, 'cache-control': 'no-store' }],
  ['/readyz', '*/*', { ...json, 'cache-control': 'no-store' }],
  ['/nothing', '*/*', { ...json, 'cache-control': 'no-store' }],
])('%s, accepting %s, has these headers and no others', async (path, accept, headers) => {
  const answer = await fetch(`${service.url}${path}`, { headers: { accept } });
  const own = [...answer.headers].filter(([name]) => !ofEveryAnswer.test(name));
  const { 'content-security-policy': policy, ...sent } = Object.fromEntries(own);
  expect(sent).toEqual(headers);
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  // No page runs a script of another origin, or is shown in a frame of one.
  if ('referrer-policy' in headers)
    expect(policy).toMatch(
      /^default-src 'none'; .*; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
  else expect(policy).toBeUndefined();
});
