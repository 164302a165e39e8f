// The programs of the README as a newcomer runs them, with the built SDK.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildSync } from 'esbuild';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { executablePath, inBrowser, withoutBrowser } from './browser-page.js';
import { answers } from './mishaps.js';
import { type ScriptedService, startScriptedService } from './scripted-service.js';

const run = promisify(execFile);
const workspace = fileURLToPath(new URL('..', import.meta.url));
let service: ScriptedService;

beforeAll(async () => {
  service = await startScriptedService();
});

afterAll(() => service.close());

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
    const { stdout } = await run('node', [file], { timeout: 60_000 });
    expect(stdout).toContain("email: 'ada@example.com'");
  }
});

test.skipIf(withoutBrowser)(inBrowser('the page signs in, and greets the user after a reload'), async () => {
  const page = (await program('html')).replace(/(?<=<script type="module">).*?(?=<\/script>)/s, (source) => {
    const stdin = { contents: source, resolveDir: workspace };
    return buildSync({ stdin, bundle: true, format: 'esm', write: false }).outputFiles[0]!.text;
  });
  const account = { email: 'ada@example.com', password: 'correct horse battery staple' };
  if (!service.api.users.byEmail(account.email)) service.api.users.add(account);
  service.always.set('GET /page', answers(200, page));
  const browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
  onTestFinished(() => browser.close());
  const tab = await browser.newPage();
  await tab.goto(`${service.origin}/page`);
  await tab.getByText('signedOut').waitFor();
  await tab.getByRole('button').click();
  await tab.getByText('Hello ada@example.com').waitFor();
  await tab.reload();
  await tab.getByText('Hello ada@example.com').waitFor();
});
