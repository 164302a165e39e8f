// /account in a real browser: users sign up, come back from a provider, end a device, download their data and delete their account.
import { readFile } from 'node:fs/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { inBrowser, sharedBrowser, withoutBrowser } from '../../dashboard/test/browser.js';
import { seriousFaults } from '../../dashboard/test/serious-faults.js';
import { codeScenario } from '../../server/test/code-scenario.js';
import { freePort } from '../../server/test/free-port.js';
import { manualClock, type TestService } from '../../server/test/harness.js';
import { contoso, type ProviderScenario, providerScenario } from '../../server/test/provider-scenario.js';

const password = 'correct horse battery staple';

describe.skipIf(withoutBrowser)(inBrowser('the page of an account'), () => {
  let scenario: ProviderScenario;
  let service: TestService;
  const faults: string[] = [];
  beforeAll(async () => {
    scenario = await providerScenario({ clock: manualClock(new Date()), port: await freePort() });
    service = scenario.service;
  });
  afterAll(() => scenario?.stop());

  const urlOf = ({ app } = service.app) => `${service.url}/account?app=${app.appKey}`;

  async function open(url: string, context?: BrowserContext): Promise<Page> {
    const own =
      context ?? (await (await sharedBrowser()).newContext({ viewport: { width: 360, height: 800 } }));
    if (!context) onTestFinished(() => own.close());
    const page = await own.newPage();
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      // A refused call is an expected response.
      const isRefusal = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isRefusal) faults.push(message.text());
    });
    await page.goto(url);
    return page;
  }
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const account = (page: Page) => page.getByRole('heading', { name: 'Your account' });

  async function signIn(page: Page, email: string) {
    await page.getByLabel('Email', { exact: true }).fill(email);
    await page.getByLabel('Password').fill(password);
    await button(page, 'Sign in').click();
    await account(page).waitFor();
  }

  test('a user signs up, confirms the email, signs a device out, and deletes the account in two clicks', async () => {
    const page = await open(urlOf());
    const email = 'ada@example.com';
    expect(await page.title()).toBe(service.app.app.name);
    await button(page, 'Create account').click();
    await page.getByLabel('Email', { exact: true }).fill(email);
    await page.getByLabel('Password').fill(password);
    await button(page, 'Create account').click();
    await page.getByRole('heading', { name: 'Confirm your email' }).waitFor();
    const { mailed, codeOf } = codeScenario(() => service);
    await expect.poll(async () => (await mailed(email, 'verification')).length).toBe(1);
    await page.getByLabel('Code', { exact: true }).fill(await codeOf(email, 'verification'));
    await account(page).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);

    await service.signIn({ email, password });
    await page.reload();
    const devices = page.getByRole('list', { name: 'Devices' }).getByRole('listitem');
    await expect.poll(() => devices.count()).toBe(2);
    await devices.getByRole('button').click();
    await expect.poll(() => devices.count()).toBe(1);

    await button(page, 'Delete account…').click();
    await button(page, `Delete account: ${email}`).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect((await service.signIn({ email, password })).code).toBe('auth/invalid-credential');
    expect(faults).toEqual([]);
  });

  test('a user requests a copy of the data, and downloads it when it is ready', async () => {
    const { uid, email } = await service.signUp({ email: 'lin@example.com', password });
    const page = await open(urlOf());
    await signIn(page, email);
    const section = page.getByRole('region', { name: 'Your data' });
    await section.getByRole('button', { name: 'Request a copy of your data' }).click();
    await section.getByText('We mail you when it is ready.').waitFor();
    await service.deps.queue.runNow();
    await page.reload();
    const download = page.waitForEvent('download');
    await section.getByRole('button', { name: 'Download' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^export-\d{4}-\d\d-\d\d\.json$/);
    const { profile } = JSON.parse(await readFile(await file.path(), 'utf8'));
    expect(profile).toMatchObject({ uid, email });
    await account(page).waitFor();
    expect(faults).toEqual([]);
  });

  test('the QR code of an authenticator app is loaded when one is set up', async () => {
    await service.changeSettings({ second_factor: 'optional' });
    const { email } = await service.signUp({ email: 'kim@example.com', password });
    const page = await open(urlOf());
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    await signIn(page, email);
    expect(loaded.filter((path) => path.includes('qr-code'))).toEqual([]);
    await button(page, 'Set up an authenticator app').click();
    await page.getByRole('img', { name: 'QR code' }).waitFor();
    expect(loaded.filter((path) => path.includes('qr-code'))).toHaveLength(1);
    expect(faults).toEqual([]);
  });

  test('a user comes back from a provider to the page, signed in, without a redirect URI in the settings', async () => {
    await scenario.set({
      redirect_uris: [],
      providers: { [contoso]: { ...scenario.contosoSettings, client_secret: 'a-secret' } },
    });
    const page = await open(urlOf());
    await page.route(`${scenario.c.issuer}/authorize*`, async (route) => {
      const url = route.request().url();
      const claims = { sub: 'grace', email: 'grace@example.com', email_verified: true };
      const parameters = {
        state: new URL(url).searchParams.get('state') ?? '',
        iss: scenario.c.issuer,
        code: scenario.c.grant(url, { claims }),
      };
      const location = `${service.url}/api/v2/auth/providers/${contoso}/callback?${new URLSearchParams(parameters)}`;
      await route.fulfill({ status: 302, headers: { location } });
    });
    await button(page, `Continue with ${scenario.contosoSettings.name}`).click();
    await account(page).waitFor();
    await page.getByText('grace@example.com').first().waitFor();
    expect(page.url()).toBe(urlOf());
    expect(faults).toEqual([]);
  });

  test('users of two apps and the dashboard share the origin, and neither session nor sign-out', async () => {
    const other = await service.newApp();
    await service.signUp({ email: 'one@example.com', password });
    await service.signUp({ email: 'two@example.com', password, appKey: other.app.appKey });
    const first = await open(urlOf());
    await signIn(first, 'one@example.com');
    const second = await open(urlOf(other), first.context());
    await signIn(second, 'two@example.com');
    await button(second, 'Sign out').first().click();
    await second.getByRole('heading', { name: 'Sign in' }).waitFor();
    await first.reload();
    await account(first).waitFor();
    const dashboard = await open(`${service.url}/dashboard`, first.context());
    await dashboard.getByRole('button', { name: 'Sign in' }).first().waitFor();
    expect(faults).toEqual([]);
  });

  test('where the app allows other origins only, its users still sign in here', async () => {
    const app = await service.newApp('Eve <img src=x onerror=alert(1)>');
    await service.changeSettings({ allowed_origins: ['https://app.example.com'] }, app);
    await service.signUp({ email: 'eve@example.com', password, appKey: app.app.appKey });
    const page = await open(urlOf(app));
    await signIn(page, 'eve@example.com');
    await page.getByRole('heading', { name: 'Eve <img src=x onerror=alert(1)>' }).waitFor();
    // The browser itself refuses to make HTML of text.
    expect(
      await page.evaluate(() => {
        try {
          document.body.innerHTML = '<b>';
          return 'done';
        } catch (error) {
          return (error as Error).name;
        }
      }),
    ).toBe('TypeError');
    expect(faults.splice(0)).toEqual([expect.stringContaining("requires 'TrustedHTML' assignment")]);
  });

  test('a reader of German gets the page in German', async () => {
    const context = await (await sharedBrowser()).newContext({ locale: 'de-CH' });
    onTestFinished(() => context.close());
    const page = await open(urlOf(), context);
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    expect(faults).toEqual([]);
  });
});
