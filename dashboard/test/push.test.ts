// The pages of push: the audience is counted before sending, and the receipts are read after it.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manualClock } from '../../server/test/harness.js';
import { type PushProviders, pushProviders } from '../../server/test/push-providers.js';
import { inBrowser, withoutBrowser } from './browser.ts';
import { asMember, type DashboardScenario, dashboardScenario } from './dashboard-scenario.ts';
import { seriousFaults } from './serious-faults.ts';

describe.skipIf(withoutBrowser)(inBrowser('the push messages of an app'), () => {
  let scenario: DashboardScenario;
  let providers: PushProviders;
  let page: Page;
  beforeAll(async () => {
    // Pages take the time of the service from the Date of its answers.
    const clock = manualClock(new Date());
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
    await page.getByRole('combobox', { name: 'Topic' }).fill('not a topic!');
    await page.getByRole('textbox', { name: 'Title' }).fill('Your table is ready');
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('We keep it for 15 minutes.');
    await page.getByRole('region', { name: 'Preview' }).getByText('We keep it').waitFor();
    await page.getByRole('button', { name: 'Check audience' }).click();
    await page.getByRole('alert').filter({ hasText: 'topic' }).last().waitFor();
    await page.getByRole('combobox', { name: 'Topic' }).fill('news');

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
    await page.getByText('Check how many devices would receive this message, then send it.').waitFor();
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
    await page.getByText(/^All devices, sent .+ by you$/).waitFor();
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

  test('people are chosen by name, topics from those that have devices, and a message that reached nobody is marked', async () => {
    const { service } = scenario;
    const ada = await service.signUp({ email: 'ada@example.com' });
    const token = ada.tokens.access_token;
    await service.call('PATCH', '/me', { token, body: { first_name: 'Ada', last_name: 'Lovelace' } });
    const body = { provider: 'fcm', platform: 'android', token: 'device-of-ada' };
    const { data } = await service.call<{ id: string }>('POST', '/push/devices', { token, body });
    await service.call('PUT', `/push/devices/${data.id}/topics/offers`, { token });
    await scenario.goTo(page, scenario.appPath('/push/compose'));
    await page.getByRole('combobox', { name: 'Topic' }).fill('off');
    await page.getByRole('option', { name: /offers.*1 device/ }).click();
    await page.getByRole('radio', { name: 'Certain people' }).check();
    await page.getByRole('textbox', { name: 'Title' }).fill('To Ada');
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Hello.');
    await page.getByRole('button', { name: 'Check audience' }).click();
    await page.getByText('Choose at least one person.').waitFor();
    const people = page.getByRole('combobox', { name: 'People' });
    await people.fill('ada love');
    const option = page.getByRole('option', { name: /Ada Lovelace/ });
    // It is selected after it is shown.
    await expect.poll(() => option.getAttribute('data-combobox-selected')).toBe('true');
    await people.press('Enter');
    await page.getByRole('button', { name: 'Remove Ada Lovelace' }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Check audience' }).click();
    await page.getByRole('button', { name: 'Send to 1 device' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send message' }).click();
    const recipients = page.getByRole('region', { name: 'Recipients' });
    await recipients.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
    await service.advance(1_000);
    await page.getByRole('row', { name: /Ada Lovelace.*Accepted/ }).waitFor();

    await scenario.goTo(page, scenario.appPath('/push'));
    const nobody = page.getByText('Reached nobody');
    await page.getByRole('link', { name: 'To nobody' }).click();
    await page.getByRole('heading', { name: 'To nobody' }).waitFor();
    await nobody.first().waitFor();
    await page.getByText('No device was registered for it when it was sent.').waitFor();
  });

  test('devices are chosen among those of a person', async () => {
    await scenario.goTo(page, scenario.appPath('/push/compose'));
    await page.getByRole('radio', { name: 'Certain devices' }).check();
    await page.getByRole('textbox', { name: 'Title' }).fill('To a device');
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Hello.');
    await page.getByRole('button', { name: 'Check audience' }).click();
    await page.getByText('Choose at least one device.').waitFor();
    const owner = page.getByRole('combobox', { name: 'Devices of' });
    await owner.fill('lovelace');
    await page.getByRole('option', { name: /Ada Lovelace/ }).waitFor();
    await owner.press('Enter');
    await page.getByRole('checkbox', { name: 'Android device' }).check();
    await page.getByRole('button', { name: 'Remove Android device' }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Check audience' }).click();
    await page.getByText('1 device would receive this message.').waitFor();
    await scenario.goTo(page, scenario.appPath('/push'));
  });

  test('a message is scheduled for a time, and cancelled before it', async () => {
    await scenario.goTo(page, scenario.appPath('/push/compose'));
    await page.getByRole('radio', { name: 'All devices of the app' }).check();
    await page.getByRole('textbox', { name: 'Title' }).fill('Tomorrow');
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Not today.');
    await page.getByRole('radio', { name: 'At a time' }).check();
    const at = page.getByLabel('Send at');
    const hour = 3_600_000;
    const local = (hours: number) =>
      page.evaluate(
        (time) => {
          const date = new Date(time);
          return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
        },
        scenario.service.clock.now().getTime() + hours * hour,
      );
    await at.fill(await local(-1));
    await page.getByRole('button', { name: 'Check audience' }).click();
    await page.getByText('Enter a time that is not past.').waitFor();
    await at.fill(await local(1));
    await page.getByRole('button', { name: 'Check audience' }).click();
    await page.getByRole('button', { name: 'Schedule' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill(scenario.service.app.app.name);
    await dialog.getByRole('button', { name: 'Schedule message' }).click();
    await page.getByRole('heading', { name: 'Tomorrow' }).waitFor();
    await page.getByText('Scheduled', { exact: true }).waitFor();
    await scenario.goTo(page, scenario.appPath('/push'));
    await page.getByText(/to be sent in .* \(.*\d{4}.*\), scheduled by you$/).waitFor();
    await page.getByRole('link', { name: 'Tomorrow' }).click();
    await page.getByRole('button', { name: 'Cancel message' }).click();
    await dialog.getByRole('button', { name: 'Keep it' }).click();
    await page.getByRole('button', { name: 'Cancel message' }).click();
    await dialog.getByRole('button', { name: 'Cancel message' }).click();
    await page.getByText('Cancelled', { exact: true }).waitFor();
    const received = providers.fcm.received.length;
    await scenario.service.advance(2 * hour);
    expect(providers.fcm.received).toHaveLength(received);
  });
});
