// The page of apps: creating, renaming, disabling and enabling.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inBrowser, withoutBrowser } from './browser.ts';
import { type DashboardScenario, dashboardScenario, holdCalls } from './dashboard-scenario.ts';

describe.skipIf(withoutBrowser)(inBrowser('the apps of a member'), () => {
  let scenario: DashboardScenario;
  let page: Page;
  beforeAll(async () => {
    scenario = await dashboardScenario();
    page = await scenario.open(scenario.team.owner, '/apps');
  });
  afterAll(() => scenario.stop());

  test('an owner creates, renames, disables and enables an app', async () => {
    await page.getByRole('button', { name: 'Create app' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Orchard');
    await dialog.getByRole('button', { name: 'Create app' }).click();
    await page.getByRole('heading', { name: 'Orchard' }).waitFor();
    await page.getByText('No sign-ins in this period').waitFor();

    await page.getByRole('link', { name: 'Foyer' }).click();
    await page.getByRole('button', { name: 'Actions for Orchard' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Orchard two');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Orchard two' }).waitFor();
    await dialog.waitFor({ state: 'hidden' });

    await page.getByRole('button', { name: 'Actions for Orchard two' }).click();
    await page.getByRole('menuitem', { name: 'Disable' }).click();
    await expect.poll(() => dialog.getByRole('button', { name: 'Disable app' }).isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('Orchard two');
    await dialog.getByRole('button', { name: 'Disable app' }).click();
    await page.getByText('Disabled', { exact: true }).waitFor();
    await dialog.waitFor({ state: 'hidden' });

    await page.getByRole('button', { name: 'Actions for Orchard two' }).click();
    await page.getByRole('menuitem', { name: 'Enable' }).click();
    await page.getByText('Disabled', { exact: true }).waitFor({ state: 'hidden' });
  });

  test('an app is created on an insecure origin too', async () => {
    // Browsers offer it on HTTPS and localhost only.
    await page.evaluate(() => Object.defineProperty(crypto, 'randomUUID', { value: undefined }));
    await page.getByRole('button', { name: 'Create app' }).first().click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('In a local network');
    await page.getByRole('dialog').getByRole('button', { name: 'Create app' }).click();
    await page.getByRole('heading', { name: 'In a local network' }).waitFor();
  });

  test('another member sees only apps with a role, and no action of owners', async () => {
    await scenario.team.newApp('Not for them');
    const member = await scenario.team.newMember(scenario.service.app.app.id, 'admin');
    await scenario.changeMember(page, member, '/apps');
    await page.getByRole('link', { name: scenario.service.app.app.name, exact: true }).waitFor();
    await expect.poll(() => page.getByText('Not for them').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Create app' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: /Actions for/ }).count()).toBe(0);
  });

  test('an app without a role is answered as one that does not exist, also when it was opened last', async () => {
    const other = await scenario.team.newApp('Hidden');
    await scenario.goTo(page, `/apps/${other.id}/users`);
    const notFound = page.getByText('There is no such app, or you are not a member of it.');
    await notFound.waitFor();
    expect(await page.getByText('Hidden').count()).toBe(0);
    await page.evaluate((id) => localStorage.setItem('foyer.dashboard.last-app', id), other.id);
    // The page of the app, which reads it too, is left while the start page still waits for it.
    const held = await holdCalls(page, `**/console/apps/${other.id}`);
    const going = scenario.goTo(page, '/');
    await held.begun();
    await notFound.waitFor({ state: 'hidden' });
    await held.release();
    await going;
    // The only app of the member.
    await page.waitForURL(`**${scenario.appPath('/overview')}`);
  });
});
