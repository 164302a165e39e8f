// Tabs in a real browser. Its processes do not see each other's writes to localStorage at once, which no worker thread
// can show: with a plain Web Lock, a quarter of the refreshes of six tabs sent a spent token.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inFull } from '../../server/test/thorough.js';
import { type BrowserPages, browserPages, inBrowser, repeatsIn, withoutBrowser } from './browser-page.js';
import { gate, heldUntil } from './mishaps.js';
import { refreshRoute } from './scripted-service.js';

const rounds = inFull(40, 6);
const loads = inFull(10, 3);
/** The tokens in localStorage without a lock. */
const unlocked = `storage: {
  get: (key) => localStorage.getItem(key),
  set: (key, value) => localStorage.setItem(key, value),
  remove: (key) => localStorage.removeItem(key),
}`;

/** Signs a new user up in a tab; returns the user's id. */
const signUp = (tab: Page, email: string) =>
  tab.evaluate(
    async (given) => (await client.auth.signUp({ email: given, password: 'correct horse' })).user.uid,
    email,
  );

let pages: BrowserPages;
beforeAll(async () => {
  if (!withoutBrowser) pages = await browserPages();
});
afterAll(() => pages?.close());

describe.skipIf(withoutBrowser)(inBrowser('tabs'), () => {
  const statusesOf = (tabs: Page[]) =>
    Promise.all(tabs.map((tab) => tab.evaluate(() => client.auth.state.status)));
  const uidsOf = (tabs: Page[]) =>
    Promise.all(
      tabs.map((tab) =>
        tab.evaluate(() => {
          const { state } = client.auth;
          return state.status === 'signedIn' ? state.uid : null;
        }),
      ),
    );

  /** Calls in every tab at once: the first response is held until `areWaiting` resolves. */
  async function together(tabs: Page[], call: () => Promise<unknown>, areWaiting: () => Promise<unknown>) {
    const { opened, open } = gate();
    pages.service.always.set(refreshRoute, heldUntil(opened));
    const calls = Promise.all(tabs.map((tab) => tab.evaluate(call)));
    await areWaiting();
    open();
    pages.service.always.delete(refreshRoute);
    await calls;
  }

  /** Every tab forces a refresh while one is pending, `times` times; returns the tokens that the service received. */
  async function refreshTogether(tabs: Page[], times: number, areWaiting: () => Promise<unknown>) {
    const before = pages.sentTokens().length;
    for (let round = 0; round < times; round++) {
      await together(tabs, () => client.auth.getAccessToken({ forceRefresh: true }), areWaiting);
    }
    return pages.sentTokens().slice(before);
  }

  /** All tabs but one wait for the lock. */
  const othersWait = (tabs: Page[]) => () =>
    expect
      .poll(() => tabs[0]!.evaluate(async () => (await navigator.locks.query()).pending!.length))
      .toBe(tabs.length - 1);

  test(`six tabs that refresh in the same moment, ${rounds} times, share each refresh and send no spent token`, async () => {
    const tabs = await pages.tabs(await pages.profile(), 6);
    const sent = await refreshTogether(tabs, rounds, othersWait(tabs));
    expect(repeatsIn(sent)).toBe(0);
    // The tabs that waited adopt the access token of the one that refreshed.
    expect(sent.length).toBeLessThan(1.5 * rounds);
    expect(await statusesOf(tabs)).toEqual(tabs.map(() => 'signedIn'));
  });

  test('and also when each of them refreshes, because they have no channel', async () => {
    const tabs = await pages.tabs(
      await pages.profile('storage: { ...foyer.webStorage(), channel: undefined }'),
      6,
    );
    const sent = await refreshTogether(tabs, inFull(10, 3), othersWait(tabs));
    expect(repeatsIn(sent)).toBe(0);
    expect(await statusesOf(tabs)).toEqual(tabs.map(() => 'signedIn'));
  });

  test('control: without a lock five of six tokens are spent', async () => {
    const tabs = await pages.tabs(await pages.profile(unlocked), 6);
    const allSent = () => pages.service.seen(refreshRoute, pages.service.count(refreshRoute) + tabs.length);
    const sent = await refreshTogether(tabs, 2, allSent);
    expect(repeatsIn(sent)).toBeGreaterThanOrEqual((sent.length * 5) / 6);
  });

  test('a sign-in, another user and a sign-out in one tab are seen by all without a call', async () => {
    const context = await pages.profile();
    const tabs = [await pages.open(context), await pages.open(context), await pages.open(context)];
    const grace = await signUp(tabs[0]!, 'grace@example.com');
    await expect.poll(() => uidsOf(tabs)).toEqual([grace, grace, grace]);
    const bob = await signUp(tabs[2]!, 'bob@example.com');
    await expect.poll(() => uidsOf(tabs)).toEqual([bob, bob, bob]);
    const users = await Promise.all(tabs.map((tab) => tab.evaluate(() => client.me.get())));
    expect(users.map(({ email }) => email)).toEqual(tabs.map(() => 'bob@example.com'));
    const requests = pages.service.requests.length;
    await tabs[1]!.evaluate(() => client.auth.signOut());
    await expect.poll(() => statusesOf(tabs)).toEqual(tabs.map(() => 'signedOut'));
    const sent = pages.service.requests.slice(requests).map(({ route }) => route);
    expect(sent).toEqual(['POST /api/v2/auth/sign-out']);
  });

  test('six restored tabs share a refresh', async () => {
    const context = await pages.profile();
    const [first] = await pages.tabs(context, 1);
    await first!.close();
    const before = pages.sentTokens().length;
    const tabs = await Promise.all(Array.from({ length: 6 }, () => pages.open(context)));
    await together(tabs, () => client.me.get(), othersWait(tabs));
    expect(pages.sentTokens().length - before).toBeLessThanOrEqual(2);
  });
});

