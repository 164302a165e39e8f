// The pages of webhooks: adding, testing, reading deliveries, retrying, rotating and deleting.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Receiver, startReceiver } from '../../server/test/webhook-scenario.js';
import { inBrowser, withoutBrowser } from './browser.ts';
import { asMember, type DashboardScenario, dashboardScenario, holdCalls } from './dashboard-scenario.ts';

const hostile = '<img src=x onerror="window.attacked=1"><script>window.attacked=1</script>';

describe.skipIf(withoutBrowser)(inBrowser('the webhooks of an app'), () => {
  let scenario: DashboardScenario;
  let receiver: Receiver;
  let page: Page;
  beforeAll(async () => {
    scenario = await dashboardScenario({ config: { outboundLoopback: true } });
    receiver = await startReceiver();
    // The time zone of what is entered as a local time.
    const options = { timezoneId: 'UTC' };
    page = await scenario.open(scenario.team.owner, scenario.appPath('/webhooks'), options);
  });
  afterAll(async () => {
    await scenario.stop();
    await receiver.stop();
  });

  test('a refused address is explained beside its field; an accepted one shows the secret once', async () => {
    await page.getByRole('button', { name: 'Add webhook' }).first().click();
    const dialog = page.getByRole('dialog');
    const url = dialog.getByRole('textbox', { name: 'URL' });
    await url.fill('https://10.0.0.1/hooks');
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await dialog.getByText('A webhook URL must be a public https URL').waitFor();
    await url.fill(receiver.url);
    await dialog.getByRole('radio', { name: 'Selected types' }).check();
    await dialog.getByRole('checkbox', { name: 'user.created' }).check();
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    const secret = await dialog.getByRole('textbox', { name: 'Signing secret' }).inputValue();
    expect(secret).toMatch(/^whsec_/);
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => page.content()).not.toContain(secret);
    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByRole('heading', { name: receiver.url }).waitFor();
  });

  test('entries of the audit log are chosen by the words of their actions', async () => {
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('combobox', { name: 'Entries of the audit log' }).fill('changed settings');
    await page.getByRole('option', { name: 'Changed settings' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The webhook is saved.').first().waitFor();
    const { json } = await asMember(scenario.service, scenario.team.owner)('GET', '/admin/webhooks');
    expect(json.data.items[0].types).toEqual(['user.created', 'audit.settings.updated']);
    await page.getByRole('tab', { name: 'Deliveries' }).click();
  });

  test('the response to a test is shown as text, and a dialog that was opened meanwhile keeps its input', async () => {
    receiver.answer((_, res) => res.writeHead(500, { 'content-type': 'text/html' }).end(hostile));
    await page.getByRole('button', { name: 'Send a test' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Response 500').waitFor();
    await dialog.getByRole('button', { name: 'Request and response' }).click();
    await dialog.getByText(hostile).waitFor();
    await dialog.getByText('webhook-id').waitFor();
    expect(await page.evaluate(() => (window as { attacked?: number }).attacked)).toBeUndefined();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'hidden' });

    const held = await holdCalls(page, '**/test');
    await page.getByRole('button', { name: 'Send a test' }).click();
    await held.begun();
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Replay events' }).click();
    await page.getByLabel('From').fill('2030-01-02T03:04');
    await held.release();
    await page.getByText('The test failed.').waitFor();
    expect(await page.getByLabel('From').inputValue()).toBe('2030-01-02T03:04');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
  });

  test('a failed delivery is found by its status and sent again', async () => {
    await scenario.service.signUp({ email: 'event@example.com' });
    await scenario.service.advance(1_000);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('Pending', { exact: true }).last().waitFor();
    receiver.answer(204);
    await page.getByText('user.created').first().waitFor();
    await page.getByRole('link', { name: 'event@example.com' }).waitFor();
    await page.locator('label', { hasText: 'Pending' }).click();
    const retry = page.getByRole('button', { name: 'Retry' });
    await expect.poll(() => retry.count()).toBe(1);
    const accepted = page.waitForResponse((response) => response.url().endsWith('/retry'));
    await retry.click();
    await accepted;
    await scenario.service.advance(1_000);
    await page.getByText(/^Sent again: Response 204/).waitFor();
    await page.locator('label', { hasText: 'Succeeded' }).click();
    await page.getByRole('cell', { name: /^Response 204/ }).waitFor();
    expect(new URL(page.url()).searchParams.get('status')).toBe('succeeded');
  });

  test('events are filtered by type in the address, and replayed for a period', async () => {
    const received = receiver.received.length;
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Replay events' }).click();
    const since = new Date(scenario.service.clock.now().getTime() - 3_600_000).toISOString().slice(0, 16);
    await page.getByRole('textbox', { name: 'From' }).or(page.getByLabel('From')).first().fill(since);
    await page.getByRole('button', { name: 'Start replay' }).click();
    await page.getByText('The replay has started.').waitFor();
    await scenario.service.advance(5_000);
    expect(receiver.received.length).toBe(received + 1);

    await scenario.goTo(page, scenario.appPath('/webhooks?tab=events&type=user.created'));
    await page.getByRole('button', { name: /user.created/ }).click();
    await page.getByText('"email": "event@example.com"').waitFor();
    expect(await page.getByRole('button', { name: /session.created/ }).count()).toBe(0);
  });

  test('a deleted webhook is gone after the consequence was confirmed', async () => {
    await page.getByRole('tab', { name: 'Endpoints' }).click();
    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByText('its deliveries and secret are deleted').waitFor();
    await page.getByRole('button', { name: 'Delete webhook' }).click();
    await page.getByText('No webhooks yet').waitFor();
  });
});
