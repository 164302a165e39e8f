// The built dashboard on a real service, in a real browser, as different members of a team. Most of the processor time of
// these tests is that of loading the dashboard: the scenarios of a worker share tabs and their cache, for which their
// services listen on one port, one after another.
import type { TokenAnswer } from '@foyer/contract';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { freePort } from '../../server/test/free-port.js';
import { type TestService, type TestServiceOptions, testService } from '../../server/test/harness.js';
import {
  memberPassword,
  type TeamScenario,
  type TestMember,
  teamScenario,
} from '../../server/test/team-scenario.js';
import { sharedBrowser } from './browser.ts';

/** The router of TanStack, which it offers to its developer tools. */
declare const __TSR_ROUTER__: { state: { status: string; resolvedLocation?: object } };

export type DashboardScenario = {
  service: TestService;
  team: TeamScenario;
  /** A browser profile on a page, signed in as the member, until the scenario stops; the path is below /dashboard. */
  open(member: { email: string } | null, path: string, options?: BrowserContextOptions): Promise<Page>;
  /** The same until the test ends. */
  visit(member: { email: string } | null, path: string): Promise<Page>;
  /** Signs out, and in again as another member, which does not load the dashboard. */
  changeMember(page: Page, member: { email: string }, path: string): Promise<void>;
  /** Leads to another page as a link would: a fifth of the processor time of loading the dashboard there. */
  goTo(page: Page, path: string): Promise<void>;
  /** The path of a page of the first app. */
  appPath(path: string): string;
  stop(): Promise<void>;
};

const viewport = { width: 1440, height: 900 };
/** Each has a profile of its own, in which nobody is signed in, and shows a file of the service without a script. */
const idleTabs: Page[] = [];
const idlePath = '/dashboard/icon.svg';
let port: Promise<number> | undefined;

export async function dashboardScenario(options: TestServiceOptions = {}): Promise<DashboardScenario> {
  port ??= freePort();
  const service = await testService({ port: await port, ...options });
  const team = await teamScenario(() => service);
  /** Whether others may have the tab after this scenario. */
  const opened = new Map<Page, boolean>();
  /** Everything that browsers reported: exceptions, errors and violations of the content security policy. */
  const faults: string[] = [];
  const appPath = (path: string) => `/apps/${service.app.app.id}${path}`;
  const urlOf = (path: string) => `${service.url}/dashboard${path}`;

  /** Stores what the SDK stores for a session that has just begun. */
  async function storeSession(page: Page, member: { email: string } | null): Promise<void> {
    if (page.url() !== service.url + idlePath) await page.goto(service.url + idlePath);
    const session: Record<string, string> = {};
    if (member) {
      const { data } = await team.call<TokenAnswer>('POST', '/auth/sign-in', {
        body: { email: member.email, password: memberPassword },
      });
      session[`foyer.${team.consoleApp.appKey}`] = JSON.stringify({
        r: data.refresh_token,
        u: data.user.uid,
      });
    }
    await page.evaluate((stored) => {
      sessionStorage.clear();
      localStorage.clear();
      Object.assign(localStorage, stored);
    }, session);
  }

  async function open(
    member: { email: string } | null,
    path: string,
    options?: BrowserContextOptions,
  ): Promise<Page> {
    const page = (!options && idleTabs.pop()) || (await newTab(options));
    opened.set(page, options === undefined);
    page.on('pageerror', (error) => faults.push(`exception: ${error.message}`));
    page.on('console', (message) => {
      // A refused call is an expected response, not a fault of the page.
      const refusal = /^(Failed to load resource|ApiProblem: )/.test(message.text());
      if (message.type() === 'error' && !refusal) faults.push(message.text());
    });
    await storeSession(page, member);
    await page.goto(urlOf(path));
    if (member) await accountMenu(page).waitFor();
    return page;
  }

  async function goTo(page: Page, path: string): Promise<void> {
    const before = await page.evaluateHandle(() => __TSR_ROUTER__.state.resolvedLocation);
    await page.evaluate((url) => history.pushState(null, '', url), urlOf(path));
    await page.waitForFunction((left) => {
      const { status, resolvedLocation } = __TSR_ROUTER__.state;
      return status === 'idle' && resolvedLocation !== left;
    }, before);
  }

  async function release(page: Page): Promise<void> {
    // A service that its test has stopped serves no idle page.
    const isReusable = opened.get(page) && service.listening.server.listening;
    opened.delete(page);
    if (isReusable) idleTabs.push(await cleared(page, service.url));
    else await page.context().close();
  }

  return {
    service,
    team,
    appPath,
    open,
    async visit(member, path) {
      const page = await open(member, path);
      onTestFinished(() => release(page));
      return page;
    },
    goTo,
    async changeMember(page, member, path) {
      await signOut(page);
      await signIn(page, member.email);
      await goTo(page, path);
    },
    async stop() {
      await Promise.all([...opened.keys()].map(release));
      await service.stop();
      expect(faults).toEqual([]);
    },
  };
}

async function newTab(options?: BrowserContextOptions): Promise<Page> {
  const browser = await sharedBrowser();
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce', ...options });
  return context.newPage();
}

/** Takes back what a test may have changed, but for what is stored. */
async function cleared(page: Page, serviceUrl: string): Promise<Page> {
  const [, ...others] = page.context().pages();
  await Promise.all(others.map((other) => other.close()));
  for (const event of ['console', 'pageerror', 'request', 'response']) page.removeAllListeners(event);
  await page.unrouteAll();
  await page.mouse.move(0, 0);
  await page.goto(serviceUrl + idlePath);
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme: null, reducedMotion: 'reduce' });
  return page;
}

/** A page that has it is that of a member; its text alone is also part of the second step of a sign-in. */
export function accountMenu(page: Page) {
  return page.getByRole('button', { name: 'Your account', exact: true });
}

export async function signIn(page: Page, email: string, password = memberPassword): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await passwordField(page).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await accountMenu(page).waitFor();
}

export async function signOut(page: Page): Promise<void> {
  await accountMenu(page).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
}

/** Holds back the calls of a page to the URL, or those with the method. */
export async function holdCalls(page: Page, url: string | RegExp, method?: string) {
  let proceed = () => {};
  const released = new Promise<void>((resolve) => (proceed = resolve));
  let held = 0;
  await page.route(url, async (route) => {
    if (method === undefined || route.request().method() === method) {
      held += 1;
      await released;
    }
    await route.continue().catch(() => {});
  });
  return {
    begun: () => expect.poll(() => held).toBeGreaterThan(0),
    /** Also a call that comes now. */
    async release() {
      proceed();
      await page.unrouteAll({ behavior: 'wait' });
    },
  };
}

/** The calls with the method take effect, and their answers are lost; others are left alone, such as the read that follows. */
export async function loseAnswers(page: Page, url: string, method: string): Promise<void> {
  await page.route(url, async (route) => {
    if (route.request().method() !== method) return route.continue();
    await route.fetch();
    await route.abort();
  });
}

export function passwordField(page: Page) {
  return page.locator('input[type=password]');
}

/** Calls the API as the member does, with the app key of an app. */
export function asMember(service: TestService, member: TestMember, appKey = service.app.app.appKey) {
  return (method: string, path: string, body?: unknown) =>
    service.call(method, path, { token: member.token, appKey, ...(body !== undefined && { body }) });
}
