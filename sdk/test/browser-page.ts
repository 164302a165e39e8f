// Pages with the SDK in a real Chromium, on the scripted service's own origin.
import { existsSync } from 'node:fs';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import type { Client } from '../src/api.js';
import type * as sdk from '../src/index.js';
import { browserBundle } from './browser-bundle.js';
import { ada } from './harness.js';
import { answers } from './mishaps.js';
import { type ScriptedService, startScriptedService } from './scripted-service.js';

// The whole browser: its headless shell keeps localStorage coherent.
export const executablePath = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find(existsSync);

export const withoutBrowser = executablePath === undefined;

/** How long a browser is waited for: a busy machine may take ten times as long as an idle one. */
export const patienceMilliseconds = 120_000;

/** The title of a suite of browser tests. */
export function inBrowser(title: string): string {
  return withoutBrowser ? `${title} (skipped: no Chromium is installed)` : title;
}

/** What the pages have as globals. */
declare global {
  var foyer: typeof sdk;
  var client: Client;
  var states: string[];
}

export type BrowserPages = Awaited<ReturnType<typeof browserPages>>;

export async function browserPages() {
  const service: ScriptedService = await startScriptedService();
  const bundle = await browserBundle();
  const page = (setup: string) =>
    answers(
      200,
      `<!doctype html><title>SDK</title><link rel=icon href=data:,><script>${bundle}</script><script>${setup}</script>`,
    );
  const browser = await chromium.launch({
    executablePath: executablePath as string,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
  browser.on('context', (context) => context.setDefaultTimeout(patienceMilliseconds));
  const contexts: BrowserContext[] = [];

  return {
    service,
    /** A new profile; `options` is the source of further client options. */
    async profile(options = ''): Promise<BrowserContext> {
      service.always.set(
        'GET /page',
        page(`
          client = foyer.createClient({ baseUrl: location.origin + '/api/v2', appKey: 'app_test', ${options} });
          states = [];
          client.auth.onStateChange((state) => states.push([state.status, state.uid].join(' ')));
        `),
      );
      const context = await browser.newContext();
      contexts.push(context);
      return context;
    },
    async open(context: BrowserContext): Promise<Page> {
      const opened = await context.newPage();
      await opened.goto(`${service.origin}/page`);
      return opened;
    },
    /** Tabs of one profile, signed in as the same new user. */
    async tabs(context: BrowserContext, count: number): Promise<Page[]> {
      const first = await this.open(context);
      const account = { ...ada, email: `${contexts.length}@example.com` };
      await first.evaluate(async (given) => void (await client.auth.signUp(given)), account);
      const others: Page[] = [];
      while (others.length < count - 1) others.push(await this.open(context));
      return [first, ...others];
    },
    /** The refresh tokens received so far, in order. */
    sentTokens: (): string[] =>
      service.requests
        .filter(({ route }) => route.endsWith('/auth/token/refresh'))
        .map(({ body }) => JSON.parse(body.toString()).refresh_token),
    async close() {
      await browser.close();
      await service.close();
    },
  };
}

/** How many of these tokens had been sent before: without network failures, each was spent. */
export function repeatsIn(tokens: string[]): number {
  return tokens.length - new Set(tokens).size;
}
