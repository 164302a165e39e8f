// The panel "Try it" of the page at /docs, used in a real browser against a running service.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { inBrowser, sharedBrowser, withoutBrowser } from '../dashboard/test/browser.js';
import { seriousFaults } from '../dashboard/test/serious-faults.js';
import { startService } from '../examples/running-service.js';

type Service = Awaited<ReturnType<typeof startService>>;
let service: Service;

/** The page without the viewer, which would keep the browser busy for seconds; it has a test of its own. */
async function openPage(
  hash: string,
  options: Parameters<Awaited<ReturnType<typeof sharedBrowser>>['newPage']>[0] = {},
) {
  const page = await (await sharedBrowser()).newPage(options);
  onTestFinished(() => page.close());
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  const calls: string[] = [];
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url());
    if (origin !== new URL(service.baseUrl).origin) complaints.push(request.url());
    if (/^\/api\/v\d\/(?!openapi)/.test(pathname)) calls.push(`${request.method()} ${pathname}`);
  });
  await page.route('**/{redoc.standalone,start}.js', (route) => route.fulfill({ body: '' }));
  await page.goto(`${new URL(service.baseUrl).origin}/docs${hash}`);
  return { page, complaints, calls };
}

const status = (page: Page) => page.getByRole('status').filter({ visible: true }).last();
const body = (page: Page) => page.getByRole('region', { name: 'Response body' });
const operation = (page: Page) => page.getByLabel('Operation: search');
const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true }).click();

