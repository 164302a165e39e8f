// The pages of push: the audience is counted before sending, and the receipts are read after it.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manualClock } from '../../server/test/harness.js';
import { type PushProviders, pushProviders } from '../../server/test/push-providers.js';
import { inBrowser, withoutBrowser } from './browser.ts';
import { asMember, type DashboardScenario, dashboardScenario } from './dashboard-scenario.ts';

describe.skipIf(withoutBrowser)(inBrowser('the push messages of an app'), () => {
  let scenario: DashboardScenario;
  let providers: PushProviders;
  let page: Page;
  beforeAll(async () => {
    const clock = manualClock();
    providers = await pushProviders(clock.now);
    scenario = await dashboardScenario({
      clock,
      config: { push: providers.addresses, outboundLoopback: true },
    });
    const settings = { push: { fcm: { service_account: providers.fcm.serviceAccount } } };
    const call = asMember(scenario.service, scenario.team.owner);
    expect((await call('PATCH', '/admin/settings', settings)).status).toBe(200);
    page = await scenario.open(scenario.team.owner, scenario.appPath('/push'));
  });
  afterAll(async () => {
    await scenario.stop();
    await providers.stop();
  });

  test('a message to an empty audience cannot be sent; its count is that of the service', async () => {
    await page.getByRole('link', { name: 'Compose message' }).first().click();
    await page.getByRole('textbox', { name: 'Topic' }).fill('not a topic!');
    await page.getByRole('textbox', { name: 'Title' }).fill('Your table is ready');
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('We keep it for 15 minutes.');
    await page.getByRole('region', { name: 'Preview' }).getByText('We keep it').waitFor();
    await page.getByRole('button', { name: 'Check audience' }).click();
    await page.getByRole('alert').filter({ hasText: 'topic' }).last().waitFor();
    await page.getByRole('textbox', { name: 'Topic' }).fill('news');

    const data = page.getByRole('button', { name: 'Data for the app' });
    await data.click();
    for (const value of ['one', 'two']) {
      await page.getByRole('button', { name: 'Add a value' }).click();
      await page.getByRole('textbox', { name: 'Key' }).last().fill('table');
      await page.getByRole('textbox', { name: 'Value' }).last().fill(value);
    }
    await data.click();
    await page.getByRole('button', { name: 'Check audience' }).click();
    await page.getByText('This key is in the list already.').waitFor();
    await page.getByRole('button', { name: 'Remove row 2' }).click();
    await page.getByRole('button', { name: 'Check audience' }).click();
    await page.getByText('No device would receive this message.').waitFor();
    expect(await page.getByRole('button', { name: /^Send to/ }).count()).toBe(0);
    await page.getByRole('textbox', { name: 'Title' }).fill('Changed');
    await page.getByText('Check how many devices would receive this message.').waitFor();
  });

  test('a message is sent to the counted devices after a confirmation, and its receipts are listed', async () => {
    for (const token of ['device-one', 'device-two']) {
      const body = { provider: 'fcm', platform: 'android', token };
      expect((await scenario.service.call('POST', '/push/devices', { body })).status).toBe(201);
    }
    await scenario.goTo(page, scenario.appPath('/push'));
    await scenario.goTo(page, scenario.appPath('/push/compose'));
    await page.getByRole('radio', { name: 'All devices of the app' }).check();
    await page.getByRole('textbox', { name: 'Title' }).fill('<b>Your table</b>');
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('We keep it.');
    await page.getByRole('button', { name: 'Check audience' }).click();
    await page.getByText('2 devices would receive this message.').waitFor();
    expect(providers.fcm.received).toHaveLength(0);
    await page.getByRole('button', { name: 'Send to 2 devices' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('button', { name: 'Send message' }).isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill(scenario.service.app.app.name);
    await dialog.getByRole('button', { name: 'Send message' }).click();
    await page.getByRole('heading', { name: '<b>Your table</b>' }).waitFor();
    await scenario.service.advance(1_000);
    await expect.poll(() => page.getByRole('cell', { name: 'Accepted' }).count()).toBe(2);
    expect(providers.fcm.received).toHaveLength(2);
  });

  test('a message shows no receipts of the one that was opened before it', async () => {
    const call = asMember(scenario.service, scenario.team.owner);
    const body = { topic: 'news', notification: { title: 'To nobody', body: 'Text' } };
    const { data } = await call('POST', '/admin/push/send', body);
    const { id } = data as { id: string };
    const title = page.getByRole('heading', { name: 'To nobody' });
    const receipts = page.getByRole('cell', { name: 'Accepted' });
    await page.route(`**/messages/${id}/receipts`, () => {});
    await scenario.goTo(page, scenario.appPath(`/push/${id}`));
    await title.waitFor();
    await page.goBack();
    await receipts.first().waitFor();
    await page.goForward();
    await title.waitFor();
    expect(await receipts.count()).toBe(0);
    await page.unrouteAll();
  });
});
