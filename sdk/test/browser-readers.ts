// What the readers of some pages do in a browser, with the files that follow-docs.ts has written from the page.
import { strict as assert } from 'node:assert';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { freePort } from '../../server/test/free-port.js';
import type { Client } from '../src/api.js';
import type { commandLine } from './command-line.js';

export type Service = Record<'app id' | 'app key' | 'secret key' | 'url', string>;

interface Reader {
  /** The folder with the files of the page. */
  place: string;
  service: Service;
  browser: Browser;
  shell: ReturnType<typeof commandLine>;
  /** Of the reader's app, whose `/page` is empty. */
  origin: string;
}

declare global {
  var client: Client;
  /** The program of test/readers/passkeys.js. */
  var follow: (options: { baseUrl: string; appKey: string }) => Promise<unknown[]>;
}

const account = (name: string) => ({
  email: `${name}@example.com`,
  password: 'correct horse battery staple',
});

export const browserReaders: Record<string, (reader: Reader) => Promise<void>> = {
  async passkeys({ place, service, browser, origin }) {
    const rp = { rp_id: 'localhost', rp_name: 'Reader', origins: [origin] };
    await request(service, 'PATCH', '/admin/settings', { passkeys: rp });
    const context = await browser.newContext();
    const tab = await open(context, `${origin}/page`);
    const devTools = await context.newCDPSession(tab);
    await devTools.send('WebAuthn.enable');
    await devTools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', ctap2Version: 'ctap2_1', transport: 'internal' },
        ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
        automaticPresenceSimulation: true,
      },
    });
    await add(tab, place, `import './passkeys.js';`);
    const seen = await tab.evaluate((options) => follow(options), optionsOf(service));
    assert.deepEqual(seen, ['My laptop', 'Key ring', true, 'signedIn', 0]);
    await context.close();
  },

  async 'offline-and-tabs'({ place, service, browser, origin }) {
    const context = await browser.newContext();
    const [tab, other] = [await open(context, `${origin}/page`), await open(context, `${origin}/page`)];
    const connect = `import { createClient } from '@foyer/sdk';
      globalThis.client = createClient(${JSON.stringify(optionsOf(service))});`;
    await add(tab, place, connect);
    await add(other, place, connect);
    await tab.evaluate((given) => client.auth.signUp(given).then(() => {}), account('offline'));
    await other.waitForFunction(() => client.auth.state.status === 'signedIn');
    const printed: string[] = [];
    tab.on('console', (message) => message.type() === 'log' && printed.push(message.text()));
    await context.setOffline(true);
    await add(tab, place, `import './snippet-0.ts';`, 'esm');
    await other.waitForFunction(() => client.auth.state.status === 'signedOut');
    await until(() => printed.length > 1);
    assert.match(printed.join(' '), /You are offline\. Signed out here; the service will know/);
    await add(tab, place, `import { askToKeep } from './snippet-1.ts'; globalThis.asked = askToKeep();`);
    await tab.evaluate('asked');
    await context.close();
  },

  // Tauri and Electron: platforms.test.ts.
  async 'desktop-and-mobile'({ place, browser, origin }) {
    const context = await browser.newContext();
    const start = async (tab: Page) => {
      await add(tab, place, `import { client } from './capacitor.ts'; globalThis.client = client;`);
      return tab;
    };
    const tab = await start(await open(context, `${origin}/page`));
    await tab.evaluate((given) => client.auth.signUp(given).then(() => {}), account('capacitor'));
    await tab.reload();
    await start(tab);
    assert.equal(await tab.evaluate(async () => (await client.me.get()).email), account('capacitor').email);
    assert.deepEqual(await tab.evaluate(() => client.auth.signOut()), { remote: true });
    await context.close();
  },

  async server({ place, service, browser, shell }) {
    const port = await freePort();
    const app = `http://localhost:${port}`;
    const file = join(place, 'server.ts');
    const source = (await readFile(file, 'utf8'))
      .replace('https://app.example.com', app)
      .replace('3001', `${port}`);
    await writeFile(file, source);
    const email = 'ada@example.com';
    assert.ok((await readFile(join(place, 'browser.ts'), 'utf8')).includes(email));
    await request(service, 'POST', '/auth/sign-up', { email, password: 'correct horse' });
    // It prints nothing.
    let failure: unknown;
    shell.start('npx tsx server.ts', place, /^\b$/).catch((error) => {
      failure = error;
    });
    await until(async () => {
      if (failure) throw failure;
      return (await fetch(`${app}/sign-in`).catch(() => undefined)) !== undefined;
    });
    // Express's own page for `/sign-in`, which the reader has yet to write, forbids scripts.
    const context = await browser.newContext({ bypassCSP: true });
    const tab = await open(context, app);
    assert.equal(new URL(tab.url()).pathname, '/sign-in');
    await add(tab, place, `import './browser.ts';`, 'esm');
    await tab.waitForFunction(() => document.cookie.includes('.user='));
    await tab.goto(app);
    assert.equal(await tab.locator('body').innerText(), `Hello ${email}`);
    const readable = await tab.evaluate(() => document.cookie + JSON.stringify(localStorage));
    assert.doesNotMatch(readable, /rt_/);
    await context.close();
  },
};

const optionsOf = (service: Service) => ({ baseUrl: `${service.url}/api/v2`, appKey: service['app key'] });

async function request(service: Service, method: string, path: string, body: object): Promise<void> {
  const { baseUrl, appKey } = optionsOf(service);
  const { ok, status } = await fetch(baseUrl + path, {
    method,
    headers: {
      'X-App-Key': appKey,
      'Content-Type': 'application/json',
      ...(path.startsWith('/admin') && { Authorization: `Bearer ${service['secret key']}` }),
    },
    body: JSON.stringify(body),
  });
  assert.ok(ok, `${path} answered ${status}`);
}

async function open(context: BrowserContext, url: string): Promise<Page> {
  const tab = await context.newPage();
  await tab.goto(url);
  return tab;
}

/**
 * Adds a program to a page, bundled in the folder of the page's files. One that awaits at its top level is a module, which runs
 * later.
 */
async function add(
  tab: Page,
  resolveDir: string,
  contents: string,
  format: 'iife' | 'esm' = 'iife',
): Promise<void> {
  const stdin = { contents, resolveDir, loader: 'ts' as const };
  const { outputFiles } = await build({ stdin, bundle: true, format, write: false });
  const content = outputFiles[0]!.text;
  await tab.addScriptTag(format === 'esm' ? { content, type: 'module' } : { content });
}

async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isDone()); tries += 1) {
    assert.ok(tries < 600, 'nothing has happened for a minute');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
