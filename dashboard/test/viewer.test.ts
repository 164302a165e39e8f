// Every page of an app as its least member, who reads all but secrets and the administration, and changes nothing; and as
// an editor, who does not administrate either. What the API refuses to each role is in server/test/roles.test.ts.
import { roleHasScope, roles } from '@foyer/contract';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestMember } from '../../server/test/team-scenario.js';
import { inBrowser, withoutBrowser } from './browser.ts';
import { asMember, type DashboardScenario, dashboardScenario } from './dashboard-scenario.ts';

const notYours = 'Your role does not include this page';

describe.skipIf(withoutBrowser)(inBrowser('a viewer'), () => {
  let scenario: DashboardScenario;
  let page: Page;
  let uid: string;
  let appOwner: TestMember;
  const refused: string[] = [];
  beforeAll(async () => {
    scenario = await dashboardScenario();
    const { service, team } = scenario;
    const owner = asMember(service, team.owner);
    uid = (await service.signUp({ email: 'ada@example.com' })).uid;
    await owner('POST', '/admin/collections', { name: 'notes' });
    await owner('PUT', '/data/notes/first', { fields: { title: 'Groceries' } });
    appOwner = await team.newMember(service.app.app.id, 'owner');
    const viewer = await team.newMember(service.app.app.id, 'viewer');
    page = await scenario.open(viewer, '/apps');
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
  });
  afterAll(() => scenario.stop());

  test.each([
    ['/overview', 'Sign-ups'],
    ['/users', 'ada@example.com'],
    ['/remote-config', 'telegram_url'],
    ['/remote-config/history', 'Version 1'],
    ['/data', 'Server only'],
    ['/data/notes', 'Groceries'],
    ['/data/notes/first', 'Groceries'],
    ['/files', 'No files yet'],
    ['/push', 'No messages yet'],
    ['/audit-log', 'Signed up'],
    ['/team', 'What each role may do'],
  ])('sees %s, and the page calls nothing that the role does not allow', async (path, text) => {
    await scenario.goTo(page, scenario.appPath(path));
    await page.getByText(text).locator('visible=true').first().waitFor();
    await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0);
    expect(refused).toEqual([]);
  });

  test('opens a collection from the list, and cannot change its declaration', async () => {
    expect(roles.filter((role) => roleHasScope(role, 'data:manage'))).toEqual(['admin', 'owner']);
    await scenario.goTo(page, scenario.appPath('/data'));
    await page.getByRole('main').getByRole('link', { name: 'notes' }).click();
    await page.getByRole('cell', { name: 'Groceries', exact: true }).waitFor();
    expect(refused).toEqual([]);
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true }).first();
  const isRefused = (name: string) => button(name).getAttribute('aria-disabled');

  test('sees a user and can change nothing', async () => {
    await scenario.goTo(page, scenario.appPath(`/users/${uid}`));
    await page.getByRole('heading', { name: 'ada@example.com' }).waitFor();
    for (const name of ['Delete', 'Disable', 'End sessions']) expect(await isRefused(name)).toBe('true');
    await button('Delete').hover({ force: true });
    const reason = `your role in ${scenario.service.app.app.name} is viewer. An owner can change your role: ${appOwner.email}.`;
    await page.getByText(`This requires the role admin; ${reason}`).waitFor();
  });

  test('reads as text what the role does not change', async () => {
    const panel = page.getByRole('tabpanel');
    await panel.getByText('ada@example.com (not verified)').waitFor();
    await panel.getByText(/^Changing this requires the role admin/).waitFor();
    expect(await panel.getByRole('textbox').count()).toBe(0);
    await page.getByRole('tab', { name: 'Claims' }).click();
    await panel.getByText('This user has no custom claims.').waitFor();
    await scenario.goTo(page, scenario.appPath('/data/notes/first'));
    await page.getByRole('region', { name: 'Fields' }).getByText('Groceries').waitFor();
    await page.getByText('Owner: the app').waitFor();
    expect(await page.locator('main').getByRole('textbox').count()).toBe(0);
  });

  test('can neither delete a record nor compose a message', async () => {
    await scenario.goTo(page, scenario.appPath('/data/notes/first'));
    await page.getByRole('region', { name: 'Fields' }).waitFor();
    expect(await button('Delete').count()).toBe(0);
    await scenario.goTo(page, scenario.appPath('/push'));
    expect(await isRefused('Compose message')).toBe('true');
    await scenario.goTo(page, scenario.appPath('/push/compose'));
    await page.getByText(notYours).waitFor();
  });

  test('reads the remote config and cannot edit it', async () => {
    await scenario.goTo(page, scenario.appPath('/remote-config'));
    await button('telegram_url').click();
    await page.getByText(/^Changing this requires the role editor; your role in/).waitFor();
    await page.getByRole('dialog').getByText('Empty', { exact: true }).waitFor();
    expect(await page.getByRole('dialog').getByRole('textbox').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Remove' }).count()).toBe(0);
    await button('Close').click();
    expect(await isRefused('Add parameter')).toBe('true');
  });

  test('or an editor is told which role the pages of the administration require', async () => {
    const editor = await scenario.team.newMember(scenario.service.app.app.id, 'editor');
    await scenario.changeMember(page, editor, scenario.appPath('/keys'));
    for (const path of ['/keys', '/webhooks', '/settings']) {
      await scenario.goTo(page, scenario.appPath(path));
      await page.getByText(notYours).waitFor();
      await page.getByText(/This requires the role admin; your role in/).waitFor();
    }
    expect(refused).toEqual([]);
  });
});
