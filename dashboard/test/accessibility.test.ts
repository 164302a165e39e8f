// axe finds no serious fault on any page, in light and dark, and no page is wider than its window.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { thorough } from '../../server/test/thorough.js';
import { inBrowser, withoutBrowser } from './browser.ts';
import { accountMenu, asMember, type DashboardScenario, dashboardScenario } from './dashboard-scenario.ts';
import { seriousFaults } from './serious-faults.ts';

describe.skipIf(withoutBrowser)(inBrowser('accessibility of the dashboard'), () => {
  let scenario: DashboardScenario;
  let page: Page;
  let uid: string;
  beforeAll(async () => {
    scenario = await dashboardScenario();
    uid = (await scenario.service.signUp({ email: `${'long'.repeat(12)}@example.com` })).uid;
    const owner = asMember(scenario.service, scenario.team.owner);
    await owner('POST', '/admin/collections', { name: 'notes' });
    await owner('PUT', '/data/notes/first', { fields: { title: 'Groceries' } });
    page = await scenario.open(scenario.team.owner, '/apps');
  });
  afterAll(() => scenario.stop());

  async function show(path: string): Promise<void> {
    await scenario.goTo(page, path);
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0);
  }

  const settings = [
    'methods',
    'providers',
    'passkeys',
    'second-factor',
    'sign-in',
    'deep-link',
    'apple',
    'mail',
    'tiers',
    'limits',
    'files',
    'push',
    'v1',
  ];
  const pages = [
    ...['/users', '/users/{uid}', '/remote-config', '/remote-config/history', '/overview', '/quick-start'],
    ...['devices', 'security', 'loyalty', 'claims', 'audit'].map((tab) => `/users/{uid}?tab=${tab}`),
    ...settings.map((section) => `/settings?section=${section}`),
    ...[
      '/data',
      '/files',
      '/push',
      '/push/compose',
      '/keys',
      '/webhooks',
      '/webhooks?tab=events',
      '/audit-log',
    ],
    '/team',
    // These pages are of things that do not exist.
    ...['/users/01ARZ3NDEKTSV4RRFFQ69G5FAV', '/data/notes/none', '/webhooks/none'],
  ].map((path) => `/apps/{app}${path}`);

  const looks = [
    { place: 0, colorScheme: 'light', width: 1440 },
    { place: 1, colorScheme: 'dark', width: 360 },
  ] as const;

  // A change of the look costs more than leading to another page.
  describe.each(looks)('at $width px, $colorScheme,', ({ place, colorScheme, width }) => {
    async function setLook(on: Page): Promise<void> {
      await on.setViewportSize({ width, height: 800 });
      await on.emulateMedia({ colorScheme });
      await on.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
    }
    beforeAll(() => setLook(page));

    let inspected = place;

    /** axe inspects one page in the first look and the next in the second, unless the run is thorough. */
    async function expectNoFault(path: string, on = page): Promise<void> {
      inspected += 1;
      const tooWide = () => on.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      await expect.poll(tooWide, { message: `${path} at ${width} px` }).toBeLessThanOrEqual(0);
      expect(await on.getByRole('heading', { level: 1 }).count(), path).toBe(1);
      if (!thorough && inspected % looks.length !== 0) return;
      const faults = await seriousFaults(on);
      expect({ path, width, faults }).toEqual({ path, width, faults: [] });
    }

    test('the sign-in has no serious fault', async () => {
      const signIn = await scenario.visit(null, '/sign-in');
      await signIn.getByRole('button', { name: 'Sign in' }).waitFor();
      await setLook(signIn);
      await expectNoFault('/sign-in', signIn);
    });

    test.each(['/apps', '/account', '/owners', '/owners/audit-log', '/no-such-page', ...pages])(
      '%s has no serious fault',
      async (name) => {
        const path = name.replace('/apps/{app}', scenario.appPath('')).replace('{uid}', uid);
        await show(path);
        await expectNoFault(path);
      },
    );

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
    ])('%s with the dialog of %j has no serious fault', async (path, name) => {
      await show(scenario.appPath(path.replace('{uid}', uid)));
      await page.getByRole('button', { name, exact: true }).first().click();
      await page.getByRole('dialog').waitFor();
      await expectNoFault(path);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    });

    test('the open menu has no serious fault', async () => {
      await show(scenario.appPath('/team'));
      if (width === 360) await page.getByRole('button', { name: 'Open navigation' }).click();
      await accountMenu(page).click();
      await page.getByRole('menu').waitFor();
      expect(await seriousFaults(page)).toEqual([]);
      await page.keyboard.press('Escape');
    });
  });

  const focused = () =>
    page.evaluate(() => `${document.activeElement?.tagName} ${document.activeElement?.textContent}`);

  test('the main job of the list works with the keyboard alone, and each page begins at its title', async () => {
    await page.setViewportSize({ width: 1440, height: 800 });
    await show(scenario.appPath('/users'));
    await page.getByRole('searchbox').focus();
    await page.keyboard.type('long');
    await page.getByRole('link', { name: /^long/ }).waitFor();
    for (let steps = 0; steps < 12; steps++) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(() => document.activeElement?.textContent?.startsWith('long'))) break;
    }
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Profile' }).waitFor();
    await expect.poll(focused).toMatch(/^H1 long/);
    await page.goBack();
    await expect.poll(focused).toBe('H1 Users');
    await page.getByRole('navigation').getByRole('link', { name: 'Files' }).click();
    await expect.poll(focused).toBe('H1 Files');
  });

  test('a navigation that is not shown is not in the order of the keyboard', async () => {
    const hidden = () =>
      page.evaluate(() => {
        const { left } = (document.activeElement as HTMLElement).getBoundingClientRect();
        return left < 0;
      });
    await show('/apps');
    await accountMenu(page).focus();
    await page.keyboard.press('Tab');
    expect(await hidden()).toBe(false);
    await page.setViewportSize({ width: 360, height: 800 });
    await show(scenario.appPath('/users'));
    await accountMenu(page).focus();
    await page.keyboard.press('Tab');
    expect(await hidden()).toBe(false);
  });

  test('on a phone the navigation closes with the page that it was opened on', async () => {
    await page.setViewportSize({ width: 360, height: 800 });
    await show(scenario.appPath('/users'));
    await page.getByRole('button', { name: 'Open navigation' }).click();
    await page.getByRole('button', { name: /switch app/ }).click();
    await page.getByRole('menuitem', { name: 'All apps' }).click();
    await page.getByRole('heading', { level: 1, name: 'Apps' }).waitFor();
    await page.getByRole('button', { name: 'Open navigation' }).waitFor();
  });
});
