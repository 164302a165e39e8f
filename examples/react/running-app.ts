// The app as start.ts serves it, on a real service, in a page of a real browser.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { BrowserContext } from 'playwright-core';
import { sharedBrowser } from '../../dashboard/test/browser.js';
import { freePort } from '../../server/test/free-port.js';
import type { TestService } from '../../server/test/harness.js';
import { quickStart } from '../../server/test/quick-start.js';

const startFile = fileURLToPath(new URL('start.ts', import.meta.url));

/** Starts the program with further environment variables. */
export async function startProgram(env: Record<string, string>) {
  const port = await freePort();
  const program = spawn(process.execPath, [...quickStart, '--import', 'tsx', startFile], {
    env: { PATH: process.env.PATH, PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return {
    origin: `http://localhost:${port}`,
    ...(await startupOf(program)),
    async stop() {
      if (program.kill()) await once(program, 'exit');
    },
  };
}

/** What the program prints until it listens, and the URL in it. */
async function startupOf({ stdout }: ChildProcess): Promise<{ url: string; output: string }> {
  let output = '';
  for await (const line of createInterface({ input: stdout! })) {
    output += `${line}\n`;
    const url = /http:\/\/localhost:\d+\//.exec(line)?.[0];
    if (url) return { url, output };
  }
  throw new Error(`the program did not start: ${output}`);
}

/** Serves the app for the first app of a service, and opens it on a small screen. */
export async function openApp(
  service: TestService,
  {
    env = {},
    settings,
    prepare,
  }: {
    env?: Record<string, string>;
    /** The settings of the app, which may depend on the origin of the page. */
    settings?: (origin: string) => Parameters<TestService['changeSettings']>[0];
    /** Runs before the page is opened. */
    prepare?: (context: BrowserContext) => Promise<unknown>;
  } = {},
) {
  const { app, secretKey } = service.app;
  const program = await startProgram({
    FOYER_BASE_URL: `${service.url}/api/v2`,
    FOYER_APP_KEY: app.appKey,
    FOYER_SECRET_KEY: secretKey,
    ...env,
  });
  if (settings) await service.changeSettings(settings(program.origin));
  const context = await (await sharedBrowser()).newContext({ viewport: { width: 360, height: 800 } });
  await prepare?.(context);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    // A refused call is an expected response.
    const isRefusal = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isRefusal) faults.push(message.text());
  });
  await page.goto(program.url);

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  return {
    context,
    page,
    faults,
    output: program.output,
    button,
    field: (name: string) => page.getByLabel(name),
    cards: (name: string) => page.getByRole('list', { name }).getByRole('listitem'),
    alerts: async () => (await page.getByRole('alert').allTextContents()).join(''),
    signedIn: () => button('Sign out').waitFor(),
    async signOut() {
      await button('Sign out').first().click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    },
    async stop() {
      await context.close();
      await program.stop();
    },
  };
}
