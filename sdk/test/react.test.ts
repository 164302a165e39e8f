// The hooks in a real browser and on the real service: one profile, whose tabs are loaded once for all tests.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Page as Tab } from 'playwright-core';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inBrowser, sharedBrowser, withoutBrowser } from '../../dashboard/test/browser.js';
import { type TestService, testService } from '../../server/test/harness.js';
import { createClient } from '../src/client.js';
import { gate } from './mishaps.js';
import type * as reactPage from './react-page.js';
import { Page } from './react-page.js';

/** What the page has as globals. */
declare global {
  var page: typeof reactPage;
}

const password = 'correct horse battery staple';

describe.skipIf(withoutBrowser)(inBrowser('React'), () => {
  let service: TestService;
  let tab: Tab;
  let otherTab: Tab;
  let close: () => Promise<void>;
  const warnings: string[] = [];

  beforeAll(async () => {
    service = await testService();
    const declared = await service.call('POST', '/admin/collections', {
      token: service.app.secretKey,
      body: { name: 'notes', access_mode: 'owner', indexed_fields: ['title'] },
    });
    expect(declared.status, declared.text).toBe(201);
    const { outputFiles } = await build({
      entryPoints: [fileURLToPath(new URL('react-page.tsx', import.meta.url))],
      bundle: true,
      format: 'iife',
      globalName: 'page',
      jsx: 'automatic',
      define: { 'process.env.NODE_ENV': '"development"' },
      write: false,
    });
    // React's own text contains the end tag.
    const script = outputFiles[0]!.text.replaceAll('</script', '<\\/script');
    const options = { baseUrl: `${service.url}/api/v2`, appKey: service.app.app.appKey };
    const onServer = createClient(options);
    const html = renderToString(createElement(Page, { client: onServer }));
    onServer.dispose();
    const context = await (await sharedBrowser()).newContext();
    close = () => context.close();
    await context.route(`${service.url}/page`, (route) =>
      route.fulfill({
        contentType: 'text/html; charset=utf-8',
        body: `<!doctype html><title>React</title><div id="root">${html}</div><script>${script}</script><script>
          client = page.createClient(${JSON.stringify(options)});
          // The state is known before React compares its first render with the server's.
          client.auth.ready().then(() => page.hydrate(client));
        </script>`,
      }),
    );
    const opened = async () => {
      const newTab = await context.newPage();
      newTab.on('console', (message) => {
        // A refused call is an expected response.
        const isRefusal = message.text().startsWith('Failed to load resource');
        if (/error|warning/.test(message.type()) && !isRefusal) warnings.push(message.text());
      });
      newTab.on('pageerror', (error) => warnings.push(error.message));
      await newTab.goto(`${service.url}/page`);
      return newTab;
    };
    tab = await opened();
    otherTab = await opened();
  });
  afterAll(async () => {
    await close();
    await service.stop();
  });
  const textOf = (id: string) => tab.locator(`#${id}`).textContent();
  const account = () => textOf('account');
  const notes = () => textOf('notes');

  /** Signs a new user up in a tab, with these notes; returns the user's id. */
  async function signUp(where: Tab, name: string, titles: string[]): Promise<string> {
    const { uid, tokens } = await service.signUp({ email: `${name}@example.com` });
    for (const title of titles) {
      const body = { fields: { title } };
      await service.call('POST', '/data/notes', { token: tokens.access_token, body });
    }
    await where.evaluate((credential) => client.auth.signIn(credential).then(() => {}), {
      email: `${name}@example.com`,
      password,
    });
    return uid;
  }

  test('a page that the server rendered is hydrated in StrictMode without a warning', async () => {
    await expect.poll(() => warnings.join() || account()).toBe('signedOut  ');
    expect(warnings).toEqual([]);
  });

  test('a sign-in in another tab shows the user, and a list page by page', async () => {
    await signUp(otherTab, 'ada', ['a', 'b', 'c']);
    await expect.poll(account).toBe('signedIn ada@example.com ');
    await expect.poll(notes).toBe('a b');
    await tab.click('#more');
    await expect.poll(notes).toBe('a b c');
    expect(await tab.isDisabled('#more')).toBe(true);
    await tab.evaluate(() =>
      page
        .collection(client, 'notes')
        .create({ title: '0' })
        .then(() => {}),
    );
    await tab.click('#refresh');
    await expect.poll(notes).toBe('0 a');
    expect(warnings).toEqual([]);
  });

  test('a failed read is the error of the list until a later one succeeds', async () => {
    await tab.route('**/data/notes/query', (route) =>
      route.fulfill({ status: 403, json: { error: { code: 'data/permission-denied', message: 'No.' } } }),
    );
    await tab.click('#refresh');
    await expect.poll(notes).toContain('data/permission-denied');
    await tab.unroute('**/data/notes/query');
    await tab.click('#refresh');
    await expect.poll(notes).toBe('0 a');
  });

  test('another user’s list starts empty: no render shows data of the former user, whose requests are aborted', async () => {
    const { opened, open } = gate();
    const failed: (string | undefined)[] = [];
    tab.on('requestfailed', (request) => failed.push(request.failure()?.errorText));
    await tab.route('**/data/notes/query', async (route) => {
      const response = await route.fetch();
      await opened;
      // The page may have aborted the request.
      await route.fulfill({ response }).catch(() => {});
    });
    const asked = tab.waitForRequest('**/data/notes/query');
    await tab.click('#refresh');
    await asked;
    await tab.evaluate(() => page.rendered.splice(0));
    const bob = await signUp(otherTab, 'bob', ['x']);
    await expect.poll(account).toBe('signedIn bob@example.com ');
    await expect.poll(() => failed).toContain('net::ERR_ABORTED');
    open();
    await expect.poll(notes).toBe('x');
    await tab.unroute('**/data/notes/query');
    const shown = await tab.evaluate(() => page.rendered);
    const ofBob = shown.filter(({ uid }) => uid === bob);
    expect(ofBob[0]).toEqual({ uid: bob, titles: [] });
    expect(ofBob.flatMap(({ titles }) => titles).filter((title) => title !== 'x')).toEqual([]);
  });

  test('a page that arrives late is not shown: not after a later one, nor to another user', async () => {
    /** Answers a read; a negative place is counted from the last one. */
    const answer = (place: number, title: string) =>
      tab.evaluate(([at, text]) => page.turns.at(at)!(text), [place, title] as const);
    const begun = () => tab.evaluate(() => page.turns.length);
    const shown = () => textOf('turns');
    const before = await begun();
    await tab.click('#turns');
    await expect.poll(begun).toBe(before + 1);
    await answer(-1, 'later');
    await expect.poll(shown).toBe('later');
    expect(await tab.getAttribute('#turns', 'data-more')).toBe('false');
    await answer(-2, 'earlier');
    await tab.click('#turns');
    await expect.poll(begun).toBe(before + 2);
    expect(await shown()).toBe('later');
    await signUp(otherTab, 'cleo', ['x']);
    await expect.poll(account).toBe('signedIn cleo@example.com ');
    await expect.poll(begun).toBeGreaterThan(before + 2);
    await answer(before + 1, 'of bob');
    await answer(-1, 'of cleo');
    await expect.poll(shown).toBe('of cleo');
    expect(await tab.evaluate(() => document.body.textContent)).not.toContain('of bob');
  });

  test('a page load shows the user and the claims with one refresh', async () => {
    const { state } = await tab.evaluate(() => ({ state: client.auth.state }));
    const uid = state.status === 'signedIn' ? state.uid : '';
    const claims = { role: 'editor', név: 'Ödön' };
    await service.call('PUT', `/admin/users/${uid}/claims`, {
      token: service.app.secretKey,
      body: { claims },
    });
    await otherTab.close();
    const refreshes: string[] = [];
    tab.on('request', (request) => {
      if (/token\/refresh|\/me$/.test(request.url())) refreshes.push(request.url());
    });
    await tab.reload();
    await expect.poll(account).toBe('signedIn cleo@example.com editor');
    expect(refreshes).toHaveLength(1);
    expect(warnings).toEqual([]);
  });

  test('a sign-out removes what the user saw, and aborts the pending requests of the list', async () => {
    await expect.poll(notes).toBe('x');
    const failed: string[] = [];
    tab.on('requestfailed', (request) => failed.push(new URL(request.url()).pathname));
    await tab.route('**/data/notes/query', () => {});
    const asked = tab.waitForRequest('**/data/notes/query');
    await tab.click('#refresh');
    await asked;
    await tab.evaluate(() => client.auth.signOut().then(() => {}));
    await expect.poll(account).toBe('signedOut  ');
    await expect.poll(() => failed).toEqual(['/api/v2/data/notes/query']);
    expect(await tab.locator('#notes').count()).toBe(0);
    expect(warnings).toEqual([]);
  });
});
