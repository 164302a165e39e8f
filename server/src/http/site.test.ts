// The SDK, its guides and llms.txt as the service serves them: an app developer needs nothing else.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { testService } from '../../test/harness.js';
import { localServer } from '../../test/local-server.js';
import { shared } from '../../test/shared.js';
import { site } from './site.js';

const origin = 'https://accounts.test';
const service = shared(() => testService());
const read = async (path: string) => {
  const answer = await fetch(service.url + path);
  return { answer, text: await answer.text() };
};

/** Of the package, as the pages print it. */
async function packagePath(): Promise<string> {
  const { text } = await read('/llms.txt');
  return new RegExp(`npm install ${origin}(/sdk/\\S+)`).exec(text)?.[1] as string;
}

test('the line that every page prints installs the SDK in an empty folder, and its program runs', async () => {
  const app = await mkdtemp(join(tmpdir(), 'foyer-app-'));
  onTestFinished(() => rm(app, { recursive: true, force: true }));
  // As a newcomer: npm's cache has nothing of an earlier run.
  const env = {
    ...process.env,
    npm_config_cache: join(app, 'cache'),
    npm_config_userconfig: join(homedir(), '.npmrc'),
  };
  const run = (program: string, words: string[]) => promisify(execFile)(program, words, { cwd: app, env });
  await writeFile(join(app, 'package.json'), '{ "private": true, "type": "module" }');
  await run('npm', ['install', '--no-audit', '--no-fund', service.url + (await packagePath())]);
  const { dependencies } = JSON.parse(await readFile(join(app, 'package.json'), 'utf8'));
  expect(dependencies).toEqual({ '@foyer/sdk': service.url + (await packagePath()) });
  await writeFile(
    join(app, 'hello.js'),
    `import { createClient } from '@foyer/sdk';
const client = createClient({ baseUrl: '${service.url}/api/v2', appKey: '${service.app.app.appKey}' });
const { user } = await client.auth.signUp({ email: 'newcomer@example.com', password: 'correct horse' });
console.log(user.email);`,
  );
  expect((await run('node', ['hello.js'])).stdout).toContain('newcomer@example.com');
});

test('the package is asked for again, and sent again only if it differs', async () => {
  const url = service.url + (await packagePath());
  const first = await fetch(url, { headers: { 'accept-encoding': 'gzip, br' } });
  const bytes = Buffer.from(await first.arrayBuffer());
  expect(Object.fromEntries(first.headers)).toMatchObject({
    'content-type': 'application/gzip',
    'content-length': String(bytes.length),
    'cache-control': 'public, no-cache',
    etag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
  });
  expect(first.headers.get('content-encoding')).toBeNull();
  expect([bytes[0], bytes[1]]).toEqual([0x1f, 0x8b]);
  const again = await fetch(url, { headers: { 'if-none-match': first.headers.get('etag') as string } });
  expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0]);
});

test('the package of the ready screens is served beside it, and its files are no pages', async () => {
  const path = (await packagePath()).replace('foyer-sdk', 'foyer-elements');
  const { answer } = await read(path);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/gzip']);
  expect((await read('/account/index')).answer.status).toBe(404);
});

test('another version is answered with the line that installs this one, and a service without a build says how to build it', async () => {
  const other = await read('/sdk/foyer-sdk-99.0.0.tgz');
  const sdk = `${origin}${await packagePath()}`;
  const elements = sdk.replace('foyer-sdk', 'foyer-elements');
  expect([other.answer.status, other.text]).toEqual([
    404,
    `There is no such package here. The SDK of this service: npm install ${sdk}\n` +
      `With the ready screens: npm install ${sdk} ${elements}\n`,
  ]);
  const { origin: url, stop } = await localServer(express().use(site({ baseUrl: origin }, []).router));
  onTestFinished(stop);
  const unbuilt = await fetch(`${url}/sdk/foyer-sdk-0.1.0.tgz`);
  expect([unbuilt.status, await unbuilt.text()]).toEqual([404, expect.stringContaining('npm run build')]);
  expect(Object.fromEntries(unbuilt.headers)).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  });
});

test('llms.txt has the form of llmstxt.org, and each of its links is answered', async () => {
  const { answer, text } = await read('/llms.txt');
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(text).toMatch(/^# Foyer\n\n> \S/);
  const lists = text.split(/^## /m).slice(1);
  expect(lists.length).toBeGreaterThan(4);
  for (const list of lists) {
    const [, , ...lines] = list.trim().split('\n');
    expect(lines.filter((line) => !/^- \[[^\]]+\]\(https:\/\/[^)]+\): \S/.test(line))).toEqual([]);
  }
  const links = [...text.matchAll(/\]\(https:\/\/accounts\.test(\/[^)]*)\)/g)].map(
    ([, path]) => path as string,
  );
  expect(links.length).toBeGreaterThan(25);
  for (const link of links) {
    const { answer: page } = await read(link);
    const type = link.endsWith('.md') ? 'text/markdown; charset=utf-8' : expect.any(String);
    expect([link, page.status, page.headers.get('content-type')]).toEqual([link, 200, type]);
  }
});

const linksOf: Record<string, (text: string) => string[]> = {
  html: (text) => [...text.matchAll(/ href="([^"]+)"/g)].map(([, link]) => link as string),
  Markdown: (text) =>
    [...text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/\]\(([^)\s]+)\)/g)].map(
      ([, link]) => link as string,
    ),
};

test.each(['html', 'Markdown'])(
  'every link of the guides as %s leads to a page, and to a heading of it',
  async (form) => {
    const { text: index } = await read('/llms.txt');
    const paths = [...index.matchAll(/\]\(https:\/\/accounts\.test(\/docs\/sdk[^)]*)\.md\)/g)].map(
      ([, path]) => path as string,
    );
    const texts = new Map<string, string>();
    const textOf = async (url: string) => {
      if (!texts.has(url)) {
        const answer = await fetch(url.replace(origin, service.url));
        texts.set(url, answer.ok ? await answer.text() : '');
      }
      return texts.get(url) as string;
    };
    const broken: string[] = [];
    for (const path of paths) {
      const url = `${origin}${path}${form === 'html' ? '' : '.md'}`;
      const text = await textOf(url);
      expect(text).not.toMatch(/localhost:3000|example\.com\/api/);
      for (const link of linksOf[form]?.(text) ?? []) {
        const target = new URL(link, url);
        if (target.origin !== origin) continue;
        const reached = await textOf(target.href.replace(/#.*/, ''));
        const { hash } = target;
        const isHeading = form === 'Markdown' || !hash || reached.includes(` id="${hash.slice(1)}"`);
        if (!reached || !isHeading) broken.push(`${path}: ${link}`);
      }
    }
    expect(paths.length).toBeGreaterThan(20);
    expect(broken).toEqual([]);
  },
);

test('a guide as a page has the policy of a page without scripts', async () => {
  const { answer, text } = await read('/docs/sdk/react');
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self';/);
  expect(text).not.toContain('<script');
  expect(text).toContain('<h1 id="react">');
});

test.each(['/sdk', '/sdk/'])('%s leads to the guides', async (path) => {
  const { answer } = await read(path);
  expect([answer.status, answer.url]).toEqual([200, `${service.url}/docs/sdk`]);
});

test('the page of operations names every call, with the URL of this installation', async () => {
  const { text } = await read('/docs/api.md');
  expect(text).toContain('### POST /auth/sign-up\n');
  expect(text).toContain(`curl -X POST '${origin}/api/v2/auth/sign-up'`);
  expect(text).not.toMatch(/\{base_url\}|accounts\.example\.com/);
});