describe.skipIf(withoutBrowser)(inBrowser('storages of a tab'), () => {
  /** Leaves no room for another character in the localStorage of a tab. */
  const fill = (tab: Page) =>
    tab.evaluate(() => {
      let text = 'x'.repeat(1 << 20);
      for (let index = 0; text; index++) {
        try {
          localStorage.setItem(`filler-${index}`, text);
        } catch {
          text = text.slice(text.length / 2 + 0.5);
        }
      }
    });

  test('a full localStorage keeps the session in every tab, and its user signs out of it', async () => {
    const context = await pages.profile();
    const [tab, other] = (await pages.tabs(context, 2)) as [Page, Page];
    await fill(tab);
    const restored = await pages.open(context);
    expect(await restored.evaluate(async () => (await client.auth.ready()).status)).toBe('signedIn');
    for (let round = 0; round < 12; round++) {
      await restored.evaluate(() => client.auth.getAccessToken({ forceRefresh: true }));
    }
    await Promise.all([tab, other].map((each) => each.evaluate(() => client.me.get())));
    await restored.reload();
    await restored.evaluate(() => client.me.get());
    await restored.evaluate(() => client.auth.signOut());
    await restored.reload();
    for (const each of [tab, other, restored])
      expect(await each.evaluate(async () => (await client.auth.ready()).status)).toBe('signedOut');
  });

  test('a duplicated tab, whose sessionStorage is a copy, keeps its session when the original is closed', async () => {
    const context = await pages.profile('storage: foyer.webStorage(sessionStorage)');
    const [tab] = (await pages.tabs(context, 1)) as [Page];
    const opening = context.waitForEvent('page');
    await tab.evaluate(() => void window.open(location.href));
    const copy = await opening;
    await copy.waitForFunction(() => client.auth.state.status === 'signedIn');
    const stored = (page: Page) => page.evaluate(() => sessionStorage.getItem('foyer.app_test'));
    await tab.evaluate(() => client.auth.getAccessToken({ forceRefresh: true }));
    const newest = await stored(tab);
    await expect.poll(() => stored(copy)).toBe(newest);
    await tab.close();
    await copy.reload();
    await copy.evaluate(() => client.me.get());
    expect(pages.service.reuses).toBe(0);
  });
});

describe.skipIf(withoutBrowser)(inBrowser('page loads'), () => {
  /** Loads a page that makes a call each time; returns the number of refreshes. */
  async function refreshesOfLoads(options?: string): Promise<number> {
    const [tab] = await pages.tabs(await pages.profile(options), 1);
    const before = pages.sentTokens().length;
    for (let load = 0; load < loads; load++) {
      await tab!.reload();
      await tab!.evaluate(() => client.me.get());
    }
    return pages.sentTokens().length - before;
  }

  test(`${loads} of them send no refresh when the app keeps the access token`, async () => {
    expect(await refreshesOfLoads('keepAccessToken: foyer.inSessionStorage()')).toBe(0);
  });

  test(`control: ${loads} of them send ${loads} without it`, async () => {
    expect(await refreshesOfLoads()).toBe(loads);
  });

  test('a sign-out and another user leave no access token behind', async () => {
    const [tab, other] = await pages.tabs(
      await pages.profile('keepAccessToken: foyer.inSessionStorage()'),
      2,
    );
    const kept = () => tab!.evaluate(() => Object.values(sessionStorage).join());
    expect(await kept()).toContain('eyJ');
    await tab!.evaluate(() => client.auth.signOut());
    expect(await kept()).toBe('');
    await signUp(tab!, 'mary@example.com');
    expect(await kept()).toContain('mary@example.com');
    await signUp(other!, 'alan@example.com');
    await expect.poll(kept).toBe('');
  });
});
