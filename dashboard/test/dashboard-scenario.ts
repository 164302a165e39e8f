// The built dashboard on a real service, in a real browser, as different members of a team.
import type { TokenAnswer } from '@foyer/contract';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { type TestService, type TestServiceOptions, testService } from '../../server/test/harness.js';
import {
  memberPassword,
  type TeamScenario,
  type TestMember,
  teamScenario,
} from '../../server/test/team-scenario.js';
import { sharedBrowser } from './browser.ts';

export type DashboardScenario = {
  service: TestService;
  team: TeamScenario;
  /** A new browser profile on a page, signed in as the member; the path is below /dashboard. */
  open(member: { email: string } | null, path: string, options?: BrowserContextOptions): Promise<Page>;
  /** The path of a page of the first app. */
  appPath(path: string): string;
  /** Everything that browsers reported: exceptions, errors and violations of the content security policy. */
  faults: string[];
  stop(): Promise<void>;
};

export async function dashboardScenario(options: TestServiceOptions = {}): Promise<DashboardScenario> {
  const service = await testService({ atItsBaseUrl: true, ...options });
  const team = await teamScenario(() => service);
  const consoleApp = await service.deps.apps.console();
  const browser = await sharedBrowser();
  const contexts: BrowserContext[] = [];
  const faults: string[] = [];

  /** A browser profile with what the SDK stores for a session that has just begun. */
  async function signedIn(member: { email: string }): Promise<BrowserContextOptions> {
    const { data } = await team.call<TokenAnswer>('POST', '/auth/sign-in', {
      body: { email: member.email, password: memberPassword },
    });
    const value = JSON.stringify({ r: data.refresh_token, u: data.user.uid });
    const localStorage = [{ name: `foyer.${consoleApp.appKey}`, value }];
    return {
      storageState: { cookies: [], origins: [{ origin: new URL(service.url).origin, localStorage }] },
    };
  }

  return {
    service,
    team,
    faults,
    appPath: (path) => `/apps/${service.app.app.id}${path}`,
    async open(member, path, options = {}) {
      const context = await browser.newContext({
        viewport: { width: 1440, height: 900 },
        reducedMotion: 'reduce',
        ...(member && (await signedIn(member))),
        ...options,
      });
      contexts.push(context);
      const page = await context.newPage();
      page.setDefaultTimeout(30_000);
      page.on('pageerror', (error) => faults.push(`exception: ${error.message}`));
      page.on('console', (message) => {
        // A refused call is an expected response, not a fault of the page.
        const refusal = /^(Failed to load resource|ApiProblem: )/.test(message.text());
        if (message.type() === 'error' && !refusal) faults.push(message.text());
      });
      await page.goto(`${service.url}/dashboard${path}`);
      if (member) await page.getByText('Your account').waitFor({ state: 'attached' });
      return page;
    },
    async stop() {
      await Promise.all(contexts.map((context) => context.close()));
      await service.stop();
      expect(faults).toEqual([]);
    },
  };
}

export async function signIn(page: Page, email: string, password = memberPassword): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await passwordField(page).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('Your account').waitFor({ state: 'attached' });
}

export function passwordField(page: Page) {
  return page.locator('input[type=password]');
}

/** Calls the API as the member does, with the app key of an app. */
export function asMember(service: TestService, member: TestMember, appKey = service.app.app.appKey) {
  return (method: string, path: string, body?: unknown) =>
    service.call(method, path, { token: member.token, appKey, ...(body !== undefined && { body }) });
}
