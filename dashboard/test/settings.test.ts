// Settings: each section is saved on its own, secrets do not come back, and mistakes appear beside their fields.
import { generateKeyPairSync } from 'node:crypto';
import type { AppSettings } from '@foyer/contract';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storeUnread } from '../../server/test/stored-key.js';
import { v1Scenario } from '../../server/test/v1-scenario.js';
import { providerPresets } from '../src/pages/settings/provider-presets.ts';
import { inBrowser, withoutBrowser } from './browser.ts';
import {
  accountMenu,
  asMember,
  type DashboardScenario,
  dashboardScenario,
  holdCalls,
} from './dashboard-scenario.ts';

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
    page = await scenario.open(scenario.team.owner, scenario.appPath('/settings?section=sign-in'));
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
    // The test waits for the response, because the notification of an earlier save may still be shown.
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
    await expect.poll(() => field('Access token lifetime in seconds').inputValue()).toBe('900');
  });

  test('asks before unsaved changes are left', async () => {
    await field('Recent sign-in in minutes').fill('7');
    await page.getByRole('navigation', { name: 'Sections' }).getByText('Files', { exact: true }).click();
    await button('Stay').click();
    expect(await field('Recent sign-in in minutes').inputValue()).toBe('7');
    await page.getByRole('navigation', { name: 'Sections' }).getByText('Files', { exact: true }).click();
    await button('Leave').click();
    await page.getByRole('heading', { level: 2, name: 'Files' }).waitFor();
    expect((await stored()).recent_sign_in_minutes).toBe(5);
  });

  test('asks once when Back is chosen twice, and keeps its place in the history', async () => {
    const minutes = field('Recent sign-in in minutes');
    await open('Data');
    await open('Advanced');
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
    await open('Advanced');
    await field('Recent sign-in in minutes').fill('6');
    const held = await holdCalls(page, '**/admin/settings');
    await button('Save').click();
    await held.begun();
    await page.getByRole('navigation', { name: 'Sections' }).getByText('Files', { exact: true }).click();
    await button('Stay').waitFor();
    await held.release();
    await button('Stay').waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 2, name: 'Files' }).waitFor();
    expect((await stored()).recent_sign_in_minutes).toBe(6);
  });

  test('a private key never reaches the page after it was stored, and the test explains what is wrong', async () => {
    await open('Apple');
    await field('Bundle IDs').fill('com.example.orchard, com.example.orchard.staging');
    await field('Private key').fill(privateKey);
    await save();
    const bundle_ids = ['com.example.orchard', 'com.example.orchard.staging'];
    expect((await stored()).provider_b).toMatchObject({ bundle_ids, private_key_set: true });
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

    await button('Replace Private key').click();
    await field('Private key').fill('-----BEGIN PRIVATE KEY-----');
    await button('Save').click();
    await page.getByText('Is cut off or damaged').waitFor();
    await button('Discard changes').click();
    const { id } = scenario.service.app.app;
    await storeUnread(scenario.service.deps, id, 'provider_b.private_key', privateKey.slice(0, 90));
    await page.reload();
    await page.getByText('The stored key cannot work').waitFor();

    await button('Remove Private key').click();
    await save();
    expect(sent.at(-1)).toEqual({ provider_b: { private_key: null } });
    expect((await stored()).provider_b).toMatchObject({ private_key_set: false });
  });

  test('client ids are lists: one is added, one is removed, and a mistake is shown at its list', async () => {
    await open('Google');
    await page.getByText('No token was refused.').waitFor();
    await field('Client ids for iOS').fill('ios.one\nios.two');
    await save();
    expect(sent.at(-1)).toEqual({ provider_a: { client_ids: { ios: ['ios.one', 'ios.two'] } } });
    await field('Client ids for iOS').fill('ios.two');
    await save();
    expect((await stored()).provider_a.client_ids).toEqual({ web: [], ios: ['ios.two'], android: [] });
    await field('Client ids for iOS').fill('ios.two\n\u0430ndroid');
    await button('Save').click();
    await page.getByText('Must not contain U+0430').waitFor();
    await button('Discard changes').click();
  });

  test('the last refused tokens of a provider are listed: why, what to do, and what they claim', async () => {
    const header = Buffer.from('{"alg":"RS256","kid":"k"}').toString('base64url');
    const claims = Buffer.from('{"iss":"https://securetoken.google.com/x","aud":"x"}').toString('base64url');
    const body = { id_token: `${header}.${claims}.AAAA`, nonce: 'n' };
    const answer = await scenario.service.call('POST', '/auth/provider-a', { body });
    expect(answer.status).toBe(401);
    await page.reload();
    const entry = page.locator('[data-reason="wrong-issuer"]');
    await entry.getByText('The token is of another issuer than the provider.').waitFor();
    await entry.getByText('Send the ID token of the provider itself.').waitFor();
    await entry.getByText('https://securetoken.google.com/x').waitFor();
  });

  const choosePreset = async (label: string) => {
    await page.getByRole('combobox', { name: 'Add a provider' }).click();
    await page.getByRole('option', { name: label }).click();
  };

  test.each(providerPresets.filter(({ host }) => host !== null))(
    'the preset $label enters what is known, says what to do, and is stored',
    async ({ label, id, kind, name, issuer, hints }) => {
      await open('Other providers');
      await choosePreset(label);
      await button('Add').click();
      for (const hint of hints) await page.getByText(hint).waitFor();
      await page.getByText(new RegExp(`/api/v2/auth/providers/${id}/callback$`)).waitFor();
      await field('Client ids, one per line').fill('orchard-web');
      const stands = issuer.replace('<tenant id>', '0f2c7f4e-6a0b-4b53-8f6e-5f3d2a0f4c11');
      await field('Issuer').fill(stands);
      await save();
      expect((await stored()).providers[id]).toMatchObject({ kind, name, issuer: stands, scopes: null });
      await page.reload();
      await page.getByText(hints[0] as string).waitFor();
      await button(`Remove ${id}`).click();
      await save();
      expect((await stored()).providers).toEqual({});
    },
  );

  test('another provider is added, tested by its discovery, changed as a whole, and removed', async () => {
    await open('Other providers');
    await page.getByText('The app has no other provider.').waitFor();
    await choosePreset('Another OpenID provider');
    await field('Id').fill('contoso');
    await button('Add').click();
    await field('Name').fill('Contoso');
    await field('Client ids, one per line').fill('orchard-web');
    await field('Issuer').fill('https://login.example.com/?tenant=1');
    await button('Save').click();
    await page.getByText(/^Must be an https URL without a query/).waitFor();
    const contoso = {
      ...{ kind: 'oidc', name: 'Contoso', client_ids: ['orchard-web'], trusts_email: false },
      scopes: null,
    };
    await field('Issuer').fill('https://10.0.0.1');
    await save();
    const address = { issuer: 'https://10.0.0.1' };
    expect((await stored()).providers).toEqual({
      contoso: { ...contoso, ...address, client_secret_set: false },
    });

    await open('Sign-in methods');
    await page
      .getByText(/^Contoso\. No redirect URI is stored: users sign in with ID tokens only\./)
      .waitFor();
    await open('Other providers');
    await page.getByRole('region', { name: 'Contoso' }).getByRole('button', { name: 'Test' }).click();
    await page.getByText(/ Check the issuer https:\/\/10\.0\.0\.1/).waitFor();

    await page.getByRole('switch', { name: 'Trust its emails' }).click();
    await save();
    const trusted = { ...contoso, issuer: 'https://10.0.0.1', trusts_email: true };
    expect(sent.at(-1)).toEqual({ providers: { contoso: trusted } });
    await field('Client secret of contoso').fill('hushhush');
    await field('Redirect URIs, one per line').fill('https://app.example.com/signed-in');
    await save();
    expect(sent.at(-1)).toEqual({
      redirect_uris: ['https://app.example.com/signed-in'],
      providers: { contoso: { ...trusted, client_secret: 'hushhush' } },
    });
    await page.getByText('It cannot be read back.').waitFor();
    await page.getByText(/\/api\/v2\/auth\/providers\/contoso\/callback$/).waitFor();
    await field('Redirect URIs, one per line').fill('javascript:alert(1)');
    await button('Save').click();
    await page.getByText(/^Must be an https URL or one with the scheme of an app/).waitFor();
    await field('Redirect URIs, one per line').fill('');
    await button('Remove contoso').click();
    await save();
    expect(sent.at(-1)).toEqual({ redirect_uris: [], providers: { contoso: null } });
    expect((await stored()).providers).toEqual({});
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
    await field('Button of this text').fill('Open Orchard');
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
          sign_in: {
            en: {
              subject: 'Welcome to Orchard',
              text: 'Hello <script>alert(1)</script>',
              button: 'Open Orchard',
            },
          },
        },
      },
    });
    await button('Send me a test mail').click();
    await page.getByText(`A test mail is on its way to ${scenario.team.owner.email}.`).waitFor();
    await field('Subject').fill('Welcome again');
    await field('Button of this text').fill('');
    await save();
    expect((await stored()).mail.texts.sign_in?.en).toEqual({
      subject: 'Welcome again',
      text: 'Hello <script>alert(1)</script>',
    });
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
    await field('Subject').fill('');
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

  test('tiers are edited as a list, and rate limits by their factors', async () => {
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
    await field('Other calls of clients: factor').fill('2.5');
    await page.getByText('750 calls of one user in').waitFor();
    await save();
    expect((await stored()).rate_limits).toEqual({
      sign_in: 1,
      codes: 1,
      refresh: 1,
      client: 2.5,
      backend: 1,
    });
    await field('Other calls of clients: factor').fill('0');
    await button('Save').click();
    await page.getByText('must be at least 0.001').waitFor();
    await field('Other calls of clients: factor').fill('1');
    await save();
    expect((await stored()).rate_limits.client).toBe(1);

    await open('Data');
    await field('Maximum size of all records of a user').fill('1.5');
    await save();
    expect((await stored()).data.user_quota_bytes).toBe(1.5 * 1_024 * 1_024);
  });

  test('a shutdown date of v1 warns of the users who are left', async () => {
    await open('API v1');
    await page.getByText('On v1 in 30 days').waitFor();
    await page.getByLabel('Shutdown date', { exact: true }).fill('2030-01-31T12:00');
    await page.getByText('One user used v1 in the last 30 days. They are signed out').waitFor();
    await button('Save').click();
    await button('Cancel').click();
    expect((await stored()).v1_sunset_at).toBeNull();
    await button('Save').click();
    await button('Set the date').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await stored()).v1_sunset_at).toMatch(/^2030-01-3/);
  });

  test('passkeys that are switched on again start with the domain that they had', async () => {
    await scenario.service.changeSettings({
      passkeys: { rp_id: 'example.com', rp_name: 'Orchard', origins: ['https://app.example.com'] },
    });
    await page.reload();
    await open('Passkeys');
    const passkeys = page.getByRole('switch', { name: 'Sign-in with passkeys' });
    await passkeys.uncheck({ force: true });
    await save();
    expect((await stored()).passkeys).toBeNull();
    await page.reload();
    await passkeys.waitFor();
    await expect
      .poll(async () => {
        await passkeys.uncheck({ force: true });
        await passkeys.check({ force: true });
        return field('Domain (rp id)').inputValue();
      })
      .toBe('example.com');
    expect(await field('Origins, one per line').inputValue()).toBe('https://app.example.com');
    await button('Discard changes').click();
    await open('API v1');
  });

  test('a shutdown date that is none is explained beside its field', async () => {
    await page.getByLabel('Shutdown date', { exact: true }).focus();
    for (const part of ['01', '02', '20266']) await page.keyboard.type(part);
    await page.keyboard.press('Tab');
    await page.keyboard.type('030405AM');
    await button('Save').click();
    await page.locator('[aria-invalid="true"][type="datetime-local"]').waitFor();
    await button('Discard changes').click();
  });

  test('asks about unsaved changes before signing out, and not again after it', async () => {
    const leave = async () => {
      await accountMenu(page).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
    };
    await open('Advanced');
    await field('Recent sign-in in minutes').fill('7');
    await leave();
    await button('Stay').click();
    expect(await field('Recent sign-in in minutes').inputValue()).toBe('7');
    await leave();
    await button('Leave').click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });
});
