// What browsers do that Node does not: their `fetch` refuses a foreign receiver, and the Back button restores a page as it was left.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserPages, browserPages, inBrowser, withoutBrowser } from './browser-page.js';
import { ada } from './harness.js';

declare global {
  var wasRestored: boolean | undefined;
}

describe.skipIf(withoutBrowser)(inBrowser('a page'), () => {
  let pages: BrowserPages;

  beforeAll(async () => {
    pages = await browserPages();
  });

  afterAll(() => pages.close());

  test.each([
    ['createClient', 'fetch: window.fetch'],
    ['cookieSession', '...foyer.cookieSession({ fetch: window.fetch })'],
  ])("that gives the browser's own fetch to %s sends its requests", async (_, options) => {
    const tab = await pages.open(await pages.profile(options));
    const sent = tab.evaluate(
      (email) => client.auth.password.forgot(email).then(() => 'sent', String),
      ada.email,
    );
    expect(await sent).toBe('sent');
  });

  test('that the Back button restores after a sign-out on the next page shows no user', async () => {
    const context = await pages.profile('keepAccessToken: foyer.inSessionStorage()');
    const [tab] = await pages.tabs(context, 1);
    pages.service.always.set('GET /page?next', pages.service.always.get('GET /page')!);
    // A page that has just written to the storage holds a lock, with which it is not kept.
    await tab!.reload();
    await tab!.evaluate(() => client.auth.ready());
    await tab!.evaluate(() => {
      addEventListener('pageshow', ({ persisted }) => {
        wasRestored = persisted;
      });
    });
    await tab!.goto(`${pages.service.origin}/page?next`);
    expect(await tab!.evaluate(() => client.auth.signOut())).toEqual({ remote: true });
    await tab!.evaluate(() => history.back());
    await expect
      .poll(() => tab!.evaluate(() => [wasRestored, client.auth.state.status]).catch(String))
      .toEqual([true, 'signedOut']);
  });
});
