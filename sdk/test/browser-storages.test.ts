// The storages of browsers pass their checks in a real Chromium, in a page of an extension.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storageChecks } from '../src/testing/storage-checks.js';
import { executablePath, inBrowser, patienceMilliseconds, withoutBrowser } from './browser-page.js';

/** Runs the checks of a storage in a page, by name. */
const source = `
  import { chromeStorage, webStorage } from './storage/index.ts';
  import { storageChecks } from './testing/index.ts';
  globalThis.failureOf = async (storage, name) => {
    // Another document of the same origin, which this one receives storage events from.
    const frame = document.body.appendChild(document.createElement('iframe'));
    const target = storage === 'chromeStorage'
      ? { open: () => chromeStorage(chrome.storage.local) }
      : { open: () => webStorage(), openElsewhere: () => webStorage(frame.contentWindow.localStorage) };
    const checks = storageChecks({ ...target, timeoutMs: 60_000 });
    const failure = await checks.find((check) => check.name === name).run().then(() => null, String);
    frame.remove();
    return failure;
  };
`;

describe.skipIf(withoutBrowser)(inBrowser('storages in a browser'), () => {
  const folder = mkdtempSync(join(tmpdir(), 'foyer-extension-'));
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    const resolveDir = fileURLToPath(new URL('../src', import.meta.url));
    const { outputFiles } = await build({
      stdin: { contents: source, resolveDir, loader: 'ts' },
      bundle: true,
      format: 'iife',
      write: false,
    });
    const manifest = {
      ...{ manifest_version: 3, name: 'Checks', version: '1', permissions: ['storage'] },
      background: { service_worker: 'worker.js' },
    };
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
    writeFileSync(join(folder, 'worker.js'), '');
    writeFileSync(join(folder, 'page.html'), '<!doctype html><body><script src="page.js"></script>');
    writeFileSync(join(folder, 'page.js'), outputFiles[0]!.text);
    context = await chromium.launchPersistentContext(join(folder, 'profile'), {
      executablePath: executablePath as string,
      // The headless shell has no extensions.
      headless: false,
      args: [
        ...['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
        ...[`--disable-extensions-except=${folder}`, `--load-extension=${folder}`],
      ],
    });
    context.setDefaultTimeout(patienceMilliseconds);
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
    page = await context.newPage();
    await page.goto(new URL('page.html', worker.url()).href);
  });
  afterAll(async () => {
    await context.close();
    rmSync(folder, { recursive: true });
  });

  const names = storageChecks({ open: () => expect.fail() }).map(({ name }) => name);
  test.each(['chromeStorage', 'webStorage'].flatMap((storage) => names.map((name) => [storage, name])))(
    '%s: %s',
    async (storage, name) => {
      const failure = await page.evaluate(`failureOf(${JSON.stringify(storage)}, ${JSON.stringify(name)})`);
      expect(failure).toBeNull();
    },
  );
});
