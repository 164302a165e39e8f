// The page about Capacitor, Tauri and Electron, as far as it can be followed without a device: its origins at the service, and its
// snippets in Chromium and Node with the native halves of the three replaced by doubles. sdk/test/README.md says what that leaves.
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testService } from '../../server/test/harness.js';
import { shared } from '../../server/test/shared.js';
import { createAdmin } from '../src/admin/index.js';
import { type BrowserPages, browserPages, inBrowser, withoutBrowser } from './browser-page.js';
import { ada } from './harness.js';
import { answers } from './mishaps.js';
import { type ScriptedService, startScriptedService } from './scripted-service.js';

const page = fileURLToPath(new URL('../docs/desktop-and-mobile.md', import.meta.url));
const packages = fileURLToPath(new URL('runtimes/node_modules', import.meta.url));
const sdk = fileURLToPath(new URL('../src', import.meta.url));

async function snippet(file: string, baseUrl: string): Promise<string> {
  const [, source] = new RegExp(`\`${file}\`\n\n\`\`\`ts\n(.*?)\`\`\``, 's').exec(
    await readFile(page, 'utf8'),
  )!;
  return source!.replace('https://accounts.example.com/api/v2', baseUrl).replace('pk_live_1', 'app_test');
}

/** Bundles a program; `doubles` replace packages. */
async function bundled(contents: string, doubles: Record<string, string>, platform: 'browser' | 'node') {
  const { outputFiles } = await build({
    stdin: { contents, loader: 'ts', resolveDir: packages },
    alias: { '@foyer/sdk/storage': `${sdk}/storage/index.ts`, '@foyer/sdk': `${sdk}/index.ts` },
    plugins: [
      {
        name: 'doubles',
        setup(its) {
          its.onResolve({ filter: /.*/ }, ({ path }) =>
            path in doubles ? { path, namespace: 'double' } : undefined,
          );
          its.onLoad({ filter: /.*/, namespace: 'double' }, ({ path }) => ({
            contents: doubles[path]!,
            loader: 'ts',
            resolveDir: packages,
          }));
        },
      },
    ],
    bundle: true,
    platform,
    format: platform === 'node' ? 'esm' : 'iife',
    write: false,
  });
  return outputFiles[0]!.text;
}

describe('the origins of the page', () => {
  const service = shared(() => testService());

  test('are accepted by the setting, may call, and their pages may read the answers', async () => {
    const table = /^\| Capacitor .*\n(.*)\n/m.exec(await readFile(page, 'utf8'))![0];
    const origins = [...table.matchAll(/`([a-z]+:\/\/[a-z.]+)`/g)].map(([, origin]) => origin!);
    expect(origins).toEqual([
      'capacitor://localhost',
      'https://localhost',
      'tauri://localhost',
      'http://tauri.localhost',
    ]);
    const { app, secretKey } = await service.newApp();
    const admin = createAdmin({ baseUrl: `${service.url}/api/v2`, appKey: app.appKey, secretKey });
    const { allowed_origins } = await admin.settings.update({ allowed_origins: origins });
    expect(allowed_origins).toEqual(origins);
    const ask = async (origin: string) => {
      const response = await fetch(`${service.url}/api/v2/config`, {
        headers: { Origin: origin, 'X-App-Key': app.appKey },
      });
      return [response.status, response.headers.get('Access-Control-Allow-Origin')];
    };
    for (const origin of origins) expect([origin, ...(await ask(origin))]).toEqual([origin, 200, '*']);
    expect(await ask('capacitor://elsewhere')).toEqual([403, null]);
  });
});

