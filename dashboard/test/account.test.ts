// The member's own account: profile, email, password and devices.
import type { TokenAnswer } from '@foyer/contract';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../../server/test/harness.js';
import { memberPassword } from '../../server/test/team-scenario.js';
import { inBrowser, withoutBrowser } from './browser.ts';
import { asMember, type DashboardScenario, dashboardScenario } from './dashboard-scenario.ts';

describe.skipIf(withoutBrowser)(inBrowser("a member's own account"), () => {
  let scenario: DashboardScenario;
  let page: Page;
  let other: Page;
  let phone: Answer<TokenAnswer>;
  beforeAll(async () => {
    scenario = await dashboardScenario();
    const { team } = scenario;
    phone = await team.call('POST', '/auth/sign-in', {
      body: { email: team.owner.email, password: memberPassword },
      headers: { 'x-client-device': 'An old phone' },
    });
    other = await scenario.open(scenario.team.owner, '/account');
    page = await scenario.open(scenario.team.owner, '/account');
  });
  afterAll(() => scenario.stop());

  const section = (name: string) => page.getByRole('region', { name });

  test('the name is saved', async () => {
    await section('Profile').getByRole('textbox', { name: 'First name' }).fill('Ada');
    await section('Profile').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Your profile is saved.').waitFor();
    const { service, team } = scenario;
    const { data } = await asMember(service, team.owner, team.consoleApp.appKey)('GET', '/me');
    expect(data).toMatchObject({ first_name: 'Ada' });
  });

  test('a new email is confirmed with the code that was mailed to it', async () => {
    await section('Email').getByRole('textbox', { name: 'New email' }).fill('new@example.com');
    await section('Email').getByRole('button', { name: 'Mail a code' }).click();
    const code = section('Email').getByRole('textbox', { name: 'Code emailed to new@example.com' });
    await code.waitFor();
    const [mail] = await scenario.service.mailbox('new@example.com');
    // Copied with the space before it.
    await code.fill(` ${/\b\d{6}\b/.exec(mail?.text ?? '')?.[0]}`);
    await section('Email').getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Your email is now new@example.com.').waitFor();
  });

  test('a device that was signed out meanwhile counts as signed out', async () => {
    const row = section('Devices').locator('.mantine-Paper-root', { hasText: 'An old phone' });
    await row.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out device' }).waitFor();
    await scenario.team.call('POST', '/auth/sign-out', { token: phone.data.access_token });
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out device' }).click();
    await page.getByText('The device is signed out.').waitFor();
    await row.waitFor({ state: 'hidden' });
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  test('a changed password ends the sessions of other devices', async () => {
    await section('Devices').getByText('This device').waitFor();
    await section('Password').getByLabel('Current password').fill('not the password');
    await section('Password').getByLabel('New password').fill('another long password');
    await section('Password').getByRole('button', { name: 'Change password' }).click();
    await section('Password').getByRole('alert').waitFor();
    await section('Password').getByLabel('Current password').fill(memberPassword);
    await section('Password').getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Your password is changed.').waitFor();
    await expect
      .poll(() => section('Devices').getByRole('button', { name: 'Sign out', exact: true }).count())
      .toBe(1);
    await other.getByRole('button', { name: 'Mail a code' }).waitFor();
    await other.getByRole('textbox', { name: 'First name' }).fill('Grace');
    await other.getByRole('region', { name: 'Profile' }).getByRole('button', { name: 'Save' }).click();
    await other.getByRole('dialog', { name: 'Sign in again' }).waitFor();
  });

  test('the next sign-in is with the new email', async () => {
    const { team } = scenario;
    const body = { email: 'new@example.com', password: 'another long password' };
    const { data } = await team.call<{ access_token: string }>('POST', '/auth/sign-in', { body });
    await team.call('POST', '/auth/sign-out-all', { token: data.access_token });
    await section('Profile').getByRole('textbox', { name: 'First name' }).fill('Augusta');
    await section('Profile').getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    expect(await dialog.getByRole('textbox', { name: 'Email' }).inputValue()).toBe('new@example.com');
    await dialog.locator('input[type=password]').fill('another long password');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Your profile is saved.').first().waitFor();
  });

  test('signing out everywhere leads to the sign-in, and says if the other devices remain', async () => {
    await page.route('**/auth/sign-out-all', (route) => route.abort());
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.waitForURL(/\/sign-in/);
    await page.getByText('Your other devices may still be signed in').waitFor();
  });
});
