// The list of users: searching, filtering, paging and creating.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inBrowser, withoutBrowser } from './browser.ts';
import {
  asMember,
  type DashboardScenario,
  dashboardScenario,
  holdCalls,
  signIn,
} from './dashboard-scenario.ts';

describe.skipIf(withoutBrowser)(inBrowser('the list of users'), () => {
  let scenario: DashboardScenario;
  let page: Page;
  beforeAll(async () => {
    scenario = await dashboardScenario();
    const { service, team } = scenario;
    const users = [
      ...Array.from({ length: 40 }, (_, i) => ({ email: `adam${String(i).padStart(2, '0')}@example.com` })),
      { email: 'grace@example.com', first_name: 'Grace', last_name: 'Hopper', email_verified: true },
      { email: 'linus@example.com', disabled: true },
    ];
    const imported = await service.call('POST', '/admin/users/import', {
      token: team.owner.token,
      body: { users },
    });
    expect(imported.status).toBe(200);
    const contoso = {
      ...{ kind: 'oidc' as const, name: 'Contoso', issuer: 'https://login.example.com' },
      ...{ client_ids: ['orchard-web'], trusts_email: false },
    };
    await service.changeSettings({ providers: { contoso } });
    page = await scenario.open(team.owner, scenario.appPath('/users'));
  });
  afterAll(() => scenario.stop());

  const rows = () => page.locator('tbody tr');
  const search = () => page.getByRole('searchbox', { name: 'Search users' });

  test('searches while typing, and shows the answer to the last key', async () => {
    await search().pressSequentially('grace', { delay: 20 });
    await expect.poll(() => rows().count()).toBe(1);
    expect(await rows().first().innerText()).toContain('Grace Hopper');
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('grace');
    await search().fill('nobody');
    await page.getByText('No user matches').waitFor();
    await page.getByRole('link', { name: 'Clear search and filters' }).click();
    await expect.poll(() => rows().count()).toBe(25);
    expect(await search().inputValue()).toBe('');
  });

  test('says how much to type, counting an emoji as one character, and searches for one Han character', async () => {
    await search().fill('🦄');
    await page.getByText('Type at least 2 characters.').waitFor();
    await search().fill('王');
    await page
      .getByText('“王” begins no name and no email, and is no complete id or device token.')
      .waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('王');
    await search().fill('');
    await expect.poll(() => rows().count()).toBe(25);
  });

  test('what is typed while the address changes stays', async () => {
    await page.evaluate(() => {
      const { replaceState } = history;
      const input = document.querySelector('input[type=search]') as HTMLInputElement;
      const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
      history.replaceState = function (...args) {
        replaceState.apply(this, args);
        if (!String(args[2]).endsWith('q=grace')) return;
        history.replaceState = replaceState;
        setValue?.call(input, 'grace h');
        input.dispatchEvent(new Event('input', { bubbles: true }));
      };
    });
    await search().fill('grace');
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('grace h');
    expect(await search().inputValue()).toBe('grace h');
    await search().fill('');
    await expect.poll(() => rows().count()).toBe(25);
  });

  test('a list that was empty is not called empty while another is read', async () => {
    await search().fill('nobody');
    await page.getByText('No user matches').waitFor();
    const held = await holdCalls(page, /\/admin\/users\?q=adam/);
    await search().fill('adam');
    await held.begun();
    await page.getByRole('status', { name: 'Loading' }).waitFor();
    expect(await page.getByText('No user matches').count()).toBe(0);
    await held.release();
    await expect.poll(() => rows().count()).toBe(25);
    await search().fill('');
    await page.getByText('grace@example.com').waitFor();
  });

  test('a list that cannot be read again says so, and is read again on demand', async () => {
    await page.route(/\/admin\/users(\?|$)/, (route) =>
      route.fulfill({ status: 403, json: { error: { code: 'console/insufficient-role' } } }),
    );
    await page.getByRole('combobox', { name: 'Sort users' }).selectOption('Email Z to A');
    const again = page.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    expect(await rows().count()).toBe(0);
    await page.unrouteAll({ behavior: 'wait' });
    await again.click();
    await expect.poll(() => rows().first().innerText()).toContain('linus@example.com');
    await page.getByRole('combobox', { name: 'Sort users' }).selectOption('Newest first');
  });

  test('a late answer to an earlier key never replaces a newer one', async () => {
    const held = await holdCalls(page, /\/admin\/users\?q=lin$/);
    await search().fill('lin');
    await held.begun();
    await search().fill('grace');
    await expect.poll(() => rows().count()).toBe(1);
    await held.release();
    expect(await rows().first().innerText()).toContain('grace@example.com');
    await search().fill('');
    await expect.poll(() => rows().count()).toBe(25);
  });

  test('reads the next page on demand', async () => {
    await page.getByRole('button', { name: 'Load more' }).click();
    await expect.poll(() => rows().count()).toBe(42);
    expect(await page.getByRole('button', { name: 'Load more' }).count()).toBe(0);
  });

  test('the place in the list is the same after twenty minutes on the page of a user', async () => {
    // A browser profile of its own: its clock cannot be set back.
    const own = await scenario.open(null, '/icon.svg', {});
    await own.clock.install();
    await own.goto(`${scenario.service.url}/dashboard${scenario.appPath('/users')}`);
    await signIn(own, scenario.team.owner.email);
    await own.getByRole('button', { name: 'Load more' }).click();
    await own.locator('tbody tr').nth(40).getByRole('link').click();
    await own.getByRole('tab', { name: 'Profile' }).waitFor();
    await own.clock.fastForward('20:00');
    await own.goBack();
    await own.locator('tbody tr').first().waitFor();
    await expect.poll(() => own.locator('tbody tr').count()).toBe(42);
  });

  test('filters and the order are in the address, and survive a reload, the Back button and the page of a user', async () => {
    await page.getByRole('button', { name: 'Filters' }).click();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).search));
    const since = page.getByLabel('Created from');
    await since.focus();
    await since.pressSequentially('01022020', { delay: 400 });
    await expect.poll(() => new URL(page.url()).searchParams.get('created_after')).toBe('2020-01-02');
    await expect.poll(() => asked.some((query) => /created_after=20(19|20)-/.test(query))).toBe(true);
    expect(asked.filter((query) => /created_after=0/.test(query))).toEqual([]);
    await page.getByRole('combobox', { name: 'Account' }).selectOption('Disabled');
    await expect.poll(() => rows().count()).toBe(1);
    await page.keyboard.press('Escape');
    expect(new URL(page.url()).searchParams.get('disabled')).toBe('true');
    await page.reload();
    await expect.poll(() => rows().count()).toBe(1);
    await page.getByRole('link', { name: 'linus@example.com' }).click();
    await page.getByRole('heading', { name: 'linus@example.com' }).waitFor();
    await page.goBack();
    await expect.poll(() => rows().count()).toBe(1);
    const filters = new URL(page.url()).search;
    await page.getByRole('link', { name: 'linus@example.com' }).click();
    await page.getByRole('tab', { name: 'Devices', exact: true }).click();
    await page.reload();
    await page.getByRole('main').getByRole('link', { name: 'Users' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe(filters);
    await expect.poll(() => rows().count()).toBe(1);
    await scenario.goTo(page, scenario.appPath('/users?order=email&q=adam'));
    await expect.poll(() => rows().first().innerText()).toContain('adam00@example.com');
  });

  test('users are filtered by a provider of the settings, by its name, and by one that is gone', async () => {
    await scenario.goTo(page, scenario.appPath('/users?provider=fabrikam'));
    await page.getByRole('button', { name: 'Filters' }).click();
    const linked = page.getByRole('combobox', { name: 'Linked provider' });
    const options = async () => (await linked.locator('option').allInnerTexts()).join();
    await expect.poll(options).toBe('Any,Google,Apple,Contoso,fabrikam');
    expect(await linked.inputValue()).toBe('fabrikam');
    const asked = page.waitForRequest(/[?&]provider=contoso(&|$)/);
    await linked.selectOption({ label: 'Contoso' });
    expect(new URL((await asked).url()).searchParams.get('provider')).toBe('contoso');
    await page.getByRole('button', { name: 'Clear filters' }).click();
  });

  test('an address with filters that make no sense shows the list', async () => {
    const nonsense =
      '/users?q=a&disabled=maybe&order=points&created_after=yesterday&created_before=0000-01-01';
    await scenario.goTo(page, scenario.appPath(nonsense));
    await expect.poll(() => rows().count()).toBe(25);
    await scenario.goTo(page, scenario.appPath('/users?q=%00%00'));
    await expect.poll(() => rows().count()).toBe(25);
  });

  test('a user is created; what the service refuses appears beside the field', async () => {
    await page.getByRole('button', { name: 'Create user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Email' }).fill('grace@example.com');
    await dialog.getByRole('textbox', { name: 'First name' }).fill('x'.repeat(101));
    await dialog.getByRole('button', { name: 'Create user' }).click();
    await dialog.getByText('Must have at most 100 characters.').waitFor();
    expect(await dialog.getByRole('alert').innerText()).toBe('The request is not valid.');
    await dialog.getByRole('textbox', { name: 'First name' }).fill('Margaret');
    await dialog.getByRole('button', { name: 'Create user' }).click();
    await dialog.getByText('An account with this email already exists.').waitFor();
    await dialog.getByRole('textbox', { name: 'Email' }).fill('margaret@example.com');
    await dialog.getByRole('button', { name: 'Create user' }).click();
    await page.getByRole('heading', { name: 'Margaret' }).waitFor();
  });

  test('points are added once to each selected user, and one who failed remains selected', async () => {
    await scenario.goTo(page, scenario.appPath('/users?order=email&q=adam'));
    const row = (email: string) => page.getByRole('row', { name: email });
    const uidOf = async (email: string) => {
      const href = await page.getByRole('link', { name: email }).getAttribute('href');
      return href?.split('/').at(-1);
    };
    for (const email of ['adam00@example.com', 'adam01@example.com'])
      await row(email).getByRole('checkbox').check();
    const [refused, changed] = [await uidOf('adam00@example.com'), await uidOf('adam01@example.com')];
    await page.route(`**/users/${refused}/loyalty/entries`, (route) =>
      route.fulfill({ status: 403, json: { error: { code: 'console/forbidden', message: '' } } }),
    );
    const held = await holdCalls(page, `**/users/${changed}/loyalty/entries`, 'POST');
    await page.getByRole('button', { name: 'Add points' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add points to 2 users' });
    await dialog.getByRole('textbox', { name: 'Points for each' }).fill('50');
    await dialog.getByRole('textbox', { name: 'Description' }).fill('Birthday');
    await dialog.getByRole('button', { name: 'Add points' }).click();
    await held.begun();
    await page.keyboard.press('Escape');
    expect(await dialog.getByRole('button', { name: 'Close' }).count()).toBe(0);
    await held.release();
    await dialog.getByText('2 of 2, 1 failed and remain selected').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('1 selected').waitFor();
    expect(await row('adam00@example.com').getByRole('checkbox').isChecked()).toBe(true);
    const user = await asMember(scenario.service, scenario.team.owner)('GET', `/admin/users/${changed}`);
    expect(user.data).toMatchObject({ points: 50 });
  });
});
