// The page Team: inviting, changing roles, removing, and the owners of the service.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memberPassword, type TestMember } from '../../server/test/team-scenario.js';
import { inBrowser, withoutBrowser } from './browser.ts';
import { type DashboardScenario, dashboardScenario } from './dashboard-scenario.ts';

describe.skipIf(withoutBrowser)(inBrowser('the team of an app'), () => {
  let scenario: DashboardScenario;
  /** The page of the owner. */
  let page: Page;
  /** A viewer at first, and the page of theirs. */
  let member: TestMember;
  let theirs: Page;
  beforeAll(async () => {
    scenario = await dashboardScenario();
    member = await scenario.team.newMember(scenario.service.app.app.id, 'viewer', 'v@example.com');
    theirs = await scenario.open(member, scenario.appPath('/team'));
    page = await scenario.open(scenario.team.owner, scenario.appPath('/team'));
  });
  afterAll(() => scenario.stop());

  test('an invited person joins with the link that is shown once, and is listed with the role', async () => {
    await page.getByRole('button', { name: 'Invite member' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Email' }).fill('grace@example.com');
    await dialog.getByRole('radio', { name: 'Editor' }).check();
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    const field = dialog.getByRole('textbox', { name: 'Invitation link' });
    const link = await field.inputValue();
    await page.keyboard.press('Escape');
    expect(await field.count()).toBe(1);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => page.content()).not.toContain(link);
    await page.getByText('grace@example.com').waitFor();

    const invited = await scenario.visit(null, link.slice(link.indexOf('/invitation')));
    await invited.getByText('You are invited as editor').waitFor();
    await invited.locator('input[type=password]').fill(memberPassword);
    await invited.getByRole('button', { name: 'Accept invitation' }).click();
    await invited.getByRole('link', { name: scenario.service.app.app.name, exact: true }).waitFor();

    await page.reload();
    const row = page.getByRole('row', { name: /grace@example.com/ });
    expect(await row.innerText()).toContain('editor');
    await page.getByText('There is no pending invitation.').waitFor();
  });

  test('a viewer sees the team, and neither invitations nor actions', async () => {
    await theirs.getByRole('row', { name: new RegExp(member.email) }).waitFor();
    expect(await theirs.getByRole('button', { name: /Actions for/ }).count()).toBe(0);
    expect(await theirs.getByText('Pending invitations').count()).toBe(0);
    const invite = theirs.getByRole('button', { name: 'Invite member' }).first();
    expect(await invite.getAttribute('aria-disabled')).toBe('true');
    await invite.hover();
    await theirs.getByText(/This requires the role owner; your role in .* is viewer/).waitFor();
  });

  test('a changed role applies to the open page of the member', async () => {
    await scenario.goTo(theirs, scenario.appPath('/users'));
    const create = theirs.getByRole('button', { name: 'Create user' }).first();
    await expect.poll(() => create.getAttribute('aria-disabled')).toBe('true');

    await page.getByRole('button', { name: 'Actions for v@example.com' }).click();
    await page.getByRole('menuitem', { name: 'Change role' }).click();
    await page.getByRole('radio', { name: 'Admin' }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click();
    await page.getByText('v@example.com now has the role admin.').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });

    await theirs.reload();
    await expect.poll(() => create.getAttribute('aria-disabled')).toBeNull();
  });

  test('the open page of a removed member reads nothing more', async () => {
    await theirs.getByText('No users yet').waitFor();
    const { appKey } = scenario.service.app.app;
    await scenario.service.call('POST', '/admin/keys', {
      ...{ appKey, token: member.token },
      body: { name: 'a way back', scopes: ['users:read'] },
    });

    await page.getByRole('button', { name: 'Actions for v@example.com' }).click();
    await page.getByRole('menuitem', { name: 'Remove', exact: true }).click();
    await page.getByText('Invitations sent by this member are revoked, and URLs of files').waitFor();
    await page.getByRole('link', { name: 'Revoke the secret key a way back' }).waitFor();
    await page.getByRole('button', { name: 'Remove member' }).click();
    await page.getByText('v@example.com is removed.').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });

    await scenario.service.signUp({ email: 'after-the-removal@example.com' });
    await theirs.getByRole('searchbox', { name: 'Search users' }).fill('after');
    await theirs.getByRole('alert').waitFor();
    expect(await theirs.getByText('after-the-removal@example.com').count()).toBe(0);
  });

  test('owners of the service are listed, and see who of the team signed in and who invited owners', async () => {
    const { owner, consoleApp, invite } = scenario.team;
    await invite(consoleApp.id, { email: 'second-owner@example.com', role: 'owner' });
    await scenario.goTo(page, '/owners');
    await page.getByRole('row', { name: new RegExp(owner.email) }).waitFor();
    await page.getByRole('link', { name: 'audit log of team accounts' }).click();
    await page
      .getByRole('row', { name: /Signed in/ })
      .first()
      .waitFor();
    const invited = page.getByRole('row', { name: new RegExp(`Invited a member.*${owner.email}`) });
    await invited.getByRole('button', { name: 'Details' }).click();
    await page.getByRole('link', { name: 'Filter by actor' }).click();
    await expect.poll(() => page.getByRole('row', { name: /Signed in/ }).count()).toBe(0);
    // No row is shown while the filtered list is read.
    await expect.poll(() => invited.count()).toBe(1);
    expect(new URL(page.url()).searchParams.get('actor')).toBe(`member:${owner.uid}`);
  });

  test('the log of the team accounts is filtered by a member who owns nothing, by email', async () => {
    const { owner } = scenario.team;
    await scenario.goTo(page, '/owners/audit-log');
    const actor = page.getByRole('combobox', { name: 'Actor' });
    await actor.fill('grace');
    await page.getByRole('option', { name: 'grace@example.com' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('actor')).toMatch(/^user:/);
    await page
      .getByRole('row', { name: /grace@example.com/ })
      .first()
      .waitFor();
    await expect.poll(() => page.getByRole('row', { name: new RegExp(owner.email) }).count()).toBe(0);
  });

  test('who owns an app but not the service opens neither the page of these owners nor their audit log', async () => {
    const other = await scenario.team.newMember(scenario.service.app.app.id, 'owner');
    await scenario.changeMember(page, other, '/apps');
    for (const [path, name] of [
      ['/owners', 'Owners'],
      ['/owners/audit-log', 'Audit log of team accounts'],
    ] as const) {
      await scenario.goTo(page, path);
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
      await page.getByText('Only owners of the service see this page').waitFor();
    }
  });
});
