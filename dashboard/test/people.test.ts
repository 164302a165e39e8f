// People are shown by name and chosen by name, on every page that the API answers with user ids.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inBrowser, withoutBrowser } from './browser.ts';
import { type DashboardScenario, dashboardScenario } from './dashboard-scenario.ts';
import { seriousFaults } from './serious-faults.ts';

describe.skipIf(withoutBrowser)(inBrowser('people'), () => {
  let scenario: DashboardScenario;
  let page: Page;
  let ada: string;
  let bob: string;
  beforeAll(async () => {
    scenario = await dashboardScenario();
    const { service } = scenario;
    const withFile = async (email: string, profile: object) => {
      const user = await service.signUp({ email });
      const token = user.tokens.access_token;
      await service.call('PATCH', '/me', { token, body: profile });
      const form = new FormData();
      form.append('file', new Blob(['text']), `of ${email}.txt`);
      expect((await service.call('POST', '/files', { token, form })).status).toBe(201);
      return user.uid;
    };
    ada = await withFile('ada@example.com', { first_name: 'Ada', last_name: 'Lovelace' });
    bob = await withFile('bob@example.com', {});
    page = await scenario.open(scenario.team.owner, scenario.appPath('/files'));
  });
  afterAll(() => scenario.stop());

  const search = () => new URL(page.url()).searchParams;

  test('rows show their owners by name, or by email without one, and read them in one call', async () => {
    const owner = page.getByRole('link', { name: 'Ada Lovelace' });
    await owner.waitFor();
    const lists: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith('/admin/users')) lists.push(searchParams.get('uids') ?? '');
    });
    await page.reload();
    await owner.waitFor();
    await page.getByRole('link', { name: 'bob@example.com' }).waitFor();
    expect(lists.map((uids) => uids.split(',').sort())).toEqual([[ada, bob].sort()]);
    expect(await owner.getAttribute('title')).toBe(ada);
    expect(await owner.getAttribute('href')).toMatch(new RegExp(`/users/${ada}$`));
  });

  test('a person is found by words of the name and chosen by keyboard', async () => {
    const filter = page.getByRole('combobox', { name: 'Owner' });
    await filter.fill('lovelace ad');
    const option = page.getByRole('option', { name: /Ada Lovelace/ });
    await option.getByText('ada@example.com').waitFor();
    await expect.poll(() => option.getAttribute('data-combobox-selected')).toBe('true');
    expect(await seriousFaults(page)).toEqual([]);
    await filter.press('Enter');
    await expect.poll(() => search().get('owner_uid')).toBe(ada);
    await expect.poll(() => filter.inputValue()).toBe('Ada Lovelace');
    await page.getByRole('row', { name: /bob@example.com/ }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Clear owner' }).click();
    await expect.poll(() => search().has('owner_uid')).toBe(false);
  });

  test('a text that is left without a choice filters nothing, and a uid that nobody has can be chosen', async () => {
    const filter = page.getByRole('combobox', { name: 'Owner' });
    await filter.fill('nobody at all');
    await page.getByText('Nobody matches.').waitFor();
    await filter.press('Tab');
    await expect.poll(() => filter.inputValue()).toBe('');
    expect(search().has('owner_uid')).toBe(false);
    const gone = '01JC4Q7M0RZ9X2V5T8W3Y6K1NB';
    await filter.fill(gone.toLowerCase());
    await page.getByRole('option', { name: /Deleted or unknown user/ }).click();
    await expect.poll(() => search().get('owner_uid')).toBe(gone);
    await page.getByText('No file matches').waitFor();
  });
});
