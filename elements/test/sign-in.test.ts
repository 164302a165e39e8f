// `<foyer-sign-in>`: every way in, in a real browser on the real service.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inBrowser, withoutBrowser } from '../../dashboard/test/browser.js';
import { newEmail, wrongCode } from '../../server/test/code-scenario.js';
import {
  type ElementsScenario,
  elementsScenario,
  expectSignedIn,
  newAuthenticator,
  password,
  press,
  signIn,
  signUp,
} from './elements-scenario.js';

describe.skipIf(withoutBrowser)(inBrowser('the sign-in screen'), () => {
  let scenario: ElementsScenario;
  beforeAll(async () => {
    scenario = await elementsScenario();
  });
  afterAll(() => scenario.stop());

  test.each(['plain', 'react', 'vue'] as const)(
    'signs up on a page of %s, confirms the email, and tells the page',
    async (host) => {
      const page = await scenario.open({ host });
      const email = newEmail();
      await signUp(page, email);
      await page.getByRole('heading', { name: 'Confirm your email' }).waitFor();
      await page.getByLabel('Code').fill(await scenario.codes.codeOf(email, 'verification'));
      await expectSignedIn(page, email);
      await press(page, 'Sign out');
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await signIn(page, email);
      await page.getByRole('heading', { name: 'Your account' }).waitFor();
      expect(await page.evaluate(() => events.map(({ type }) => type))).toEqual([
        'foyer-signed-in',
        'foyer-signed-out',
        'foyer-signed-in',
      ]);
    },
  );

  test('a double click signs up once, and the sign-in is told of after the email is confirmed', async () => {
    const page = await scenario.open();
    const email = newEmail();
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST')
        sent.push(new URL(request.url()).pathname.replace('/api/v2/auth/', ''));
    });
    await press(page, 'Create account');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Create account' }).dblclick();
    await page.getByRole('heading', { name: 'Confirm your email' }).waitFor();
    expect(await page.evaluate(() => events)).toEqual([]);
    await page.getByLabel('Code').fill(await scenario.codes.codeOf(email, 'verification'));
    await expectSignedIn(page, email);
    expect(sent.filter((path) => /sign-up|verification/.test(path))).toEqual([
      'sign-up',
      'email/verification/send',
      'email/verification/confirm',
    ]);
  });

  test('a new user may confirm the email later', async () => {
    const page = await scenario.open();
    const email = newEmail();
    await signUp(page, email);
    await press(page, 'Later');
    await expectSignedIn(page, email);
  });

  test('a wrong password, a taken email and a weak password have their sentences', async () => {
    const page = await scenario.open();
    const { email } = await scenario.service.signUp();
    await signIn(page, email, 'not the password');
    await expect.poll(() => page.getByRole('alert').innerText()).toBe('The email or the password is wrong.');
    await signUp(page, email);
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('already an account');
    await page.getByLabel('Password').fill('password');
    await press(page, 'Create account');
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('too easy to guess');
  });

  test('an emailed code is pasted, and signs in by itself', async () => {
    const page = await scenario.open();
    const email = newEmail();
    await page.getByLabel('Email').fill(email);
    await press(page, 'Email me a code');
    await page.getByText(`We sent a code to ${email}.`).waitFor();
    const field = page.getByLabel('Code');
    expect(await field.getAttribute('autocomplete')).toBe('one-time-code');
    const code = await scenario.codes.codeOf(email, 'sign_in');
    await field.fill(wrongCode(code));
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('The code is wrong');
    await field.fill(`${code.slice(0, 3)} ${code.slice(3)}\n`);
    await expectSignedIn(page, email);
  });

  test('an expired code leads to a new one', async () => {
    const page = await scenario.open();
    const email = newEmail();
    await page.getByLabel('Email').fill(email);
    await press(page, 'Email me a code');
    await page.getByLabel('Code').waitFor();
    const code = await scenario.codes.codeOf(email, 'sign_in');
    await scenario.service.advance(601_000);
    await page.getByLabel('Code').fill(code);
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('The code has expired');
    await press(page, 'Send a new code');
    await page.getByText('A new code is on its way.').waitFor();
    await page.getByLabel('Code').fill(await scenario.codes.codeOf(email, 'sign_in'));
    await expectSignedIn(page, email);
  });

  test('the link of the mail signs in where it is opened, and in the tab that waits for the code', async () => {
    const page = await scenario.open();
    const email = newEmail();
    await page.getByLabel('Email').fill(email);
    await press(page, 'Email me a code');
    await page.getByText('You can also open the link in that mail.').waitFor();
    const [mail] = await scenario.codes.mailed(email, 'sign_in');
    const link = /http:\/\/localhost:\d+(\/plain\?mode=sign_in&\S+)/.exec(mail!.text)?.[1];
    const other = await scenario.open({ beside: page, path: link! });
    await expectSignedIn(other, email);
    expect(other.url()).toBe(`${scenario.origin}/plain`);
    // It has the session of the other tab, and has not asked for the user.
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    expect(await page.evaluate(() => events)).toMatchObject([{ type: 'foyer-signed-in' }]);
  });

  test('a link for another user asks before it signs in', async () => {
    const page = await scenario.open();
    const { email } = await scenario.service.signUp();
    await signIn(page, email);
    await expectSignedIn(page, email);
    const invited = newEmail();
    const code = await scenario.codes.signInCode(invited);
    const path = `/plain?mode=sign_in&email=${encodeURIComponent(invited)}&code=${code}`;
    const other = await scenario.open({ beside: page, path });
    await other.getByRole('heading', { name: `Sign in as ${invited}?` }).waitFor();
    await other.getByText(`You are signed in as ${email}.`).waitFor();
    expect(await other.evaluate(() => events)).toEqual([]);
    await press(other, 'Sign in');
    await expectSignedIn(other, invited);
  });

  test('a link of the user who is signed in asks nothing', async () => {
    const page = await scenario.open();
    const { email } = await scenario.service.signUp();
    await signIn(page, email);
    await expectSignedIn(page, email);
    const code = await scenario.codes.signInCode(email);
    const path = `/plain?mode=sign_in&email=${encodeURIComponent(email)}&code=${code}`;
    const other = await scenario.open({ beside: page, path });
    await expectSignedIn(other, email);
  });

  describe('an element that the page keeps, and shows again,', () => {
    const keep = (page: Page) =>
      page.evaluate(() => {
        Object.assign(globalThis, { kept: document.querySelector('foyer-sign-in') });
      });
    const showAgain = async (page: Page) => {
      await page.evaluate(() => {
        events.length = 0;
        document.querySelector('main')!.replaceChildren((globalThis as unknown as { kept: Element }).kept);
      });
      await expect.poll(() => page.evaluate(() => events.length)).toBe(1);
      return page.evaluate(() => events[0]);
    };

    test('tells the page of the user who is signed in', async () => {
      const page = await scenario.open();
      const { email } = await scenario.service.signUp();
      await keep(page);
      await signIn(page, email);
      await expectSignedIn(page, email);
      expect(await showAgain(page)).toMatchObject({ type: 'foyer-signed-in', detail: { user: { email } } });
    });

    test('says of no other user that the account is new, and mails none a code', async () => {
      const page = await scenario.open();
      await keep(page);
      await signUp(page, newEmail());
      await press(page, 'Later');
      await page.getByRole('heading', { name: 'Your account' }).waitFor();
      expect(await page.evaluate(() => events[0]?.detail)).toMatchObject({ isNewUser: true });
      await press(page, 'Sign out');
      const { email } = await scenario.service.signUp();
      await signIn(page, email);
      await page.getByRole('heading', { name: 'Your account' }).waitFor();
      const { detail } = (await showAgain(page))!;
      expect(detail).toMatchObject({ user: { email } });
      expect((detail as { isNewUser?: boolean }).isNewUser).toBeUndefined();
      expect(await scenario.codes.mailed(email, 'verification')).toEqual([]);
    });
  });

  test('a forgotten password is set anew, and signs in', async () => {
    const page = await scenario.open();
    const { email } = await scenario.service.signUp();
    await press(page, 'Forgot your password?');
    await page.getByLabel('Email').fill(email);
    await press(page, 'Send code');
    await page.getByLabel('Code').fill(await scenario.codes.codeOf(email, 'reset'));
    await page.getByLabel('New password').fill('another horse battery staple');
    await press(page, 'Save');
    await page.getByText('Your new password is set.').waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(email);
    await page.getByLabel('Password').fill('another horse battery staple');
    await press(page, 'Sign in');
    await expectSignedIn(page, email);
  });

  test('a passkey signs in by the button and in the suggestions of the email', async () => {
    const page = await scenario.open();
    await newAuthenticator(page);
    const { email } = await scenario.service.signUp();
    await signIn(page, email);
    await press(page, 'Add a passkey');
    await page.getByRole('button', { name: /^Remove: / }).waitFor();
    await press(page, 'Sign out');
    // The virtual authenticator answers the request of the field at once.
    await expect
      .poll(() => page.evaluate(() => events.map(({ type }) => type)))
      .toEqual(['foyer-signed-in', 'foyer-signed-out', 'foyer-signed-in']);
    await page.evaluate(() => {
      const { credentials } = navigator;
      const get = credentials.get.bind(credentials);
      // A user who does not choose from the suggestions.
      credentials.get = (given) => (given?.mediation === 'conditional' ? new Promise(() => {}) : get(given));
    });
    await press(page, 'Sign out');
    await press(page, 'Use a passkey');
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
  });

  test('a provider signs in by redirect', async () => {
    const page = await scenario.open();
    const email = newEmail();
    await scenario.signInAtProvider(page.context(), { sub: email, email, email_verified: true });
    await press(page, 'Continue with Contoso');
    await expectSignedIn(page, email);
    expect(await page.evaluate(() => events[0]?.detail)).toMatchObject({ isNewUser: true });
    expect(page.url()).toBe(`${scenario.origin}/plain`);
  });

  test('a page that is no redirect URI of the app says so, with the reason in the console', async () => {
    const page = await scenario.open();
    const reported = page.waitForEvent('console', (message) => message.text().includes('redirect_uris'));
    await page.evaluate(() => {
      document.querySelector('foyer-sign-in')!.redirectUri = 'https://app.example.com/elsewhere';
    });
    await press(page, 'Continue with Contoso');
    await expect.poll(() => page.getByRole('alert').innerText()).toBe('Sign-in is not set up for this page.');
    expect(scenario.reported((await reported).text())).toBe(true);
  });

  test('a provider signs in by an ID token of the app', async () => {
    const page = await scenario.open();
    const email = newEmail();
    const id_token = await scenario.providers.c.idToken({ claims: { sub: email, email, nonce: 'a nonce' } });
    await page.evaluate(
      (proof) => {
        document.querySelector('foyer-sign-in')!.idToken = async () => proof;
      },
      { id_token, nonce: 'a nonce' },
    );
    await press(page, 'Continue with Contoso');
    await expectSignedIn(page, email);
  });

  describe('the second step', () => {
    test('takes a code of the authenticator app, or a recovery code', async () => {
      await scenario.service.changeSettings({ second_factor: 'optional' });
      const user = await scenario.factors.enrolledUser();
      const page = await scenario.open();
      await signIn(page, user.email);
      await page.getByText('Enter the code that your authenticator app shows.').waitFor();
      expect(await page.evaluate(() => events)).toEqual([]);
      await page.getByLabel('Code').fill(wrongCode(scenario.factors.codeOf(user.secret)));
      await expect.poll(() => page.getByRole('alert').innerText()).toContain('The code is wrong');
      await page.getByLabel('Code').fill(scenario.factors.codeOf(user.secret));
      await expectSignedIn(page, user.email);
      await press(page, 'Sign out');
      await signIn(page, user.email);
      await press(page, 'Use a recovery code');
      await page.getByLabel('Recovery code').fill(user.recoveryCodes[0]!);
      await press(page, 'Continue');
      await page.getByRole('heading', { name: 'Your account' }).waitFor();
    });

    test('that took too long leads back to the start', async () => {
      const user = await scenario.factors.enrolledUser();
      const page = await scenario.open();
      await signIn(page, user.email);
      await page.getByLabel('Code').waitFor();
      await scenario.service.advance(601_000);
      await page.getByLabel('Code').fill(scenario.factors.codeOf(user.secret));
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(await page.getByRole('alert').innerText()).toBe('That took too long. Sign in again.');
    });

    test('that the app requires is set up within the sign-in', async () => {
      await scenario.service.changeSettings({ second_factor: 'optional' });
      const { email } = await scenario.service.signUp();
      await scenario.service.changeSettings({ second_factor: 'required' });
      const page = await scenario.open();
      await signIn(page, email);
      await page.getByRole('img', { name: 'QR code' }).waitFor();
      const secret = await page.locator('code').innerText();
      await page.getByRole('textbox', { name: 'Code' }).fill(scenario.factors.codeOf(secret));
      await page.getByRole('heading', { name: 'Recovery codes' }).waitFor();
      expect(await page.getByRole('listitem').count()).toBe(10);
      expect(await page.evaluate(() => events)).toEqual([]);
      await press(page, 'I have saved them');
      await expectSignedIn(page, email);
      await scenario.service.changeSettings({ second_factor: 'off' });
    });
  });

  test('without a connection says so, and goes on when it is back', async () => {
    const { email } = await scenario.service.signUp();
    const page = await scenario.open();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.context().setOffline(true);
    await page.getByText('You are offline.').waitFor();
    await signIn(page, email);
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('cannot be reached');
    await page.context().setOffline(false);
    await expect.poll(() => page.getByRole('alert').innerText()).toBe('');
    await press(page, 'Sign in');
    await expectSignedIn(page, email);
  });

  test('follows the settings of the app', async () => {
    await scenario.service.changeSettings({ sign_up: 'closed', passkeys: null });
    const page = await scenario.open();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    const names = await page.getByRole('button').allInnerTexts();
    expect(names).toEqual([
      'Forgot your password?',
      'Sign in',
      'Email me a code',
      'Continue with Provider B',
      'Continue with Contoso',
    ]);
    await scenario.service.changeSettings({
      sign_up: 'open',
      passkeys: { rp_id: 'localhost', rp_name: 'Test', origins: [scenario.origin] },
    });
  });
});
