// Files and the audit log, and text of strangers on every page that shows it: names of users, members, keys and devices, files,
// records, ledger entries, claims, events and details.
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memberPassword, tokenIn } from '../../server/test/team-scenario.js';
import { inBrowser, withoutBrowser } from './browser.ts';
import { asMember, type DashboardScenario, dashboardScenario } from './dashboard-scenario.ts';

const hostile = `"><img src=x onerror="window.attacked=1"><script>window.attacked=1</script>{{7*7}}`;
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe.skipIf(withoutBrowser)(inBrowser('content of strangers'), () => {
  let scenario: DashboardScenario;
  let page: Page;
  let uid: string;
  beforeAll(async () => {
    scenario = await dashboardScenario();
    const { service, team } = scenario;
    const owner = asMember(service, team.owner);
    const user = await service.signUp({ email: 'mallory@example.com' });
    uid = user.uid;
    await service.call('PATCH', '/me', {
      token: user.tokens.access_token,
      body: { first_name: hostile.slice(0, 100), last_name: '<b>bold</b>' },
    });
    const device = { 'x-client-device': hostile.slice(0, 60), 'user-agent': hostile };
    await service.signIn(user, { headers: device });
    const upload = async (bytes: BlobPart, name: string, visibility: string) => {
      const form = new FormData();
      form.append('visibility', visibility);
      form.append('file', new Blob([bytes]), name);
      const { status } = await service.call('POST', '/files', { token: user.tokens.access_token, form });
      expect(status).toBe(201);
    };
    const script = '<script>window.attacked=1</script>';
    await upload(script, '<img src=x onerror=window.attacked=1>part.svg', 'private');
    await upload(Buffer.from(pixel, 'base64'), 'pixel.png', 'public');
    const entry = { points: 1, description: hostile, reference: 'javascript:alert(1)' };
    const made = [
      await owner('POST', `/admin/users/${uid}/loyalty/entries`, entry),
      await owner('PUT', `/admin/users/${uid}/claims`, { claims: { [hostile]: hostile } }),
      await owner('POST', '/admin/keys', { name: hostile.slice(0, 100), scopes: ['users:read'] }),
      await owner('POST', '/admin/collections', { name: 'notes' }),
      await owner('PUT', '/data/notes/hostile', { fields: { [hostile]: hostile } }),
    ];
    expect(made.map(({ status }) => status)).toEqual([201, 200, 201, 201, 201]);
    const { link } = await team.invite(service.app.app.id, { email: 'h@example.com', role: 'viewer' });
    await team.call('POST', '/console/invitations/accept', {
      body: { token: tokenIn(link), password: memberPassword, first_name: hostile.slice(0, 100) },
    });
    page = await scenario.open(team.owner, scenario.appPath('/users'));
  });
  afterAll(() => scenario.stop());

  const goTo = (path: string) => scenario.goTo(page, scenario.appPath(path));

  async function choose(filter: string, typed: string, option: string): Promise<void> {
    await page.getByRole('combobox', { name: filter }).fill(typed);
    await page.getByRole('option', { name: option }).click();
  }

  test.each([
    ['/users', '<b>bold</b>'],
    ['/users/{uid}?tab=profile', '<b>bold</b>'],
    ['/users/{uid}?tab=devices', '"><img src=x'],
    ['/users/{uid}?tab=loyalty', '{{7*7}}'],
    ['/users/{uid}?tab=claims', 'onerror='],
    ['/users/{uid}?tab=audit', 'Signed in'],
    ['/team', 'onerror='],
    ['/keys', 'onerror='],
    ['/files', 'part.svg'],
    ['/data/notes', 'onerror='],
    ['/data/notes/hostile', 'onerror='],
    ['/audit-log', 'Created a secret key'],
    ['/webhooks?tab=events', 'user.created'],
  ])('is text on %s', async (path, text) => {
    await goTo(path.replace('{uid}', uid));
    await page.getByText(text).locator('visible=true').first().waitFor();
    for (const control of await page.getByRole('button', { name: 'Details', exact: true }).all())
      await control.click();
    expect(await page.evaluate(() => (window as { attacked?: number }).attacked)).toBeUndefined();
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await page.locator('main b', { hasText: 'bold' }).count()).toBe(0);
  });

  test('of an address is not part of a path of the API', async () => {
    const called: string[] = [];
    page.on('request', (request) => called.push(new URL(request.url()).pathname));
    await goTo('/data/..%2F..%2Fconsole%2Fme');
    await page.getByText('The request is not valid').or(page.getByText('There is no such')).first().waitFor();
    // Decoded, the path would be that of another endpoint.
    const ofAddress = called.filter((path) => path.startsWith('/api/') && path.includes('..'));
    expect([...new Set(ofAddress)]).toEqual(['/api/v2/admin/collections/..%2F..%2Fconsole%2Fme']);
  });

  test('an image opens in a tab that the click itself opens, which browsers do not block', async () => {
    await goTo(`/files?owner_uid=${uid}&visibility=public`);
    const tab = page.waitForEvent('popup');
    await page.route('**/url?*', async (route) => {
      await tab;
      await route.continue();
    });
    await page.getByRole('button', { name: /Actions for pixel.png/ }).click();
    await page.getByRole('menuitem', { name: 'Open' }).click();
    await (await tab).locator('img').waitFor();
    await page.unrouteAll();
  });

  test('an uploaded script is downloaded and not run, and a deleted file is gone from every list at once', async () => {
    await goTo(`/users/${uid}?tab=files`);
    await page.getByRole('row', { name: /part.svg/ }).waitFor();
    await goTo(`/files?owner_uid=${uid}&visibility=private`);
    const row = page.getByRole('row', { name: /part.svg/ });
    // The only link of the row is that of its owner.
    await row.getByText('part.svg').first().click();
    expect(new URL(page.url()).pathname).toMatch(/\/files$/);
    const answered = page.waitForResponse((response) => new URL(response.url()).pathname.endsWith('/url'));
    const download = page.waitForEvent('download');
    await row.getByRole('button', { name: /Actions for/ }).click();
    expect(await page.getByRole('menuitem', { name: 'Open' }).count()).toBe(0);
    await page.getByRole('menuitem', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).toContain('part.svg');
    const { data } = (await (await answered).json()) as { data: { url: string } };
    // A browser stores it, or shows it without scripts and the origin of the dashboard.
    const bytes = await fetch(data.url);
    expect(await bytes.text()).toContain('<script>');
    expect(bytes.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
    expect(bytes.headers.get('content-disposition')).toMatch(/^attachment;/);
    const actions = row.getByRole('button', { name: /Actions for/ });
    await actions.click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete file' }).waitFor();
    await page.keyboard.press('Escape');
    // By keyboard the next step starts here, and not at the top of the page.
    await expect.poll(() => actions.evaluate((button) => button === document.activeElement)).toBe(true);
    await actions.click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete file' }).click();
    await page.getByText('No file matches').waitFor();
    await goTo(`/users/${uid}?tab=files`);
    await page.getByRole('row', { name: /part.svg/ }).waitFor({ state: 'hidden' });
  });

  test('the audit log has what was done just now, names the member, and is filtered in the address', async () => {
    await goTo('/audit-log');
    const created = page.getByRole('row', { name: /Created a collection/ });
    await expect.poll(() => created.count()).toBe(1);
    await asMember(scenario.service, scenario.team.owner)('POST', '/admin/collections', { name: 'later' });
    await goTo('/keys');
    await goTo('/audit-log');
    await expect.poll(() => created.count()).toBe(2);
    expect(await created.getByRole('link', { name: 'later' }).getAttribute('href')).toContain('/data/later');
    await choose('Action', 'secret key', 'Created a secret key');
    const entry = page.getByRole('row', { name: /Created a secret key/ });
    // The only such entry was shown before, among the others.
    await expect.poll(() => created.count()).toBe(0);
    await expect.poll(() => entry.count()).toBe(1);
    expect(await entry.innerText()).toContain(scenario.team.owner.email);
    expect(new URL(page.url()).searchParams.get('action')).toBe('secret_key.created');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const file = await readFile(await (await saved).path(), 'utf8');
    expect(file.trimEnd().split('\r\n')).toHaveLength(2);
    expect(file).toContain('Created a secret key');
    await page.getByRole('dialog').getByText('Close', { exact: true }).click();
    await choose('Actor', 'command', 'The command line');
    await page.getByText('No entry matches').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page
      .getByRole('row', { name: /Signed up/ })
      .first()
      .waitFor();
  });
});
