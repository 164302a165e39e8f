// The page of one user: what it shows, what it changes, and what a viewer may not do.
import type { TokenAnswer } from '@foyer/contract';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, TestUser } from '../../server/test/harness.js';
import { inBrowser, withoutBrowser } from './browser.ts';
import {
  asMember,
  type DashboardScenario,
  dashboardScenario,
  holdCalls,
  loseAnswers,
} from './dashboard-scenario.ts';

describe.skipIf(withoutBrowser)(inBrowser("a user's page"), () => {
  let scenario: DashboardScenario;
  let user: TestUser;
  let page: Page;
  let tablet: Answer<TokenAnswer>;
  beforeAll(async () => {
    scenario = await dashboardScenario();
    user = await scenario.service.signUp({ email: 'ada@example.com' });
    page = await scenario.open(scenario.team.owner, scenario.appPath(`/users/${user.uid}`));
  });
  afterAll(() => scenario.stop());

  const tab = (name: string) => page.getByRole('tab', { name, exact: true }).click();
  const dialog = () => page.getByRole('dialog');
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });

  /** The user as the service has it. */
  async function stored() {
    const answer = await asMember(scenario.service, scenario.team.owner)('GET', `/admin/users/${user.uid}`);
    return answer.data as Record<string, unknown>;
  }

  test('the profile is saved, and discarded changes are not', async () => {
    await field('First name').fill('Ada');
    await field('Last name').fill('Lovelace');
    await page.getByRole('checkbox', { name: 'The email is verified' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
    expect(await stored()).toMatchObject({ first_name: 'Ada', last_name: 'Lovelace', email_verified: true });
    await field('First name').fill('Grace');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await expect.poll(() => field('First name').inputValue()).toBe('Ada');
  });

  test('a changed email is verified only if that is chosen for it', async () => {
    const verified = page.getByRole('checkbox', { name: 'The email is verified' });
    await field('Email').fill('countess@example.com');
    expect(await verified.isChecked()).toBe(false);
    await field('Email').fill('ada@example.com');
    expect(await verified.isChecked()).toBe(true);
    await field('Email').fill('countess@example.com');
    await verified.check();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(stored).toMatchObject({ email: 'countess@example.com', email_verified: true });
    await page.getByRole('button', { name: 'Save', disabled: true }).waitFor();
    await field('Email').fill('ada@example.com');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(stored).toMatchObject({ email: 'ada@example.com', email_verified: false });
  });

  test('what the service refuses appears beside its field, and the input stays until it is discarded', async () => {
    await field('Photo URL').fill('http://images.example.com/ada.jpg');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Must be an https URL.').waitFor();
    expect(await field('Photo URL').inputValue()).toBe('http://images.example.com/ada.jpg');
    const refusal = page.getByRole('alert').and(page.locator('[data-code]'));
    await refusal.waitFor();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await refusal.waitFor({ state: 'hidden' });
  });

  test('one device is signed out, and the others stay', async () => {
    const { data } = await scenario.service.signIn(user, { headers: { 'x-client-device': 'A lost phone' } });
    tablet = await scenario.service.signIn(user, { headers: { 'x-client-device': 'A tablet' } });
    await tab('Devices');
    await page.getByText('A lost phone').waitFor();
    await page.getByRole('button', { name: 'End session on A lost phone' }).click();
    await dialog()
      .getByText(/signed out on A lost phone/)
      .waitFor();
    await dialog().getByRole('button', { name: 'End session' }).click();
    await page.getByText('A lost phone', { exact: true }).waitFor({ state: 'hidden' });
    await dialog().waitFor({ state: 'hidden' });
    expect((await scenario.service.refresh(data.refresh_token)).code).toBe('auth/refresh-token-revoked');
    expect((await scenario.service.refresh(user.tokens.refresh_token)).status).toBe(200);
  });

  test('a session that has ended meanwhile counts as ended, and leaves the list', async () => {
    await page.getByRole('button', { name: 'End session on A tablet' }).click();
    await dialog().getByRole('button', { name: 'End session' }).waitFor();
    await scenario.service.call('POST', '/auth/sign-out', { token: tablet.data.access_token });
    await dialog().getByRole('button', { name: 'End session' }).click();
    await page.getByText('The session has ended.').last().waitFor();
    await page.getByText('A tablet', { exact: true }).waitFor({ state: 'hidden' });
    await dialog().waitFor({ state: 'hidden' });
  });

  test('points are added and deducted, and the balance cannot fall below zero', async () => {
    await tab('Loyalty');
    await page.getByText('No entries yet').waitFor();
    const submit = () => dialog().getByRole('button', { name: 'Add entry' });
    const fill = async (points: string, description: string) => {
      if (!(await dialog().isVisible())) await page.getByRole('button', { name: 'Add entry' }).click();
      await dialog().getByRole('textbox', { name: 'Points' }).fill(points);
      await dialog().getByRole('textbox', { name: 'Description' }).fill(description);
    };
    await fill('250', 'Welcome');
    await submit().click();
    await page.getByText('+250').waitFor();
    await dialog().waitFor({ state: 'hidden' });
    await fill('-300', 'Coffee voucher');
    await dialog().getByText('The user has 250 points, and the balance is never below zero.').waitFor();
    expect(await submit().isDisabled()).toBe(true);
    await fill('10000', 'Coffee voucher');
    await dialog().getByRole('checkbox', { name: '+10,000 points is the number that I mean' }).waitFor();
    expect(await submit().isDisabled()).toBe(true);
    await fill('-100', 'Coffee voucher');
    await submit().click();
    await page.getByText('−100').waitFor();
    await dialog().waitFor({ state: 'hidden' });
    expect(await stored()).toMatchObject({ points: 150 });
  });

  test('claims are checked while typing and saved', async () => {
    await tab('Claims');
    const editor = page.getByRole('textbox', { name: 'Custom claims' });
    await editor.fill('{"role": }');
    await page.locator('.cm-lint-marker-error').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Not valid JSON').first().waitFor();
    await editor.fill('{"account": 12345678901234567890}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByText(/this integer is too large to be exact/)
      .first()
      .waitFor();
    await editor.fill('{"sub": "someone else"}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The name of a custom claim is reserved').waitFor();
    await editor.fill('{"role": "editor"}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The claims are saved.').waitFor();
    expect(await stored()).toMatchObject({ claims: { role: 'editor' } });

    await asMember(scenario.service, scenario.team.owner)('PUT', `/admin/users/${user.uid}/claims`, {
      claims: { role: 'editor', team: 'red' },
    });
    await asMember(scenario.service, scenario.team.owner)('PATCH', `/admin/users/${user.uid}`, {
      last_name: 'King',
    });
    await editor.fill('{"role": "author"}');
    await tab('Files');
    await page.getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('button', { name: 'End sessions' }).click();
    await dialog().getByRole('button', { name: 'End sessions' }).click();
    // The page has read the user again, the claims included.
    await page.getByRole('heading', { name: 'Ada King' }).waitFor();
    await dialog().waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(stored).toMatchObject({ claims: { role: 'author', team: 'red' } });
    await expect.poll(() => editor.innerText()).toContain('red');
  });

  test('the audit trail names the member who changed the user', async () => {
    await tab('Audit trail');
    const entry = page.getByRole('row', { name: /Set the custom claims/ }).first();
    expect(await entry.innerText()).toContain(scenario.team.owner.email);
  });

  test('each tab is in the address', async () => {
    await tab('Files');
    await page.getByText('No files').waitFor();
    await tab('Push devices');
    await page.getByText('No push device').waitFor();
    await tab('Identities');
    await page.getByText('No linked provider').waitFor();
    await page.reload();
    await page.getByText('No linked provider').waitFor();
  });

  test('a disabled user cannot sign in until it is enabled again', async () => {
    await page.getByRole('button', { name: 'Disable' }).click();
    await dialog().getByRole('button', { name: 'Disable user' }).click();
    await dialog().waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Enable' }).waitFor();
    expect((await scenario.service.signIn(user)).code).toBe('auth/user-disabled');
    await page.getByRole('button', { name: 'Enable' }).click();
    await dialog().getByRole('button', { name: 'Enable user' }).click();
    await dialog().waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Disable' }).waitFor();
    expect((await scenario.service.signIn(user)).status).toBe(200);
  });

  test('a dialog about one user ends when the Back button leads to another', async () => {
    const other = await scenario.service.signUp({ email: 'bob@example.com' });
    await scenario.goTo(page, scenario.appPath(`/users/${other.uid}`));
    await page.getByRole('heading', { name: 'bob@example.com' }).waitFor();
    await page.getByRole('button', { name: 'Disable' }).click();
    await dialog().waitFor();
    await page.goBack();
    await dialog().waitFor({ state: 'hidden' });
    await page.getByRole('heading', { name: 'bob@example.com' }).waitFor({ state: 'hidden' });
    await scenario.service.call('DELETE', `/admin/users/${other.uid}`, { token: scenario.team.owner.token });
  });

  test('a deletion that is answered after its page was left does not leave the next page', async () => {
    const other = await scenario.service.signUp({ email: 'carl@example.com' });
    await scenario.goTo(page, scenario.appPath(`/users/${other.uid}`));
    const held = await holdCalls(page, `**/users/${other.uid}`, 'DELETE');
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog().getByRole('textbox').fill('carl@example.com');
    await dialog().getByRole('button', { name: 'Delete user' }).click();
    await held.begun();
    await scenario.goTo(page, scenario.appPath(`/users/${user.uid}`));
    await field('First name').fill('Typed meanwhile');
    await held.release();
    await page.getByText('carl@example.com is deleted.').waitFor();
    expect(await field('First name').inputValue()).toBe('Typed meanwhile');
    await page.getByRole('button', { name: 'Discard changes' }).click();
  });

  test('a refusal that comes after the dialog was closed is shown', async () => {
    let answer: (() => void) | undefined;
    await page.route('**/revoke-sessions', async (route) => {
      await new Promise<void>((resolve) => (answer = resolve));
      await route.fulfill({ status: 403, json: { error: { code: 'console/insufficient-role' } } });
    });
    await page.getByRole('button', { name: 'End sessions' }).click();
    await dialog().getByRole('button', { name: 'End sessions' }).click();
    await expect.poll(() => answer).toBeDefined();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    answer?.();
    await page.getByText('Your role in this app does not allow this call.').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });

  test('a save takes back neither what others changed meanwhile nor what is typed during it', async () => {
    await tab('Profile');
    await field('First name').fill('Augusta');
    await asMember(scenario.service, scenario.team.owner)('PATCH', `/admin/users/${user.uid}`, {
      last_name: 'Byron',
    });
    await page.getByRole('button', { name: 'End sessions' }).click();
    await dialog().getByRole('button', { name: 'End sessions' }).click();
    await page.getByRole('heading', { name: 'Ada Byron' }).waitFor();
    // The form follows after the title.
    await expect.poll(() => field('Last name').inputValue()).toBe('Byron');
    expect(await field('First name').inputValue()).toBe('Augusta');

    const held = await holdCalls(page, '**/admin/users/*', 'PATCH');
    await page.getByRole('button', { name: 'Save' }).click();
    await held.begun();
    await field('Member id').fill('typed during the save');
    await held.release();
    await page.getByRole('heading', { name: 'Augusta Byron' }).waitFor();
    expect(await stored()).toMatchObject({ first_name: 'Augusta', last_name: 'Byron' });
    expect(await field('Member id').inputValue()).toBe('typed during the save');
    await page.getByRole('button', { name: 'Discard changes' }).click();
  });

  test('a user is deleted only after the email is typed, once, and the search that found it stays', async () => {
    await scenario.goTo(page, scenario.appPath('/users?q=ada'));
    await page.getByRole('link', { name: 'ada@example.com' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog().getByText('This cannot be undone.').waitFor();
    await dialog().getByRole('textbox').fill('ada@example');
    expect(await dialog().getByRole('button', { name: 'Delete user' }).isDisabled()).toBe(true);
    await dialog().getByRole('textbox').fill('ada@example.com');
    await loseAnswers(page, `**/users/${user.uid}`, 'DELETE');
    await dialog().getByRole('button', { name: 'Delete user' }).click();
    await dialog().getByText('The service cannot be reached.').waitFor();
    await page.unrouteAll();
    await dialog().getByRole('button', { name: 'Delete user' }).click();
    await page.getByRole('heading', { name: 'Users', exact: true }).waitFor();
    await page.getByText('No user matches').waitFor();
    expect(await page.getByRole('searchbox', { name: 'Search users' }).inputValue()).toBe('ada');
    expect((await scenario.service.signIn(user)).code).toBe('auth/invalid-credential');
  });
});
