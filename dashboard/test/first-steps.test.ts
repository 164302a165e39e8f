// The path of docs/first-steps.md, from the output of the first start to a value that an app reads, with its commands.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startOpenIdProvider } from '../../examples/openid-provider.js';
import { type FoyerProcess, startFoyer } from '../../server/test/foyer-process.js';
import { freePort } from '../../server/test/free-port.js';
import { inBrowser, sharedBrowser, withoutBrowser } from './browser.ts';

const guide = fileURLToPath(new URL('../../docs/first-steps.md', import.meta.url));
const skipped = withoutBrowser || !existsSync('/usr/bin/curl');

describe.skipIf(skipped)(inBrowser('the first steps'), () => {
  let provider: Awaited<ReturnType<typeof startOpenIdProvider>>;
  let dataDir: string;
  let service: FoyerProcess;
  let page: Page;
  beforeAll(async () => {
    provider = await startOpenIdProvider();
    dataDir = await mkdtemp(join(tmpdir(), 'foyer-first-steps-'));
    service = await startFoyer({
      PORT: String(await freePort()),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      PROVIDER_A_ISSUER: provider.issuer,
      PROVIDER_A_JWKS_URL: `${provider.issuer}/jwks`,
    });
    page = await (await sharedBrowser()).newPage({ reducedMotion: 'reduce' });
  });
  afterAll(async () => {
    await page.close();
    await service.kill('SIGTERM');
    provider.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const open = (name: string) =>
    page.getByRole('navigation', { name: 'App' }).getByRole('link', { name }).click();

  /** Runs the block of the guide that contains the text, after the first step of the page Quick start. */
  async function run(containing: string, start: string): Promise<string> {
    const text = await readFile(guide, 'utf8');
    const blocks = [...text.matchAll(/```sh\n(.*?)```/gs)].map((match) => match[1] as string);
    const block = blocks.find((each) => each.includes(containing)) as string;
    const script = `${start}\n${block.replaceAll('http://127.0.0.1:4000', provider.issuer)}`;
    return (await promisify(execFile)('bash', ['-c', script], { timeout: 60_000 })).stdout;
  }

  test('lead from the printed link to a user who signed in with the provider, and to a published value', async () => {
    await expect.poll(() => service.stderr() + service.stdout()).toContain('to create the first owner');
    const link = /http:\S+\/dashboard\/invitation#\S+/.exec(service.stderr() + service.stdout());
    await page.goto(link?.[0] as string);
    await field('Email').fill('olive@example.com');
    await page.locator('input[type=password]').fill('a long password of an owner');
    await button('Create owner').click();

    await button('Create app').first().click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Orchard');
    await page.getByRole('dialog').getByRole('button', { name: 'Create app' }).click();
    await page.getByRole('heading', { name: 'Orchard' }).waitFor();

    await open('Settings');
    await page.getByRole('navigation', { name: 'Sections' }).getByText('Google').click();
    await field('Client ids for the web').fill('web.client');
    await button('Save').click();
    await button('Test').click();
    await page.getByText('No fault was found').waitFor();

    await open('Quick start');
    const start = await page.getByRole('region', { name: '1. Create a client' }).locator('pre').innerText();
    const signedIn = JSON.parse(await run('/auth/provider-a', start));
    expect(signedIn.data).toMatchObject({ is_new_user: true, user: { email: 'ada@provider.example' } });

    await open('Users');
    await page.getByRole('link', { name: 'ada@provider.example' }).click();
    await page.getByRole('tab', { name: 'Devices', exact: true }).click();
    await page.getByText(/^Google ·/).waitFor();

    await open('Remote Config');
    await button('telegram_url').click();
    await field('Value').fill('https://t.me/orchard');
    await button('Done').click();
    await button('Review 1 change').click();
    await button('Publish').click();
    await page.getByText('Version 2 is published.').waitFor();
    const config = JSON.parse(await run('"$API/config"', start));
    expect(config.data.telegram_url).toBe('https://t.me/orchard');
  });
});
