// How the elements look and can be used: both colours, narrow and wide, from right to left, by keyboard alone, and for axe.
import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inBrowser, withoutBrowser } from '../../dashboard/test/browser.js';
import { seriousFaults } from '../../dashboard/test/serious-faults.js';
import { newEmail } from '../../server/test/code-scenario.js';
import {
  type ElementsScenario,
  elementsScenario,
  expectSignedIn,
  password,
  press,
  signIn,
} from './elements-scenario.js';

/** A folder for pictures of every screen, to look at. */
const { FOYER_ELEMENTS_PICTURES: pictures } = process.env;

describe.skipIf(withoutBrowser)(inBrowser('the elements'), () => {
  let scenario: ElementsScenario;
  let user: { email: string; password: string };
  beforeAll(async () => {
    scenario = await elementsScenario();
    await scenario.service.changeSettings({ second_factor: 'optional' });
    user = await scenario.service.signUp({ email: `${'long'.repeat(12)}@example.com` });
    await scenario.service.signIn(user, { headers: { 'x-client-device': 'A phone with quite a long name' } });
    await scenario.service.signIn(user, {
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux) Firefox/140.0' },
    });
    if (pictures) mkdirSync(pictures, { recursive: true });
  });
  afterAll(() => scenario.stop());

  const look = { light: { colorScheme: 'light' }, dark: { colorScheme: 'dark' } } as const;
  const sizes = { narrow: { width: 360, height: 740 }, wide: { width: 1440, height: 900 } };

  /** Neither a serious fault nor something that is wider than the window. */
  async function expectGood(page: Page, name: string): Promise<void> {
    if (pictures) await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true });
    expect(await seriousFaults(page), name).toEqual([]);
    const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
    expect(await page.evaluate(overflow), name).toBe(0);
  }

  test.each([
    ['light', 'narrow'],
    ['dark', 'narrow'],
    ['light', 'wide'],
    ['dark', 'wide'],
  ] as const)('have no serious fault in %s, on a %s window', async (theme, size) => {
    const page = await scenario.open({ viewport: sizes[size], ...look[theme] });
    const at = (screen: string) => expectGood(page, `${screen}-${theme}-${size}`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await at('sign-in');
    await signIn(page, user.email, 'not the password');
    await page.getByText('The email or the password is wrong.').waitFor();
    await at('sign-in-failure');
    await press(page, 'Create account');
    await at('sign-up');
    await press(page, 'Sign in');
    await press(page, 'Email me a code');
    await page.getByRole('heading', { name: 'Check your email' }).waitFor();
    await at('code');
    await press(page, 'Back');
    await signIn(page, user.email);
    await expectSignedIn(page, user.email);
    await page.getByText('A phone with quite a long name').first().waitFor();
    await at('account');
    await press(page, 'Set up an authenticator app');
    await page.getByRole('img', { name: 'QR code' }).waitFor();
    await press(page, 'Change password');
    await press(page, 'Change email');
    await press(page, 'Delete account…');
    await at('account-open');
    await scenario.service.advance(360_000);
    await press(page, `Delete account: ${user.email}`);
    await page.getByRole('dialog').waitFor();
    await at('dialog');
  });

  test('have the colours of the attribute, whatever the system prefers', async () => {
    const background = async (options: Parameters<ElementsScenario['open']>[0]) => {
      const page = await scenario.open(options);
      return page.locator('.root').evaluate((root) => getComputedStyle(root).backgroundColor);
    };
    const dark = await background({ colorScheme: 'dark' });
    expect(await background({ colorScheme: 'light' })).not.toBe(dark);
    expect(await background({ colorScheme: 'light', attributes: 'lang="en" data-theme="dark"' })).toBe(dark);
  });

  test('speak the language of the page, from right to left where it is read so', async () => {
    const page = await scenario.open({ attributes: 'lang="ar" dir="rtl"', viewport: sizes.narrow });
    await page.getByRole('heading', { name: 'تسجيل الدخول' }).waitFor();
    expect(await page.locator('.root').evaluate((root) => getComputedStyle(root).direction)).toBe('rtl');
    await expectGood(page, 'sign-in-arabic');
    await page.getByLabel('البريد الإلكتروني').fill(user.email);
    await page.getByLabel('كلمة المرور').fill(password);
    await press(page, 'تسجيل الدخول');
    await page.getByRole('heading', { name: 'حسابك' }).waitFor();
    await page.getByText('A phone with quite a long name').first().waitFor();
    await expectGood(page, 'account-arabic');
  });

  test.each([
    ['de-AT', 'de-AT', 'Anmelden'],
    ['zh-CN', 'en', '登录'],
    ['zh-TW', 'en', 'Sign in'],
    ['sv', 'fr', 'Se connecter'],
  ])('on a page in %s, in a browser in %s, say %s', async (lang, locale, title) => {
    const page = await scenario.open({ attributes: `lang="${lang}"`, locale });
    await page.getByRole('heading', { name: title }).waitFor();
    expect(await page.getByRole('heading').innerText()).toBe(title);
  });

  test('are used by keyboard alone, and move the focus along', async () => {
    const page = await scenario.open();
    const email = newEmail();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    const focused = () =>
      page.evaluate(() => {
        const inner = document.activeElement?.shadowRoot?.activeElement;
        return inner?.getAttribute('aria-label') ?? inner?.getAttribute('name') ?? inner?.textContent?.trim();
      });
    const order: unknown[] = [];
    for (let step = 0; step < 9; step += 1) {
      await page.keyboard.press('Tab');
      order.push(await focused());
    }
    expect(order).toEqual([
      'email',
      'password',
      'Forgot your password?',
      'Sign in',
      'Email me a code',
      'Use a passkey',
      'Continue with Provider B',
      'Continue with Contoso',
      'Create account',
    ]);
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('email');
    await page.keyboard.type(email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Confirm your email' }).waitFor();
    await expect.poll(focused).toBe('code');
    await page.keyboard.type(await scenario.codes.codeOf(email, 'verification'));
    await expectSignedIn(page, email);
  });
});
