// Passkeys in a real browser, whose virtual authenticator the DevTools protocol offers, with @simplewebauthn/browser: a client
// that nobody here wrote.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Passkey, TokenAnswer } from '@foyer/contract';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { inBrowser, sharedBrowser, withoutBrowser } from '../../../dashboard/test/browser.js';
import { testService } from '../../test/harness.js';
import { passkeyScenario } from '../../test/passkey-scenario.js';
import { shared } from '../../test/shared.js';

const entry = createRequire(import.meta.url).resolve('@simplewebauthn/browser');
const script = readFileSync(new URL('../dist/bundle/index.umd.min.js', `file://${entry}`), 'utf8');

/** Asks the service for options, lets the client act on them, and returns the answer of the service. */
const ceremonyScript = `async function ceremony({ base, headers, kind }) {
  const { startRegistration, startAuthentication } = SimpleWebAuthnBrowser;
  const post = (path, body) => fetch(base + path, { method: 'POST', headers, body: body && JSON.stringify(body) });
  const isNew = kind === 'register';
  const { data } = await (await post(isNew ? '/me/passkeys/options' : '/auth/passkey/options')).json();
  const optionsJSON = data.public_key;
  const credential = isNew
    ? await startRegistration({ optionsJSON })
    : await startAuthentication({ optionsJSON, useBrowserAutofill: kind === 'autofill' });
  const answer = await post(isNew ? '/me/passkeys' : '/auth/passkey/verify', { credential });
  return { status: answer.status, ...(await answer.json()) };
}`;
const html = `<!doctype html><title>App</title><input autocomplete="username webauthn"><script>${script}</script>
  <script>${ceremonyScript}</script>`;

/** A page of the app, and one elsewhere: each on a port, and so an origin of its own. */
const servers = { app: pageServer(), elsewhere: pageServer() };
const originOf = (name: keyof typeof servers) =>
  `http://localhost:${(servers[name].address() as AddressInfo).port}`;

function pageServer() {
  return createServer((_req, res) => res.setHeader('content-type', 'text/html').end(html));
}

const service = shared(() => testService());
const scenario = passkeyScenario(() => service);

describe.skipIf(withoutBrowser)(inBrowser('in a browser'), () => {
  beforeAll(async () => {
    await Promise.all(
      Object.values(servers).map(
        (server) => new Promise((resolve) => server.listen(0, 'localhost', () => resolve(null))),
      ),
    );
    await scenario.enable({ rp_id: 'localhost', rp_name: 'App', origins: [originOf('app')] });
  });
  afterAll(() => Object.values(servers).map((server) => server.close()));

  async function openPage(name: keyof typeof servers = 'app'): Promise<Page> {
    const context = await (await sharedBrowser()).newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
        ...{ isUserVerified: true, automaticPresenceSimulation: true },
      },
    });
    await page.goto(originOf(name));
    return page;
  }

  async function ceremony<Data>(
    page: Page,
    kind: 'register' | 'sign-in' | 'autofill',
    token?: string,
  ): Promise<{ status: number; data?: Data; error?: { code: string; fields: object } }> {
    const headers: Record<string, string> = {
      'X-App-Key': service.app.app.appKey,
      'Content-Type': 'application/json',
    };
    if (token) headers.Authorization = `Bearer ${token}`;
    const base = `${service.url}/api/v2`;
    return page.evaluate(`ceremony(${JSON.stringify({ base, headers, kind })})`);
  }

  test.each(['sign-in', 'autofill'] as const)(
    'a passkey is added, and signs in by %s',
    async (kind) => {
      const user = await service.signUp();
      const page = await openPage();
      const added = await ceremony<Passkey>(page, 'register', user.tokens.access_token);
      expect(added).toMatchObject({ status: 201, data: { name: expect.any(String) } });
      const signedIn = await ceremony<TokenAnswer>(page, kind);
      expect(signedIn).toMatchObject({ status: 200, data: { user: { uid: user.uid } } });
    },
    180_000,
  );

  test('a page that is not among the origins is refused', async () => {
    const user = await service.signUp();
    const page = await openPage('elsewhere');
    const added = await ceremony(page, 'register', user.tokens.access_token);
    expect(added).toMatchObject({ status: 401, error: { code: 'auth/invalid-credential' } });
    const [refusal] = await service.auditEntries({ action: 'passkey.add_failed', uid: user.uid });
    expect(refusal?.details).toMatchObject({ passkey: 'wrong-origin', origin: originOf('elsewhere') });
  }, 180_000);

  test('a removed passkey is refused, and the answer says so for the browser to forget it', async () => {
    const user = await service.signUp();
    const page = await openPage();
    const token = user.tokens.access_token;
    const { data } = await ceremony<Passkey>(page, 'register', token);
    expect((await scenario.remove(token, data?.id ?? '')).status).toBe(200);
    const refused = await ceremony(page, 'sign-in');
    expect(refused).toMatchObject({
      status: 401,
      error: { code: 'auth/invalid-credential', fields: { 'credential.id': [expect.any(String)] } },
    });
  }, 180_000);
});
