// What happens to open pages when the session ends, when the service is away, and when a member is removed.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listen } from '../../server/engines/http-guard/listen.js';
import { createExpressApp } from '../../server/src/app.js';
import { refusals } from '../../server/src/http/refusals.js';
import { manualClock, type TestUser } from '../../server/test/harness.js';
import { memberPassword, type TestMember } from '../../server/test/team-scenario.js';
import { inBrowser, withoutBrowser } from './browser.ts';
import {
  accountMenu,
  type DashboardScenario,
  dashboardScenario,
  passwordField,
} from './dashboard-scenario.ts';

describe.skipIf(withoutBrowser)(inBrowser('an open page of the dashboard'), () => {
  let scenario: DashboardScenario;
  let user: TestUser;
  let uid: string;
  let member: TestMember;
  /** The page of the member. */
  let page: Page;
  beforeAll(async () => {
    scenario = await dashboardScenario({ clock: manualClock(new Date()) });
    user = await scenario.service.signUp({ email: 'ada@example.com' });
    uid = user.uid;
  });
  afterAll(() => scenario.stop());

  const userPath = () => scenario.appPath(`/users/${uid}`);

  async function endAllSessions(member: TestMember) {
    const { data } = await scenario.team.call<{ access_token: string }>('POST', '/auth/sign-in', {
      body: { email: member.email, password: memberPassword },
    });
    await scenario.team.call('POST', '/auth/sign-out-all', { token: data.access_token });
  }

  async function fillAndSave(page: Page, name: string) {
    await page.getByRole('textbox', { name: 'First name' }).fill(name);
    await page.getByRole('button', { name: 'Save' }).click();
  }

  test('asks to sign in again when the session has ended, keeps the form, and sends it', async () => {
    member = await scenario.team.newMember(scenario.service.app.app.id, 'admin');
    page = await scenario.open(member, userPath());
    await page.getByRole('textbox', { name: 'First name' }).waitFor();
    const at = page.url();
    await endAllSessions(member);
    await fillAndSave(page, 'Ada');
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    expect(await dialog.getByRole('textbox', { name: 'Email' }).inputValue()).toBe(member.email);
    await passwordField(page).fill('wrong password');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByText('The email, the password or the passkey is wrong.').waitFor();
    await passwordField(page).fill(memberPassword);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The profile is saved.').waitFor();
    expect(page.url()).toBe(at);
    expect(await page.getByRole('textbox', { name: 'First name' }).inputValue()).toBe('Ada');
  });

  test('of one member is not sent for another who signs in', async () => {
    await endAllSessions(member);
    await fillAndSave(page, 'Somebody');
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByRole('textbox', { name: 'Email' }).fill(scenario.team.owner.email);
    await passwordField(page).fill(memberPassword);
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'PATCH' && sent.push(request.url()));
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL((url) => !url.pathname.includes(uid));
    await accountMenu(page).waitFor();
    expect(sent).toEqual([]);
    const user = await scenario.service.call<{ first_name: string }>('GET', `/admin/users/${uid}`, {
      token: scenario.team.owner.token,
    });
    expect(user.data.first_name).not.toBe('Somebody');
  });

  test('tells times by the clock of the service, and goes on with it', async () => {
    const { service } = scenario;
    // In a profile of its own, whose cache has no script of another page, and whose clock no other test has.
    page = await scenario.open(scenario.team.owner, scenario.appPath('/users'), {});
    await page.clock.install({ time: Date.now() + 2 * 86_400_000 });
    service.clock.set(new Date());
    await service.signIn(user, { headers: { 'x-client-device': 'A phone' } });
    await scenario.goTo(page, `${userPath()}?tab=devices`);
    const row = page.locator('.mantine-Paper-root', { hasText: 'A phone' });
    await row.getByText('signed in just now').waitFor();
    await page.clock.fastForward('02:00:30');
    await row.getByText('signed in 2 hours ago').waitFor();
    await scenario.goTo(page, scenario.appPath('/users'));
  });

  test('says that the service is away, and recovers by itself', async () => {
    const { service } = scenario;
    await page.getByRole('link', { name: 'ada@example.com' }).waitFor();
    await service.listening.stop(100);
    await page.getByRole('searchbox').fill('grace');
    await page.getByText('The service cannot be reached. This page shows').waitFor();
    await page.getByText('The service cannot be reached. Check your connection').waitFor();
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
    expect((await page.getByRole('alert').boundingBox())?.width).toBeGreaterThan(1_000);
    const port = Number(new URL(service.url).port);
    const again = await listen(createExpressApp(service.deps), port, '127.0.0.1', {
      refusals: refusals(service.deps),
    });
    await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
    await page.goBack();
    await page.getByText('No user matches').waitFor();
    await page.getByText('The service cannot be reached').first().waitFor({ state: 'hidden' });
    await again.stop(100);
  });
});
