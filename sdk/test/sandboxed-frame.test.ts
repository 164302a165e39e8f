// The client in a frame that is sandboxed without `allow-same-origin`: storages, cookies, locks and channels throw there.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserPages, browserPages, inBrowser, withoutBrowser } from './browser-page.js';
import { answers } from './mishaps.js';

describe.skipIf(withoutBrowser)(inBrowser('in a sandboxed frame'), () => {
  let pages: BrowserPages;
  beforeAll(async () => {
    pages = await browserPages();
  });
  afterAll(() => pages.close());

  /** The frame of a page whose client has these options. */
  async function frame(options: string) {
    const context = await pages.profile(options);
    // The origin of the frame is `null`, so its requests are those of another site.
    await context.route('**/api/**', async (route) => {
      const response = await route.fetch().catch(() => null);
      const cors = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*, Authorization' };
      if (route.request().method() === 'OPTIONS') return route.fulfill({ status: 204, headers: cors });
      if (!response) return route.abort();
      await route.fulfill({ response, headers: { ...response.headers(), ...cors } });
    });
    pages.service.always.set(
      'GET /outer',
      answers(200, '<!doctype html><iframe sandbox="allow-scripts" src="/page"></iframe>'),
    );
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(`${pages.service.origin}/outer`);
    const inner = page.frames()[1]!;
    await inner.waitForFunction(() => states?.length > 0);
    return { inner, faults };
  }

  test('a client has a session in memory', async () => {
    const { inner, faults } = await frame('');
    const seen = await inner.evaluate(async () => {
      const { status } = await client.auth.ready();
      const account = { email: 'sandboxed@example.com', password: 'correct horse' };
      const { user } = await client.auth.signUp(account);
      return [status, user.email, (await client.me.get()).email, client.auth.persistent];
    });
    expect(seen).toEqual(['signedOut', 'sandboxed@example.com', 'sandboxed@example.com', false]);
    expect(faults).toEqual([]);
  });

  test('a client of cookieSession is signed out, and does not stay at loading', async () => {
    const { inner, faults } = await frame('...foyer.cookieSession()');
    const seen = await inner.evaluate(async () => {
      const { status } = await client.auth.ready();
      return [status, await client.me.get().catch((error) => error.code)];
    });
    expect(seen).toEqual(['signedOut', 'client/signed-out']);
    expect(faults).toEqual([]);
  });
});
