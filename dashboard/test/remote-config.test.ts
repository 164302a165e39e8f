// Remote Config: a value from the editor to the app, two editors, history, and what a viewer may not do.
import type { RemoteConfig } from '@foyer/contract';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestMember } from '../../server/test/team-scenario.js';
import { inBrowser, withoutBrowser } from './browser.ts';
import { asMember, type DashboardScenario, dashboardScenario, holdCalls } from './dashboard-scenario.ts';
import { seriousFaults } from './serious-faults.ts';

describe.skipIf(withoutBrowser)(inBrowser('the page Remote Config'), () => {
  let scenario: DashboardScenario;
  let editor: TestMember;
  let page: Page;
  beforeAll(async () => {
    scenario = await dashboardScenario();
    editor = await scenario.team.newMember(scenario.service.app.app.id, 'editor');
    page = await scenario.open(editor, scenario.appPath('/remote-config'));
  });
  afterAll(() => scenario.stop());

  const row = (name: string, on = page) => on.locator(`[data-parameter="${name}"]`);
  const button = (name: string | RegExp, on = page) => on.getByRole('button', { name, exact: true });
  const value = (on = page) => on.getByRole('textbox', { name: 'Value', exact: true });
  const values = async () =>
    (await scenario.service.call<Record<string, unknown>>('GET', '/config')).data as Record<string, unknown>;

  /** Publishes as somebody else. */
  async function publishMeanwhile(change: (parameters: RemoteConfig['parameters']) => void) {
    const call = asMember(scenario.service, scenario.team.owner);
    const current = await call('GET', '/admin/config');
    const { parameters } = current.data as RemoteConfig;
    change(parameters);
    const answer = await scenario.service.call('PUT', '/admin/config', {
      token: scenario.team.owner.token,
      appKey: scenario.service.app.app.appKey,
      headers: { 'if-match': current.headers.get('ETag') as string },
      body: { parameters },
    });
    expect(answer.status).toBe(200);
  }

  async function edit(name: string, text: string, on = page) {
    await button(name, on).click();
    await value(on).fill(text);
    await button('Done', on).click();
    await on.getByRole('dialog').waitFor({ state: 'hidden' });
  }

  async function publish(on = page) {
    await button(/^Review \d+ changes?$/, on).click();
    await button('Publish', on).click();
  }

  test('a published value is what apps read', async () => {
    await edit('telegram_url', 'https://t.me/orchard');
    expect((await values()).telegram_url).toBe('');
    await publish();
    await page.getByText('Version 2 is published.').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect((await values()).telegram_url).toBe('https://t.me/orchard');
    await page.getByText('Version 2, published').waitFor();
    await page.getByText('by you').waitFor();
  });

  test('JSON is checked while typing, with the position of the fault', async () => {
    await button('tiers').click();
    await value().click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText('[\n  {"name": "Gold",}\n]');
    await page.getByRole('dialog').getByText('Line 2, column 18: there must be no comma before }.').waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await button('Done').click();
    await page.getByText('One parameter must be corrected first.').waitFor();
    expect(await button('Review 1 change').isDisabled()).toBe(true);
    await button('tiers').click();
    await value().click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText('[{"name": "Gold"}]');
    await button('Done').click();
    await button('Review 1 change').click();
    await page.locator('[data-difference="tiers"] .cm-changedText').first().waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await button('Publish').click();
    await page.getByText('Version 3 is published.').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect((await values()).tiers).toBe('[{"name":"Gold"}]');
  });

  test('a draft survives a reload and is undone parameter by parameter', async () => {
    await button('Add parameter').click();
    await page.getByRole('textbox', { name: 'Name' }).fill('max_items');
    await page.getByRole('combobox', { name: 'Type' }).selectOption('number');
    await value().fill('2.5');
    await button('Done').click();
    await button('cards').click();
    await button('Remove').click();
    await page.reload();
    await row('max_items').getByText('Added').waitFor();
    await row('cards').getByText('Removed').waitFor();
    await button('Undo the changes to cards').click();
    await row('cards').getByText('Removed').waitFor({ state: 'hidden' });
    await publish();
    await page.getByText('Version 4 is published.').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await values()).toMatchObject({ max_items: 2.5, cards: '[]' });
  });

  test('of two editors the second sees what the first published, and applies its changes again', async () => {
    await edit('telegram_url', 'https://t.me/mine');
    await edit('max_items', '4');
    await publishMeanwhile((parameters) => {
      parameters.telegram_url!.value = 'https://t.me/theirs';
      parameters.added_meanwhile = { type: 'boolean', value: true, description: '' };
    });
    await publish();
    await page.getByText('Version 5 was published while you were editing version 4').waitFor();
    await page.getByText(scenario.team.owner.email).first().waitFor();
    await page.getByText('Changed since: added_meanwhile, telegram_url').waitFor();
    expect(await button('Review 2 changes').isDisabled()).toBe(true);
    expect(await seriousFaults(page)).toEqual([]);
    await button('Apply my changes to version 5').click();
    await button('Review 2 changes').click();
    await page.locator('[data-difference="telegram_url"]').getByText('https://t.me/theirs').waitFor();
    await button('Publish').click();
    await page.getByText('Version 6 is published.').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await values()).toMatchObject({
      telegram_url: 'https://t.me/mine',
      max_items: 4,
      added_meanwhile: true,
    });
  });

  test('a read that began before a version was published does not bring back the earlier one', async () => {
    let answer = () => {};
    const published = new Promise<void>((resolve) => (answer = resolve));
    let reads = 0;
    await page.route(/\/admin\/config$/, async (route) => {
      if (route.request().method() !== 'GET') return route.continue();
      const response = await route.fetch();
      reads += 1;
      await published;
      await route.fulfill({ response }).catch(() => {});
    });
    await edit('max_items', '5');
    await button('Review 1 change').click();
    await page.evaluate(() => {
      const now = Date.now;
      Object.assign(window, { now });
      Date.now = () => now() + 60_000;
      dispatchEvent(new Event('visibilitychange'));
    });
    await expect.poll(() => reads).toBeGreaterThan(0);
    await button('Publish').click();
    await page.getByText('Version 7 is published.').waitFor();
    answer();
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByText('Version 7, published').waitFor();
    expect(await row('max_items').innerText()).toContain('5');
  });

  test('what is edited while the draft is being published stays in it', async () => {
    await edit('max_items', '6');
    await button('Review 1 change').click();
    const held = await holdCalls(page, /\/admin\/config$/, 'PUT');
    await button('Publish').click();
    await held.begun();
    await page.keyboard.press('Escape');
    await edit('telegram_url', 'https://t.me/later');
    await held.release();
    await page.getByText('Version 8 is published.').waitFor();
    await button('Apply my changes to version 8').click();
    await button('Review 1 change').click();
    await page.locator('[data-difference="telegram_url"]').getByText('https://t.me/later').waitFor();
    await button('Back to editing').click();
    await button('Undo the changes to telegram_url').click();
  });

  test('without the code of the comparison both texts are shown', async () => {
    await page.reload();
    await page.route(/code-mirror-merge/, (route) => route.abort());
    await edit('telegram_url', `https://t.me/${'x'.repeat(100)}`);
    await button('Review 1 change').click();
    await page.getByRole('region', { name: 'Value of telegram_url, after' }).getByText('xxx').waitFor();
    await page.unrouteAll();
    await button('Back to editing').click();
    await button('Undo the changes to telegram_url').click();
  });

  test('an earlier version is compared and restored', async () => {
    await page.getByRole('link', { name: 'History' }).click();
    const newest = /\/admin\/config$/;
    await page.route(newest, (route) =>
      route.fulfill({ status: 403, json: { error: { code: 'console/insufficient-role' } } }),
    );
    await page.reload();
    await button('View version 2').click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await page.unroute(newest);
    await button('Try again').click();
    await page.getByText('Version 2 changed in version 1:').waitFor();
    await page.getByRole('tab', { name: 'Compared with the newest' }).click();
    await page.locator('[data-difference="max_items"]').getByText('Removed').waitFor();
    await button('Restore this version').click();
    const held = await holdCalls(page, '**/rollback');
    await button('Restore version').click();
    await held.begun();
    await scenario.goTo(page, scenario.appPath('/files'));
    await held.release();
    await page.getByText('Version 2 is restored as version 9.').waitFor();
    expect(new URL(page.url()).pathname).toMatch(/\/files$/);
    await scenario.goTo(page, scenario.appPath('/remote-config/history'));
    await page.getByText('restored version 2').waitFor();
    expect(await values()).toMatchObject({ telegram_url: 'https://t.me/orchard', tiers: '[]' });
    expect(await values()).not.toHaveProperty('max_items');
  });

  test('a parameter that was added and not filled in disappears, and a draft is seen from every page and later tabs', async () => {
    await scenario.goTo(page, scenario.appPath('/remote-config'));
    const marked = page.getByRole('link', { name: 'Remote Config Unpublished changes' });
    await button('Add parameter').click();
    await page.getByRole('textbox', { name: 'Name' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await row('').count()).toBe(0);
    await expect.poll(() => marked.count()).toBe(0);
    await edit('telegram_url', 'https://t.me/draft');
    await scenario.goTo(page, scenario.appPath('/files'));
    await marked.waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    const later = await page.context().newPage();
    await later.goto(page.url());
    await later.getByRole('link', { name: 'Remote Config Unpublished changes' }).click();
    await row('telegram_url', later).getByText('https://t.me/draft').waitFor();
    await button('Undo the changes to telegram_url', later).click();
    // It is stored a moment after the click.
    await marked.waitFor({ state: 'hidden' });
    await later.close();
  });

  test('values are copied to another app as JSON', async () => {
    const app = await scenario.team.newApp('Another app');
    await page.context().grantPermissions([]);
    await scenario.goTo(page, scenario.appPath('/remote-config'));
    await button('Copy values').click();
    await page.getByRole('menuitem', { name: 'Copy as JSON' }).click();
    await page.getByText('The browser does not allow copying.').waitFor();
    expect(await page.getByText(/are copied/).count()).toBe(0);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await button('Copy values').click();
    await page.getByRole('menuitem', { name: 'Copy as JSON' }).click();
    await page.getByText(/are copied/).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    const there = await scenario.visit(scenario.team.owner, `/apps/${app.id}/remote-config`);
    await button('Copy values', there).click();
    await there.getByRole('menuitem', { name: 'Import from JSON…' }).click();
    await there.getByRole('textbox', { name: 'Values as JSON' }).click();
    await there.keyboard.insertText(copied);
    await there.getByText('One parameter changes:').waitFor();
    await there.locator('[data-difference="telegram_url"]').getByText('https://t.me/orchard').waitFor();
    await button('Add to draft', there).click();
    await publish(there);
    await there.getByText('Version 2 is published.').waitFor();
    const answer = await scenario.service.call('GET', '/config', { appKey: app.app_key });
    expect(answer.data).toMatchObject({ telegram_url: 'https://t.me/orchard' });
  });

  test('a list of objects is edited in rows, and published with a note that the history shows', async () => {
    await publishMeanwhile((parameters) => {
      parameters.tiers!.value = [
        { name: 'Silver', points: 1, hidden: false },
        { name: 'Gold', points: 2, hidden: false },
      ];
    });
    await scenario.goTo(page, scenario.appPath('/remote-config'));
    await page.reload();
    await button('tiers').click();
    const second = page.getByRole('region', { name: 'Row 2' });
    await second.getByRole('textbox', { name: 'name' }).fill('Platinum');
    await second.getByRole('textbox', { name: 'points' }).fill('30');
    await second.getByRole('switch', { name: 'hidden' }).click();
    await button('Move row 2 up').click();
    await button('Add row').click();
    expect(await seriousFaults(page)).toEqual([]);
    await button('Remove row 3').click();
    await page.getByRole('radio', { name: 'Rows' }).press('ArrowRight');
    await value().getByText('"Platinum"').waitFor();
    await button('Done').click();
    await button('Review 1 change').click();
    await page.getByRole('textbox', { name: 'Note' }).fill('Platinum first.');
    await button('Publish').click();
    await page.getByText(/Version \d+ is published\./).waitFor();
    expect(JSON.parse((await values()).tiers as string)).toEqual([
      { name: 'Platinum', points: 30, hidden: true },
      { name: 'Silver', points: 1, hidden: false },
    ]);
    await page.getByRole('link', { name: 'History' }).click();
    const newest = page.getByRole('listitem').filter({ hasText: 'Platinum first.' });
    await newest.getByText('Changed tiers').waitFor();
  });
});
