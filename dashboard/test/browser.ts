// A real Chromium for the tests of pages; its headless shell needs a third less processor time. Without either they are
// skipped, and say so in their names.
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const executablePath = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find(existsSync);

export const withoutBrowser = executablePath === undefined;

/** The title of a suite of browser tests. */
export function inBrowser(title: string): string {
  return withoutBrowser ? `${title} (skipped: no Chromium is installed)` : title;
}

let browser: Promise<Browser> | undefined;

/** One for all test files of a worker, which ends it; they open profiles of their own. */
export function sharedBrowser(): Promise<Browser> {
  browser ??= launch();
  return browser;
}

async function launch(): Promise<Browser> {
  const launched = await chromium.launch({
    executablePath: executablePath as string,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Optimizing the code of a page costs more processor time than the page, which is left soon, gets back.
      '--js-flags=--no-opt --no-maglev',
    ],
  });
  // A busy machine may take ten times as long as an idle one; what never comes still fails, before the test's own timeout.
  return launched.on('context', (context) => context.setDefaultTimeout(120_000));
}
