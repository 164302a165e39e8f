// Tabs with a session in `sessionStorage` that are duplicated, reloaded and closed: each copy has the refresh token of the tab
// that it was made from. One user signs in once and never out.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Seen } from './expected-state.js';
import type { Random } from './random.js';

const maxTabs = 4;

export async function openDuplicatedTabs(browser: Browser, url: string, random: Random) {
  const context: BrowserContext = await browser.newContext();
  const signedOut: string[] = [];
  const counts = { duplicated: 0, reloaded: 0, closed: 0 };
  let isSignedIn = false;
  await context.exposeBinding('report', (_, { client, status, reason }: Seen) => {
    if (isSignedIn && status === 'signedOut')
      signedOut.push(`${new Date().toISOString()} ${client} ${reason}`);
  });
  const first = await context.newPage();
  await first.goto(url);
  const tabs: Page[] = [first];

  const actions = {
    call: (tab: Page) => tab.evaluate(() => client.me.get().then(() => {})),
    refresh: (tab: Page) =>
      tab.evaluate(() => client.auth.getAccessToken({ forceRefresh: true }).then(() => {})),
    async reload(tab: Page) {
      counts.reloaded += 1;
      await tab.reload();
    },
    async duplicate(tab: Page) {
      if (tabs.length >= maxTabs) return actions.close(random.one(tabs));
      counts.duplicated += 1;
      // A window that the page opens has a copy of its `sessionStorage`, as a duplicated tab.
      const [opened] = await Promise.all([
        context.waitForEvent('page'),
        tab.evaluate(() => void window.open(location.href)),
      ]);
      tabs.push(opened);
      await opened.waitForLoadState();
    },
    async close(tab: Page) {
      if (tabs.length < 2) return;
      counts.closed += 1;
      tabs.splice(tabs.indexOf(tab), 1);
      await tab.close();
    },
  };
  const weights = { call: 45, refresh: 25, duplicate: 20, reload: 8, close: 2 };

  return {
    signedOut,
    counts,
    async signIn(account: { email: string; password: string }) {
      await first.evaluate(async (given) => void (await client.auth.signUp(given)), account);
      isSignedIn = true;
    },
    async use(signal: AbortSignal) {
      while (!signal.aborted) {
        await sleep(random.between(300, 3_000));
        await actions[random.weighted(weights)](random.one(tabs)).catch(() => {});
      }
    },
    /** The tabs that the service no longer accepts. */
    async refused(): Promise<string[]> {
      const codes = tabs.map((tab) =>
        tab.evaluate(() => client.auth.getAccessToken({ forceRefresh: true }).then(() => '', String)),
      );
      return (await Promise.all(codes)).filter(Boolean);
    },
  };
}
