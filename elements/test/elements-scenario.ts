// The elements on pages of an app, in a real browser, over the real service. The pages have the content security policy of the
// dashboard, and passkeys belong to their domain, localhost.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { sharedBrowser } from '../../dashboard/test/browser.js';
import { codeScenario } from '../../server/test/code-scenario.js';
import { manualClock } from '../../server/test/harness.js';
import { localServer } from '../../server/test/local-server.js';
import { providerScenario } from '../../server/test/provider-scenario.js';
import { secondFactorScenario } from '../../server/test/second-factor-scenario.js';

export const password = 'correct horse battery staple';
export type Host = 'plain' | 'react' | 'vue';
export type ElementsScenario = Awaited<ReturnType<typeof elementsScenario>>;

interface OpenOptions extends BrowserContextOptions {
  host?: Host;
  /** The attributes of the `html` element: `lang`, `data-theme`. */
  attributes?: string;
  /** In the same browser profile as another page. */
  beside?: Page;
  path?: string;
}

export async function elementsScenario() {
  const providers = await providerScenario({ clock: manualClock(new Date()) });
  const { service } = providers;
  const scripts = await bundles();
  const { appKey } = service.app.app;
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${service.url}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const server = await localServer((req, res) => {
    const url = new URL(req.url ?? '/', 'http://localhost');
    const script = scripts.get(url.pathname);
    res.setHeader('Content-Security-Policy', policy);
    if (script !== undefined) return res.setHeader('Content-Type', 'text/javascript').end(script);
    const [, host, attributes] =
      /^\/(plain|react|vue)(?:\/(.*))?$/.exec(decodeURIComponent(url.pathname)) ?? [];
    const data = `data-base-url="${service.url}/api/v2" data-app-key="${appKey}"`;
    res.setHeader('Content-Type', 'text/html; charset=utf-8');
    res.end(`<!doctype html><html ${data} ${attributes || 'lang="en"'}><title>App</title><meta charset="utf-8">
      <meta name="viewport" content="width=device-width"><link rel="icon" href="data:">
      <main></main><script type="module" src="/${host}.js"></script></html>`);
  });
  const origin = server.origin.replace('127.0.0.1', 'localhost');
  await service.changeSettings({
    passkeys: { rp_id: 'localhost', rp_name: 'Test', origins: [origin] },
    redirect_uris: [`${origin}/plain`],
    refuse_common_passwords: true,
    deep_link: `${origin}/plain`,
  });
  /** What browsers reported: exceptions, errors and violations of the content security policy. */
  const faults: string[] = [];

  async function open({ host = 'plain', attributes = '', beside, path, ...options }: OpenOptions = {}) {
    const context = beside?.context() ?? (await (await sharedBrowser()).newContext(options));
    if (!beside) onTestFinished(() => context.close());
    const page = await context.newPage();
    page.on('pageerror', (error) => faults.push(`exception: ${error.message}`));
    page.on('console', (message) => {
      // A refused call is an expected response, not a fault of the page.
      if (/error|warning/.test(message.type()) && !/^Failed to load resource/.test(message.text()))
        faults.push(message.text());
    });
    await page.goto(`${origin}${path ?? `/${host}${attributes && `/${encodeURIComponent(attributes)}`}`}`);
    return page;
  }

  const codes = codeScenario(() => service);

  return {
    service,
    providers,
    origin,
    codes: {
      ...codes,
      /** Waits for the mail: the screen with the field is shown before the service has sent it. */
      codeOf: async (...given: Parameters<typeof codes.codeOf>) => {
        await expect.poll(() => codes.mailed(...given)).not.toEqual([]);
        return codes.codeOf(...given);
      },
    },
    factors: secondFactorScenario(() => service),
    open,
    /** The user signs in at the provider, wherever the page is sent to, and comes back. */
    async signInAtProvider(context: BrowserContext, claims: Record<string, unknown>): Promise<void> {
      await context.route(`${providers.c.issuer}/authorize*`, async (route) => {
        const url = route.request().url();
        const state = new URL(url).searchParams.get('state') ?? '';
        const parameters = { state, iss: providers.c.issuer, code: providers.c.grant(url, { claims }) };
        const location = `${service.url}/api/v2/auth/providers/contoso/callback?${new URLSearchParams(parameters)}`;
        await route.fulfill({ status: 302, headers: { location } });
      });
    },
    /** Takes a message that a test expects from the faults; false if no page has reported it. */
    reported(message: string): boolean {
      const at = faults.indexOf(message);
      if (at >= 0) faults.splice(at, 1);
      return at >= 0;
    },
    async stop() {
      await server.stop();
      await providers.stop();
      expect(faults).toEqual([]);
    },
  };
}

/** The scripts of the pages by path, with the languages as files of their own. */
async function bundles(): Promise<Map<string, string>> {
  const folder = fileURLToPath(new URL('hosts/', import.meta.url));
  const { outputFiles } = await build({
    entryPoints: ['plain', 'react', 'vue'].map((host) => `${folder}${host}.ts`),
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    conditions: ['source'],
    define: {
      'process.env.NODE_ENV': '"production"',
      __VUE_OPTIONS_API__: 'true',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
    write: false,
  });
  return new Map(outputFiles.map(({ path, text }) => [`/${path.slice(folder.length)}`, text]));
}

export const press = (page: Page | Locator, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).click();

/** The event of the sign-in has come, and the host shows the account. */
export async function expectSignedIn(page: Page, email: string): Promise<void> {
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
  const signedIn = await page.evaluate(() => events.filter(({ type }) => type === 'foyer-signed-in'));
  expect(signedIn).toEqual([
    {
      type: 'foyer-signed-in',
      detail: expect.objectContaining({ user: expect.objectContaining({ email }) }),
    },
  ]);
}

export async function signUp(page: Page, email: string): Promise<void> {
  await press(page, 'Create account');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await press(page, 'Create account');
}

export async function signIn(page: Page, email: string, given = password): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(given);
  await press(page, 'Sign in');
}

/** An authenticator with passkeys that consents to everything. */
export async function newAuthenticator(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', ctap2Version: 'ctap2_1', transport: 'internal' },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
      automaticPresenceSimulation: true,
    },
  });
}
