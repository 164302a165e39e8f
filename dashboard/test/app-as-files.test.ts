// Settings, App as files and Copy settings: the files are those of `foyer pull`, and settings of another app are copied as files
// are applied.
import { readFile } from 'node:fs/promises';
import { strFromU8, unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inBrowser, withoutBrowser } from './browser.ts';
import { asMember, type DashboardScenario, dashboardScenario } from './dashboard-scenario.ts';

describe.skipIf(withoutBrowser)(inBrowser('the section App as files'), () => {
  let scenario: DashboardScenario;
  let page: Page;
  beforeAll(async () => {
    scenario = await dashboardScenario();
    await scenario.service.changeSettings({
      mail: { texts: { reset: { de: { subject: 'Code', text: 'Hallo' } } } },
    });
    page = await scenario.open(scenario.team.owner, scenario.appPath('/settings?section=as-files'));
  });
  afterAll(() => scenario.stop());

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  async function downloaded(name: string): Promise<{ name: string; body: Buffer }> {
    const [file] = await Promise.all([page.waitForEvent('download'), button(name).click()]);
    return { name: file.suggestedFilename(), body: await readFile(await file.path()) };
  }

  test('downloads the files of foyer pull, in one archive and one by one', async () => {
    const { service } = scenario;
    const { app, secretKey } = service.app;
    const answer = await service.call('GET', '/admin/app-files', { appKey: app.appKey, token: secretKey });
    const files = answer.json.data.files as { path: string; text: string }[];
    expect(files.map(({ path }) => path)).toEqual(['app.yaml', 'mails/de/reset.md']);
    const archive = await downloaded('Download as files');
    expect(archive.name).toBe(`${app.slug}.zip`);
    const unpacked = Object.entries(unzipSync(archive.body)).map(([path, bytes]) => [path, strFromU8(bytes)]);
    expect(unpacked).toEqual(files.map(({ path, text }) => [`${app.slug}/${path}`, text]));
    const one = await downloaded('Download mails/de/reset.md');
    expect([one.name, one.body.toString()]).toEqual(['reset.md', files[1]?.text]);
  });

  test('copies settings of another app, and nothing if they were changed after they were listed', async () => {
    const { service, team } = scenario;
    const other = await team.newApp('Vineyard');
    const changeOther = asMember(service, team.owner, other.app_key);
    await changeOther('PATCH', '/admin/settings', { second_factor: 'required' });
    await scenario.goTo(page, scenario.appPath('/settings?section=copy'));
    await page.reload();
    await button('Copy settings from another app').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('From the app').selectOption({ label: 'Vineyard' });
    await dialog.getByText('Second factor', { exact: true }).waitFor();
    await service.changeSettings({ access_token_seconds: 600 });
    await dialog.getByRole('button', { name: 'Copy settings' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByText('Access token lifetime', { exact: true }).waitFor();
    const settings = async () =>
      (await asMember(service, team.owner)('GET', '/admin/settings')).json.data as Record<string, unknown>;
    expect((await settings()).second_factor).not.toBe('required');
    await dialog.getByRole('button', { name: 'Copy settings' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await settings()).second_factor).toBe('required');
    expect((await settings()).access_token_seconds).not.toBe(600);
  });
});