describe.skipIf(withoutBrowser)(inBrowser('the panel "Try it"'), () => {
  beforeAll(async () => {
    service = await startService({ RATE_LIMITS: 'off' });
  });
  afterAll(() => service?.stop());

  test('signs a user up and takes the tokens over; a wrong token is answered 401 with its code', async () => {
    const { page, complaints, calls } = await openPage('#try/signInSignUp');
    await page.getByRole('dialog', { name: 'Try it' }).waitFor();
    await page.getByLabel('App key').fill(service.appKey);
    expect(await page.getByLabel('Body (JSON)').inputValue()).toContain('"email": "ada@example.com"');
    expect(calls).toEqual([]);
    await send(page);
    await expect
      .poll(() => status(page).textContent())
      .toMatch(/^201 Created in \d+ ms\. The access token was taken over\.$/);
    expect(JSON.parse((await body(page).textContent()) ?? '').data.user.email).toBe('ada@example.com');
    expect(await page.locator('#try-headers').textContent()).toContain('X-Request-Id');

    await operation(page).fill('profileGet');
    expect(await page.evaluate(() => location.hash)).toBe('#try/profileGet');
    expect(await page.getByLabel('Send with').inputValue()).toBe('try-access-token');
    await send(page);
    await expect.poll(() => status(page).textContent()).toMatch(/^200 OK/);
    expect(await body(page).textContent()).toContain('"email": "ada@example.com"');

    await operation(page).fill('sessionsRefresh');
    expect(await page.getByLabel('Body (JSON)').inputValue()).toMatch(/"rt_[\w.-]{20,}"/);
    await send(page);
    await expect.poll(() => status(page).textContent()).toMatch(/^200 OK.*taken over/);

    await operation(page).fill('profileGet');
    await page.getByRole('textbox', { name: 'Access token' }).fill('wrong');
    await send(page);
    await expect.poll(() => status(page).textContent()).toMatch(/^401 Unauthorized/);
    expect(await body(page).textContent()).toContain('"code": "auth/');

    // Nothing of it is stored.
    expect(await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie])).toEqual([
      0,
      0,
      '',
    ]);
    expect(calls).toEqual([
      'POST /api/v2/auth/sign-up',
      'GET /api/v2/me',
      'POST /api/v2/auth/token/refresh',
      'GET /api/v2/me',
    ]);
    expect(complaints).toEqual([]);
  });

  test('takes the token of v1 over, which only a sign-in answers', async () => {
    const { page, complaints } = await openPage('/v1#try/accountsRegister');
    await page.getByLabel('App key').fill(service.appKey);
    const json = page.getByLabel('Body (JSON)');
    const email = 'v1@example.com';
    await json.fill(JSON.stringify({ ...JSON.parse(await json.inputValue()), email }));
    await send(page);
    await expect.poll(() => status(page).textContent()).toMatch(/^201 /);
    await operation(page).fill('accountsLogIn');
    await json.fill(JSON.stringify({ ...JSON.parse(await json.inputValue()), email }));
    await send(page);
    await expect.poll(() => status(page).textContent()).toMatch(/^200 .*taken over/);
    await operation(page).fill('accountsGet');
    await send(page);
    await expect.poll(() => status(page).textContent()).toMatch(/^200 OK/);
    expect(complaints).toEqual([]);
  });

  test('sends path and query parameters; those that are optional and empty are left out', async () => {
    const { page, complaints } = await openPage('#try/dataList');
    await page.getByLabel('collection (path)').fill('a b');
    await page.getByLabel('limit (query, optional)').fill('5');
    const request = page.waitForRequest(/\/data\//);
    await send(page);
    expect((await request).url()).toBe(`${service.baseUrl}/data/a%20b?limit=5`);
    await expect.poll(() => status(page).textContent()).toMatch(/^4\d\d /);
    // `..` would address another operation.
    await page.getByLabel('collection (path)').fill('..');
    expect(await page.locator('#try-form').evaluate((form: HTMLFormElement) => form.checkValidity())).toBe(
      false,
    );
    expect(complaints).toEqual([]);
  });

  test('sends a secret key, which the service accepts from a browser in GET requests only', async () => {
    const { page } = await openPage('#try/usersList');
    await page.getByLabel('App key').fill(service.appKey);
    await page.getByRole('textbox', { name: 'Secret key' }).fill(service.secretKey);
    await send(page);
    await expect.poll(() => status(page).textContent()).toMatch(/^200 OK/);
    await operation(page).fill('collectionsCreate');
    await send(page);
    await expect.poll(() => status(page).textContent()).toMatch(/^40[13] /);
  });

  test('sends a DELETE only after a second click, which a double click is not', async () => {
    const { page, calls } = await openPage('#try/dataDelete');
    await page.getByRole('button', { name: 'Send', exact: true }).dblclick();
    await expect.poll(() => status(page).textContent()).toContain('Press again to send it.');
    // A change takes the decision back.
    await page.getByLabel('App key').fill(service.appKey);
    await send(page);
    expect(calls).toEqual([]);
    await page.getByRole('button', { name: 'Yes, send DELETE' }).click();
    await expect.poll(() => status(page).textContent()).toMatch(/^4\d\d /);
    expect(calls).toHaveLength(1);
  });

  test('says that the service cannot be reached', async () => {
    const { page } = await openPage('#try/profileGet');
    await page.getByText('GET /me: ').waitFor();
    await page.context().setOffline(true);
    await send(page);
    await expect.poll(() => status(page).textContent()).toContain('could not be reached');
  });

  test.each(['light', 'dark'] as const)(
    '%s, at 360 pixels: nothing overflows, axe finds nothing, the keyboard reaches all',
    async (colorScheme) => {
      const { page } = await openPage('', { viewport: { width: 360, height: 740 }, colorScheme });
      const button = page.getByRole('button', { name: 'Try it' });
      await button.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await operation(page).fill('signInSignUp');
      await page.getByLabel('App key').fill(service.appKey);
      await page.getByLabel('Body (JSON)').fill('{"email": "none"}');
      await page.getByLabel('Body (JSON)').press('Tab');
      await page.keyboard.press('Enter');
      await expect.poll(() => status(page).textContent()).toMatch(/^422 /);
      expect(
        await page.evaluate(
          () =>
            document.querySelector('#try')!.scrollWidth <= document.querySelector('#try')!.clientWidth &&
            document.documentElement.scrollWidth <= 360,
        ),
      ).toBe(true);
      expect(await seriousFaults(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
      expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    },
  );
});
