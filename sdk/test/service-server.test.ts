// `@foyer/sdk/server` in an Express app, against the real service.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { thorough } from '../../server/test/thorough.js';
import { type CookieSessions, createCookieSessions, createServerClient } from '../src/server/index.js';
import {
  connection,
  hourMs,
  passTime,
  password,
  service,
  sessionCount,
  signedUp,
  startApp,
  useService,
} from './cookie-app.js';
import { codeOf } from './harness.js';

useService();

describe('a server client', () => {
  test('never answers one user with the data of another', async () => {
    const users = await Promise.all([service.signUp(), service.signUp()]);
    const requests = Array.from({ length: thorough ? 300 : 50 }, (_, index) => users[index % 2]!);
    const answered = await Promise.all(
      requests.map(async ({ tokens }) => {
        const client = createServerClient({ ...connection, accessToken: tokens.access_token });
        const [user, sessions] = await Promise.all([client.me.get(), client.me.sessions()]);
        return [user.uid, sessions.items.length];
      }),
    );
    expect(answered).toEqual(requests.map(({ uid }) => [uid, 1]));
  });

  test('has the user’s rights, and without a user those of a visitor', async () => {
    const { tokens, uid } = await service.signUp();
    const own = createServerClient({ ...connection, accessToken: tokens.access_token });
    const visitor = createServerClient({ ...connection, accessToken: null });
    const { id } = await own.files.upload(new Blob(['hello'], { type: 'text/plain' }), { name: 'a.txt' });
    expect((await own.files.get(id)).owner_uid).toBe(uid);
    expect(await codeOf(visitor.files.get(id))).toMatch(/^(auth|files)\//);
    expect(await codeOf(visitor.me.get())).toBe('client/signed-out');
    expect(await visitor.config.value('missing', 7)).toBe(7);
    expect(await codeOf(own.collection('undeclared').get('a'))).toBe('data/collection-not-found');
  });

  test('is refused with an access token that the service refuses, and sends no refresh', async () => {
    const { tokens } = await service.signUp();
    const sent: string[] = [];
    const client = createServerClient({
      ...connection,
      accessToken: tokens.access_token,
      onEvent: (event) => event.type === 'request' && sent.push(event.path),
    });
    passTime(2 * hourMs);
    await expect(client.me.get()).rejects.toMatchObject({ code: 'auth/invalid-token', status: 401 });
    expect(sent).toEqual(['/me']);
  });
});

describe('a session in cookies', () => {
  test('signs in without a token of it in the reach of scripts, and ends at the service', async () => {
    const { browser, page, email, uid } = await signedUp();
    expect((await page.me.get()).uid).toBe(uid);
    expect(await browser.visit()).toBe(email);
    await page.auth.getAccessToken({ forceRefresh: true });
    expect(browser.cookie).toContain('rt_');
    expect(browser.readable).not.toContain('rt_');
    expect(await page.auth.signOut()).toEqual({ remote: true });
    expect(browser.cookie).toBe('');
    expect(await browser.visit()).toBe('signed out');
    expect(await sessionCount(uid)).toBe(0);
  });

  test('continues when the page is loaded again, also with empty storage, and without a refresh', async () => {
    const { browser, refreshes, uid } = await signedUp();
    expect((await browser.page().me.get()).uid).toBe(uid);
    browser.stored.clear();
    const page = browser.page();
    expect((await page.auth.ready()).status).toBe('signedIn');
    expect((await page.me.get()).uid).toBe(uid);
    expect(refreshes()).toBe(0);
    const first = await page.auth.getAccessToken();
    expect(await page.auth.getAccessToken({ forceRefresh: true })).not.toBe(first);
    expect(refreshes()).toBe(1);
  });

  test('continues also with white space around the app key, as from a file', async () => {
    const { browser } = await startApp();
    const appKey = `${connection.appKey}\n`;
    const { user } = await browser
      .page({ appKey })
      .auth.signUp({ email: `${randomUUID()}@example.com`, password });
    expect(await browser.page({ appKey }).auth.ready()).toMatchObject({ status: 'signedIn', uid: user.uid });
  });

  test('is refreshed once for all tabs and pages that need it at the same time', async () => {
    const { browser, refreshes, email, uid } = await signedUp();
    passTime(hourMs);
    const tabs = Array.from({ length: 5 }, () => browser.page());
    const pages = await Promise.all([
      ...tabs.map(async (tab) => (await tab.me.get()).email),
      ...tabs.map(() => browser.visit()),
    ]);
    expect(pages).toEqual(pages.map(() => email));
    expect(refreshes()).toBe(1);
    passTime(hourMs);
    expect(await browser.visit()).toBe(email);
    expect(await sessionCount(uid)).toBe(1);
  });

  test('survives the loss of new cookies, for a minute', async () => {
    const { browser, page, email, uid } = await signedUp();
    browser.losesCookies = true;
    passTime(2 * hourMs);
    for (const lost of [() => browser.visit(), () => page.auth.getAccessToken({ forceRefresh: true })]) {
      await lost();
      passTime(25_000);
    }
    browser.losesCookies = false;
    expect(await browser.visit()).toBe(email);
    passTime(2 * hourMs);
    expect(await browser.visit()).toBe(email);
    expect(await sessionCount(uid)).toBe(1);
  });

  test.each<[string, () => Promise<never>]>([
    ['loses its response on the way', () => Promise.reject(new TypeError('The connection was reset.'))],
    [
      'has no response in time',
      () => {
        void vi.advanceTimersByTimeAsync(8_000);
        return new Promise(() => {});
      },
    ],
  ])('survives a page whose refresh by the backend %s', async (_, mishap) => {
    const { browser, outage, email, uid } = await signedUp();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    passTime(2 * hourMs);
    outage.answer = async (input, init) => {
      delete outage.answer;
      await fetch(input, init);
      return mishap();
    };
    expect(await browser.visit()).toBe(email);
    passTime(45_000);
    expect(await browser.visit()).toBe(email);
    expect(await sessionCount(uid)).toBe(1);
  });

  test('is not continued with a cookie whose successor was lost a minute ago', async () => {
    const { browser, uid } = await signedUp();
    browser.losesCookies = true;
    passTime(2 * hourMs);
    await browser.visit();
    passTime(60_000);
    browser.losesCookies = false;
    expect(await browser.visit()).toBe('signed out');
    expect(await sessionCount(uid)).toBe(0);
  });

  test('control: without the backend’s memory, a lost cookie ends it, as the use of a stolen one does', async () => {
    const { browser, restart, uid } = await signedUp();
    browser.losesCookies = true;
    passTime(2 * hourMs);
    await browser.visit();
    passTime(45_000);
    restart();
    browser.losesCookies = false;
    expect(await browser.visit()).toBe('signed out');
    expect(browser.cookie).toBe('');
    expect(await sessionCount(uid)).toBe(0);
  });

  test('ends when a token is used again whose successor the browser has presented', async () => {
    const { browser, uid } = await signedUp();
    const stolen = new Map(browser.values);
    for (let hour = 0; hour < 2; hour++) {
      passTime(2 * hourMs);
      await browser.visit();
    }
    browser.values.clear();
    for (const [name, value] of stolen) browser.values.set(name, value);
    expect(await browser.visit()).toBe('signed out');
    expect(await sessionCount(uid)).toBe(0);
  });

  const unavailable = (status: number, body: string) => async () =>
    new Response(body, { status, headers: { 'Retry-After': '1' } });
  test.each<[string, () => Promise<Response>]>([
    ['no answer', () => Promise.reject(new TypeError('refused'))],
    ['503', unavailable(503, '{"error":{"code":"request/unavailable","message":""}}')],
    ['429', unavailable(429, '{"error":{"code":"request/rate-limited","message":""}}')],
    ['a proxy’s page', unavailable(200, '<html>')],
    ['a proxy’s refusal', unavailable(401, '<html>')],
  ])('is kept when the service answers with %s', async (_, answer) => {
    const { browser, outage, email } = await signedUp();
    const page = browser.page({ maxRetries: 0 });
    passTime(2 * hourMs);
    outage.answer = answer;
    const { cookie } = browser;
    const response = await browser.fetch('/api/auth/token/refresh', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ refresh_token: browser.sid }),
    });
    expect([429, 503]).toContain(response.status);
    await browser.visit();
    expect(browser.cookie).toBe(cookie);
    delete outage.answer;
    expect((await page.me.get()).email).toBe(email);
  });

  test('that the service has ended is removed, and the page is signed out', async () => {
    const { browser, page, uid } = await signedUp();
    await service.database.prisma.session.updateMany({
      where: { uid },
      data: { endedAt: service.clock.now() },
    });
    expect(await codeOf(page.me.get())).toBe('auth/refresh-token-revoked');
    expect(page.auth.state).toEqual({ status: 'signedOut', reason: 'revoked' });
    expect(browser.cookie).toBe('');
  });

  test('that was signed out while offline is signed out everywhere, and ended when the network is back', async () => {
    const { browser, page, uid } = await signedUp();
    browser.isOffline = true;
    expect(await page.auth.signOut()).toEqual({ remote: false });
    page.dispose();
    browser.isOffline = false;
    expect(await browser.visit()).toBe('signed out');
    expect(await sessionCount(uid)).toBe(1);
    expect((await browser.page().auth.ready()).status).toBe('signedOut');
    await expect.poll(() => sessionCount(uid)).toBe(0);
    await expect.poll(() => browser.cookie).toBe('');
  });

  test('of another user replaces it: the old one ends, and its page receives no token of the new one', async () => {
    const { browser, page, uid } = await signedUp();
    const other = browser.page();
    // A page that follows nobody, because its storage event is late.
    const { user } = await other.auth.signUp({ email: `${randomUUID()}@example.com`, password });
    expect(await sessionCount(uid)).toBe(0);
    expect(await codeOf(page.auth.getAccessToken({ forceRefresh: true }))).toBe('client/signed-out');
    expect(page.auth.state).toMatchObject({ status: 'signedIn', uid: user.uid });
    expect(await sessionCount(user.uid)).toBe(1);
    expect(await browser.visit()).toBe(user.email);
  });

  test('has the IP address and the device of the browser, not those of the backend', async () => {
    const { browser } = await startApp();
    const response = await browser.fetch('/api/auth/sign-up', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Forwarded-For': '203.0.113.7',
        'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      },
      body: JSON.stringify({ email: `${randomUUID()}@example.com`, password }),
    });
    expect(response.status).toBe(200);
    const { items } = await browser.page().me.sessions();
    expect(items).toMatchObject([
      { current: true, device: { browser: 'Firefox 140' }, ip_address: '203.0.113.7' },
    ]);
  });
});

