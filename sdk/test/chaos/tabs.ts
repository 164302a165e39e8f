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
}

/** The page's source; each page that is opened has a name of its own. */
export async function pageSource(options: string): Promise<(appKey: string, offsetMs: number) => string> {
  const bundle = await browserBundle();
  return (appKey, offsetMs) => `<!doctype html><title>Tab</title><link rel=icon href=data:,><script>
    let offsetMs = ${offsetMs};
    const now = Date.now;
    Date.now = () => now() + offsetMs;
    jump = (ms) => { offsetMs = ms; };
    </script><script>${bundle}</script><script>
    const name = 'page ' + Math.random().toString(36).slice(2, 8);
    client = foyer.createClient({
      baseUrl: location.origin + '/api/v2', appKey: '${appKey}', headers: { 'X-Client': name }, ${options}
    });
    seen = (state = client.auth.state) => ({ client: name, status: state.status, reason: state.reason, uid: state.uid });
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
  const counts = { calls: 0, failed: 0, reloads: 0, reopened: 0 };
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

  const ended = (page: Page) => endedAtMs.set(names.get(page) ?? '', Date.now());
  const call = async (page: Page, run: () => unknown) => {
    counts.calls += 1;
    await page.evaluate(run).catch(() => {
      counts.failed += 1;
    });
  };
  const actions = {
    me: (tab: Tab) => call(tab.page, () => client.me.get().then(() => {})),
    devices: (tab: Tab) => call(tab.page, async () => void (await client.me.sessions())),
    refresh: (tab: Tab) => call(tab.page, () => client.auth.getAccessToken({ forceRefresh: true })),
    async reload(tab: Tab) {
      counts.reloads += 1;
      ended(tab.page);
      await tab.page.reload();
    },
    async reopen(tab: Tab) {
      counts.reopened += 1;
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

  return {
    endedAtMs,
    counts,
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
