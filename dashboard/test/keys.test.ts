// The page Keys: a secret key is shown once, works with its scopes, and ends when it is revoked.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inBrowser, withoutBrowser } from './browser.ts';
import { asMember, type DashboardScenario, dashboardScenario, loseAnswers } from './dashboard-scenario.ts';

/** Shown with single spaces. */
const spacedName = 'import  of  caf\u00e9s';

describe.skipIf(withoutBrowser)(inBrowser('the keys of an app'), () => {
  let scenario: DashboardScenario;
  let page: Page;
  let secretKey: string;
  beforeAll(async () => {
    scenario = await dashboardScenario();
    const call = asMember(scenario.service, scenario.team.owner);
    await call('POST', '/admin/keys', { name: spacedName, scopes: ['users:read'] });
    page = await scenario.open(scenario.team.owner, scenario.appPath('/keys'));
  });
  afterAll(() => scenario.stop());

  const status = async (path: string) =>
    (await scenario.service.call('GET', path, { token: secretKey })).status;

  test('a created key is shown once and has the chosen scopes', async () => {
    await page.getByRole('link', { name: 'Team' }).click();
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('button', { name: 'Create secret key' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('nightly export');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('Choose at least one scope.').waitFor();
    await dialog.getByRole('checkbox', { name: 'Read users and their devices' }).check();
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const field = dialog.getByRole('textbox', { name: 'Secret key' });
    secretKey = await field.inputValue();
    expect(await status('/admin/users')).toBe(200);
    expect(await status('/admin/webhooks')).toBe(403);
    await page.keyboard.press('Escape');
    expect(await field.count()).toBe(1);
    await page.goBack();
    await page.getByRole('button', { name: 'Stay' }).waitFor();
    await page.evaluate(() => history.back());
    await page.getByRole('button', { name: 'Stay' }).click();
    expect(await field.inputValue()).toBe(secretKey);
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'));
    });
    await dialog.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('The browser does not allow copying.').waitFor();
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await expect.poll(() => page.content()).not.toContain(secretKey);

    const answers: string[] = [];
    page.on('response', async (response) => {
      if (response.url().includes('/api/')) answers.push(await response.text().catch(() => ''));
    });
    await page.reload();
    const row = page.getByRole('row', { name: /nightly export/ });
    expect(await row.innerText()).toContain(secretKey.slice(-4));
    await expect.poll(() => answers.join()).toContain('nightly export');
    expect(answers.join()).not.toContain(secretKey);
  });

  /** Enters a key in the dialog; the service creates it, but its answer is lost. */
  async function createWithoutAnswer(name: string) {
    await page.getByRole('button', { name: 'Create secret key' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
    await dialog.getByRole('button', { name: 'Verify tokens' }).click();
    await dialog.getByRole('combobox', { name: 'Expires' }).selectOption('In 30 days');
    await loseAnswers(page, '**/admin/keys', 'POST');
    const create = dialog.getByRole('button', { name: 'Create key' });
    await create.click();
    await dialog.getByText('The service cannot be reached.').waitFor();
    await page.unrouteAll();
    return { dialog, create };
  }

  const countOf = async (name: string) => {
    const { json } = await asMember(scenario.service, scenario.team.owner)('GET', '/admin/keys');
    return json.data.items.filter((key: { name: string }) => key.name === name).length;
  };

  test('a click repeated after a lost answer and a rate limit creates one key, and shows it', async () => {
    const { dialog, create } = await createWithoutAnswer('over a bad line');
    await page.route('**/admin/keys', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '90' },
        json: { error: { code: 'request/rate-limited', message: '', fields: {} } },
      }),
    );
    await create.click();
    await dialog.getByText('Too many requests').waitFor();
    await dialog.getByText('Try again in 1 minute 30 seconds.').waitFor();
    await page.unrouteAll();
    await create.click();
    expect(await dialog.getByRole('textbox', { name: 'Secret key' }).inputValue()).toMatch(/^sk_/);
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('row', { name: /over a bad line/ }).waitFor();
    expect(await countOf('over a bad line')).toBe(1);
  });

  test('a click repeated after a refusal of the operation is a call of its own', async () => {
    const { dialog, create } = await createWithoutAnswer('one too many');
    const keys: (string | undefined)[] = [];
    await page.route('**/admin/keys', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      const json = { error: { code: 'admin/too-many-secret-keys', message: '', fields: {} } };
      await route.fulfill({ status: 409, json });
    });
    for (const count of [1, 2]) {
      await create.click();
      await expect.poll(() => keys.length).toBe(count);
      await dialog.getByText('maximum number').waitFor();
    }
    expect(keys[1]).not.toBe(keys[0]);
    await page.unrouteAll();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
  });

  test('a click ten minutes after a lost answer is a call of its own', async () => {
    const { dialog, create } = await createWithoutAnswer('once more');
    await page.evaluate(() => {
      const now = Date.now;
      Object.assign(window, { now });
      Date.now = () => now() + 10 * 60_000;
    });
    await create.click();
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.evaluate(() => Object.assign(Date, { now: (window as { now?: unknown }).now }));
    expect(await countOf('once more')).toBe(2);
  });

  test('a revoked key is rejected at once', async () => {
    const row = page.getByRole('row', { name: /nightly export/ });
    await row.getByRole('button', { name: 'Revoke' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('it cannot be undone').waitFor();
    await dialog.getByRole('textbox').fill('nightly export');
    await dialog.getByRole('button', { name: 'Revoke key' }).click();
    await row.getByText('Revoked').waitFor();
    await dialog.waitFor({ state: 'hidden' });
    expect(await status('/admin/users')).toBe(401);
  });

  test('a name with several spaces is typed as it is shown', async () => {
    const row = page.getByRole('row', { name: /import/ });
    await row.getByRole('button', { name: 'Revoke' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill('import of cafe\u0301s');
    await dialog.getByRole('button', { name: 'Revoke key' }).click();
    await row.getByText('Revoked').waitFor();
    await dialog.waitFor({ state: 'hidden' });
  });

  test('a date that is none is explained beside its field', async () => {
    await page.getByRole('button', { name: 'Create secret key' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('in a far future');
    await dialog.getByRole('button', { name: 'Read only' }).click();
    await dialog.getByRole('combobox', { name: 'Expires' }).selectOption('On a date');
    await dialog.getByLabel('Date', { exact: true }).focus();
    await page.keyboard.type('010220266');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.locator('[aria-invalid="true"][type="date"]').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
  });

  test('a key after a long time requires the password again, and keeps what was entered', async () => {
    await scenario.service.advance(10 * 60_000);
    await page.getByRole('button', { name: 'Create secret key' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Create secret key' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('after a pause');
    await dialog.getByRole('button', { name: 'Verify tokens' }).click();
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const again = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await again.waitFor();
    await page.keyboard.press('Escape');
    await again.waitFor({ state: 'hidden' });
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await again.locator('input[type=password]').fill('a long password of a member');
    await again.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('textbox', { name: 'Secret key' }).waitFor();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('row', { name: /after a pause/ }).waitFor();
  });
});
