// `registerWeb` in a real Chromium on the real service: permission, service worker, subscription and keys are the browser's own.
// Only its push service, which is Google's, is local; so no message is delivered.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PushDevice } from '@foyer/contract';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../../server/test/harness.js';
import { localServer } from '../../server/test/local-server.js';
import type { Push } from '../src/features/push.js';
import { browserBundle } from './browser-bundle.js';
import { executablePath, inBrowser, patienceMilliseconds, withoutBrowser } from './browser-page.js';
import { pushService } from './push-service.js';

/** What the page has as globals. */
declare global {
  var device: Push;
  var worker: Promise<ServiceWorkerRegistration>;
}

describe.skipIf(withoutBrowser)(inBrowser('Web Push'), () => {
  const profile = mkdtempSync(join(tmpdir(), 'foyer-push-'));
  const google = pushService();
  let service: TestService;
  let origin: string;
  let stop: () => Promise<void>;
  let browser: BrowserContext;
  let page: Page;
  let uid: string;
  const registrations: unknown[] = [];

  beforeAll(async () => {
    service = await testService();
    await enableWebPush(service.app);
    const bundle = await browserBundle();
    const options = { baseUrl: `${service.url}/api/v2`, appKey: service.app.app.appKey };
    ({ origin, stop } = await localServer(async (req, res) => {
      if (await google.answer(req, res)) return;
      res.setHeader('Content-Type', req.url === '/worker.js' ? 'text/javascript' : 'text/html');
      if (req.url === '/worker.js') return void res.end('');
      res.end(`<!doctype html><title>Push</title><script>${bundle}</script><script>
        client = foyer.createClient(${JSON.stringify(options)});
        device = foyer.push(client);
        worker = navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready);
      </script>`);
    }));
    // A profile on disk: a private window has no push.
    browser = await chromium.launchPersistentContext(profile, {
      executablePath: executablePath as string,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        ...google.switches(origin),
      ],
    });
    browser.setDefaultTimeout(patienceMilliseconds);
    page = await browser.newPage();
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/push/devices'))
        registrations.push(request.postDataJSON());
    });
    await page.goto(origin);
    const user = await service.signUp();
    uid = user.uid;
    await page.evaluate(
      ({ email, password }) => client.auth.signIn({ email, password }).then(() => {}),
      user,
    );
  });
  afterAll(async () => {
    await browser?.close();
    await stop?.();
    await service?.stop();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  });

  /** No permission, no subscription, nothing sent. */
  beforeEach(async () => {
    await page.evaluate(async () => (await (await worker).pushManager.getSubscription())?.unsubscribe());
    // Chromium deletes the endpoint after `unsubscribe` has resolved.
    const isDeleted = () =>
      google.requests.filter((it) => it.isDeletion).length * 2 === google.requests.length;
    await expect.poll(isDeleted).toBe(true);
    await browser.clearPermissions();
    google.requests.length = 0;
    registrations.length = 0;
  });

  async function enableWebPush({ app, secretKey }: TestService['app']): Promise<string> {
    const body = { push: { web_push: { subject: 'mailto:push@example.com' } } };
    const as = { appKey: app.appKey, token: secretKey };
    const { json } = await service.call('PATCH', '/admin/settings', { ...as, body });
    return json.data.push.web_push.public_key;
  }

  const allowNotifications = () => browser.grantPermissions(['notifications'], { origin });

  const registerWeb = (): Promise<PushDevice> =>
    page.evaluate(async () => device.registerWeb(await worker)) as Promise<PushDevice>;

  /** What the browser has: the subscription, and the key of the app that it belongs to. */
  const held = () =>
    page.evaluate(async () => {
      const subscription = (await (await worker).pushManager.getSubscription())!;
      const key = new Uint8Array(subscription.options.applicationServerKey!);
      return { ...subscription.toJSON(), applicationServerKey: [...key] };
    });

  const webKey = async () => [...Buffer.from(await page.evaluate(() => device.webKey()), 'base64url')];

  test('registerWeb rejects with the error of the browser while notifications are not allowed', async () => {
    const name = await page.evaluate(async () =>
      device.registerWeb(await worker).catch((error: Error) => error.name),
    );
    expect(name).toBe('NotAllowedError');
    expect([google.requests, registrations]).toEqual([[], []]);
  });

  test('registerWeb replaces a subscription with another key, and registers the new one', async () => {
    await allowNotifications();
    const otherKey = await enableWebPush(await service.newApp());
    await page.evaluate(
      async (applicationServerKey) =>
        void (await (await worker).pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })),
      otherKey,
    );
    const earlier = await held();
    expect(await registerWeb()).toMatchObject({ provider: 'webpush', platform: 'web', user_uid: uid });
    const { endpoint, keys, applicationServerKey } = await held();
    expect(applicationServerKey).toEqual(await webKey());
    expect(endpoint).not.toBe(earlier.endpoint);
    expect(registrations).toEqual([{ provider: 'webpush', platform: 'web', token: endpoint, keys }]);
    // Chromium deletes the earlier endpoint after `unsubscribe` has resolved, and so in no order with the next registration.
    const deletions = () => google.requests.map(({ isDeletion }) => isDeletion);
    await expect.poll(() => deletions().length).toBe(3);
    expect(deletions().filter(Boolean)).toHaveLength(1);
  });

  test('the next start registers the same subscription, and the same device', async () => {
    await allowNotifications();
    const { id } = await registerWeb();
    await page.reload();
    expect(await registerWeb()).toMatchObject({ id });
    const [first] = registrations;
    expect(registrations).toEqual([first, first]);
    expect(google.requests).toHaveLength(1);
  });
});
