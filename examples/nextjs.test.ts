// The example for Next.js, built for production, in front of a real service. `npm ci` of the repository does not install
// Next.js: build the example first, as CI does.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { generateSync } from 'otplib';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../server/test/free-port.js';
import { inFull } from '../server/test/thorough.js';
import { root, startService, stopProcess } from './running-service.js';

const folder = join(root, 'examples/nextjs');
const isBuilt = existsSync(join(folder, '.next/BUILD_ID'));
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
);
const requests = inFull(1_000, 100);
const password = 'correct horse battery staple';

describe.skipIf(!isBuilt)(`the example for Next.js${isBuilt ? '' : ' (skipped: it is not built)'}`, () => {
  let service: Awaited<ReturnType<typeof startService>>;
  let next: ChildProcess;
  let origin = '';
  let browser: Browser | undefined;

  beforeAll(async () => {
    service = await startService({ TRUST_PROXY: 'loopback' });
    const port = await freePort();
    // A browser has no passkeys on an IP address.
    origin = `http://localhost:${port}`;
    const changed = await callService('PATCH', '/admin/settings', {
      token: service.secretKey,
      body: {
        second_factor: 'optional',
        passkeys: { rp_id: 'localhost', rp_name: 'Example', origins: [origin] },
      },
    });
    expect(changed.status).toBe(200);
    next = spawn(
      process.execPath,
      ['node_modules/next/dist/bin/next', 'start', '--port', String(port), '--hostname', 'localhost'],
      {
        cwd: folder,
        env: {
          PATH: process.env.PATH,
          NODE_ENV: 'production',
          NEXT_TELEMETRY_DISABLED: '1',
          FOYER_BASE_URL: service.baseUrl,
          FOYER_APP_KEY: service.appKey,
          APP_ORIGIN: origin,
          CLIENT_IP_HEADER: 'X-Real-IP',
        },
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    await untilReady();
    if (executablePath)
      browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  });

  /** Calls the service without the app in between. */
  async function callService(
    method: string,
    path: string,
    { token, body }: { token: string; body?: object },
  ): Promise<{ status: number; data: Record<string, unknown> }> {
    const response = await fetch(`${service.baseUrl}${path}`, {
      method,
      headers: {
        'X-App-Key': service.appKey,
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const { data } = (await response.json()) as { data: Record<string, unknown> };
    return { status: response.status, data };
  }

  async function untilReady(): Promise<void> {
    while (next.exitCode === null) {
      const status = await fetch(`${origin}/sign-in`).then(
        (response) => response.status,
        () => 0,
      );
      if (status === 200) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error('Next.js did not start');
  }

  afterAll(async () => {
    await browser?.close();
    await stopProcess(next);
    await service.stop();
  });

  /** Signs a new user up; returns the email, the cookies and the access token. */
  async function signUp(name: string, more: Record<string, string> = {}) {
    const email = `${name}-${Date.now()}@example.com`;
    const response = await fetch(`${origin}/api/auth/sign-up`, {
      method: 'POST',
      headers: { Origin: origin, 'Content-Type': 'application/json', ...more },
      body: JSON.stringify({ email, password }),
    });
    expect(response.status).toBe(200);
    const cookie = response.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ');
    const { data } = (await response.json()) as { data: { access_token: string } };
    return { email, cookie, accessToken: data.access_token };
  }

  test('passes the IP of the browser on to the service, as the host of the app names it', async () => {
    const { accessToken } = await signUp('ada', { 'X-Real-IP': '203.0.113.7' });
    const response = await fetch(`${service.baseUrl}/me/sessions`, {
      headers: { 'X-App-Key': service.appKey, Authorization: `Bearer ${accessToken}` },
    });
    const { data } = (await response.json()) as { data: { items: { ip_address: string }[] } };
    expect(data.items.map(({ ip_address }) => ip_address)).toEqual(['203.0.113.7']);
  });

  test('renders each of many interleaved requests for its own user, and stores none', async () => {
    const users = await Promise.all(['ada', 'charles', 'grace', 'alan', 'joan'].map((name) => signUp(name)));
    const others = ({ email }: { email: string }) => users.filter((user) => user.email !== email);
    let mixed = 0;
    for (let sent = 0; sent < requests; sent += 50) {
      const answered = Array.from({ length: 50 }, async (_, index) => {
        const user = users[index % users.length]!;
        // An access cookie that has expired is gone: every fifth request renews it.
        const cookie = index % 5 === 4 ? user.cookie.replace(/[^ ]*\.access=[^;]*; /, '') : user.cookie;
        const response = await fetch(origin, { headers: { Cookie: cookie } });
        const html = await response.text();
        expect(html).toContain(user.email);
        expect(html).not.toMatch(/rt_|eyJ/);
        expect(response.headers.get('Cache-Control')).toContain('no-store');
        if (others(user).some(({ email }) => html.includes(email))) mixed += 1;
      });
      await Promise.all(answered);
    }
    expect(mixed).toBe(0);
    const visitor = await fetch(origin, { redirect: 'manual' });
    expect(visitor.headers.get('Location')).toBe('/sign-in');
  });

  test.skipIf(!executablePath)(
    'signs up, renders and signs out in a browser, whose scripts see no refresh token',
    async () => {
      const context = await browser!.newContext({ viewport: { width: 900, height: 600 } });
      try {
        const page = await context.newPage();
        // A busy machine may take ten times as long as an idle one.
        page.setDefaultTimeout(120_000);
        const problems: string[] = [];
        page.on('console', (message) => {
          if (message.type() === 'error') problems.push(message.text());
        });
        page.on('pageerror', (error) => problems.push(String(error)));
        await page.goto(origin);
        await page.getByLabel('Email').fill(`ada-${Date.now()}@example.org`);
        await page.getByLabel('Password').fill(password);
        await page.getByRole('button', { name: 'Create account' }).click();
        await page.getByRole('heading', { name: 'Hello' }).waitFor();
        await page.getByText('(this one)').waitFor();
        const { FOYER_SCREENSHOTS } = process.env;
        if (FOYER_SCREENSHOTS) await page.screenshot({ path: join(FOYER_SCREENSHOTS, 'nextjs.png') });
        const readable = () => page.evaluate(() => document.cookie + JSON.stringify({ ...localStorage }));
        expect(await readable()).toContain('.user=');
        expect(await readable()).not.toContain('rt_');
        await page.reload();
        await page.getByText('(this one)').waitFor();
        await page.getByRole('button', { name: 'Sign out' }).click();
        await page.getByRole('heading', { name: 'Sign in' }).waitFor();
        expect(await page.context().cookies()).toEqual([]);
        expect(problems).toEqual([]);
      } finally {
        await context.close();
      }
    },
  );

  test.skipIf(!executablePath)(
    'asks for a second factor before there is a cookie, and signs in with a passkey that replaces both steps',
    async () => {
      const { email, accessToken: token } = await signUp('grace');
      const { data } = await callService('POST', '/me/factors/totp', { token });
      const secret = String(data.secret);
      const codeAt = (milliseconds: number) =>
        generateSync({ secret, epoch: Math.floor(milliseconds / 1_000) });
      const body = { code: codeAt(Date.now()) };
      const confirmed = await callService('POST', '/me/factors/totp/confirm', { token, body });
      expect(confirmed.status).toBe(200);

      const context = await browser!.newContext();
      try {
        const page = await context.newPage();
        // A busy machine may take ten times as long as an idle one.
        page.setDefaultTimeout(120_000);
        const cdp = await context.newCDPSession(page);
        await cdp.send('WebAuthn.enable');
        await cdp.send('WebAuthn.addVirtualAuthenticator', {
          options: {
            ...{ protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true },
            ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
          },
        });
        await page.goto(origin);
        await page.getByLabel('Email').fill(email);
        await page.getByLabel('Password').fill(password);
        await page.getByRole('button', { name: 'Sign in', exact: true }).click();
        const code = page.getByLabel('Code of your authenticator app');
        await code.fill('000000');
        await page.getByRole('button', { name: 'Continue' }).click();
        await page.getByText('The code is wrong.').waitFor();
        expect(await context.cookies()).toEqual([]);
        // The enrolment has used the current code.
        await code.fill(codeAt(Date.now() + 30_000));
        await page.getByRole('button', { name: 'Continue' }).click();
        await page.getByText('(this one)').waitFor();
        await page.getByRole('button', { name: 'Add a passkey' }).click();
        await page.getByText('Added:').waitFor();
        await page.getByRole('button', { name: 'Sign out' }).click();
        await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
        await page.getByText('(this one)').waitFor();
        expect((await context.cookies()).some(({ httpOnly }) => httpOnly)).toBe(true);
      } finally {
        await context.close();
      }
    },
  );

  test('during an outage asks to try again, and not to sign in', async () => {
    const { cookie } = await signUp('ada');
    // The access token has expired, and cannot be renewed.
    const expired = cookie.replace(/[^ ]*\.access=[^;]*; /, '');
    await service.stop();
    const response = await fetch(origin, { headers: { Cookie: expired }, redirect: 'manual' });
    expect(response.headers.get('Location')).toBeNull();
    expect(response.status).toBe(500);
  });
});
