// Six tabs of one Chromium profile that call, refresh, reload, sign in and sign out.
import { setTimeout as sleep } from 'node:timers/promises';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import type { Client } from '../../src/api.js';
import { browserBundle } from '../browser-bundle.js';
import { executablePath } from '../browser-page.js';
import type { ExpectedState, Seen } from './expected-state.js';
import type { Random } from './random.js';

declare global {
  var jump: (ms: number) => void;
  var seen: () => Seen;
  /** The calls that were answered with another user than the signed-in one. */
  var mixed: string[];
}

/** How the pages of a run differ. */
interface PageOptions {
  /** How the page begins its name in requests. */
  kind?: 'page' | 'twin';
  /** The source of further options of the client. */
  options: string;
}

/** The page's source; each page that is opened has a name of its own. */
export async function pageSource() {
  const bundle = await browserBundle();
  return (
    appKey: string,
    offsetMs: number,
    { kind = 'page', options }: PageOptions,
  ) => `<!doctype html><title>Tab</title><link rel=icon href=data:,><script>
    let offsetMs = ${offsetMs};
    const now = Date.now;
    Date.now = () => now() + offsetMs;
    jump = (ms) => { offsetMs = ms; };
    </script><script>${bundle}</script><script>
    const name = '${kind} ' + Math.random().toString(36).slice(2, 8);
    client = foyer.createClient({
      baseUrl: location.origin + '/api/v2', appKey: '${appKey}', headers: { 'X-Client': name }, ${options}
    });
    seen = (state = client.auth.state) => ({ client: name, status: state.status, reason: state.reason, uid: state.uid });
    mixed = [];
    client.auth.onStateChange((state, before) => report({ ...seen(state), from: before.status }));
  </script>`;
}

interface Tab {
  page: Page;
  /** Settles when the tab is free for the next action. */
  free: Promise<unknown>;
}

export async function openTabs(origin: string, count: number, random: Random, expected: ExpectedState) {
  const browser = await chromium.launch({
    executablePath: executablePath as string,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
  const context: BrowserContext = await browser.newContext();
  /** When each page was reloaded or closed, by its name. */
  const endedAtMs = new Map<string, number>();
  const names = new Map<Page, string>();
  const counts = { calls: 0, failed: 0, reloads: 0, reopened: 0, filled: 0 };
  const mixedUsers: string[] = [];
  await context.exposeBinding('report', ({ page }, state: Seen) => {
    names.set(page, state.client);
    expected.changed(state);
  });
  const tabs: Tab[] = [];
  for (let number = 0; number < count; number++) tabs.push({ page: await opened(), free: Promise.resolve() });

  async function opened(): Promise<Page> {
    const page = await context.newPage();
    await page.goto(origin);
    return page;
  }

  const noteMixed = async (page: Page) => {
    mixedUsers.push(...(await page.evaluate(() => mixed.splice(0)).catch(() => [])));
  };
  const ended = (page: Page) => endedAtMs.set(names.get(page) ?? '', Date.now());
  const call = async (page: Page, run: () => unknown) => {
    counts.calls += 1;
    await page.evaluate(run).catch(() => {
      counts.failed += 1;
    });
  };
  const actions = {
    me: (tab: Tab) =>
      call(tab.page, async () => {
        const { uid: before } = seen();
        const { uid } = await client.me.get();
        if (before && uid !== before && uid !== seen().uid) mixed.push(`${before} ${uid}`);
      }),
    devices: (tab: Tab) => call(tab.page, async () => void (await client.me.sessions())),
    refresh: (tab: Tab) => call(tab.page, () => client.auth.getAccessToken({ forceRefresh: true })),
    async reload(tab: Tab) {
      counts.reloads += 1;
      await noteMixed(tab.page);
      ended(tab.page);
      await tab.page.reload();
    },
    async reopen(tab: Tab) {
      counts.reopened += 1;
      await noteMixed(tab.page);
      ended(tab.page);
      await tab.page.close();
      tab.page = await opened();
    },
  };
  const weights = { me: 45, devices: 12, refresh: 35, reload: 6, reopen: 2 };

  /** Runs `work` while nothing else uses the tab. */
  function alone<T>(tab: Tab, work: (page: Page) => Promise<T>): Promise<T> {
    const result = tab.free.then(() => work(tab.page));
    tab.free = result.catch(() => {});
    return result;
  }

  const inFirst = (run: () => void) => alone(tabs[0]!, (page) => page.evaluate(run)).catch(() => {});

  return {
    browser,
    endedAtMs,
    counts,
    /** Fills the `localStorage` of the tabs to the last character for a while, again and again. */
    async fillStorage(signal: AbortSignal) {
      while (!signal.aborted) {
        await sleep(random.between(10_000, 30_000), null, { signal }).catch(() => {});
        counts.filled += 1;
        await inFirst(() => {
          for (let length = 2 ** 20; length >= 1; length /= 2) {
            try {
              for (;;) localStorage.setItem(`filling ${localStorage.length}`, 'x'.repeat(length));
            } catch {}
          }
        });
        await sleep(random.between(5_000, 25_000), null, { signal }).catch(() => {});
        await inFirst(() => {
          for (const key of Object.keys(localStorage))
            if (key.startsWith('filling')) localStorage.removeItem(key);
        });
      }
    },
    async mixedUsers() {
      await Promise.all(tabs.map(({ page }) => noteMixed(page)));
      return mixedUsers;
    },
    /** Uses every tab until `signal` aborts. */
    use: (signal: AbortSignal) =>
      Promise.all(
        tabs.map(async (tab) => {
          while (!signal.aborted) {
            await sleep(random.between(50, 1_500));
            await alone(tab, () => actions[random.weighted(weights)](tab));
          }
        }),
      ),
    /** Runs `work` in one tab. */
    inOne: <T>(
      work: (client: Client, value: T) => Promise<string | null>,
      value: T,
    ): Promise<string | null> =>
      alone(
        random.one(tabs),
        (page) => page.evaluate(`(${work})(client, ${JSON.stringify(value)})`) as Promise<string | null>,
      ),
    setClock: (offsetMs: number) =>
      Promise.all(tabs.map(({ page }) => page.evaluate((ms) => jump(ms), offsetMs).catch(() => {}))),
    async reloadAll() {
      await Promise.all(tabs.map((tab) => alone(tab, () => actions.reload(tab))));
    },
    async check() {
      const states = await Promise.all(tabs.map(({ page }) => page.evaluate(() => seen()).catch(() => null)));
      for (const state of states) if (state) expected.check(state);
    },
    close: () => browser.close(),
  };
}

export type Tabs = Awaited<ReturnType<typeof openTabs>>;
