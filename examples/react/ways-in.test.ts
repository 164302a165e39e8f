// Passkeys and the second factor of the app in a real browser, with a virtual authenticator.
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inBrowser, withoutBrowser } from '../../dashboard/test/browser.js';
import { freePort } from '../../server/test/free-port.js';
import { manualClock, type TestService, testService } from '../../server/test/harness.js';
import { secondFactorScenario, stepMilliseconds } from '../../server/test/second-factor-scenario.js';
import { openApp } from './running-app.js';

const ada = 'ada@example.com';
const password = 'correct horse battery staple';
const wait = { timeout: 60_000 };

/** A virtual authenticator answers the request of a field at once; a user does not. */
const withoutSuggestions = `
  const get = navigator.credentials.get.bind(navigator.credentials);
  navigator.credentials.get = (options) =>
    options?.mediation
      ? new Promise((_, reject) =>
          options.signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError'))))
      : get(options);
`;

describe.skipIf(withoutBrowser)(inBrowser('the app with React'), () => {
  let service: TestService;
  let app: Awaited<ReturnType<typeof openApp>>;
  let page: Page;
  let secret = '';
  let recoveryCodes: string[] = [];

  beforeAll(async () => {
    service = await testService({ clock: manualClock(new Date()), port: await freePort() });
    app = await openApp(service, {
      settings: (origin) => ({
        passkeys: { rp_id: 'localhost', rp_name: 'Notes', origins: [origin] },
        second_factor: 'optional',
      }),
      prepare: (context) => context.addInitScript(withoutSuggestions),
    });
    ({ page } = app);
    const cdp = await app.context.newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        ctap2Version: 'ctap2_1',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
  });
  afterAll(async () => {
    await app?.stop();
    await service.stop();
  });

  const { codeOf } = secondFactorScenario(() => service);
  /** A code that was not used. */
  const nextCode = () => {
    service.clock.advance(2 * stepMilliseconds);
    return codeOf(secret);
  };
  const button = (name: string) => app.button(name);
  const dialog = () => page.getByRole('dialog');
  const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true });
  async function signInWithPassword() {
    await app.field('Email').fill(ada);
    await app.field('Password').fill(password);
    await button('Sign in').click();
  }
  async function check() {
    await page.evaluate(axe.source);
    // biome-ignore lint/suspicious/noExplicitAny: axe is a global of the page.
    const { violations } = await page.evaluate(() => (globalThis as any).axe.run());
    expect(
      violations.map(({ id, nodes }: { id: string; nodes: { html: string }[] }) => [id, nodes[0]?.html]),
    ).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  }
  async function shownCodes(): Promise<string[]> {
    await button('I have saved them').waitFor();
    return (await page.locator('[part=recovery-codes] code').allTextContents()).map((code) => code.trim());
  }
  const openAccount = () => button('Account').click();
  const code = () => page.getByLabel('Code', { exact: true });

  test('a user adds a passkey, renames it, and signs in with it', async () => {
    await service.signUp({ email: ada });
    await signInWithPassword();
    await app.signedIn();
    await openAccount();
    await button('Add a passkey').click();
    await expect.poll(() => app.cards('Passkeys').count(), wait).toBe(1);
    await app.cards('Passkeys').getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('Name', { exact: true }).fill('My laptop');
    await app.cards('Passkeys').getByRole('button', { name: 'Save' }).click();
    await app.cards('Passkeys').filter({ hasText: 'My laptop' }).waitFor();
    await check();
    await app.signOut();
    await button('Use a passkey').click();
    await page.getByText(ada).waitFor();
  });

  test('an authenticator app is set up by a QR code, after the sign-in is confirmed', async () => {
    service.clock.advance(360_000);
    await openAccount();
    await button('Set up an authenticator app').click();
    await dialog().waitFor();
    await check();
    await inDialog('Use a passkey').click();
    await page.getByRole('img', { name: 'QR code' }).waitFor();
    secret = (await page.locator('[part=secret]').textContent()) ?? '';
    await check();
    await code().fill(codeOf(secret));
    recoveryCodes = await shownCodes();
    expect(recoveryCodes).toHaveLength(10);
    await check();
    await button('I have saved them').click();
    await page.getByText('Recovery codes left: 10.').waitFor();
  });

  test('a sign-in asks for the second step, for which a recovery code or a passkey will do', async () => {
    await app.signOut();
    await signInWithPassword();
    await page.getByRole('heading', { name: 'Two-step sign-in' }).waitFor();
    await code().fill('000000');
    await expect.poll(app.alerts, wait).toMatch(/^The code is wrong/);
    await check();
    await code().fill(nextCode());
    await app.signedIn();
    await app.signOut();
    await signInWithPassword();
    await button('Use a recovery code').click();
    await page.getByLabel('Recovery code', { exact: true }).fill((recoveryCodes[0] as string).toUpperCase());
    await button('Continue').click();
    await app.signedIn();
    await app.signOut();
    await signInWithPassword();
    await button('Use a passkey').click();
    await app.signedIn();
  });

  test('where the app requires a second factor, a new user stores the recovery codes before the app opens', async () => {
    await service.changeSettings({ second_factor: 'required' });
    await app.signOut();
    await button('Create account').click();
    await page.getByRole('heading', { name: 'Create account' }).waitFor();
    await app.field('Email').fill('grace@example.com');
    await app.field('Password').fill(password);
    await button('Create account').click();
    await page.getByRole('img', { name: 'QR code' }).waitFor();
    secret = (await page.locator('[part=secret]').textContent()) ?? '';
    await code().fill(codeOf(secret));
    expect(await shownCodes()).toHaveLength(10);
    expect(await button('Sign out').count()).toBe(0);
    await button('I have saved them').click();
    await button('Later').click();
    await app.signedIn();
    expect(app.faults).toEqual([]);
  });
});
