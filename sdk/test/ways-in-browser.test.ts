// Passkeys and the second factor in a real Chromium on the real service, with the build of the SDK. Its authenticators are
// Chromium's virtual ones, which consent to everything that they are asked.
import { type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { manualClock, type TestService, testService } from '../../server/test/harness.js';
import { localServer } from '../../server/test/local-server.js';
import { secondFactorScenario, stepMilliseconds } from '../../server/test/second-factor-scenario.js';
import type { Passkeys } from '../src/features/passkey-types.js';
import { browserBundle } from './browser-bundle.js';
import { executablePath, inBrowser, patienceMilliseconds, withoutBrowser } from './browser-page.js';

/** What the page has as a global, besides `client` and `foyer`. */
declare global {
  var keys: Passkeys;
  var waiting: Promise<string>;
}

const password = 'correct horse battery staple';
const patient = { timeout: patienceMilliseconds };

describe.skipIf(withoutBrowser)(inBrowser('in a browser'), () => {
  let service: TestService;
  let server: Awaited<ReturnType<typeof localServer>>;
  /** Passkeys belong to a domain, which an IP address is not. */
  let origin: string;
  let browser: Awaited<ReturnType<typeof chromium.launch>>;
  let context: BrowserContext;
  let page: Page;
  let authenticator: Awaited<ReturnType<typeof newAuthenticator>>;
  let account: { uid: string; email: string };

  beforeAll(async () => {
    service = await testService({ clock: manualClock(new Date()) });
    const bundle = await browserBundle('dist/index.js');
    const options = { baseUrl: `${service.url}/api/v2`, appKey: service.app.app.appKey };
    server = await localServer((_, res) => {
      res.setHeader('Content-Type', 'text/html');
      res.end(`<!doctype html><title>Ways in</title><link rel=icon href=data:>
        <input aria-label="Email" autocomplete="username webauthn"><script>${bundle}</script><script>
        client = foyer.createClient(${JSON.stringify(options)});
        keys = foyer.passkeys(client);
      </script>`);
    });
    origin = server.origin.replace('127.0.0.1', 'localhost');
    await set({ passkeys: party() });
    browser = await chromium.launch({
      executablePath: executablePath as string,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
      ],
    });
    browser.on('context', (opened) => opened.setDefaultTimeout(patienceMilliseconds));
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await service?.stop();
  });

  /** A new profile with a signed-in user and an empty authenticator. */
  beforeEach(async () => {
    await context?.close();
    context = await browser.newContext();
    page = await open();
    authenticator = await newAuthenticator(page);
    const { uid, email } = await service.signUp();
    account = { uid, email };
    await signInWithPassword();
  });

  const party = () => ({ rp_id: 'localhost', rp_name: 'Test', origins: [origin] });

  async function set(settings: object): Promise<void> {
    const { appKey } = service.app.app;
    const as = { appKey, token: service.app.secretKey, body: settings };
    const { status, text } = await service.call('PATCH', '/admin/settings', as);
    expect(status, text).toBe(200);
  }

  async function open(url = origin): Promise<Page> {
    const opened = await context.newPage();
    await opened.goto(url);
    return opened;
  }

  async function newAuthenticator(of: Page, more: object = {}) {
    const cdp: CDPSession = await context.newCDPSession(of);
    await cdp.send('WebAuthn.enable');
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', ctap2Version: 'ctap2_1', transport: 'internal' },
        ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
        automaticPresenceSimulation: true,
        ...more,
      },
    });
    return {
      credentials: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
      clear: () => cdp.send('WebAuthn.clearCredentials', { authenticatorId }),
    };
  }

  const signInWithPassword = (of = page) =>
    of.evaluate((given) => client.auth.signIn(given).then(() => {}), {
      email: account.email,
      password,
    });
  const signOut = () => page.evaluate(() => client.auth.signOut().then(() => {}));
  const register = () => page.evaluate(() => keys.register());
  /** The email of the user, or the code of the error. */
  const signIn = (of = page) =>
    of.evaluate(() =>
      keys.signIn().then(
        ({ user }) => user.email,
        (error) => error.code,
      ),
    );

  test('a passkey is registered, and signs in by a button', async () => {
    expect(await page.evaluate(() => keys.isAvailable())).toBe(true);
    const passkey = await register();
    expect(passkey).toMatchObject({ backed_up: false, last_used_at: null });
    expect(await page.evaluate(() => keys.register().catch((error) => error.code))).toBe(
      'auth/passkey-already-registered',
    );
    await signOut();
    expect(await signIn()).toBe(account.email);
    const { items } = await page.evaluate(async () => await keys.list());
    expect(items).toEqual([{ ...passkey, last_used_at: expect.any(String) }]);
    const { method } = await page.evaluate(
      async () => (await client.me.sessions()).items.find((it) => it.current)!,
    );
    expect(method).toBe('passkey');
  });

  test('the suggestions of a field sign in without a dialog', async () => {
    expect(await page.evaluate(() => keys.isAvailable({ autofill: true }))).toBe(true);
    await register();
    await signOut();
    const { email } = await page.evaluate(async () => (await keys.signIn({ autofill: true })).user);
    expect(email).toBe(account.email);
  });

  test('the request of a field gives way to a button, and ends with a sign-in', async () => {
    await signOut();
    const requests = () => page.evaluate(() => performance.getEntriesByName('get').length);
    // A virtual authenticator answers the request of a field at once; a user does not.
    await page.evaluate(() => {
      const { credentials } = navigator;
      const get = credentials.get.bind(credentials);
      credentials.get = (options) => {
        performance.mark('get');
        if (!options?.mediation) return get(options);
        return new Promise((_, reject) => {
          options.signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
        });
      };
      waiting = keys.signIn({ autofill: true }).then(
        () => 'signed in',
        (error) => error.code,
      );
    });
    await expect.poll(requests, patient).toBe(1);
    // The authenticator has no passkey.
    expect(await signIn()).toBe('client/passkey-cancelled');
    // The button's, and the field's again.
    await expect.poll(requests, patient).toBe(3);
    await signInWithPassword();
    expect(await page.evaluate(() => waiting)).toBe('client/aborted');
    expect(await requests()).toBe(3);
  });

  test('a page of another domain has no passkeys, and the service refuses one of another origin', async () => {
    await register();
    const elsewhere = await open(server.origin);
    await newAuthenticator(elsewhere);
    expect(await signIn(elsewhere)).toBe('client/passkey-wrong-domain');
    await signOut();
    await set({ passkeys: { ...party(), origins: ['http://localhost:1'] } });
    expect(await signIn()).toBe('auth/invalid-credential');
    await set({ passkeys: party() });
    // The passkey is good, so the browser was not told to forget it.
    expect(await authenticator.credentials()).toHaveLength(1);
    expect(await signIn()).toBe(account.email);
  });

  test('the browser forgets a passkey that was removed on the page, or by the team', async () => {
    const { id } = await register();
    await page.evaluate((own) => keys.remove(own), id);
    await expect.poll(() => authenticator.credentials(), patient).toEqual([]);
    const other = await register();
    const path = `/admin/users/${account.uid}/passkeys/${other.id}`;
    const { status: removed } = await service.call('DELETE', path, { token: service.app.secretKey });
    expect(removed).toBe(204);
    await signOut();
    expect(await signIn()).toBe('auth/invalid-credential');
    await expect.poll(() => authenticator.credentials(), patient).toEqual([]);
  });

  test('a passkey is added without a dialog', async () => {
    const mediation = await page.evaluate(async () => {
      const { credentials } = navigator;
      const create = credentials.create.bind(credentials);
      let asked: unknown;
      // Chromium does it only after its password manager has filled a password in.
      credentials.create = (given) => {
        const { mediation, ...options } = given as CredentialCreationOptions & { mediation?: string };
        asked = mediation;
        return create(options);
      };
      await keys.register({ conditional: true });
      return asked;
    });
    expect(mediation).toBe('conditional');
    expect(await authenticator.credentials()).toHaveLength(1);
  });

  test('a passkey renews the sign-in time', async () => {
    await register();
    await service.advance(360_000);
    const renewed = await page.evaluate(async () => {
      const refused = await client.me.changeEmail('next@example.com').catch((error) => error.code);
      await client.auth.reauthenticate({ passkey: await keys.proof() });
      return refused;
    });
    expect(renewed).toBe('auth/requires-recent-login');
    await page.evaluate(() => client.me.changeEmail('next@example.com'));
  });

  describe('a second factor', () => {
    const { codeOf } = secondFactorScenario(() => service);

    /** Enrolls the user, and moves on to codes that were not used; returns what the page was shown. */
    async function enroll() {
      await set({ second_factor: 'optional' });
      const { secret, uri } = await page.evaluate(() => foyer.secondFactor(client).beginTotp());
      expect(uri).toContain(secret);
      const { recovery_codes } = await page.evaluate(
        (code) => foyer.secondFactor(client).confirmTotp(code),
        codeOf(secret),
      );
      service.clock.advance(2 * stepMilliseconds);
      return { secret, recoveryCodes: recovery_codes };
    }
    const state = () => page.evaluate(() => client.auth.state.status);
    const amr = () =>
      page.evaluate(async () => {
        const token = await client.auth.getAccessToken({ forceRefresh: true });
        return JSON.parse(atob(`${token}`.split('.')[1]!.replace(/-/g, '+').replace(/_/g, '/'))).amr;
      });

    test('completes a sign-in after a reload between the steps', async () => {
      const { secret } = await enroll();
      await signOut();
      const factors = await page.evaluate(
        async (given) => {
          const error = await client.auth.signIn(given).catch((refusal) => refusal);
          const request = foyer.secondFactorOf(error)!;
          sessionStorage.setItem('ticket', request.ticket!);
          return request.factors;
        },
        { email: account.email, password },
      );
      expect(factors).toEqual(['totp', 'recovery_code']);
      expect(await state()).toBe('signedOut');
      await page.reload();
      const email = await page.evaluate(async (totp) => {
        const ticket = sessionStorage.getItem('ticket')!;
        return (await foyer.secondFactor(client).complete({ ticket, totp })).user.email;
      }, codeOf(secret));
      expect(email).toBe(account.email);
      await page.reload();
      await expect.poll(state, patient).toBe('signedIn');
      expect(await amr()).toEqual(['pwd', 'otp', 'mfa']);
    });

    test('is asked for again after a wrong code, and a recovery code takes its place', async () => {
      const { secret, recoveryCodes } = await enroll();
      const signInWith = (proofs: object[]) =>
        page.evaluate(
          async ([given, answers]) => {
            await client.auth.signOut();
            const asked: (string | undefined)[] = [];
            await foyer.withSecondFactor(
              client,
              () => client.auth.signIn(given),
              (_, wrong) => {
                asked.push(wrong?.code);
                return answers.shift() as { totp: string };
              },
            );
            return asked;
          },
          [{ email: account.email, password }, proofs] as const,
        );
      const wrong = { totp: codeOf(secret, 9) };
      expect(await signInWith([wrong, { totp: codeOf(secret) }])).toEqual([undefined, 'auth/invalid-code']);
      expect(await signInWith([{ recovery_code: recoveryCodes[0] }])).toEqual([undefined]);
      expect(await amr()).toEqual(['pwd', 'mfa']);
    });

    test('is not asked for after a passkey that verifies the user', async () => {
      await enroll();
      await register();
      await signOut();
      expect(await signIn()).toBe(account.email);
      expect(await amr()).toEqual(['swk', 'user', 'mfa']);
    });

    test('that the app requires is enrolled within the sign-in', async () => {
      await signOut();
      await set({ second_factor: 'required' });
      const { ticket, secret } = await page.evaluate(
        async (given) => {
          const error = await client.auth.signIn(given).catch((refusal) => refusal);
          const ticket = foyer.secondFactorOf(error)!.ticket!;
          return { ticket, ...(await foyer.secondFactor(client).enroll(ticket)) };
        },
        { email: account.email, password },
      );
      await page.reload();
      const codes = await page.evaluate(
        async (confirmation) =>
          (await foyer.secondFactor(client).confirmEnrollment(confirmation)).recovery_codes,
        { ticket, code: codeOf(secret) },
      );
      expect(codes).toHaveLength(10);
      expect(await state()).toBe('signedIn');
      await set({ second_factor: 'optional' });
    });
  });
});
