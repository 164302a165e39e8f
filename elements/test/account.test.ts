// `<foyer-account>`: what users change of their account, in a real browser on the real service.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inBrowser, withoutBrowser } from '../../dashboard/test/browser.js';
import { newEmail } from '../../server/test/code-scenario.js';
import {
  type ElementsScenario,
  elementsScenario,
  expectSignedIn,
  newAuthenticator,
  password,
  press,
  signIn,
} from './elements-scenario.js';

describe.skipIf(withoutBrowser)(inBrowser('the account screen'), () => {
  let scenario: ElementsScenario;
  beforeAll(async () => {
    scenario = await elementsScenario();
    await scenario.service.changeSettings({ second_factor: 'optional' });
  });
  afterAll(() => scenario.stop());

  async function signedIn(given: Parameters<ElementsScenario['open']>[0] = {}) {
    const user = await scenario.service.signUp();
    const page = await scenario.open(given);
    await signIn(page, user.email);
    await expectSignedIn(page, user.email);
    return { page, ...user };
  }
  const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
  /** Later than the service calls a sign-in recent. */
  const notRecently = () => scenario.service.advance(360_000);

  test('the name is stored', async () => {
    const { page, tokens } = await signedIn();
    const profile = section(page, 'Profile');
    await profile.getByLabel('First name').fill('Ada');
    await profile.getByLabel('Last name').fill('Lovelace');
    await press(profile, 'Save');
    await profile.getByText('Saved.').waitFor();
    const { data } = await scenario.service.call('GET', '/me', { token: tokens.access_token });
    expect(data).toMatchObject({ first_name: 'Ada', last_name: 'Lovelace' });
  });

  test('the email is confirmed, and changed to another one', async () => {
    const { page, email } = await signedIn();
    const part = section(page, 'Email');
    await part.getByText('Not confirmed').waitFor();
    await press(part, `Confirm: ${email}`);
    await part.getByLabel('Code').waitFor();
    await part.getByLabel('Code').fill(await scenario.codes.codeOf(email, 'verification'));
    await part.getByText('Your email is confirmed.').waitFor();
    await press(part, 'Change email');
    const next = newEmail();
    await part.getByLabel('New email').fill(next);
    await press(part, 'Send code');
    await part.getByLabel('Code').waitFor();
    await part.getByLabel('Code').fill(await scenario.codes.codeOf(next, 'email_change'));
    await part.getByText(next).waitFor();
    expect(await part.getByText('Not confirmed').count()).toBe(0);
  });

  test('the password is changed with the present one, and other devices are signed out', async () => {
    const { page, email } = await signedIn();
    const part = section(page, 'Password');
    await press(part, 'Change password');
    await part.getByLabel('Current password').fill('not the password');
    await part.getByLabel('New password').fill('another horse battery staple');
    await press(part, 'Save');
    await expect.poll(() => part.getByRole('alert').innerText()).toBe('The password is wrong.');
    await part.getByLabel('Current password').fill(password);
    await press(part, 'Save');
    await part.getByText('Your password is changed.').waitFor();
    await press(page, 'Sign out');
    await signIn(page, email, 'another horse battery staple');
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
  });

  test('a device is signed out, and then all others', async () => {
    const { page, email } = await signedIn();
    const devices = section(page, 'Devices');
    for (const name of ['Phone', 'Tablet', 'Watch', 'Car'])
      await scenario.service.signIn({ email, password }, { headers: { 'x-client-device': name } });
    await page.reload();
    await press(devices, 'Sign out: Watch');
    await expect.poll(() => devices.getByText('Watch').count()).toBe(0);
    // The session of the sign-up, too.
    expect(await devices.getByRole('listitem').count()).toBe(5);
    await press(devices, /^Sign out all other devices/);
    await expect.poll(() => devices.getByRole('listitem').count()).toBe(1);
    await devices.getByText('This device').waitFor();
  });

  test('devices that were signed out elsewhere count as signed out', async () => {
    const { page, email } = await signedIn();
    const devices = section(page, 'Devices');
    const tokens = new Map<string, string>();
    for (const name of ['Phone', 'Tablet', 'Watch']) {
      const { data } = await scenario.service.signIn(
        { email, password },
        { headers: { 'x-client-device': name } },
      );
      tokens.set(name, data.access_token);
    }
    await page.reload();
    await devices.getByText('Watch').waitFor();
    const end = (name: string) =>
      scenario.service.call('POST', '/auth/sign-out', { token: tokens.get(name)! });
    await end('Watch');
    await press(devices, 'Sign out: Watch');
    await expect.poll(() => devices.getByText('Watch').count()).toBe(0);
    // One that is ended after the list of all was read.
    await page.route(/\/me\/sessions\?.*limit=100/, async (route) => {
      const response = await route.fetch();
      await end('Tablet');
      await route.fulfill({ response });
    });
    await press(devices, /^Sign out all other devices/);
    await expect.poll(() => devices.getByRole('listitem').count()).toBe(1);
    expect(await devices.getByRole('alert').innerText()).toBe('');
  });

  test('a passkey that was removed elsewhere counts as removed', async () => {
    const { page } = await signedIn();
    await newAuthenticator(page);
    const part = section(page, 'Passkeys');
    await press(part, 'Add a passkey');
    await part.getByRole('button', { name: /^Remove: / }).waitFor();
    const other = await scenario.open({ beside: page });
    await press(section(other, 'Passkeys'), /^Remove: /);
    await expect.poll(() => section(other, 'Passkeys').getByRole('listitem').count()).toBe(0);
    await press(part, /^Remove: /);
    await expect.poll(() => part.getByRole('listitem').count()).toBe(0);
    expect(await part.getByRole('alert').innerText()).toBe('');
  });

  test('every form with a password names its user to password managers', async () => {
    const { page, email } = await signedIn();
    await press(page, 'Change password');
    await notRecently();
    await press(page, 'Set up an authenticator app');
    await page.getByRole('dialog').waitFor();
    const forms = page.locator('form:has(input[type=password])');
    expect(await forms.count()).toBe(2);
    for (const form of await forms.all())
      expect(await form.locator('input[autocomplete=username]').inputValue({ timeout: 5_000 })).toBe(email);
  });

  test('passkeys are added, renamed and removed', async () => {
    const { page } = await signedIn();
    await newAuthenticator(page);
    const part = section(page, 'Passkeys');
    await press(part, 'Add a passkey');
    await press(part, /^Rename: /);
    await part.getByLabel('Name').fill('My laptop');
    await press(part, 'Save');
    await part.getByText('My laptop').waitFor();
    await press(part, 'Add a passkey');
    await expect.poll(() => part.getByRole('alert').innerText()).toContain('already has a passkey');
    await press(part, 'Remove: My laptop');
    await expect.poll(() => part.getByRole('listitem').count()).toBe(0);
  });

  test('an authenticator app is set up, gets new recovery codes, and is removed', async () => {
    const { page } = await signedIn();
    const part = section(page, 'Two-step sign-in');
    await press(part, 'Set up an authenticator app');
    await part.getByRole('img', { name: 'QR code' }).waitFor();
    const secret = await part.locator('code').innerText();
    await part.getByRole('textbox', { name: 'Code' }).fill(scenario.factors.codeOf(secret));
    await expect.poll(() => part.getByRole('listitem').count()).toBe(10);
    await press(part, 'I have saved them');
    await part.getByText('Recovery codes left: 10.').waitFor();
    await press(part, 'New recovery codes');
    await expect.poll(() => part.getByRole('listitem').count()).toBe(10);
    const [recoveryCode] = await part.getByRole('listitem').allInnerTexts();
    await press(part, 'I have saved them');
    await notRecently();
    await press(part, 'Remove the authenticator app');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Password').fill(password);
    await dialog.getByLabel('Code of the authenticator app').fill(recoveryCode!);
    await press(dialog, 'Confirm');
    await part.getByRole('button', { name: 'Set up an authenticator app' }).waitFor();
    expect(await part.getByRole('alert').innerText()).toBe('');
  });

  test('where the QR code cannot be loaded, the key alone sets up an authenticator app', async () => {
    const { page } = await signedIn();
    await page.route('**/qr-code-*.js', (route) => route.abort());
    const part = section(page, 'Two-step sign-in');
    await press(part, 'Set up an authenticator app');
    const secret = await part.locator('code').innerText();
    expect(await part.getByRole('img').count()).toBe(0);
    await part.getByRole('textbox', { name: 'Code' }).fill(scenario.factors.codeOf(secret));
    await expect.poll(() => part.getByRole('listitem').count()).toBe(10);
  });

  test('a copy of the data is requested after a recent sign-in, once a day, and is ready until a date', async () => {
    const { page, email } = await signedIn();
    const part = section(page, 'Your data');
    await notRecently();
    await press(part, 'Request a copy of your data');
    const dialog = page.getByRole('dialog', { name: 'Is it you?' });
    await dialog.getByLabel('Password').fill(password);
    await press(dialog, 'Confirm');
    await part.getByText('We mail you when it is ready.').waitFor();
    expect(await part.getByRole('button').count()).toBe(0);
    await scenario.service.deps.queue.runNow();
    expect(await scenario.service.mailbox(email)).toContainEqual(
      expect.objectContaining({ subject: expect.stringMatching(/^The data of your .* is ready$/) }),
    );
    await page.reload();
    await part.getByText(/^Your copy is ready. You can download it until \w+ \d/).waitFor();
    await press(part, 'Request a copy of your data');
    await expect
      .poll(() => part.getByRole('alert').innerText())
      .toMatch(/^You can request a copy once a day\. Try again in \d+ hours\.$/);
    await part.getByRole('button', { name: 'Download' }).waitFor();
  });

  test('a provider is linked by redirect, and unlinked', async () => {
    const { page } = await signedIn();
    const email = newEmail();
    await scenario.signInAtProvider(page.context(), { sub: email, email, email_verified: true });
    const part = section(page, 'Linked accounts');
    await press(part, 'Link: Contoso');
    await part.getByText(email).waitFor();
    expect(page.url()).toBe(`${scenario.origin}/plain`);
    await press(part, 'Unlink: Contoso');
    await part.getByRole('button', { name: 'Link: Contoso' }).waitFor();
  });

  test('an account at a provider that belongs to another user is refused in words', async () => {
    const { service, providers } = scenario;
    const claims = { sub: newEmail(), email: newEmail() };
    const id_token = await providers.c.idToken({ claims: { ...claims, nonce: 'a nonce' } });
    const body = { id_token, nonce: 'a nonce' };
    const { status } = await service.call('POST', '/auth/providers/contoso', { body });
    expect(status).toBe(200);
    const { page } = await signedIn();
    await scenario.signInAtProvider(page.context(), claims);
    await press(section(page, 'Linked accounts'), 'Link: Contoso');
    await page.getByText('That account is linked to another user.').waitFor();
    await section(page, 'Linked accounts').getByRole('button', { name: 'Link: Contoso' }).waitFor();
  });

  describe('a change that needs a recent sign-in', () => {
    test('asks for the password, and is then made', async () => {
      const { page, email } = await signedIn();
      await notRecently();
      const part = section(page, 'Delete account');
      await press(part, 'Delete account…');
      await press(part, `Delete account: ${email}`);
      const dialog = page.getByRole('dialog', { name: 'Is it you?' });
      await dialog.getByLabel('Password').fill('not the password');
      await press(dialog, 'Confirm');
      await expect.poll(() => dialog.getByRole('alert').innerText()).toBe('The password is wrong.');
      await dialog.getByLabel('Password').fill(password);
      await press(dialog, 'Confirm');
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(await page.evaluate(() => events.at(-1))).toEqual({
        type: 'foyer-signed-out',
        detail: { reason: 'deleted' },
      });
      expect((await scenario.service.signIn({ email, password })).code).toBe('auth/invalid-credential');
    });

    test('takes an emailed code, and a passkey', async () => {
      const { page, email } = await signedIn();
      await newAuthenticator(page);
      const part = section(page, 'Passkeys');
      await notRecently();
      await press(part, 'Add a passkey');
      const dialog = page.getByRole('dialog');
      await press(dialog, 'Email me a code');
      await dialog.getByLabel('Code').waitFor();
      await dialog.getByLabel('Code').fill(await scenario.codes.codeOf(email, 'sign_in'));
      await part.getByRole('button', { name: /^Remove: / }).waitFor();
      await notRecently();
      await press(part, /^Remove: /);
      await press(dialog, 'Use a passkey');
      await expect.poll(() => part.getByRole('listitem').count()).toBe(0);
    });

    test('is not made when the dialog is closed', async () => {
      const { page } = await signedIn();
      await notRecently();
      const part = section(page, 'Email');
      await press(part, 'Change email');
      await part.getByLabel('New email').fill(newEmail());
      await press(part, 'Send code');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => part.getByRole('alert').innerText()).toContain('Nothing was changed');
      expect(await page.getByRole('dialog').count()).toBe(0);
    });
  });

  describe('another user who signs in in another tab', () => {
    async function signInElsewhere(page: Page): Promise<string> {
      const { email } = await scenario.service.signUp();
      const other = await scenario.open({ beside: page });
      await other.getByRole('heading', { name: 'Your account' }).waitFor();
      await other.evaluate(
        (credentials) => document.querySelector('foyer-account')!.client!.auth.signIn(credentials),
        { email, password },
      );
      return email;
    }
    const emailOf = (page: Page) => section(page, 'Email').getByText(/@/);

    test('replaces the account at once, also where it cannot be read', async () => {
      const { page, email } = await signedIn();
      await page.route('**/api/v2/me', (route) => route.abort());
      const next = await signInElsewhere(page);
      await page.getByText('cannot be reached').waitFor();
      expect(await page.getByText(email).count()).toBe(0);
      await page.unroute('**/api/v2/me');
      await press(page, 'Try again');
      await emailOf(page).waitFor();
      expect(await emailOf(page).innerText()).toContain(next);
      expect(await page.evaluate(() => events.map(({ type }) => type))).toEqual(['foyer-signed-in']);
    });

    test('is not the user whose account was about to be deleted', async () => {
      const { page, email } = await signedIn();
      const deleted: string[] = [];
      page.on('request', (request) => request.method() === 'DELETE' && deleted.push(request.url()));
      await notRecently();
      const part = section(page, 'Delete account');
      await press(part, 'Delete account…');
      await press(part, `Delete account: ${email}`);
      await page.getByRole('dialog', { name: 'Is it you?' }).waitFor();
      deleted.length = 0;
      const next = await signInElsewhere(page);
      await section(page, 'Email').getByText(next).waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
      expect(await part.getByRole('button').allInnerTexts()).toEqual(['Delete account…']);
      expect(deleted).toEqual([]);
    });

    test('is not asked to confirm a change that was refused to the former one', async () => {
      const { page, email } = await signedIn();
      await notRecently();
      const held = await holding(page, 'DELETE');
      const part = section(page, 'Delete account');
      await press(part, 'Delete account…');
      await press(part, `Delete account: ${email}`);
      await held.untilHeld();
      const next = await signInElsewhere(page);
      await section(page, 'Email').getByText(next).waitFor();
      await held.release();
      expect(await page.getByRole('dialog').count()).toBe(0);
    });

    test('is shown after a late response for the former one', async () => {
      const { page } = await signedIn();
      const held = await holding(page, 'PATCH');
      await section(page, 'Profile').getByLabel('First name').fill('Ada');
      await press(section(page, 'Profile'), 'Save');
      await held.untilHeld();
      const next = await signInElsewhere(page);
      await section(page, 'Email').getByText(next).waitFor();
      await held.release();
      expect(await emailOf(page).innerText()).toContain(next);
      expect(await section(page, 'Profile').getByLabel('First name').inputValue()).toBe('');
    });

    test('is shown when the account of the former one is still being read', async () => {
      const { page } = await signedIn();
      const held = await holding(page, 'GET');
      await page.reload();
      await held.untilHeld();
      const next = await signInElsewhere(page);
      await held.release();
      await emailOf(page).waitFor();
      expect(await emailOf(page).innerText()).toContain(next);
    });

    /** Holds the response to the first call of `/me` with the method back. */
    async function holding(page: Page, method: string) {
      let letGo = () => {};
      const isReleased = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      let isHeld = false;
      let handled: Promise<unknown> | undefined;
      await page.route('**/api/v2/me', async (route) => {
        if (route.request().method() !== method || handled) return route.continue();
        handled = page.waitForResponse((given) => given.request() === route.request());
        const response = await route.fetch();
        isHeld = true;
        await isReleased;
        await route.fulfill({ response });
      });
      const untilHeld = () => expect.poll(() => isHeld).toBe(true);
      return {
        untilHeld,
        async release() {
          await untilHeld();
          letGo();
          await handled;
          // The page handles it.
          await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
        },
      };
    }
  });

  test('a session that was ended elsewhere leads to the sign-in', async () => {
    const { page, email } = await signedIn();
    const other = await scenario.service.signIn({ email, password });
    await scenario.service.call('POST', '/auth/sign-out-all', { token: other.data.access_token });
    await press(section(page, 'Profile'), 'Save');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate(() => events.at(-1)?.detail)).toEqual({ reason: 'revoked' });
  });
});
