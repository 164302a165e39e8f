// The ways into the dashboard: the first owner's link, an invitation, a password, a forgotten password.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memberPassword } from '../../server/test/team-scenario.js';
import { inBrowser, withoutBrowser } from './browser.ts';
import {
  type DashboardScenario,
  dashboardScenario,
  passwordField,
  signIn,
  signOut,
} from './dashboard-scenario.ts';

describe.skipIf(withoutBrowser)(inBrowser('signing in to the dashboard'), () => {
  let scenario: DashboardScenario;
  /** The page of the owner, after the sign-in with a password. */
  let page: Page;
  beforeAll(async () => {
    scenario = await dashboardScenario();
  });
  afterAll(() => scenario.stop());

  const pathOf = (link: string) => link.slice(link.indexOf('/dashboard') + '/dashboard'.length);

  test("the owner's link creates an owner, works once, and its token is in no URL that is sent", async () => {
    const link = await scenario.team.ownerLink();
    // A file without a script: the listener sees every request of the page that the link leads to.
    const page = await scenario.visit(null, '/icon.svg');
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    await page.goto(link);
    await page.getByRole('heading', { name: 'Create the first owner' }).waitFor();
    const email = scenario.team.newEmail();
    await page.getByRole('textbox', { name: 'Email' }).fill(email);
    await page.getByRole('textbox', { name: 'First name' }).fill('Olive');
    await passwordField(page).fill('short');
    await page.getByRole('button', { name: 'Create owner' }).click();
    await page
      .getByText(/at least 8 characters/i)
      .last()
      .waitFor();
    await passwordField(page).fill(memberPassword);
    await page.getByRole('button', { name: 'Create owner' }).click();
    await page.getByRole('heading', { name: 'Apps' }).waitFor();
    expect(new URL(page.url()).hash).toBe('');
    const token = link.slice(link.indexOf('#') + 1);
    expect(sent.length).toBeGreaterThan(5);
    expect(sent.filter((url) => url.endsWith('/invitations/inspect'))).toHaveLength(1);
    expect(sent.filter((url) => url.split('#')[0]?.includes(token))).toEqual([]);

    const again = await scenario.visit(null, pathOf(link));
    await again.getByText('The invitation is unknown, expired, revoked, or was already accepted.').waitFor();
  });

  test('accepting an invitation leaves one session', async () => {
    const email = scenario.team.newEmail();
    const { link } = await scenario.team.invite(scenario.service.app.app.id, { email, role: 'viewer' });
    const page = await scenario.visit(null, pathOf(link));
    await page.getByText(email).waitFor();
    await passwordField(page).fill(memberPassword);
    await page.getByRole('button', { name: 'Accept invitation' }).click();
    await page.getByRole('link', { name: scenario.service.app.app.name }).waitFor();
    const { consoleApp, call } = scenario.team;
    const signedIn = await call<{ access_token: string }>('POST', '/auth/sign-in', {
      body: { email, password: memberPassword },
    });
    const token = signedIn.data.access_token;
    // The browser's own, and the one that this test has just started.
    await expect
      .poll(async () => {
        const list = await scenario.service.call<{ items: unknown[] }>('GET', '/me/sessions', {
          token,
          appKey: consoleApp.appKey,
        });
        return list.data.items.length;
      })
      .toBe(2);
  });

  test('an accepted invitation whose sign-in fails leads to the sign-in, and hides no other invitation', async () => {
    const email = scenario.team.newEmail();
    const { link } = await scenario.team.invite(scenario.service.app.app.id, { email, role: 'viewer' });
    const page = await scenario.visit(null, pathOf(link));
    await page.route('**/auth/sign-in', (route) => route.abort());
    await passwordField(page).fill(memberPassword);
    await page.getByRole('button', { name: 'Accept invitation' }).click();
    const accepted = page.getByRole('heading', { name: 'The invitation is accepted' });
    await accepted.waitFor();
    await page.getByRole('link', { name: 'Sign in with your password' }).waitFor();
    await page.unrouteAll();
    const other = await scenario.team.ownerLink();
    await page.evaluate((link) => location.assign(link), other);
    await page.getByRole('heading', { name: 'Create the first owner' }).waitFor();
    await page.goBack();
    await page.getByText('or was already accepted.').waitFor();
    await page.getByRole('link', { name: 'sign in', exact: true }).click();
    await signIn(page, email);
  });

  test('a wrong password is explained, and the right one leads to the page that was asked for in its place', async () => {
    page = await scenario.open(null, scenario.appPath('/users?q=ada'));
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByRole('textbox', { name: 'Email' }).fill(scenario.team.owner.email);
    await passwordField(page).fill('not the password');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('The email, the password or the passkey is wrong.').waitFor();
    await signIn(page, scenario.team.owner.email);
    await page.getByRole('heading', { name: 'Users' }).waitFor();
    expect(page.url()).toContain(scenario.appPath('/users?q=ada'));
    await page.goBack();
    expect(page.url()).toBe(`${scenario.service.url}/dashboard/icon.svg`);
    await page.goForward();
    await page.getByRole('heading', { name: 'Users' }).waitFor();
  });

  test('no address of another site is followed after signing in', async () => {
    for (const next of ['//evil.example/', 'javascript:alert(1)']) {
      await signOut(page);
      await scenario.goTo(page, `/sign-in?next=${encodeURIComponent(next)}`);
      await signIn(page, scenario.team.owner.email);
      await page.waitForURL((url) => url.pathname === `/dashboard${scenario.appPath('/overview')}`);
    }
  });

  test('signing out during a read shows the sign-in page, and the Back button nothing of the app', async () => {
    await page.route('**/admin/audit-log', () => {});
    const read = page.waitForRequest('**/admin/audit-log');
    await scenario.goTo(page, scenario.appPath('/audit-log'));
    await read;
    await signOut(page);
    await page.goBack().catch(() => null);
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.unrouteAll();
  });

  test('a forgotten password is reset with the emailed code', async () => {
    const member = await scenario.team.newMember(scenario.service.app.app.id, 'editor');
    await page.getByRole('textbox', { name: 'Email' }).fill(member.email);
    await page.getByRole('button', { name: 'Forgot your password?' }).click();
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByRole('heading', { name: 'Enter the code' }).waitFor();
    let code: string | undefined;
    await expect
      .poll(async () => {
        code = (await scenario.service.mailbox(member.email)).find((mail) => mail.code)?.code;
        return code;
      })
      .toBeDefined();
    await page.getByRole('textbox', { name: 'Code' }).fill(code as string);
    await passwordField(page).fill('another long password');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signIn(page, member.email, 'another long password');
  });

  describe('every form with a password names its user to password managers', () => {
    const button = (page: Page, name: string) => page.getByRole('button', { name });

    async function reset(): Promise<[Page, string]> {
      const page = await scenario.visit(null, '/sign-in');
      await page.getByRole('textbox', { name: 'Email' }).fill('ada@example.com');
      await button(page, 'Forgot your password?').click();
      await button(page, 'Send code').click();
      return [page, 'ada@example.com'];
    }

    async function invitation(): Promise<[Page, string]> {
      const email = scenario.team.newEmail();
      const { link } = await scenario.team.invite(scenario.service.app.app.id, { email, role: 'viewer' });
      return [await scenario.visit(null, pathOf(link)), email];
    }

    async function account(): Promise<[Page, string]> {
      const { owner } = scenario.team;
      return [await scenario.visit(owner, '/account'), owner.email];
    }

    async function recentSignIn(): Promise<[Page, string]> {
      const [page, email] = await account();
      await button(page, 'Set up an authenticator app').waitFor();
      await scenario.service.advance(10 * 60_000);
      await button(page, 'Set up an authenticator app').click();
      await page.getByRole('dialog', { name: 'Confirm that it is you' }).waitFor();
      return [page, email];
    }

    test.each([
      ['the sign-in', async () => [await scenario.visit(null, '/sign-in'), ''] as const],
      ['a new password in place of a forgotten one', reset],
      ['an invitation', invitation],
      ['the account, where it is changed', account],
      ['the dialog before a change that needs a recent sign-in', recentSignIn],
    ])('%s', async (_, show) => {
      const [page, email] = await show();
      const forms = page.locator('form', { has: passwordField(page) });
      await forms.last().waitFor();
      for (const form of await forms.all())
        expect(await form.locator('input[autocomplete~=username]').inputValue({ timeout: 5_000 })).toBe(
          email,
        );
    });
  });
});
