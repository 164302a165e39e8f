// The first page that a returning member opens: on a slow connection its scripts take longer than the answers that it shows.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manualClock } from '../../server/test/harness.js';
import { inBrowser, withoutBrowser } from './browser.ts';
import { type DashboardScenario, dashboardScenario, holdCalls } from './dashboard-scenario.ts';

describe.skipIf(withoutBrowser)(inBrowser('the first page'), () => {
  let scenario: DashboardScenario;
  let page: Page;
  /** The paths of the calls since the last reload, without `/api/v2`. */
  let calls: string[] = [];
  beforeAll(async () => {
    scenario = await dashboardScenario({ clock: manualClock(new Date()) });
    await scenario.service.signIn(await scenario.service.signUp());
    await scenario.service.deps.dailyCounters.flush();
    page = await scenario.open(scenario.team.owner, scenario.appPath('/overview'));
    await figures();
    page.on('request', (request) => calls.push(new URL(request.url()).pathname.replace('/api/v2', '')));
  });
  afterAll(() => scenario.stop());

  const figures = () => page.getByText('Active today (UTC)').waitFor();
  const app = () => `/console/apps/${scenario.service.app.app.id}`;
  const callsOf = (path: string) => calls.filter((each) => each === path).length;

  async function open(path: string) {
    calls = [];
    await page.goto(`${scenario.service.url}/dashboard${path}`);
  }

  test.each([
    ['the overview', () => scenario.appPath('/overview?days=7')],
    ['the start page, which leads to the app that was opened last', () => '/'],
  ])('%s asks for its figures while its script still loads, and once', async (_, path) => {
    const script = await holdCalls(page, /assets\/app-[\w-]+\.js$/);
    await open(path());
    await expect.poll(() => [app(), '/console/me', '/admin/stats'].map(callsOf)).toEqual([1, 1, 1]);
    await script.release();
    await figures();
    expect([app(), '/console/me', '/admin/stats'].map(callsOf)).toEqual([1, 1, 1]);
  });

  test('another page asks for no figures', async () => {
    await open(scenario.appPath('/team'));
    await page.getByRole('heading', { name: 'Team', exact: true }).waitFor();
    expect([app(), '/console/me', '/admin/stats'].map(callsOf)).toEqual([1, 1, 0]);
  });

  test('the figures are shown though what this browser remembers of the app is out of date', async () => {
    const { id } = scenario.service.app.app;
    for (const remembered of [id, `${id} pk_${'x'.repeat(24)}`]) {
      await page.evaluate((value) => localStorage.setItem('foyer.dashboard.last-app', value), remembered);
      await open('/');
      await figures();
    }
  });
});
