// The start of a developer: an empty app leads to the first calls, and what they did appears on the overview.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manualClock } from '../../server/test/harness.js';
import { inBrowser, withoutBrowser } from './browser.ts';
import { type DashboardScenario, dashboardScenario } from './dashboard-scenario.ts';

/** Runs a script beside the service, which is in this process. */
async function run(script: string): Promise<string> {
  return (await promisify(execFile)('bash', ['-c', script], { timeout: 60_000 })).stdout;
}

describe.skipIf(withoutBrowser)(inBrowser('the overview and the quick start'), () => {
  let scenario: DashboardScenario;
  let page: Page;
  beforeAll(async () => {
    scenario = await dashboardScenario({ clock: manualClock(new Date()) });
    page = await scenario.open(scenario.team.owner, scenario.appPath('/users'));
  });
  afterAll(() => scenario.stop());

  test('an app without users leads to the quick start, filled with its address and key', async () => {
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('link', { name: 'Open quick start' }).click();
    const text = await page
      .getByRole('region', { name: '1. Create a client', exact: true })
      .locator('pre')
      .innerText();
    expect(text).toContain(`'${scenario.service.url}/api/v2'`);
    expect(text).toContain(`'${scenario.service.app.app.appKey}'`);
    await page.getByText('JavaScript', { exact: true }).click();
    await page.getByText('createClient({').first().waitFor();
    expect(new URL(page.url()).searchParams.get('with')).toBe('sdk');
    await page.getByText('curl', { exact: true }).click();
  });

  test.skipIf(!existsSync('/usr/bin/curl'))('the copied calls work as they are', async () => {
    const snippet = (title: string) =>
      page.getByRole('region', { name: title, exact: true }).locator('pre').innerText();
    const script = `${await snippet('1. Create a client')}\n${await snippet('2. Sign up a user')} --silent\n`;
    const signedUp = JSON.parse(await run(script));
    expect(signedUp.data.user.email).toBe('ada@example.com');
    const profile = (await snippet('3. Read the profile')).replace('…', signedUp.data.access_token);
    const client = await snippet('1. Create a client');
    const read = await run(`${client}\n${profile} --silent`);
    expect(JSON.parse(read).data.email).toBe('ada@example.com');
    const config = `${client}\n${await snippet('4. Read Remote Config')} --silent`;
    expect(JSON.parse(await run(config))).toHaveProperty('data');
  });

  test('sign-ups, sign-ins and errors appear as figures, charts and tables', async () => {
    const user = await scenario.service.signUp({ email: 'figure@example.com' });
    await scenario.service.signIn(user);
    await scenario.service.signIn({ email: user.email, password: 'a wrong password' });
    await scenario.service.deps.dailyCounters.flush();
    await scenario.goTo(page, scenario.appPath('/overview?days=7'));
    await page.locator('section svg path').first().waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Errors by code as a table' }).click();
    const errors = page.getByRole('region', { name: 'Errors by code' });
    await errors.getByRole('columnheader', { name: 'auth/invalid-credential' }).waitFor();
    expect(await errors.getByRole('row').count()).toBe(8);
    const active = page.getByRole('table', { name: 'Active users, by day in UTC' });
    expect(await active.getByRole('row').last().innerText()).toMatch(/\b[1-9]\d*\b/);

    // Nothing is said of limits until one was reached.
    expect(await page.getByText('Hourly limits were reached').count()).toBe(0);
    scenario.service.deps.auditBuffer.add({
      appId: scenario.service.app.app.id,
      actor: { name: 'service', ip: null },
      action: 'app.limit_reached',
      target: `app:${scenario.service.app.app.id}`,
      details: { limit: 'sign_ups_per_hour', reached_by: 'app' },
    });
    await scenario.service.deps.auditBuffer.flush();
    await page.reload();
    await page.getByText('Hourly limits were reached in the last day').waitFor();
  });
});
