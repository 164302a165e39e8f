// axe finds no serious fault on any page, in light and dark, and no page is wider than its window.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inBrowser, withoutBrowser } from './browser.ts';
import { asMember, type DashboardScenario, dashboardScenario } from './dashboard-scenario.ts';
import { seriousFaults } from './serious-faults.ts';

describe.skipIf(withoutBrowser)(inBrowser('accessibility of the dashboard'), () => {
  let scenario: DashboardScenario;
  let uid: string;
  beforeAll(async () => {
    scenario = await dashboardScenario();
    uid = (await scenario.service.signUp({ email: `${'long'.repeat(12)}@example.com` })).uid;
    const owner = asMember(scenario.service, scenario.team.owner);
    await owner('POST', '/admin/collections', { name: 'notes' });
    await owner('PUT', '/data/notes/first', { fields: { title: 'Groceries' } });
  });
  afterAll(() => scenario.stop());

  const looks = [
    { colorScheme: 'light', width: 1440 },
    { colorScheme: 'dark', width: 360 },
  ] as const;

  /** In each look, without loading the page again. */
  async function expectNoFault(page: Page, path: string): Promise<void> {
    for (const { colorScheme, width } of looks) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
      const tooWide = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      await expect.poll(tooWide, { message: `${path} at ${width} px` }).toBeLessThanOrEqual(0);
      expect({ path, width, faults: await seriousFaults(page) }).toEqual({ path, width, faults: [] });
    }
  }

  test('of the sign-in has no serious fault', async () => {
    const page = await scenario.open(null, '/sign-in');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await expectNoFault(page, '/sign-in');
  });

  test('of every page has no serious fault', async () => {
    const page = await scenario.open(scenario.team.owner, '/apps');
    const tabs = ['devices', 'loyalty', 'claims', 'audit'].map((tab) => `/users/${uid}?tab=${tab}`);
    const settings = ['sign-in', 'deep-link', 'apple', 'mail', 'tiers', 'limits', 'files', 'push', 'v1'].map(
      (section) => `/settings?section=${section}`,
    );
    const config = ['/remote-config', '/remote-config/history'];
    const pages = [
      ...['/users', `/users/${uid}`, ...tabs, ...config, ...settings, '/overview', '/quick-start', '/data'],
      ...[
        '/files',
        '/push',
        '/push/compose',
        '/keys',
        '/webhooks',
        '/webhooks?tab=events',
        '/audit-log',
        '/team',
      ],
    ];
    const ofTeam = ['/apps', '/account', '/owners', '/owners/audit-log', '/no-such-page'];
    for (const path of [...ofTeam, ...pages.map(scenario.appPath)]) {
      await page.goto(`${scenario.service.url}/dashboard${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0);
      await expectNoFault(page, path);
    }
  });

  test.each([
    ['/users', 'Create user'],
    [`/users/{uid}`, 'Delete'],
    ['/users/{uid}?tab=loyalty', 'Add entry'],
    ['/remote-config', 'Add parameter'],
    ['/keys', 'Create secret key'],
    ['/webhooks', 'Add webhook'],
    ['/data/notes', 'Create record'],
    ['/data/notes/first', 'Delete'],
    ['/team', 'Invite member'],
  ])('of %s with the dialog of %j has no serious fault', async (path, name) => {
    const page = await scenario.open(scenario.team.owner, scenario.appPath(path.replace('{uid}', uid)));
    await page.getByRole('button', { name, exact: true }).first().click();
    await page.getByRole('dialog').waitFor();
    await expectNoFault(page, path);
    await page.context().close();
  });

  test.each(looks)('of the open menu has no serious fault at $width px, $colorScheme', async (look) => {
    const page = await scenario.open(scenario.team.owner, scenario.appPath('/team'), {
      colorScheme: look.colorScheme,
      viewport: { width: look.width, height: 800 },
    });
    await page.getByRole('heading', { level: 1 }).waitFor();
    if (look.width === 360) await page.getByRole('button', { name: 'Open navigation' }).click();
    await page.getByText('Your account').click({ force: true });
    await page.getByRole('menu').waitFor();
    expect(await seriousFaults(page)).toEqual([]);
  });

  test('the main job of the list works with the keyboard alone', async () => {
    const page = await scenario.open(scenario.team.owner, scenario.appPath('/users'));
    await page.getByRole('searchbox').focus();
    await page.keyboard.type('long');
    await page.getByRole('link', { name: /^long/ }).waitFor();
    for (let steps = 0; steps < 12; steps++) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(() => document.activeElement?.textContent?.startsWith('long'))) break;
    }
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Profile' }).waitFor();
  });
});