describe('a request that does not come from a page of the app', () => {
  const origin = 'https://app.example.com';
  const own = { Origin: origin, 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' };
  let sessions: CookieSessions;
  beforeAll(() => {
    const unreachable = async () => expect.fail('the service is asked');
    sessions = createCookieSessions({ ...connection, origin, fetch: unreachable });
  });

  test.each<[status: number, what: string, headers: Record<string, string>]>([
    [401, 'the app itself', own],
    [401, 'a browser without Sec-Fetch-Site', { ...own, 'Sec-Fetch-Site': '' }],
    [403, 'another site', { ...own, Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }],
    [403, 'a sibling', { ...own, Origin: 'https://blog.example.com', 'Sec-Fetch-Site': 'same-site' }],
    [403, 'the same host without https', { ...own, Origin: 'http://app.example.com' }],
    [403, 'another port', { ...own, Origin: 'https://app.example.com:8443' }],
    [403, 'a longer name', { ...own, Origin: 'https://app.example.com.evil.example' }],
    [403, 'a sandboxed page', { ...own, Origin: 'null' }],
    [403, 'no page', { ...own, Origin: '' }],
    [403, 'a browser that contradicts its Origin', { ...own, 'Sec-Fetch-Site': 'cross-site' }],
    [415, 'a form', { ...own, 'Content-Type': 'text/plain' }],
    [415, 'a form that imitates JSON', { ...own, 'Content-Type': 'text/plain; application/json' }],
  ])('is answered with %i: %s', async (status, _, given) => {
    const headers = Object.entries(given).filter(([, value]) => value !== '');
    const init = { method: 'POST', headers, body: '{}' };
    const response = await sessions.handle(new Request(`${origin}/api/auth/token/refresh`, init));
    expect(response.status).toBe(status);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(response.headers.get('Content-Type')).toBe('application/json');
  });

  test.each([
    [405, 'GET', 'sign-in', undefined],
    [404, 'POST', 'admin', '{}'],
    [422, 'POST', 'sign-in', '{"email":5}'],
    [422, 'POST', 'sign-in', '{"email":5}'.padEnd(100 * 1_024)],
    [413, 'POST', 'sign-in', '{"email":5}'.padEnd(100 * 1_024 + 1)],
    [400, 'POST', 'sign-in', '{'],
  ])('is answered with %i: %s %s', async (status, method, route, body) => {
    const init: RequestInit = { method, headers: own };
    if (body !== undefined) init.body = body;
    const response = await sessions.handle(new Request(`${origin}/api/auth/${route}`, init));
    expect(response.status).toBe(status);
    expect(response.headers.get('Allow')).toBe(status === 405 ? 'POST' : null);
    expect((await response.json()).error.fields).toEqual({});
  });
});

test.each([undefined, null, 5])(
  'a token of the session %s, as no service issues it, begins no session',
  async (sid) => {
    const { tokens } = await service.signUp();
    const access_token = `head.${btoa(JSON.stringify({ sid }))}.signature`;
    const answer = async () => Response.json({ data: { ...tokens, access_token } });
    const origin = 'https://app.example.com';
    const sessions = createCookieSessions({ ...connection, origin, fetch: answer });
    const headers = { Origin: origin, 'Content-Type': 'application/json' };
    const init = { method: 'POST', headers, body: '{}' };
    const response = await sessions.handle(new Request(`${origin}/api/auth/sign-in`, init));
    expect([response.status, response.headers.getSetCookie()]).toEqual([503, []]);
  },
);

test.each([
  [400, 'request/malformed-json'],
  [401, 'auth/invalid-credential'],
])('a refusal of the service with %i reaches the page as it is', async (status, code) => {
  const sent = { status, headers: { 'Retry-After': '7' } };
  const answer = async () => Response.json({ error: { code, message: '', fields: {} } }, sent);
  const origin = 'https://app.example.com';
  const sessions = createCookieSessions({ ...connection, origin, fetch: answer });
  const headers = { Origin: origin, 'Content-Type': 'application/json' };
  const init = { method: 'POST', headers, body: '{}' };
  const response = await sessions.handle(new Request(`${origin}/api/auth/sign-in`, init));
  expect([response.status, (await response.json()).error.code]).toEqual([status, code]);
  expect(response.headers.get('Retry-After')).toBe('7');
});

test('over https the cookies belong to the host, and only the user’s id is readable', async () => {
  const origin = 'https://app.example.com';
  const sessions = createCookieSessions({ ...connection, origin });
  const headers = { Origin: origin, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ email: `${randomUUID()}@example.com`, password });
  const response = await sessions.handle(
    new Request('http://10.0.0.1:3000/api/auth/sign-up', { method: 'POST', headers, body }),
  );
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.replace(/=[^;]*;/, '=…;'));
  const name = `__Host-foyer.${connection.appKey}`;
  const rest = 'Path=/; SameSite=Lax; Secure';
  expect(cookies).toEqual([
    `${name}.refresh=…; Max-Age=7776000; ${rest}; HttpOnly`,
    expect.stringMatching(/\.access=…; Max-Age=(3600|3599); Path=\/; SameSite=Lax; Secure; HttpOnly$/),
    `${name}.user=…; Max-Age=7776000; ${rest}`,
  ]);
});
