// The jobs of a support day, by a member with the role `support`, in one session, and what each costs in clicks.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestUser } from '../../server/test/harness.js';
import { times } from '../../server/test/limited-service.js';
import { inBrowser, withoutBrowser } from './browser.ts';
import { clicksOn } from './clicks.ts';
import { asMember, type DashboardScenario, dashboardScenario } from './dashboard-scenario.ts';

const pushToken = 'a-push-token-from-a-log-of-the-app';

describe.skipIf(withoutBrowser)(inBrowser('a support day'), () => {
  let scenario: DashboardScenario;
  let user: TestUser;
  let page: Page;
  let clicks: () => Promise<number>;
  beforeAll(async () => {
    scenario = await dashboardScenario({ rateLimits: true });
    const { service, team } = scenario;
    user = await service.signUp({ email: 'ada@example.com' });
    const owner = asMember(service, team.owner);
    await owner('PATCH', `/admin/users/${user.uid}`, { first_name: 'Ada', last_name: 'Lovelace' });
    await owner('POST', '/admin/collections', { name: 'notes', access_mode: 'owner' });
    const record = { fields: { title: 'Groceries' } };
    await service.call('POST', '/data/notes', { token: user.tokens.access_token, body: record });
    await service.signIn(user, { headers: { 'x-client-device': 'A lost phone' } });
    await times(11, () => service.signIn({ ...user, password: 'wrong' }));
    const helper = await team.newMember(service.app.app.id, 'support');
    const body = { provider: 'fcm', platform: 'android', token: pushToken };
    await service.call('POST', '/push/devices', { token: user.tokens.access_token, body });
    page = await scenario.open(helper, scenario.appPath('/users'));
    clicks = await clicksOn(page);
  });
  afterAll(() => scenario.stop());

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const tab = (name: string) => page.getByRole('tab', { name, exact: true }).click();
  const dialog = () => page.getByRole('dialog');
  const heading = () => page.getByRole('heading', { name: 'Ada Lovelace' });

  test.each(['lovelace ada', '"Ada L." <ada@example.com>', '@example.com'])(
    'finds a person by %s',
    async (text) => {
      await page.getByRole('searchbox', { name: 'Search users' }).fill(text);
      await page.getByRole('link', { name: 'ada@example.com' }).waitFor();
      await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
      expect(await clicks()).toBe(0);
    },
  );

  test('sees why she cannot sign in, and lifts the limit', async () => {
    await page.getByRole('link', { name: 'ada@example.com' }).click();
    await heading().waitFor();
    await page.getByText('Too many wrong passwords from one IP address (127.0.0.1)').waitFor();
    await button('Lift limits').click();
    await page.getByText('Nothing keeps this user from signing in.').waitFor();
    expect(await clicks()).toBe(2);
    expect((await scenario.service.signIn(user)).status).toBe(200);
  });

  test('mails her a sign-in code', async () => {
    await button('Send a mail').click();
    await page.getByRole('menuitem', { name: 'Sign-in code' }).click();
    await page
      .getByText(/^A sign-in code is on its way to ada@example\.com\. It is valid for \d+ minutes\.$/)
      .waitFor();
    expect(await clicks()).toBe(2);
    expect(await scenario.service.mailbox(user.email)).toHaveLength(1);
  });

  test('disables her, sees by whom she is disabled, and enables her', async () => {
    await button('Disable').click();
    await dialog().getByRole('button', { name: 'Disable user' }).click();
    await dialog().waitFor({ state: 'hidden' });
    await page.getByText(/^Disabled by member-.+: every way to sign in is refused\.$/).waitFor();
    await button('Enable').click();
    await dialog().getByRole('button', { name: 'Enable user' }).click();
    await dialog().waitFor({ state: 'hidden' });
    await page.getByText('Nothing keeps this user from signing in.').waitFor();
    expect(await clicks()).toBe(4);
  });

  test('notes what was done, and is asked before a note is lost', async () => {
    await tab('Notes');
    await page.getByRole('textbox', { name: 'New note' }).fill('Lost her phone.');
    await tab('Devices');
    await dialog().getByRole('button', { name: 'Stay' }).click();
    await button('Add note').click();
    await page.getByRole('tab', { name: 'Notes (1)' }).waitFor();
    await page.getByRole('region', { name: 'Newest note' }).getByText('Lost her phone.').waitFor();
    expect(await clicks()).toBe(4);
  });

  test('ends the session on a lost phone', async () => {
    await scenario.service.signIn(user, { headers: { 'x-client-device': 'Another lost phone' } });
    await tab('Devices');
    await button('End session on Another lost phone').click();
    await dialog().getByRole('button', { name: 'End session' }).click();
    await button('End session on Another lost phone').waitFor({ state: 'hidden' });
    await dialog().waitFor({ state: 'hidden' });
    expect(await clicks()).toBe(3);
  });

  test('adds points, and sees the tier', async () => {
    await tab('Loyalty');
    await page.getByText(/^Tier /).waitFor();
    await button('Add entry').click();
    await dialog().getByRole('textbox', { name: 'Points' }).fill('170');
    await dialog().getByRole('textbox', { name: 'Description' }).fill('Birthday');
    await dialog().getByRole('button', { name: 'Add entry' }).click();
    await page.getByText('The balance is now 170 points.').waitFor();
    await dialog().waitFor({ state: 'hidden' });
    expect(await clicks()).toBe(3);
  });

  test('sees her records, although collections are for admins', async () => {
    await tab('Records');
    await page.getByRole('cell', { name: 'Groceries', exact: true }).waitFor();
    expect(await clicks()).toBe(1);
  });

  test('finds in the audit log what an owner of the service did, by the email', async () => {
    await scenario.goTo(page, scenario.appPath('/audit-log'));
    await page.getByRole('combobox', { name: 'Actor' }).fill(scenario.team.owner.email);
    await page.getByRole('option', { name: scenario.team.owner.email }).click();
    await page.getByText('Created a collection').locator('visible=true').first().waitFor();
    await expect.poll(() => page.getByRole('row', { name: /Lifted the limits/ }).count()).toBe(0);
    await scenario.goTo(page, scenario.appPath(`/users/${user.uid}`));
    await heading().waitFor();
    await clicks();
  });

  test('sees who did what to her', async () => {
    await tab('Audit trail');
    await page.getByText('Added or deducted points').waitFor();
    await page.getByText('Lifted the limits of a user').waitFor();
    expect(await clicks()).toBe(1);
  });

  test('finds from anywhere whose device a push token is, by keyboard, and sees it', async () => {
    await scenario.goTo(page, scenario.appPath('/overview'));
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Go to/ }).fill(pushToken);
    await page.getByRole('option', { name: /Ada Lovelace, ada@example.com/ }).waitFor();
    await page.keyboard.press('Enter');
    await heading().waitFor();
    await tab('Push devices');
    await page.getByText('Android', { exact: true }).waitFor();
    expect(await clicks()).toBe(1);
  });

  test('cannot delete her', async () => {
    expect(await button('Delete').getAttribute('aria-disabled')).toBe('true');
  });
});
