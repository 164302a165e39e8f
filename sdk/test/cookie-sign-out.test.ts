// Requests of pages whose session differs from that of the cookies, or has ended, or whose service fails meanwhile.
import { expect, onTestFinished, test, vi } from 'vitest';
import { createEndedSessions } from '../src/server/ended-sessions.js';
import { createSessionCookies } from '../src/server/session-cookies.js';
import { hourMs, passTime, service, sessionCount, signedUp, useService } from './cookie-app.js';

useService();

type App = Awaited<ReturnType<typeof signedUp>>;

/** Sends a request of a page, which may hold an access token. */
async function post({ browser }: App, route: string, held?: string, body: object = {}) {
  const headers = { 'Content-Type': 'application/json', ...(held && { Authorization: `Bearer ${held}` }) };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await browser.fetch(`/api/auth/${route}`, init);
  const answer = response.status === 204 ? undefined : (await response.json()).error?.code;
  return [response.status, answer];
}

const unavailable = async () =>
  Response.json({ error: { code: 'request/unavailable', message: '' } }, { status: 503 });
const endAll = (uid: string) =>
  service.database.prisma.session.updateMany({ where: { uid }, data: { endedAt: service.clock.now() } });

test('the sign-out of a page ends the session of that page, and not the one that the cookies hold', async () => {
  const app = await signedUp();
  const { cookie } = app.browser;
  const { tokens, uid } = await service.signUp();
  expect(await post(app, 'sign-out', tokens.access_token)).toEqual([204, undefined]);
  expect([await sessionCount(uid), await sessionCount(app.uid)]).toEqual([0, 1]);
  expect(await post(app, 'sign-out', tokens.access_token)).toEqual([401, 'auth/invalid-token']);
  expect(app.browser.cookie).toBe(cookie);
});

test.each([
  ['sign-out', [204, undefined]],
  ['sign-out-all', [401, 'auth/refresh-token-revoked']],
])('%s of a session that has ended removes its cookies', async (route, answer) => {
  const app = await signedUp();
  await endAll(app.uid);
  expect(await post(app, route)).toEqual(answer);
  expect(app.browser.cookie).toBe('');
});

test('a sign-out that fails after its refresh leaves the new refresh token, with which the next attempt ends the session', async () => {
  const app = await signedUp();
  const { browser, outage, restart, uid } = app;
  const [before] = [...browser.values.values()].filter((value) => value.includes('rt_'));
  passTime(2 * hourMs);
  outage.answer = (input, init) => (/refresh$/.test(String(input)) ? fetch(input, init) : unavailable());
  expect(await post(app, 'sign-out')).toEqual([503, 'request/unavailable']);
  const left = [...browser.values.values()];
  expect(left).toEqual([expect.stringContaining('rt_')]);
  expect(left).not.toEqual([before]);
  delete outage.answer;
  // The backend no longer knows which token follows the former one.
  restart();
  passTime(60_000);
  expect(await post(app, 'sign-out')).toEqual([204, undefined]);
  expect(browser.cookie).toBe('');
  const { endReason } = await service.database.prisma.session.findFirstOrThrow({ where: { uid } });
  expect(endReason).toBe('sign_out');
});

test('a sign-out that the service cannot answer leaves nothing but the refresh token', async () => {
  const app = await signedUp();
  app.outage.answer = unavailable;
  onTestFinished(() => void delete app.outage.answer);
  const [before] = [...app.browser.values.values()].filter((value) => value.includes('rt_'));
  expect(await post(app, 'sign-out')).toEqual([503, 'request/unavailable']);
  expect([...app.browser.values.values()]).toEqual([before]);
});

test('no cache stores a page that was rendered for a session', async () => {
  const { browser, email } = await signedUp();
  const rendered = async () => {
    const response = await browser.fetch('/', { method: 'GET' });
    return [await response.text(), response.headers.get('Cache-Control')];
  };
  expect(await rendered()).toEqual([email, 'private, no-store']);
  browser.values.clear();
  expect(await rendered()).toEqual(['signed out', null]);
});

test('a page that is loaded again is not signed out while the service cannot name its user', async () => {
  const app = await signedUp();
  const { browser, outage } = app;
  const { cookie } = browser;
  outage.answer = unavailable;
  const body = { refresh_token: browser.sid };
  expect(await post(app, 'token/refresh', undefined, body)).toEqual([503, 'request/unavailable']);
  expect([browser.cookie, app.refreshes()]).toEqual([cookie, 0]);
  delete outage.answer;
  await endAll(app.uid);
  expect(await post(app, 'token/refresh', undefined, body)).toEqual([401, 'auth/refresh-token-revoked']);
  expect(browser.cookie).not.toContain('rt_');
});

test('a session that ended in its browser is remembered for a minute, and at most 20,000 are', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const ended = createEndedSessions();
  ended.add('first');
  vi.setSystemTime(Date.now() + 59_999);
  expect(ended.has('first')).toBe(true);
  vi.setSystemTime(Date.now() + 1);
  expect(ended.has('first')).toBe(false);
  for (let at = 0; at < 20_000; at += 1) ended.add(`${at}`);
  expect(ended.has('0')).toBe(true);
  ended.add('0');
  ended.add('another');
  expect(['0', '1', '2', 'another'].map(ended.has)).toEqual([true, false, true, true]);
});

test.each([
  [3_800, /\.access=[^;]{3800}; Max-Age=60;/],
  [3_801, /\.access=; Max-Age=0;/],
])('an access token whose cookie would have %i characters, beside its attributes', (characters, cookie) => {
  const expiresAtMs = Date.now() + 60_500;
  const own = { sid: 's', uid: 'u', refreshToken: 'rt_r', expiresAtMs };
  const accessToken = 'a'.repeat(characters - `s.${expiresAtMs}.`.length);
  const set = createSessionCookies('pk_app', true).set({ ...own, accessToken });
  expect(set).toEqual([
    expect.stringContaining('.refresh=s.rt_r; Max-Age=7776000;'),
    expect.stringMatching(cookie),
    expect.stringContaining('.user=s.u; Max-Age=7776000;'),
  ]);
});
