// The programs of the README as a newcomer runs them, with the built SDK.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildSync } from 'esbuild';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { inBrowser, sharedBrowser, withoutBrowser } from '../../dashboard/test/browser.js';
import { quickStart } from '../../server/test/quick-start.js';
import { answers } from './mishaps.js';
import { meRoute, type ScriptedService, startScriptedService } from './scripted-service.js';

const run = promisify(execFile);
const workspace = fileURLToPath(new URL('..', import.meta.url));
let service: ScriptedService;

beforeEach(async () => {
  service = await startScriptedService();
});

afterEach(() => service.close());

/** The program of a language, with the address and the key of the service. */
async function program(language: string): Promise<string> {
  const text = await readFile(join(workspace, 'README.md'), 'utf8');
  const [, source] = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(text)!;
  return source!.replace('http://localhost:3000/api/v2', service.baseUrl).replace('pk_…', 'app_test');
}

test('the program for Node signs up, and signs in from the second run on', async () => {
  const folder = await mkdtemp(join(workspace, 'readme-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'hello.mjs');
  await writeFile(file, await program('js'));
  for (const _ of ['sign-up', 'sign-in']) {
    const { stdout } = await run('node', [...quickStart, file], { timeout: 60_000 });
    expect(stdout).toContain("email: 'ada@example.com'");
  }
});

/** The page of the README in a new profile. */
async function openPage() {
  const page = (await program('html')).replace(/(?<=<script type="module">).*?(?=<\/script>)/s, (source) => {
    const stdin = { contents: source, resolveDir: workspace };
    return buildSync({ stdin, bundle: true, format: 'esm', write: false }).outputFiles[0]!.text;
  });
  service.always.set('GET /page', answers(200, page));
  const tab = await (await sharedBrowser()).newPage();
  onTestFinished(() => tab.close());
  await tab.goto(`${service.origin}/page`);
  await tab.getByText('signedOut').waitFor();
  return tab;
}

test.skipIf(withoutBrowser)(
  inBrowser('the page signs up, greets the user after a reload, and signs in elsewhere'),
  async () => {
    const tab = await openPage();
    await tab.getByRole('button').click();
    await tab.getByText('Hello ada@example.com').waitFor();
    await tab.reload();
    await tab.getByText('Hello ada@example.com').waitFor();
    const other = await openPage();
    await other.getByRole('button').click();
    await other.getByText('Hello ada@example.com').waitFor();
    expect(service.api.users.all()).toHaveLength(1);
  },
);

test.skipIf(withoutBrowser)(inBrowser('the page shows why a sign-in was refused'), async () => {
  service.api.users.add({ email: 'ada@example.com', password: 'another password' });
  const tab = await openPage();
  await tab.getByRole('button').click();
  await tab.getByText('auth/invalid-credential').waitFor();
});

test.skipIf(withoutBrowser)(
  inBrowser('the page puts no password into its URL, also before the session is restored'),
  async () => {
    const tab = await openPage();
    await tab.getByRole('button').click();
    await tab.getByText('Hello ada@example.com').waitFor();
    const requests = service.count(meRoute);
    service.hold(meRoute);
    await tab.reload();
    await service.seen(meRoute, requests + 1);
    await tab.getByRole('button').click();
    await service.seen('POST /api/v2/auth/sign-in');
    expect(tab.url()).toBe(`${service.origin}/page`);
  },
);
