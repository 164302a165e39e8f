// Text that users control is shown as text: names, devices, ledger entries and claims.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inBrowser, withoutBrowser } from './browser.ts';
import { type DashboardScenario, dashboardScenario } from './dashboard-scenario.ts';

const hostile = `"><img src=x onerror="window.attacked=1"><script>window.attacked=1</script>{{7*7}}`;

describe.skipIf(withoutBrowser)(inBrowser('text of users'), () => {
  let scenario: DashboardScenario;
  let page: Page;
  let uid: string;
  beforeAll(async () => {
    scenario = await dashboardScenario();
    const { service, team } = scenario;
    const user = await service.signUp({ email: 'mallory@example.com' });
    uid = user.uid;
    await service.call('PATCH', '/me', {
      token: user.tokens.access_token,
      body: { first_name: hostile.slice(0, 100), last_name: '<b>bold</b>' },
    });
    await service.signIn(user, {
      headers: { 'x-client-device': hostile.slice(0, 60), 'user-agent': hostile },
    });
    const entry = { points: 1, description: hostile, reference: 'javascript:alert(1)' };
    await service.call('POST', `/admin/users/${uid}/loyalty/entries`, {
      token: team.owner.token,
      body: entry,
    });
    await service.call('PUT', `/admin/users/${uid}/claims`, {
      token: team.owner.token,
      body: { claims: { [hostile]: hostile } },
    });
    page = await scenario.open(team.owner, scenario.appPath('/users'));
  });
  afterAll(() => scenario.stop());

  async function expectText(text: string) {
    await page.getByText(text).first().waitFor();
    expect(await page.evaluate(() => (window as { attacked?: number }).attacked)).toBeUndefined();
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await page.locator('main b', { hasText: 'bold' }).count()).toBe(0);
  }

  test('is text in the list of users', () => expectText('<b>bold</b>'));

  test.each([
    ['profile', '<b>bold</b>'],
    ['devices', '"><img src=x'],
    ['loyalty', '{{7*7}}'],
    ['claims', 'onerror='],
    ['audit', 'User signed in'],
  ])("is text in the tab %s of a user's page", async (tab, text) => {
    await scenario.goTo(page, scenario.appPath(`/users/${uid}?tab=${tab}`));
    await expectText(text);
  });

  test('of an address is not part of a path of the API', async () => {
    const called: string[] = [];
    page.on('request', (request) => called.push(new URL(request.url()).pathname));
    await page.goto(`${scenario.service.url}/dashboard${scenario.appPath('/users/..%2F..%2Fconsole%2Fme')}`);
    await page.getByText('The request is not valid').or(page.getByText('There is no such')).first().waitFor();
    // Decoded, the path would be that of another endpoint.
    const ofAddress = called.filter((path) => path.startsWith('/api/') && path.includes('..'));
    expect([...new Set(ofAddress)]).toEqual(['/api/v2/admin/users/..%2F..%2Fconsole%2Fme']);
  });
});
