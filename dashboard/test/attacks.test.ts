// Attacks on a signed-in member by a page of another origin, and what could give a session away: addresses and logs.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memberPassword } from '../../server/test/team-scenario.js';
import { inBrowser, withoutBrowser } from './browser.ts';
import { type DashboardScenario, dashboardScenario, signIn } from './dashboard-scenario.ts';

describe.skipIf(withoutBrowser)(inBrowser('the session of a member'), () => {
  let scenario: DashboardScenario;
  let member: Page;
  const logLines: string[] = [];
  const addresses: string[] = [];
  /** Tokens that the service has given to the page. */
  const tokens = new Set<string>();
  let attacker: Server;
  let attackerUrl: string;
  beforeAll(async () => {
    scenario = await dashboardScenario({ onLogLine: (line) => logLines.push(line) });
    member = await scenario.open(null, '/sign-in');
    member.on('request', (request) => addresses.push(request.url()));
    member.on('response', async (response) => {
      const text = await response.text().catch(() => '');
      for (const [, token] of text.matchAll(/"(?:access|refresh)_token":"([^"]+)"/g)) {
        tokens.add(token as string);
      }
    });
    await signIn(member, scenario.team.owner.email);
    attacker = createServer((_req, res) =>
      res.setHeader('Content-Type', 'text/html').end('<p>win a prize</p>'),
    );
    await new Promise<void>((resolve) => attacker.listen(0, '127.0.0.1', resolve));
    attackerUrl = `http://127.0.0.1:${(attacker.address() as AddressInfo).port}/`;
  });
  afterAll(async () => {
    attacker.close();
    attacker.closeAllConnections();
    await scenario.stop();
  });

  async function attackingPage(): Promise<Page> {
    const page = await member.context().newPage();
    await page.goto(attackerUrl);
    return page;
  }

  test('cannot be framed by another page, so that no click on it is stolen', async () => {
    const page = await attackingPage();
    const refused = page.waitForEvent('console', (message) => /frame-ancestors/.test(message.text()));
    await page.evaluate((src) => {
      document.body.append(Object.assign(document.createElement('iframe'), { src }));
    }, `${scenario.service.url}/dashboard/apps`);
    await refused;
    const [, frame] = page.frames();
    expect(await frame?.locator('#root').count()).toBe(0);
    await page.close();
  });

  test('is in no cookie: a form or a call of another page acts as nobody', async () => {
    const { service, team } = scenario;
    expect(await member.context().cookies()).toEqual([]);
    const before = [await service.database.prisma.app.count(), await service.database.prisma.user.count()];
    for (const [appKey, path] of [
      [team.consoleApp.appKey, '/console/apps'],
      [service.app.app.appKey, '/admin/users'],
    ] as const) {
      const page = await attackingPage();
      const statuses: (number | string)[] = await page.evaluate(
        async ({ url, appKey }) => {
          const body = '{"name": "Theirs", "email": "eve@example.com"}';
          const json = { 'x-app-key': appKey, 'content-type': 'application/json' };
          const send = (init: RequestInit) =>
            fetch(url, { method: 'POST', body, credentials: 'include', ...init }).then(
              ({ status, type }) => (type === 'opaque' ? type : status),
              () => 'not readable',
            );
          return [await send({ headers: json }), await send({ mode: 'no-cors' })];
        },
        { url: `${service.url}/api/v2${path}`, appKey },
      );
      expect(statuses).toEqual(['not readable', 'opaque']);

      const answered = page.waitForResponse((response) => response.url().endsWith(path));
      await page.evaluate((action) => {
        const form = Object.assign(document.createElement('form'), { action, method: 'post' });
        form.enctype = 'text/plain';
        form.innerHTML = `<input name='{"name": "Theirs", "email": "eve@example.com", "a":"' value='"}'>`;
        document.body.append(form);
        form.submit();
      }, `${service.url}/api/v2${path}`);
      expect((await answered).status()).toBe(401);
      await page.waitForURL(`**${path}`);
      await page.close();
    }
    const after = [await service.database.prisma.app.count(), await service.database.prisma.user.count()];
    expect(after).toEqual(before);
  });

  test('calls no other path of the service than the page is for, whatever id is in the address', async () => {
    const from = addresses.length;
    await scenario.goTo(member, scenario.appPath('/data/..%2Fkeys'));
    await scenario.goTo(member, scenario.appPath('/data/%252E%252E%2Fkeys%3Flimit=1'));
    const called = () => addresses.slice(from).map((url) => new URL(url).pathname.replace('/api/v2', ''));
    await expect.poll(called).toContain('/admin/collections/..%2Fkeys');
    await expect.poll(called).toContain('/admin/collections/%252E%252E%2Fkeys%3Flimit%3D1');
    expect(called().filter((path) => path.startsWith('/admin/keys'))).toEqual([]);
  });

  test('is in no address and in no line of the log', async () => {
    await scenario.goTo(member, scenario.appPath('/overview'));
    for (const name of ['Users', 'Remote Config', 'Audit log', 'Team']) {
      await member.getByRole('link', { name, exact: true }).click();
      await member.getByRole('heading', { level: 1, name }).waitFor();
      addresses.push(member.url());
    }
    await expect.poll(() => tokens.size).toBeGreaterThanOrEqual(2);
    expect(addresses.length).toBeGreaterThan(20);
    const called = ['POST /auth/sign-in', 'GET /admin/users', 'GET /console/apps/:app_id/members'];
    // A title is shown before the calls of its page are answered and logged.
    await expect
      .poll(() => logLines.map((line) => JSON.parse(line).route))
      .toEqual(expect.arrayContaining(called));
    const told = [...addresses, ...logLines].filter((line) =>
      [...tokens, memberPassword].some((secret) => line.includes(secret)),
    );
    expect(told).toEqual([]);
  });
});
