// Settings: each section is saved on its own, secrets do not come back, and mistakes appear beside their fields.
import { generateKeyPairSync } from 'node:crypto';
import { type AppSettings, limits } from '@foyer/contract';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { v1Scenario } from '../../server/test/v1-scenario.js';
import { inBrowser, withoutBrowser } from './browser.ts';
import { asMember, type DashboardScenario, dashboardScenario, holdCalls } from './dashboard-scenario.ts';

const privateKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
}) as string;

describe.skipIf(withoutBrowser)(inBrowser('the page Settings'), () => {
  let scenario: DashboardScenario;
  let page: Page;
  /** The bodies that the page sent to change settings. */
  const sent: unknown[] = [];
  /** Everything that the service returned to the page. */
  let received = '';
  beforeAll(async () => {
    scenario = await dashboardScenario();
    const v1 = v1Scenario(() => scenario.service);
    await v1.me(await v1.logIn(await v1.register()));
    page = await scenario.open(scenario.team.owner, scenario.appPath('/settings'));
    page.on('request', (request) => {
      if (request.method() === 'PATCH') sent.push(request.postDataJSON());
    });
    page.on('response', (response) => {
      void response.text().then(
        (text) => (received += text),
        () => {},
      );
    });
  });
  afterAll(() => scenario.stop());

  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const open = async (section: string) => {
    await page.getByRole('navigation', { name: 'Sections' }).getByText(section, { exact: true }).click();
    await page.getByRole('heading', { level: 2, name: section, exact: true }).waitFor();
  };
  async function save() {
    // Not the notification: that of an earlier save may still be shown.
    const saved = page.waitForResponse(
      (response) => response.request().method() === 'PATCH' && response.ok(),
    );
    await button('Save').click();
    await saved;
    await expect.poll(() => button('Save').isDisabled()).toBe(true);
  }
  async function stored() {
    const answer = await asMember(scenario.service, scenario.team.owner)('GET', '/admin/settings');
    return answer.data as AppSettings;
  }

  test('sends only what was changed', async () => {
    await field('Access token lifetime in seconds').fill('900');
    await page.getByRole('radio', { name: 'Closed' }).check();
    await Promise.all([page.getByText('The settings are saved.').waitFor(), save()]);
    expect(sent.at(-1)).toEqual({ access_token_seconds: 900, sign_up: 'closed' });
    expect(await stored()).toMatchObject({ access_token_seconds: 900, sign_up: 'closed' });
  });

  test('shows a mistake beside its field before anything is sent', async () => {
    const before = sent.length;
    await field('Access token lifetime in seconds').fill('60');
    await button('Save').click();
    await page.getByText('Must be at least 300.').waitFor();
    expect(sent).toHaveLength(before);
    await button('Discard changes').click();
    expect(await field('Access token lifetime in seconds').inputValue()).toBe('900');
  });

  test('asks before unsaved changes are left', async () => {
    await field('Recent sign-in in minutes').fill('7');
    await page.getByRole('navigation', { name: 'Sections' }).getByText('Files').click();
    await button('Stay').click();
    expect(await field('Recent sign-in in minutes').inputValue()).toBe('7');
    await page.getByRole('navigation', { name: 'Sections' }).getByText('Files').click();
    await button('Leave').click();
    await page.getByRole('heading', { level: 2, name: 'Files' }).waitFor();
    expect((await stored()).recent_sign_in_minutes).toBe(5);
  });

  test('asks once when Back is chosen twice, and keeps its place in the history', async () => {
    const minutes = field('Recent sign-in in minutes');
    await open('Data');
    await open('Sign-in');
    await minutes.fill('7');
    const goBack = () => page.evaluate(() => history.back());
    await goBack();
    await button('Stay').waitFor();
    await goBack();
    await button('Stay').click();
    await button('Stay').waitFor({ state: 'detached' });
    expect(await minutes.inputValue()).toBe('7');
    await goBack();
    await button('Leave').click();
    await page.getByRole('heading', { level: 2, name: 'Data' }).waitFor();
  });

  test('the question about unsaved changes ends with a save that finishes behind it, and the page is left', async () => {
    await open('Sign-in');
    await field('Recent sign-in in minutes').fill('6');
    const held = await holdCalls(page, '**/admin/settings');
    await button('Save').click();
    await held.begun();
    await page.getByRole('navigation', { name: 'Sections' }).getByText('Files').click();
    await button('Stay').waitFor();
    await held.release();
    await button('Stay').waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 2, name: 'Files' }).waitFor();
    expect((await stored()).recent_sign_in_minutes).toBe(6);
  });

  test('a private key never reaches the page after it was stored, and the test explains what is wrong', async () => {
    await open('Apple');
    await field('Bundle ID').fill('com.example.orchard');
    await field('Private key').fill(privateKey);
    await save();
    expect((await stored()).provider_b).toMatchObject({ private_key_set: true });
    await page.getByText('It cannot be read back.').waitFor();
    await page.reload();
    await page.getByText('It cannot be read back.').waitFor();
    const secret = privateKey.split('\n')[1] as string;
    expect(await page.content()).not.toContain(secret);
    expect(received).toContain('private_key_set');
    expect(received).not.toContain(secret);
    const shown = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.body.innerText]),
    );
    expect(shown).not.toContain(secret);

    await button('Test').click();
    await page.getByText('Something must be corrected').waitFor();
    await page.locator('[data-status="failed"]').first().waitFor();
    // The result is not that of the settings which are saved next.
    await field('Key ID').fill('F6G7H8I9J0');
    await save();
    expect(await page.getByText('Something must be corrected').count()).toBe(0);

    await button('Replace Private key').click();
    await button('Save').click();
    await expect.poll(() => button('Save').isDisabled()).toBe(true);
    expect((await stored()).provider_b).toMatchObject({ private_key_set: true });

    await button('Remove Private key').click();
    await save();
    expect(sent.at(-1)).toEqual({ provider_b: { private_key: null } });
    expect((await stored()).provider_b).toMatchObject({ private_key_set: false });
  });

  test('the test link of a deep link is the link of the mail', async () => {
    await open('Deep link');
    await field('URL that opens your app').fill('https://app.example.com/in?a=1');
    await field('Email in the link').fill('ada+1@example.com');
    await page
      .getByText('https://app.example.com/in?a=1&mode=sign_in&email=ada%2B1%40example.com&code=402718')
      .waitFor();
    await field('URL that opens your app').fill('javascript:alert(1)');
    await button('Open test link').waitFor({ state: 'hidden' });
    await button('Discard changes').click();
  });

  test('a text of a mail is previewed as it will look, without scripts, and mailed to the member', async () => {
    await open('Mail');
    await button('Write your own').click();
    await field('Subject').fill('Welcome to Orchard');
    await field('Text').fill('Hello <script>alert(1)</script>');
    await page.getByText(/· Welcome to Orchard/).waitFor();
    const frame = page.frameLocator('iframe[title="Preview of the mail"]');
    await frame.getByText('Hello <script>alert(1)</script>').waitFor();
    const size = await frame
      .locator('p')
      .first()
      .evaluate((code) => getComputedStyle(code).fontSize);
    expect(size).toBe('34px');
    await save();
    expect(sent.at(-1)).toEqual({
      mail: {
        texts: {
          sign_in: { en: { subject: 'Welcome to Orchard', text: 'Hello <script>alert(1)</script>' } },
        },
      },
    });
    await button('Send me a test mail').click();
    await page.getByText(`A test mail is on its way to ${scenario.team.owner.email}.`).waitFor();
    await field('Subject').fill('Welcome again');
    await save();
    expect((await stored()).mail.texts.sign_in?.en?.subject).toBe('Welcome again');
    await button('Use the built-in text').click();
    await save();
    expect((await stored()).mail.texts.sign_in).toEqual({});
  });

  test('after a discarded language, the next text is in the language that is shown', async () => {
    await field('Add a language').fill('de');
    await button('Add').click();
    await field('Subject').fill('Hallo');
    await button('Discard changes').click();
    await button('Write your own').click();
    const language = page.getByRole('combobox', { name: 'Language', exact: true });
    expect(await language.inputValue()).toBe('en');
    await button('Discard changes').click();
  });

  test('a mistake in a text that is not open is listed with its place', async () => {
    await button('Write your own').click();
    await page.getByRole('combobox', { name: 'Mail', exact: true }).selectOption('New password');
    await button('Save').click();
    await page.getByRole('alert').getByText('mail.texts.sign_in.en.subject').waitFor();
    await page.getByRole('combobox', { name: 'Mail', exact: true }).selectOption('Sign-in code');
    await page.getByRole('alert').getByText('mail.texts.sign_in.en.subject').waitFor({ state: 'hidden' });
    await button('Discard changes').click();
  });

  test('an idle preview of a mail does not wait for changes again and again', async () => {
    const started = await page.evaluate(async () => {
      const real = window.setTimeout;
      let count = 0;
      const counted = (run: () => void, milliseconds?: number) => {
        if (milliseconds === 500) count += 1;
        return real(run, milliseconds);
      };
      await new Promise((resolve) => real(resolve, 550));
      Object.assign(window, { setTimeout: counted });
      await new Promise((resolve) => real(resolve, 600));
      Object.assign(window, { setTimeout: real });
      return count;
    });
    expect(started).toBe(0);
  });

  test('tiers and rate limits are edited as lists', async () => {
    await open('Loyalty tiers');
    await button('Add tier').click();
    await field('Name of tier 2').fill('silver');
    await field('Points of tier 2').fill('0');
    await button('Save').click();
    await page.getByText('Must be ascending: each tier needs more points than the previous one.').waitFor();
    await field('Points of tier 2').fill('1000');
    await save();
    expect((await stored()).tiers.at(-1)).toEqual({ tier: 'silver', min_points: 1_000 });

    await open('Limits');
    await button('Change: Uploads of one user').click();
    await field('Calls: Uploads of one user').fill('5');
    await save();
    expect((await stored()).rate_limits).toEqual({ upload: { limit: 5, window_seconds: 60 } });
    await field('Calls: Uploads of one user').fill('6');
    await save();
    expect((await stored()).rate_limits).toEqual({ upload: { limit: 6, window_seconds: 60 } });
    await button('Use default: Uploads of one user').click();
    await save();
    expect((await stored()).rate_limits).toEqual({});
    const policies = page.locator('[data-policy]');
    const shown = await policies.evaluateAll((rows) => rows.map((row) => row.getAttribute('data-policy')));
    expect(shown.toSorted()).toEqual(Object.keys(limits.rateLimits).toSorted());

    await open('Data');
    await field('Maximum size of all records of a user').fill('1.5');
    await save();
    expect((await stored()).data.user_quota_bytes).toBe(1.5 * 1_024 * 1_024);
  });

  test('a shutdown date of v1 warns of the users who are left', async () => {
    await open('API v1');
    await page.getByText('On v1 in 30 days').waitFor();
    await page.getByLabel('Shutdown date').fill('2030-01-31T12:00');
    await page.getByText('One user used v1 in the last 30 days. They are signed out').waitFor();
    await button('Save').click();
    await button('Cancel').click();
    expect((await stored()).v1_sunset_at).toBeNull();
    await button('Save').click();
    await button('Set the date').click();
    await expect.poll(async () => (await stored()).v1_sunset_at).toMatch(/^2030-01-3/);
  });

  test('a shutdown date that is none is explained beside its field', async () => {
    await page.getByLabel('Shutdown date').focus();
    for (const part of ['01', '02', '20266']) await page.keyboard.type(part);
    await page.keyboard.press('Tab');
    await page.keyboard.type('030405AM');
    await button('Save').click();
    await page.locator('[aria-invalid="true"][type="datetime-local"]').waitFor();
    await button('Discard changes').click();
  });

  test('asks about unsaved changes before signing out, and not again after it', async () => {
    const leave = async () => {
      await page.getByText('Your account').click({ force: true });
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
    };
    await open('Sign-in');
    await field('Recent sign-in in minutes').fill('7');
    await leave();
    await button('Stay').click();
    expect(await field('Recent sign-in in minutes').inputValue()).toBe('7');
    await leave();
    await button('Leave').click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});