// Installed by CI only.
describe.skipIf(withoutBrowser || !existsSync(packages))(inBrowser('a page with the snippet'), () => {
  let pages: BrowserPages;
  beforeAll(async () => {
    pages = await browserPages();
  });
  afterAll(() => pages.close());

  test.each([
    // The packages themselves, with their own halves for the web.
    ['capacitor.ts', 'CapacitorStorage.foyer.app_test', ''],
    // Tauri's packages; the Rust side of the store plugin is a double that keeps its values for all windows.
    [
      'tauri.ts',
      'rust.foyer.app_test',
      `import { mockIPC } from '@tauri-apps/api/mocks';
       mockIPC((command, { key, value }) => {
         if (command === 'plugin:store|load') return 1;
         if (command === 'plugin:store|get') {
           const text = localStorage.getItem('rust.' + key);
           return [text === null ? null : JSON.parse(text), text !== null];
         }
         if (command === 'plugin:store|set') localStorage.setItem('rust.' + key, JSON.stringify(value));
         if (command === 'plugin:store|delete') localStorage.removeItem('rust.' + key);
       }, { shouldMockEvents: true });`,
    ],
  ])('%s keeps the session in %s over a reload, and sign-out removes it', async (file, key, native) => {
    const source = await snippet(file, `${pages.service.origin}/api/v2`);
    const program = `import './native'; import { client } from './app'; globalThis.client = client;`;
    const script = await bundled(program, { './native': native, './app': source }, 'browser');
    const html = `<!doctype html><link rel=icon href=data:,><script>${script.replaceAll('</', '<\\/')}</script>`;
    pages.service.always.set(`GET /${file}`, answers(200, html));
    const context = await pages.profile();
    const tab = await context.newPage();
    const faults: string[] = [];
    tab.on('pageerror', (error) => faults.push(error.message));
    await tab.goto(`${pages.service.origin}/${file}`);
    const account = { email: `${file}@example.com`, password: 'correct horse' };
    await tab.evaluate(async (given) => void (await client.auth.signUp(given)), account);
    const stored = () => tab.evaluate((name) => localStorage.getItem(name), key);
    expect(await stored()).toContain('rt_');
    await tab.reload();
    expect(await tab.evaluate(async () => (await client.me.get()).email)).toBe(account.email);
    expect(await tab.evaluate(() => client.auth.signOut())).toEqual({ remote: true });
    expect((await stored()) ?? '').not.toContain('rt_');
    expect(faults).toEqual([]);
  });
});

describe('the main process of Electron with main.ts', () => {
  let service: ScriptedService;
  let folder: string;
  beforeAll(async () => {
    service = await startScriptedService();
    folder = await mkdtemp(join(tmpdir(), 'foyer-electron-'));
  });
  afterAll(async () => {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Starts the app; `invoke` is `ipcRenderer.invoke`, whose answers are structured clones. */
  async function startApp(name: string) {
    const electron = `
      const handlers = new Map();
      globalThis.electron = { isLocked: false, handlers };
      export const app = { whenReady: () => Promise.resolve(), getPath: () => ${JSON.stringify(folder)} };
      export const ipcMain = { handle: (channel, handler) => handlers.set(channel, handler) };
      export const powerMonitor = { on() {}, off() {} };
      const flip = (bytes) => bytes.map((byte) => byte ^ 85);
      const check = () => { if (globalThis.electron.isLocked) throw new Error('no keyring'); };
      export const safeStorage = {
        encryptString(text) { check(); return Buffer.from(flip(Buffer.from(text))); },
        decryptString(bytes) { check(); return Buffer.from(flip(bytes)).toString(); },
      };`;
    const source = (await snippet('main.ts', service.baseUrl)).replace(
      'ipcMain.handle(',
      `ipcMain.handle('state', async () => (await client.auth.ready().catch((error) => error.code)));\n  ipcMain.handle(`,
    );
    const file = join(folder, `${name}.mjs`);
    await writeFile(file, await bundled(source, { electron }, 'node'));
    await import(/* @vite-ignore */ file);
    const { electron: its } = globalThis as unknown as {
      electron: { isLocked: boolean; handlers: Map<string, (...given: unknown[]) => unknown> };
    };
    await expect.poll(() => its.handlers.has('sign-in')).toBe(true);
    const invoke = async (channel: string, ...given: unknown[]) =>
      structuredClone(await its.handlers.get(channel)!({}, ...given)) as Record<string, unknown>;
    return { its, invoke };
  }

  test('answers the page with the user or a code, encrypts the session, and restores it', async () => {
    service.api.users.add(ada);
    const { invoke } = await startApp('first');
    expect(await invoke('sign-in', ada.email, 'wrong password')).toEqual({ code: 'auth/invalid-credential' });
    expect(await invoke('sign-in', ada.email, ada.password)).toMatchObject({ user: { email: ada.email } });
    const files = join(folder, 'session');
    const texts = await Promise.all(
      (await readdir(files)).map((name) => readFile(join(files, name), 'utf8').catch(() => '')),
    );
    expect(texts.join('').length).toBeGreaterThan(200);
    expect(texts.join('')).not.toContain('rt_');
    const again = await startApp('second');
    expect(await again.invoke('state')).toMatchObject({ status: 'signedIn' });
  });
});
