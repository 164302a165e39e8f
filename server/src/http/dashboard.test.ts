// /dashboard: the build, its page with a strict policy, and its caching.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import express from 'express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Listening, listen } from '../../engines/http-guard/listen.js';
import { testService } from '../../test/harness.js';
import { rawCall } from '../../test/raw-http.js';
import { expectRefusal } from '../../test/refusal.js';
import { shared } from '../../test/shared.js';
import { dashboard, dashboardPath } from './dashboard.js';
import { errorHandler } from './error-handler.js';
import { readBuild } from './installed-build.js';
import { refusals } from './refusals.js';
import type { Packages } from './site.js';

const service = shared(() => testService());

const get = (path: string, init?: RequestInit) => fetch(`${service.url}${path}`, init);

/** The directives of the policy, by name. */
function policyOf(response: Response): Record<string, string> {
  const policy = response.headers.get('content-security-policy') ?? '';
  return Object.fromEntries(policy.split('; ').map((directive) => directive.split(/ (.*)/).slice(0, 2)));
}

async function assetPaths(): Promise<string[]> {
  const html = await (await get('/dashboard')).text();
  return [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] as string);
}

describe('the page', () => {
  test.each([
    '/dashboard',
    '/dashboard/',
    '/dashboard/sign-in',
    '/dashboard/apps/01JC4Q7M0RZ9X2V5T8W3Y6K1NB/users?q=ada',
  ])('answers %s, is never stored, and cannot be framed', async (path) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(policyOf(response)).toMatchObject({ 'frame-ancestors': "'none'", 'base-uri': "'none'" });
    expect(await response.text()).toContain('<div id="root"></div>');
  });

  test('runs scripts of its own origin only, and none inline', async () => {
    const response = await get('/dashboard');
    const policy = policyOf(response);
    expect(policy).toMatchObject({
      'default-src': "'none'",
      'script-src': "'self'",
      'connect-src': "'self'",
      'form-action': "'none'",
    });
    expect(JSON.stringify(policy)).not.toMatch(/unsafe|https?:|\*/);
    const html = await response.text();
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\son[a-z]+=|style=/);
    for (const path of await assetPaths()) expect(path).toMatch(/^\/dashboard\//);
  });

  test('has another nonce in each response, the same as in its policy', async () => {
    const nonces = new Set<string>();
    for (let request = 0; request < 3; request++) {
      const response = await get('/dashboard');
      const nonce = /nonce="([^"]+)"/.exec(await response.text())?.[1] as string;
      expect(nonce.length).toBeGreaterThanOrEqual(24);
      expect(policyOf(response)['style-src']).toBe(`'self' 'nonce-${nonce}'`);
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(3);
  });

  test('names the API of this installation and the app key of the team, and no other key', async () => {
    const html = await (await get('/dashboard')).text();
    const content = /<meta name="foyer" content="([^"]*)"/.exec(html)?.[1]?.replaceAll('&quot;', '"');
    const { appKey } = await service.deps.apps.console();
    expect(JSON.parse(content as string)).toEqual({
      api: 'https://accounts.test/api/v2',
      app_key: appKey,
      has_owner: false,
      sdk: expect.stringMatching(/^https:\/\/accounts\.test\/sdk\/foyer-sdk-\d+\.\d+\.\d+\.tgz$/),
      elements: expect.stringMatching(/^https:\/\/accounts\.test\/sdk\/foyer-elements-\d+\.\d+\.\d+\.tgz$/),
    });
  });

  test('cannot be read by another origin', async () => {
    const response = await get('/dashboard', { headers: { origin: 'https://evil.example' } });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('the files', () => {
  test('are stored for ever and compressed', async () => {
    const script = (await assetPaths()).find((path) => path.endsWith('.js')) as string;
    const response = await get(script, { headers: { 'accept-encoding': 'br' } });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'br',
      vary: 'Accept-Encoding',
    });
    expect(response.status).toBe(200);
  });

  test('a file that does not exist is not answered with the page', async () => {
    for (const path of ['/dashboard/assets/index-00000000.js', '/dashboard/assets/']) {
      const { status, headers, ...response } = await answerOf(await get(path));
      expectRefusal({ status, headers, text: response.text }, 'request/not-found');
    }
  });

  test('nothing outside the build can be read', async () => {
    for (const path of [
      '/dashboard/../package.json',
      '/dashboard/%2e%2e/package.json',
      '/dashboard/..%2fpackage.json',
    ]) {
      // As it is: `fetch` would resolve the path itself.
      const { status, text } = await rawCall(service.listening.port, 'GET', path, ['Connection: close']);
      expect(status).not.toBe(500);
      expect(text).not.toContain('"devDependencies"');
    }
  });
});

