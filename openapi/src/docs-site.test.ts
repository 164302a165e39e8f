// The page at work: served over HTTP as the service serves it, and drawn by a real browser where there is one.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { inBrowser, sharedBrowser, withoutBrowser } from '../../dashboard/test/browser.js';
import { docsSite } from './docs-site.js';
import { documentAt, readDocument } from './documents.js';

const documentUrl = '/api/v2/openapi.json';
const v2 = { path: '/docs', documentUrl, name: 'v2' };
const v1 = { path: '/docs/v1', documentUrl: '/api/v1/openapi.json', name: 'v1' };
const files = new Map(docsSite([v2, v1]).map((file) => [file.path, file]));

const server = createServer((request, response) => {
  const file = files.get(request.url ?? '');
  if (file) response.writeHead(200, file.headers).end(file.readBody());
  else if (request.url === documentUrl) response.end(JSON.stringify(readDocument('v2')));
  else response.writeHead(404).end();
});
let origin = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

test('each page loads the viewer and its own document, from its own origin, and links to the other', async () => {
  for (const { path, documentUrl } of [v2, v1]) {
    const page = await (await fetch(`${origin}${path}`)).text();
    const loaded = [...page.matchAll(/(?:src|data-document)="([^"]+)"/g)].map(([, url]) => url);
    expect(loaded).toEqual([documentUrl, '/docs/try-it.js', '/docs/redoc.standalone.js', '/docs/start.js']);
    const links = [...page.matchAll(/<a href="([^"]+)"/g)].map(([, url]) => url);
    expect(links).toEqual(expect.arrayContaining(['/docs', '/docs/v1', documentUrl]));
    expect(page).toContain(`<a href="${path}" aria-current="page">`);
    expect(page).toMatch(/<header>[\s\S]*<h1>[\s\S]*<nav [\s\S]*<main /);
  }
  const script = await fetch(`${origin}/docs/redoc.standalone.js`);
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect((await fetch(`${origin}/docs/redoc.standalone.js.LICENSE.txt`)).status).toBe(200);
});

test('the page allows nothing from other origins, no inline script and no eval', async () => {
  const { headers } = await fetch(`${origin}/docs`);
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
});

test('the viewer knows no remote address to load its logo from', () => {
  const script = files.get('/docs/redoc.standalone.js')?.readBody().toString();
  expect(script).toContain('alt:"redocly logo"');
  expect(script).not.toContain('cdn.redoc.ly');
});

test('an address with markup in it stays an address', () => {
  const [page] = docsSite([{ ...v2, documentUrl: '/"><script>' }]);
  expect(page?.readBody().toString()).toContain('data-document="/&quot;&gt;&lt;script&gt;"');
});

test.each(['v1', 'v2'] as const)('a deployment serves %s with its own address everywhere', (version) => {
  const own = `https://id.example.org/api/${version}`;
  const served = documentAt(readDocument(version), own);
  expect(served.servers).toEqual([{ url: own }]);
  const text = JSON.stringify(served);
  expect(text).not.toContain('{base_url}');
  expect(text).not.toContain('accounts.example.com/api');
  expect(served.info.description).toContain(own);
  expect(Object.keys(served.paths)).toEqual(Object.keys(readDocument(version).paths));
  // The committed documents name no deployment.
  const [committed] = readDocument(version).servers;
  expect(committed?.url).toBe('{base_url}');
  expect(committed?.variables?.base_url?.default).toBe(`http://localhost:3000/api/${version}`);
});

test.skipIf(withoutBrowser)(
  inBrowser('a browser that reaches no other host draws every operation and its error codes'),
  async () => {
    const page = await (await sharedBrowser()).newPage();
    onTestFinished(() => page.close());
    await page.route(
      (url) => url.origin !== origin,
      (route) => route.abort(),
    );
    await page.goto(`${origin}/docs`);
    const operations = Object.values(readDocument('v2').paths)
      .flatMap((methods) => Object.values(methods))
      .map((operation) => `operation/${(operation as { operationId: string }).operationId}`);
    // The operations are drawn together.
    await page
      .locator(`[id$="${operations.at(-1)}"]`)
      .first()
      .waitFor({ state: 'attached' });
    const drawn = await page.content();
    expect(operations.filter((operation) => !drawn.includes(operation))).toEqual([]);
    expect(drawn).toContain('auth/refresh-token-revoked');
    // The heading stands in the page before the viewer, and the viewer's search finds operations by what people look for.
    expect(await page.locator('h1').first().textContent()).toBe('Foyer API');
    for (const [term, found] of [
      ['auth/refresh-token-revoked', 'Exchange a refresh token for new tokens'],
      ['Sign in with Google', 'Sign in with provider A'],
      ['Apple', 'Sign in with provider B'],
    ] as const) {
      await page.locator('[role=search] input').fill(term);
      await page.locator('[data-role="search:results"]').getByText(found).waitFor({ timeout: 60_000 });
    }
  },
);
