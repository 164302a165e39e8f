// The second step of a member's sign-in where it is a passkey, and where a part of the page cannot be loaded.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../server/test/free-port.js';
import { secondFactorScenario } from '../../server/test/second-factor-scenario.js';
import { memberPassword, type TestMember } from '../../server/test/team-scenario.js';
import { inBrowser, withoutBrowser } from './browser.ts';
import { type DashboardScenario, dashboardScenario, passwordField, signOut } from './dashboard-scenario.ts';

describe.skipIf(withoutBrowser)(inBrowser('the second step of a member'), () => {
  let scenario: DashboardScenario;
  let page: Page;
  let withPasskey: TestMember;
  let withNothing: TestMember;
  /** The link of another member, created while the owner needs no second factor. */
  let invitation: string;
  let origin: string;

  /** Types the password on the sign-in page of a tab where nobody is signed in. */
  async function typePassword({ email }: TestMember): Promise<void> {
    await page.getByRole('textbox', { name: 'Email' }).fill(email);
    await passwordField(page).fill(memberPassword);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  /** The passkey of the first member is added while the owners require nothing. */
  beforeAll(async () => {
    const port = await freePort();
    // Browsers have no passkeys on an IP address.
    origin = `http://localhost:${port}`;
    scenario = await dashboardScenario({ port, config: { baseUrl: origin } });
    const { team, service } = scenario;
    withPasskey = await team.newMember(service.app.app.id, 'viewer');
    withNothing = await team.newMember(service.app.app.id, 'viewer');
    const invited = { email: team.newEmail(), role: 'viewer' } as const;
    invitation = (await team.invite(service.app.app.id, invited)).link;
    page = await scenario.open(null, '/icon.svg', {});
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true },
        ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
      },
    });
    await page.goto(`${origin}/dashboard/account`);
    await typePassword(withPasskey);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: /^Rename passkey/ }).waitFor();
    // The suggestions of the email field would sign in at once.
    await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: false });
    await signOut(page);
    const token = await team.ownerToken();
    await secondFactorScenario(() => service).enroll({ token, appKey: team.consoleApp.appKey });
    const changed = await team.call('PATCH', '/console/settings', {
      token,
      body: { second_factor: 'required' },
    });
    expect(changed.status).toBe(200);
    await page.goto(`${origin}/dashboard/account`);
    await typePassword(withPasskey);
    await page.getByRole('heading', { name: 'Use your passkey' }).waitFor();
    await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: true });
  });
  afterAll(() => scenario.stop());

  test('of whom the passkey is the only factor takes the passkey, and no code', async () => {
    expect(await page.getByRole('textbox').count()).toBe(0);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('region', { name: 'Passkeys' }).waitFor();
    const entries = await scenario.service.auditEntries({ action: 'user.signed_in' });
    expect(entries.at(-1)?.details).toMatchObject({ method: 'passkey' });
  });

  test('says so when the enrollment cannot be loaded, and loads it again', async () => {
    const tab = await scenario.visit(null, '/icon.svg');
    await tab.route('**/enroll-step-*.js', (route) => route.abort());
    page = tab;
    await tab.goto(`${origin}/dashboard/account`);
    await typePassword(withNothing);
    await tab.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
    await tab.getByRole('alert').waitFor();
    await tab.unroute('**/enroll-step-*.js');
    await tab.getByRole('button', { name: 'Try again' }).click();
    await tab.getByRole('heading', { name: 'Sign in' }).waitFor();
    await typePassword(withNothing);
    await tab.getByRole('img', { name: 'QR code' }).waitFor();
    expect(await tab.getByText(/^[A-Z2-7]{32}$/).count()).toBe(1);
  });

  test('is set up with an invitation in the browser of another member, and its recovery codes are shown', async () => {
    const tab = await scenario.visit(null, '/icon.svg');
    const { uid, refreshToken } = withPasskey;
    const key = `foyer.${scenario.team.consoleApp.appKey}`;
    await tab.goto(`${origin}/dashboard/icon.svg`);
    await tab.evaluate(
      ([key, session]) => localStorage.setItem(key!, session!),
      [key, JSON.stringify({ r: refreshToken, u: uid })],
    );
    await tab.goto(invitation);
    await passwordField(tab).fill(memberPassword);
    await tab.getByRole('button', { name: 'Accept invitation' }).click();
    await tab.getByRole('img', { name: 'QR code' }).waitFor();
    const secret = (await tab.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? '';
    await tab
      .getByRole('textbox', { name: 'Code that the app shows' })
      .fill(secondFactorScenario(() => scenario.service).codeOf(secret));
    await tab.getByRole('button', { name: 'Confirm' }).click();
    await tab.getByRole('region', { name: 'Recovery codes' }).waitFor();
    await tab.getByRole('button', { name: 'I have stored them' }).click();
    await tab.getByRole('heading', { name: 'Apps' }).waitFor();
    expect(new URL(tab.url()).pathname).toBe('/dashboard/apps');
  });
});
