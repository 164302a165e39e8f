// The passkeys of team members, with the virtual authenticator of Chromium, and their second factor.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../server/test/free-port.js';
import { secondFactorScenario, ticketIn } from '../../server/test/second-factor-scenario.js';
import { memberPassword, type TestMember } from '../../server/test/team-scenario.js';
import { inBrowser, withoutBrowser } from './browser.ts';
import {
  accountMenu,
  type DashboardScenario,
  dashboardScenario,
  passwordField,
} from './dashboard-scenario.ts';

describe.skipIf(withoutBrowser)(inBrowser('the ways in of a member'), () => {
  let scenario: DashboardScenario;
  let page: Page;
  let member: TestMember;
  /** Its link, created while the owner needs no second factor. */
  let invitation: string;
  /** Browsers have no passkeys on an IP address, on which the other scenarios are. */
  let origin: string;
  /** Whether the authenticator answers at once, also the request of a field, as a member does who touches it. */
  let answersAtOnce: (enabled: boolean) => Promise<unknown>;
  beforeAll(async () => {
    const port = await freePort();
    origin = `http://localhost:${port}`;
    scenario = await dashboardScenario({ port, config: { baseUrl: origin } });
    member = await scenario.team.newMember(scenario.service.app.app.id, 'viewer');
    const email = scenario.team.newEmail();
    const invited = await scenario.team.invite(scenario.service.app.app.id, { email, role: 'viewer' });
    invitation = invited.link;
    page = await scenario.open(null, '/icon.svg', {});
    await page.addInitScript(() => {
      const { credentials } = navigator;
      const get = credentials.get.bind(credentials);
      credentials.get = (options) => {
        const requested = get(options);
        if (options?.mediation === 'conditional') document.documentElement.dataset.autofill = 'offered';
        return requested;
      };
    });
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    answersAtOnce = (enabled) =>
      cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
    await page.goto(`${origin}/dashboard/account`);
  });
  afterAll(() => scenario.stop());

  const section = (name: string) => page.getByRole('region', { name });

  async function typePassword(email = scenario.team.owner.email, on = page): Promise<void> {
    await on.getByRole('textbox', { name: 'Email' }).fill(email);
    await passwordField(on).fill(memberPassword);
    await on.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  /** Until the email field offers passkeys, which the authenticator does not answer: it would sign in again at once. */
  async function signOut(): Promise<void> {
    await answersAtOnce(false);
    await page.evaluate(() => delete document.documentElement.dataset.autofill);
    await accountMenu(page).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.locator('html[data-autofill]').waitFor();
  }

  async function passkeySignIns(): Promise<number> {
    const entries = await scenario.service.auditEntries({ action: 'user.signed_in' });
    return entries.filter(({ details }) => (details as { method?: string }).method === 'passkey').length;
  }

  test('a passkey is added, renamed, and signs in without a password', async () => {
    await typePassword();
    await section('Passkeys').getByText('You have no passkey.').waitFor();
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: /^Rename passkey/ }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('My laptop');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await section('Passkeys').getByText('My laptop').waitFor();
    await signOut();
    await answersAtOnce(true);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await accountMenu(page).waitFor();
    expect(await passkeySignIns()).toBe(1);
  });

  test('a passkey signs in from the suggestions of the email field, while nothing is clicked', async () => {
    await signOut();
    const field = page.getByRole('textbox', { name: 'Email' });
    expect(await field.getAttribute('autocomplete')).toBe('username webauthn');
    await answersAtOnce(true);
    await page.goto(`${origin}/dashboard/account`);
    await accountMenu(page).waitFor();
    expect(await passkeySignIns()).toBe(2);
  });

  test('the suggestions of the email field return after the service was away, and no alert is shown', async () => {
    await signOut();
    await page.route('**/auth/passkey/options', (route) => route.abort());
    const failed = page.waitForEvent('requestfailed', (request) =>
      request.url().endsWith('/passkey/options'),
    );
    await page.reload();
    await failed;
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.unroute('**/auth/passkey/options');
    await passwordField(page).focus();
    await page.locator('html[data-autofill]').waitFor();
    await typePassword();
    await accountMenu(page).waitFor();
    await answersAtOnce(true);
  });

  test('a passkey confirms who it is after a while, and is removed', async () => {
    await page.goto(`${origin}/dashboard/account`);
    await section('Passkeys').getByText('My laptop').waitFor();
    await scenario.service.advance(60 * 60_000);
    await page.getByRole('button', { name: 'Remove passkey My laptop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove passkey' }).click();
    await page
      .getByRole('dialog', { name: 'Confirm that it is you' })
      .getByRole('button', { name: 'Use a passkey' })
      .click();
    await section('Passkeys').getByText('You have no passkey.').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  const secretIn = async (on = page) => (await on.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? '';
  const { codeOf, complete } = secondFactorScenario(() => scenario.service);
  const code = () => page.getByRole('textbox', { name: /^Code of your authenticator app/ });
  let secret: string;

  test('an authenticator app is enrolled, and its recovery codes are shown once', async () => {
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
    await page.getByRole('img', { name: 'QR code' }).waitFor();
    secret = await secretIn();
    await page.getByRole('textbox', { name: 'Code that the app shows' }).fill(codeOf(secret));
    await page.getByRole('button', { name: 'Confirm' }).click();
    const codes = (await page.getByRole('region', { name: 'Recovery codes' }).textContent()) ?? '';
    expect(codes.split('\n')).toHaveLength(10);
    await page.getByRole('button', { name: 'I have stored them' }).click();
    await section('Second factor').getByText('10 recovery codes left').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  test('the next sign-in needs a code of it', async () => {
    await signOut();
    await typePassword();
    await code().fill('000000');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('alert').waitFor();
    await scenario.service.advance(11 * 60_000);
    await code().fill(codeOf(secret));
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('The second step took longer than 10 minutes').waitFor();
    await typePassword();
    await code().fill(codeOf(secret));
    await page.getByRole('button', { name: 'Continue' }).click();
    await accountMenu(page).waitFor();
  });

  test('the dialog of an ended session returns to its first step when the second has expired', async () => {
    const { service, team } = scenario;
    const { appKey } = team.consoleApp;
    await page.goto(`${origin}/dashboard/account`);
    await section('Second factor').getByText('recovery codes left').waitFor();
    await service.advance(60_000);
    const credentials = { email: team.owner.email, password: memberPassword };
    const asked = await service.signIn(credentials, { appKey });
    const ticket = ticketIn(asked);
    const { data } = await complete({ ticket, totp: codeOf(secret) }, { appKey });
    await team.call('POST', '/auth/sign-out-all', { token: data.access_token });
    await page.getByRole('button', { name: 'Replace the app' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    const password = dialog.locator('input[type=password]');
    const confirm = dialog.getByRole('button', { name: 'Sign in' });
    await password.fill(memberPassword);
    await confirm.click();
    await code().waitFor();
    expect(await password.count()).toBe(0);
    await service.advance(11 * 60_000);
    await code().fill(codeOf(secret));
    await confirm.click();
    await dialog.getByText('The second step took longer than 10 minutes').waitFor();
    await password.fill(memberPassword);
    await confirm.click();
    await code().fill(codeOf(secret));
    await confirm.click();
    const enrolment = page.getByRole('dialog', { name: 'Authenticator app' });
    await enrolment.getByRole('button', { name: 'Cancel' }).click();
    await enrolment.waitFor({ state: 'hidden' });
  });

  test('the dialog of a change that needs a recent sign-in asks for a code beside the password', async () => {
    await scenario.service.advance(6 * 60_000);
    await page.getByRole('button', { name: 'Replace the app' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    const confirm = dialog.getByRole('button', { name: 'Continue' });
    await dialog.locator('input[type=password]').fill(memberPassword);
    await confirm.click();
    await code().fill(codeOf(secret));
    await confirm.click();
    const enrolment = page.getByRole('dialog', { name: 'Authenticator app' });
    await enrolment.getByRole('button', { name: 'Cancel' }).click();
    await enrolment.waitFor({ state: 'hidden' });
    expect(await dialog.count()).toBe(0);
  });

  test('an owner requires a second factor of the whole team, which ends open sessions without one', async () => {
    const open = await scenario.visit(member, '/apps');
    await page.goto(`${origin}/dashboard/owners`);
    await page.getByRole('button', { name: 'Require it of every member' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Require it' }).click();
    await page.getByText('Every member of every app needs a second factor.').waitFor();
    await open.reload();
    await typePassword(member.email, open);
    await open.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
    expect(new URL(open.url()).searchParams.get('next')).toBe('/dashboard/apps');
  });

  test('an accepted invitation leads on to the second factor that the owners require', async () => {
    const page = await scenario.visit(null, '/icon.svg');
    await page.goto(invitation);
    await passwordField(page).fill(memberPassword);
    await page.getByRole('button', { name: 'Accept invitation' }).click();
    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
    await page.getByRole('textbox', { name: 'Code that the app shows' }).fill(codeOf(await secretIn(page)));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('button', { name: 'I have stored them' }).click();
    await page.getByRole('heading', { name: 'Apps' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard/apps');
  });

  test('a member without one enrolls it at the next sign-in, and the owner removes it when it is lost', async () => {
    const { team, service } = scenario;
    await page.goto(`${origin}/dashboard${scenario.appPath('/team')}`);
    await page.getByRole('button', { name: `Actions for ${member.email}` }).waitFor();
    await signOut();
    await typePassword(member.email);
    await page.getByRole('img', { name: 'QR code' }).waitFor();
    await page.getByRole('textbox', { name: 'Code that the app shows' }).fill(codeOf(await secretIn()));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('button', { name: 'I have stored them' }).click();
    await accountMenu(page).waitFor();
    await signOut();
    await service.advance(60_000);
    await typePassword();
    await code().fill(codeOf(secret));
    await page.getByRole('button', { name: 'Continue' }).click();
    await accountMenu(page).waitFor();
    await page.goto(`${origin}/dashboard${scenario.appPath('/team')}`);
    await page.getByRole('button', { name: `Actions for ${member.email}` }).click();
    await page.getByRole('menuitem', { name: 'Remove second factor' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove second factor' }).click();
    await page.getByText(`${member.email} has no second factor now.`).waitFor();
    const [removed] = await service.auditEntries({ action: 'user.second_factor_removed' });
    expect(removed).toMatchObject({ appId: team.consoleApp.id, details: { reason: 'admin' } });
  });
});
