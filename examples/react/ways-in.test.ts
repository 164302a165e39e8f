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
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor();
    return (await app.cards('Recovery codes').allTextContents()).map((code) => code.trim());
  }
  const openAccount = () => button('Account').click();

  test('a user adds a passkey, renames it, and signs in with it', async () => {
    await service.signUp({ email: ada });
    await signInWithPassword();
    await app.signedIn();
    await openAccount();
    await button('Add a passkey').click();
    await expect.poll(() => app.cards('Passkeys').count(), wait).toBe(1);
    await button('Rename').click();
    await app.field('Name of the passkey').fill('My laptop');
    await button('Save the name').click();
    await app.cards('Passkeys').filter({ hasText: 'My laptop' }).waitFor();
    await button('Add a passkey').click();
    await expect.poll(app.alerts, wait).toBe('This device has a passkey for your account.');
    await check();
    await app.signOut();
    await button('Sign in with a passkey').click();
    await page.getByText(ada).waitFor();
    await openAccount();
    await page.getByText('This device, signed in with passkey').waitFor();
  });

  test('an authenticator app is set up by a QR code, after the sign-in is confirmed', async () => {
    service.clock.advance(360_000);
    await button('Set up an authenticator app').click();
    await dialog().waitFor();
    await check();
    await inDialog('Cancel').click();
    await expect.poll(app.alerts, wait).toBe('Nothing has changed: you did not confirm that it is you.');
    await button('Set up an authenticator app').click();
    await inDialog('Use a passkey').click();
    await page.getByRole('img', { name: 'QR code' }).waitFor();
    secret = (await page.locator('code').textContent()) ?? '';
    expect(await page.getByRole('link').getAttribute('href')).toContain(`secret=${secret}`);
    await check();
    const field = app.field('Code that the app shows');
    await field.fill('000000');
    await button('Confirm').click();
    await expect.poll(app.alerts, wait).toBe('The code is wrong or has expired.');
    await field.fill(codeOf(secret));
    await button('Confirm').click();
    recoveryCodes = await shownCodes();
    expect(recoveryCodes).toHaveLength(10);
    await check();
    await button('I have stored them').click();
    await page.getByText('10 recovery codes are left.').waitFor();
    expect(await page.getByText(recoveryCodes[0] as string).count()).toBe(0);
  });

  test('a sign-in asks for the second step, also after a reload, and tells a wrong code', async () => {
    await app.signOut();
    await signInWithPassword();
    await page.getByRole('heading', { name: 'Second step' }).waitFor();
    await page.reload();
    const field = app.field('Code of the authenticator app');
    await field.fill('000000');
    await check();
    await button('Continue').click();
    await expect.poll(app.alerts, wait).toBe('The code is wrong or has expired.');
    await field.fill(nextCode());
    await button('Continue').click();
    await app.signedIn();
  });

  test('a recovery code or a passkey takes the place of the authenticator app', async () => {
    await app.signOut();
    await signInWithPassword();
    await button('Use a recovery code').click();
    await app.field('Recovery code').fill((recoveryCodes[0] as string).toUpperCase());
    await button('Continue').click();
    await app.signedIn();
    await app.signOut();
    await signInWithPassword();
    await button('Use a passkey').click();
    await app.signedIn();
    await openAccount();
    await page.getByText('9 recovery codes are left.').waitFor();
  });

  test('a ticket that is used up leads back to the sign-in', async () => {
    await app.signOut();
    await signInWithPassword();
    await page.getByRole('heading', { name: 'Second step' }).waitFor();
    service.clock.advance(600_000);
    await app.field('Code of the authenticator app').fill(codeOf(secret));
    await button('Continue').click();
    await page.getByText('Please start again.').waitFor();
    await signInWithPassword();
    await app.field('Code of the authenticator app').fill(nextCode());
    await button('Continue').click();
    await app.signedIn();
  });

  test('new recovery codes and a removal need the password with a code, once the sign-in is old', async () => {
    service.clock.advance(360_000);
    await openAccount();
    await button('New recovery codes').click();
    await dialog().getByLabel('Password').fill(password);
    await dialog().getByLabel('Code of the authenticator app').fill(nextCode());
    await inDialog('Continue').click();
    expect(await shownCodes()).not.toEqual(recoveryCodes);
    await button('I have stored them').click();
    await button('Remove the authenticator app').click();
    await page.getByText('there is no authenticator app').waitFor();
    await button('Remove My laptop').click();
    await expect.poll(() => app.cards('Passkeys').count(), wait).toBe(0);
  });

  test('where the app requires a second factor, a new user enrolls it within the sign-up', async () => {
    await service.changeSettings({ second_factor: 'required' });
    await app.signOut();
    await button('Create an account').click();
    await app.field('First name').fill('Grace');
    await app.field('Email').fill('grace@example.com');
    await app.field('Password').fill(password);
    await button('Create account').click();
    await page.getByRole('img', { name: 'QR code' }).waitFor();
    secret = (await page.locator('code').textContent()) ?? '';
    await app.field('Code that the app shows').fill(codeOf(secret));
    await button('Confirm').click();
    expect(await shownCodes()).toHaveLength(10);
    await button('I have stored them').click();
    await app.signedIn();
    expect(app.faults).toEqual([]);
  });
});
