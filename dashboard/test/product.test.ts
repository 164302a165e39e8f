// The jobs of a product manager, by an admin of the app, in one session, and what each costs in clicks.
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manualClock } from '../../server/test/harness.js';
import { inBrowser, withoutBrowser } from './browser.ts';
import { clicksOn } from './clicks.ts';
import { asMember, type DashboardScenario, dashboardScenario } from './dashboard-scenario.ts';

describe.skipIf(withoutBrowser)(inBrowser('a day of a product manager'), () => {
  let scenario: DashboardScenario;
  let page: Page;
  let clicks: () => Promise<number>;
  beforeAll(async () => {
    scenario = await dashboardScenario({ clock: manualClock(new Date()) });
    const { service, team } = scenario;
    const owner = asMember(service, team.owner);
    await owner('POST', '/admin/collections', { name: 'feedback', access_mode: 'owner' });
    for (const [email, stars] of [
      ['ada@example.com', 5],
      ['grace@example.com', 2],
    ] as const) {
      const user = await service.signUp({ email });
      const body = { fields: { stars, text: `From ${email}` } };
      const token = user.tokens.access_token;
      expect((await service.call('POST', '/data/feedback', { token, body })).status).toBe(201);
    }
    const body = { provider: 'fcm', platform: 'android', token: 'a-device' };
    const device = await service.call<{ id: string }>('POST', '/push/devices', { body });
    await service.call('PUT', `/push/devices/${device.data.id}/topics/offers`, {});
    await service.deps.dailyCounters.flush();
    const manager = await team.newMember(service.app.app.id, 'admin');
    page = await scenario.open(manager, '/apps');
    clicks = await clicksOn(page);
  });
  afterAll(() => scenario.stop());

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const open = (name: string) =>
    page.getByRole('navigation', { name: 'App' }).getByRole('link', { name, exact: true }).click();

  test('sees how many people use the app, and how many more than before', async () => {
    await page.getByRole('link', { name: scenario.service.app.app.name, exact: true }).click();
    await page.getByRole('term').filter({ hasText: 'Sign-ups' }).first().waitFor();
    await page
      .getByText(/before/)
      .first()
      .waitFor();
    expect(await clicks()).toBe(1);
  });

  test('sees the days of the last week', async () => {
    await page.getByRole('combobox', { name: 'Period' }).selectOption('Last 7 days');
    await expect.poll(() => new URL(page.url()).searchParams.get('days')).toBe('7');
    expect(await clicks()).toBe(0);
  });

  test('changes a text in the app, with the reason', async () => {
    await open('Remote Config');
    await button('telegram_url').click();
    await page.getByRole('textbox', { name: 'Value', exact: true }).fill('https://t.me/orchard');
    await button('Done').click();
    await button('Review 1 change').click();
    await page.getByRole('textbox', { name: 'Note' }).fill('The channel is open.');
    await button('Publish').click();
    await page.getByText('Version 2 is published.').waitFor();
    expect(await clicks()).toBe(5);
  });

  test('sees when it was changed, by whom and why', async () => {
    await page.getByRole('link', { name: 'History' }).click();
    const version = page.getByRole('listitem').filter({ hasText: 'Version 2' });
    await version.getByText('The channel is open.').waitFor();
    await version.getByText('by you').waitFor();
    await version.getByText('Changed telegram_url').waitFor();
    expect(await clicks()).toBe(1);
  });

  test('sends an offer tomorrow to all who want offers', async () => {
    await open('Push');
    await page.getByRole('link', { name: 'Compose message' }).first().click();
    await page.getByRole('combobox', { name: 'Topic' }).fill('off');
    await page.getByRole('option', { name: /offers.*1 device/ }).click();
    await page.getByRole('textbox', { name: 'Title' }).fill('Two for one');
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Tomorrow only.');
    await page.getByRole('radio', { name: 'At a time' }).check();
    await page.getByLabel('Send at').fill(await tomorrow());
    await button('Check audience').click();
    await button('Schedule').click();
    await button('Schedule message').click();
    await page.getByRole('heading', { name: 'Two for one' }).waitFor();
    expect(await clicks()).toBe(7);
  });

  test('sees when it will be sent, and to how many', async () => {
    await open('Push');
    await page.getByText(/Topic offers · 1 device now · to be sent/).waitFor();
    expect(await clicks()).toBe(1);
  });

  test('takes the users along as a file', async () => {
    await open('Users');
    await page.getByRole('link', { name: 'ada@example.com' }).waitFor();
    const saved = page.waitForEvent('download');
    await button('CSV').click();
    const text = await readFile(await (await saved).path(), 'utf8');
    expect(text).toContain('grace@example.com');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Close', { exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await clicks()).toBe(3);
  });

  test('reads the newest feedback with the names of its authors', async () => {
    await open('Data');
    await page.getByRole('link', { name: 'feedback' }).click();
    await page.getByRole('columnheader', { name: 'stars' }).waitFor();
    const rows = page.locator('tbody tr');
    await rows.first().getByRole('link', { name: 'grace@example.com' }).waitFor();
    expect(await rows.first().innerText()).toContain('From grace@example.com');
    expect(await clicks()).toBe(2);
  });

  test('sees in which ways users sign in', async () => {
    await open('Settings');
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Password' })
      .getByText('Always on', { exact: true })
      .waitFor();
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Google' })
      .getByText('Off', { exact: true })
      .waitFor();
    expect(await clicks()).toBe(1);
  });

  test('sees who of the team changed what', async () => {
    await open('Audit log');
    const published = page.getByRole('row', { name: /Published/ }).first();
    await published.waitFor();
    expect(await published.innerText()).toContain('telegram_url');
    expect(await clicks()).toBe(1);
  });

  /** As the page shows local times. */
  const tomorrow = () =>
    page.evaluate(
      (time) => {
        const date = new Date(time);
        return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
      },
      scenario.service.clock.now().getTime() + 24 * 3_600_000,
    );
});
