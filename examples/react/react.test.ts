// The app in a real browser, as start.ts serves it, on a real service: the main paths of a user, in one page.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { inBrowser, withoutBrowser } from '../../dashboard/test/browser.js';
import { codeScenario } from '../../server/test/code-scenario.js';
import { freePort } from '../../server/test/free-port.js';
import { manualClock, type TestService, testService } from '../../server/test/harness.js';
import { startOpenIdProvider } from '../openid-provider.js';
import { openApp, startProgram } from './running-app.js';

const ada = 'ada@example.com';
const password = 'correct horse battery staple';
const newPassword = 'a new horse battery staple';

/** Stands in for Google's script: its button signs Ada in at a small provider on this machine. */
const googleScript = `
  let given;
  globalThis.google = { accounts: { id: {
    initialize: (options) => { given = options; },
    renderButton(parent) {
      const button = document.createElement('button');
      button.textContent = 'Sign in with Google';
      button.onclick = async () => given.callback({ credential: await idTokenFor(given.client_id, given.nonce) });
      parent.replaceChildren(button);
    },
  } } };
`;

describe.skipIf(withoutBrowser)(inBrowser('the app with React'), () => {
  let service: TestService;
  let provider: Awaited<ReturnType<typeof startOpenIdProvider>>;
  let app: Awaited<ReturnType<typeof openApp>>;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    provider = await startOpenIdProvider();
    const { issuer } = provider;
    service = await testService({
      clock: manualClock(new Date()),
      // The URLs of files contain it.
      port: await freePort(),
      config: { outboundLoopback: true, providerA: { issuers: [issuer], jwksUrl: `${issuer}/jwks` } },
    });
    app = await openApp(service, {
      settings: () => ({ provider_a: { client_ids: { web: ['web.client'] } } }),
      async prepare(opened) {
        await opened.route('https://accounts.google.com/gsi/client', (route) =>
          route.fulfill({ contentType: 'text/javascript', body: googleScript }),
        );
        await opened.exposeFunction('idTokenFor', async (clientId: string, nonce: string) => {
          const authorize = `${issuer}/authorize?client_id=${clientId}&nonce=${nonce}`;
          const { headers } = await fetch(authorize, { redirect: 'manual' });
          return headers.get('location')?.split('id_token=')[1];
        });
      },
    });
    ({ context, page } = app);
    expect(app.output).not.toContain('demo app');
  });
  afterAll(async () => {
    await app?.stop();
    await service.stop();
    provider.stop();
  });

  const button = (name: string) => app.button(name);
  const field = (name: string) => app.field(name);
  const cards = (name: string) => app.cards(name);
  const alerts = () => app.alerts();
  const signedIn = () => app.signedIn();
  const signOut = () => app.signOut();
  /** Enters the code of the mail, which is sent after the field for it has appeared. */
  const enterCode = async (email: string, kind: 'reset' | 'sign_in') => {
    const codes = codeScenario(() => service);
    await expect.poll(() => codes.mailed(email, kind)).toHaveLength(1);
    await page.getByLabel('Code', { exact: true }).fill(await codes.codeOf(email, kind));
  };

  test('a user signs up, and adds, ticks, pages through and deletes notes with files', async () => {
    await button('Create account').click();
    await page.getByRole('heading', { name: 'Create account' }).waitFor();
    await field('Email').fill(ada);
    await field('Password').fill(password);
    await button('Create account').click();
    await button('Later').click();
    await signedIn();
    await page.getByText('No notes yet.').waitFor();

    await field('New note').fill('Groceries');
    await field('File (optional)').setInputFiles({
      name: 'list.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('tea'),
    });
    await button('Add').click();
    await button('list.txt').waitFor();
    const download = page.waitForEvent('download');
    await button('list.txt').click();
    const stream = await (await download).createReadStream();
    expect(Buffer.concat(await stream.toArray()).toString()).toBe('tea');

    await page.getByRole('checkbox', { name: 'Groceries' }).click();
    await expect
      .poll(() => page.getByRole('checkbox', { name: 'Groceries', checked: true, disabled: false }).count())
      .toBe(1);
    await button('Delete Groceries').click();
    await page.getByText('No notes yet.').waitFor();
  });

  test('a note whose file cannot be deleted remains with it, and is deleted at the next attempt', async () => {
    await field('New note').fill('Recipe');
    await field('File (optional)').setInputFiles({
      name: 'recipe.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('flour'),
    });
    await button('Add').click();
    await button('recipe.txt').waitFor();
    const isDeletion = '**/api/v2/files/*';
    await page.route(isDeletion, (route) =>
      route.request().method() === 'DELETE' ? route.abort() : route.continue(),
    );
    await button('Delete Recipe').click();
    await expect.poll(alerts).not.toBe('');
    await page.unroute(isDeletion);
    await page.reload();
    await button('recipe.txt').waitFor();
    await button('Delete Recipe').click();
    await page.getByText('No notes yet.').waitFor();
  });

  test('a note that is refused leaves no file behind', async () => {
    const isCreation = '**/api/v2/data/notes';
    await page.route(isCreation, (route) =>
      route.fulfill({
        status: 409,
        json: { error: { code: 'data/quota-exceeded', message: 'Too many notes.' } },
      }),
    );
    await field('New note').fill('One too many');
    await field('File (optional)').setInputFiles({
      name: 'left.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('salt'),
    });
    await button('Add').click();
    await expect.poll(alerts).toBe('Something went wrong (data/quota-exceeded). Please try again.');
    const files = await service.call('GET', '/admin/files', { token: service.app.secretKey });
    expect((files.data as { items: unknown[] }).items).toEqual([]);
    await page.unroute(isCreation);
    await page.reload();
  });

  test('more notes than a page are read page by page', async () => {
    const { data } = await service.signIn({ email: ada, password });
    for (let n = 0; n < 12; n++) {
      const body = { fields: { text: `Note ${n}`, done: false, file: null } };
      await service.call('POST', '/data/notes', { token: data.access_token, body });
    }
    await page.reload();
    await expect.poll(() => cards('Notes').count()).toBe(10);
    await button('Show more').click();
    await expect.poll(() => cards('Notes').count()).toBe(12);
  });

  test('a user changes the profile, and signs another device out', async () => {
    await button('Account').click();
    await field('Last name').fill('Lovelace');
    await button('Save').first().click();
    await page.getByText('Saved.').waitFor();
    await expect.poll(() => cards('Devices').count()).toBe(2);
    expect(await cards('Devices').filter({ hasText: 'This device' }).count()).toBe(1);
    await cards('Devices').getByRole('button').click();
    await expect.poll(() => cards('Devices').count()).toBe(1);
    await button('Notes').click();
  });

  test('a sign-out in another tab is seen, and leaves nothing on the page', async () => {
    const other = await context.newPage();
    await other.goto(page.url());
    await other.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByText('Lovelace').count()).toBe(0);
    await other.close();
  });

  test('a wrong password is explained, and a forgotten one is replaced with an emailed code', async () => {
    await field('Email').fill(ada);
    await field('Password').fill('not the password');
    await button('Sign in').click();
    await expect.poll(alerts).toBe('The email or the password is wrong.');
    await button('Forgot your password?').click();
    await button('Send code').click();
    await enterCode(ada, 'reset');
    await field('New password').fill(newPassword);
    await button('Save').click();
    await page.getByText('Your new password is set.').waitFor();
    await field('Password').fill(newPassword);
    await button('Sign in').click();
    await signedIn();
    await signOut();
  });

  test('an emailed code signs a new user in', async () => {
    await field('Email').fill('bob@example.com');
    await button('Email me a code').click();
    // The last digit submits the form.
    await enterCode('bob@example.com', 'sign_in');
    await signedIn();
    await page.getByText('bob@example.com').waitFor();
    await page.getByText('No notes yet.').waitFor();
    await signOut();
  });

  test('Google signs in where the app has it configured', async () => {
    // The provider has the machine's clock, and a token of the future is refused.
    service.clock.set(new Date());
    expect(await button('Continue with Apple').count()).toBe(0);
    const nonces: string[] = [];
    await page.route('**/auth/providers/provider-a', (route) => {
      nonces.push(route.request().postDataJSON().nonce);
      return nonces.length === 1 ? route.abort() : route.continue();
    });
    // The service calls a stand-in for Google by the name in the specification.
    await button('Continue with Provider A').click();
    await button('Sign in with Google').click();
    await expect.poll(alerts).toMatch(/^The service cannot be reached\./);
    await button('Continue with Provider A').click();
    await button('Cancel').click();
    await button('Continue with Provider A').click();
    await button('Sign in with Google').click();
    await page.getByText('ada@provider.example').waitFor();
    // One for each attempt.
    expect(new Set(nonces).size).toBe(2);
  });

  test('without both keys of an app the program says that it uses the demo app', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'foyer-react-'));
    const demo = { base_url: `${service.url}/api/v2`, app_key: service.app.app.appKey };
    writeFileSync(join(folder, 'demo.json'), JSON.stringify({ ...demo, secret_key: service.app.secretKey }));
    const own = await startProgram({ DATA_DIR: folder, FOYER_APP_KEY: 'pk_own' });
    onTestFinished(async () => {
      await own.stop();
      rmSync(folder, { recursive: true });
    });
    expect(own.output).toContain(`Uses the demo app of ${folder}`);
  });

  test('every page is accessible, in light and dark, and none scrolls sideways on a small screen', async () => {
    await page.evaluate(axe.source);
    const check = async () => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        // biome-ignore lint/suspicious/noExplicitAny: axe is a global of the page.
        const { violations } = await page.evaluate(() => (globalThis as any).axe.run());
        expect(
          violations.map(({ id, nodes }: { id: string; nodes: { html: string }[] }) => [id, nodes[0]?.html]),
        ).toEqual([]);
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    };
    await check();
    await button('Account').click();
    await cards('Devices').first().waitFor();
    await check();
    await signOut();
    await check();
    expect(app.faults).toEqual([]);
  });
});