test('other methods are refused, and a preflight gets no permission', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    const answer = await answerOf(await get('/dashboard', { method }));
    expectRefusal(answer, 'request/method-not-allowed');
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
  }
  const preflight = { 'access-control-request-method': 'GET', origin: 'https://evil.example' };
  const answer = await get('/dashboard', { method: 'OPTIONS', headers: preflight });
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([405, null]);
});

test('a HEAD request is answered like a GET without the page', async () => {
  const answer = await get('/dashboard', { method: 'HEAD' });
  expect([answer.status, await answer.text()]).toEqual([200, '']);
  expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
});

test('a path that only begins like it is another', async () => {
  expectRefusal(await answerOf(await get('/dashboards')), 'request/not-found');
});

describe('a given folder', () => {
  let folder: string;
  let listening: Listening;
  let url: string;

  async function serve(packages?: Packages) {
    const app = express();
    const deps = { ...service.deps, hasOwner: async () => true };
    app.use(dashboardPath, dashboard(deps, readBuild(folder), packages));
    app.use(errorHandler(service.deps));
    listening = await listen(app, 0, '127.0.0.1', { refusals: refusals(service.deps) });
    url = `http://127.0.0.1:${listening.port}`;
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'foyer-dashboard-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('without a build says how to make one', async () => {
    await serve();
    const response = await fetch(`${url}/dashboard/`);
    expect(response.status).toBe(404);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
    expect(await response.text()).toContain('npm run build');
    await listening.stop(1_000);
  });

  test('is read at the start, and each file is sent as it is', async () => {
    await mkdir(join(folder, 'assets'));
    await writeFile(join(folder, 'index.html'), '<meta content="__FOYER_PAGE__" nonce="__FOYER_NONCE__">');
    await writeFile(join(folder, 'assets/a-1.js'), 'let a = "$& __FOYER_PAGE__";');
    await serve();
    const script = await fetch(`${url}/dashboard/assets/a-1.js`);
    expect(await script.text()).toBe('let a = "$& __FOYER_PAGE__";');
    expect(await (await fetch(`${url}/dashboard/any/path`)).text()).toMatch(/^<meta content="\{&quot;api/);
    await listening.stop(1_000);
  });

  test('names no packages where they are not built', async () => {
    await serve({ sdk: null, elements: null });
    const page = await (await fetch(`${url}/dashboard/`)).text();
    expect(page).toContain('&quot;sdk&quot;:null,&quot;elements&quot;:null');
    await listening.stop(1_000);
  });

  test('a file that the build has compressed is sent so to clients that accept it, and has no address of its own', async () => {
    const css = 'a { color: red } '.repeat(500);
    await writeFile(join(folder, 'assets/b-1.css'), css);
    // Other bytes than the service would make.
    const compressed = brotliCompressSync(css, { params: { [constants.BROTLI_PARAM_QUALITY]: 0 } });
    await writeFile(join(folder, 'assets/b-1.css.br'), compressed);
    await serve();
    const get = (encoding: string, path = 'b-1.css') =>
      fetch(`${url}/dashboard/assets/${path}`, { headers: { 'accept-encoding': encoding } });
    for (const encoding of ['br', 'gzip', 'identity']) {
      const response = await get(encoding);
      expect(await response.text()).toBe(css);
      expect(response.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding);
    }
    expect((await get('br')).headers.get('content-length')).toBe(`${compressed.length}`);
    expect((await get('identity', 'b-1.css.br')).status).toBe(404);
    await listening.stop(1_000);
  });
});

async function answerOf(response: Response) {
  return { status: response.status, headers: response.headers, text: await response.text() };
}
