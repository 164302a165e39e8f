// /account: the page of an app's users, its policy and caching, and what it answers for keys of no app.
import express from 'express';
import { expect, test } from 'vitest';
import { testService } from '../../test/harness.js';
import { localServer } from '../../test/local-server.js';
import { expectRefusal } from '../../test/refusal.js';
import { shared } from '../../test/shared.js';
import { accountPage, accountPath } from './account-page.js';

const service = shared(() => testService());

const get = (path: string, init?: RequestInit) => fetch(`${service.url}${path}`, init);
const pathOf = ({ app } = service.app) => `/account?app=${app.appKey}`;

async function answerOf(response: Response) {
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Scripts and styles of the page. */
async function assetPaths(): Promise<string[]> {
  const { text } = await answerOf(await get(pathOf()));
  return [...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((match) => match[1] as string);
}

test('the page of an app is never stored, cannot be framed, and runs scripts of its own origin only', async () => {
  const { status, headers, text } = await answerOf(await get(pathOf()));
  const nonce = /nonce="([A-Za-z0-9+/]{24})"/.exec(text)?.[1];
  expect([status, Object.fromEntries(headers)]).toEqual([
    200,
    expect.objectContaining({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': [
        "default-src 'none'",
        "script-src 'self'",
        `style-src 'self' 'nonce-${nonce}'`,
        "img-src 'self' data:",
        "connect-src 'self'",
        "font-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        'trusted-types lit-html',
        "require-trusted-types-for 'script'",
      ].join('; '),
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    }),
  ]);
  expect(text).not.toMatch(/<script(?![^>]* src=)|<style|\son[a-z]+=|style=|__FOYER_/);
});

test('it names the app and its key, the URL of BASE_URL, and nothing else of the app', async () => {
  const { app } = await service.newApp('<Café & "Söhne"> __FOYER_NONCE__');
  const { text } = await answerOf(await get(pathOf({ app } as typeof service.app)));
  const content = /<meta name="foyer" content="([^"]*)"/.exec(text)?.[1]?.replaceAll('&quot;', '"');
  expect(JSON.parse(content as string)).toEqual({
    app_key: app.appKey,
    url: `https://accounts.test/account?app=${app.appKey}`,
  });
  const name = '&lt;Café &amp; &quot;Söhne&quot;> __FOYER_NONCE__';
  expect(text).toContain(`<title>${name}</title>`);
  expect(text).toContain(`<h1>${name}</h1>`);
});

test.each([
  ['de-CH,de;q=0.9,en;q=0.5', 'lang="de" dir="ltr"'],
  ['pt-PT', 'lang="pt-BR" dir="ltr"'],
  ['ar', 'lang="ar" dir="rtl"'],
  ['xx', 'lang="en" dir="ltr"'],
])('a reader of %s gets a page in a language of the mails', async (language, attributes) => {
  const { text } = await answerOf(await get(pathOf(), { headers: { 'accept-language': language } }));
  expect(text).toContain(`<html ${attributes}>`);
});

test('its files are stored for ever, compressed, with an entity tag', async () => {
  const paths = await assetPaths();
  expect(paths.map((path) => path.replace(/-\w+\./, '.'))).toEqual([
    '/account/assets/style.css',
    '/account/assets/main.js',
  ]);
  for (const path of paths) {
    const response = await get(path, { headers: { 'accept-encoding': 'br' } });
    const etag = response.headers.get('etag') as string;
    expect([response.status, Object.fromEntries(response.headers)]).toEqual([
      200,
      expect.objectContaining({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-encoding': 'br',
        vary: 'Accept-Encoding',
      }),
    ]);
    const again = await get(path, { headers: { 'accept-encoding': 'br', 'if-none-match': etag } });
    expect(again.status).toBe(304);
  }
});

test.each<[string, () => Promise<string> | string]>([
  ['no key', () => '/account'],
  ['an empty key', () => '/account?app='],
  ['two keys', () => `${pathOf()}&app=${service.app.app.appKey}`],
  ['an unknown key', () => '/account?app=pk_%3Cscript%3E'],
  ['a key with more after it', () => `${pathOf()}x`],
  // Team accounts are managed in the dashboard.
  ['the key of the team accounts', async () => `/account?app=${(await service.deps.apps.console()).appKey}`],
  [
    'the key of a disabled app',
    async () => {
      const { app } = await service.newApp();
      await service.database.prisma.app.update({ where: { id: app.id }, data: { enabled: false } });
      return `/account?app=${app.appKey}`;
    },
  ],
])('%s is answered in words, without a script and without what was sent', async (_what, path) => {
  const { status, headers, text } = await answerOf(await get(await path()));
  expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
  expect(text).toContain('The link to this page names no app');
  expect(text).not.toMatch(/<script|pk_/);
});

test('keys that are tried one after another are limited, as in the API', async () => {
  const limited = await testService({ rateLimits: true });
  let status = 404;
  for (let tries = 0; status === 404 && tries < 1_000; tries += 1) {
    status = (await fetch(`${limited.url}/account?app=pk_${tries}`)).status;
  }
  expect(status).toBe(429);
  expect((await fetch(`${limited.url}/account?app=${limited.app.app.appKey}`)).status).not.toBe(500);
  await limited.stop();
});

test('other methods are refused, another origin cannot read the page, and nothing else is below it', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    const answer = await answerOf(await get(pathOf(), { method }));
    expectRefusal(answer, 'request/method-not-allowed');
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
  }
  const elsewhere = await get(pathOf(), { headers: { origin: 'https://evil.example' } });
  expect(elsewhere.headers.get('access-control-allow-origin')).toBeNull();
  for (const path of ['/account/x', '/account/assets/main-00000000.js', '/account/index.html', '/accounts'])
    expectRefusal(await answerOf(await get(`${path}?app=${service.app.app.appKey}`)), 'request/not-found');
});

test('without a build the page says how to make one', async () => {
  const languageFor = () => ({ language: 'en', direction: 'ltr' as const });
  const page = accountPage({ ...service.deps, languageFor }, []);
  const { origin, stop } = await localServer(express().use(accountPath, page));
  const { status, text } = await answerOf(await fetch(`${origin}/account`));
  await stop();
  expect([status, text]).toEqual([404, expect.stringContaining('npm run build')]);
});
