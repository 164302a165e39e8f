// Every page of an app as its least member, who reads all but secrets and the administration.
import { roleOfScope } from '@foyer/contract';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inBrowser, withoutBrowser } from './browser.ts';
import { asMember, type DashboardScenario, dashboardScenario } from './dashboard-scenario.ts';

const notYours = 'Your role does not include this page';

describe.skipIf(withoutBrowser)(inBrowser('a viewer'), () => {
  let scenario: DashboardScenario;
  let page: Page;
  const refused: string[] = [];
  beforeAll(async () => {
    scenario = await dashboardScenario();
    const { service, team } = scenario;
    const owner = asMember(service, team.owner);
    await service.signUp({ email: 'ada@example.com' });
    await owner('POST', '/admin/collections', { name: 'notes' });
    await owner('PUT', '/data/notes/first', { fields: { title: 'Groceries' } });
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
    ['/data', 'Name of the collection'],
    ['/data/notes', 'Groceries'],
    ['/data/notes/first', 'Groceries'],
    ['/files', 'No files yet'],
    ['/push', 'No messages yet'],
    ['/audit-log', 'User signed up'],
    ['/team', 'What each role may do'],
    ['/keys', notYours],
    ['/webhooks', notYours],
    ['/settings', notYours],
  ])('sees %s, and the page calls nothing that the role does not allow', async (path, text) => {
    await scenario.goTo(page, scenario.appPath(path));
    await page.getByText(text).locator('visible=true').first().waitFor();
    await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0);
    expect(refused).toEqual([]);
  });

  test('opens a collection by its name, since its list is for admins', async () => {
    expect(roleOfScope('data:manage')).toBe('admin');
    await scenario.goTo(page, scenario.appPath('/data'));
    await page.getByText(/The list of collections is for admins/).waitFor();
    await page.getByRole('textbox', { name: 'Name of the collection' }).fill('notes');
    await page.keyboard.press('Enter');
    await page.getByText('Groceries').waitFor();
    expect(refused).toEqual([]);
  });
});
