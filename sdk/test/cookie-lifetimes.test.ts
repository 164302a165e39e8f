// How long the tokens of a session in cookies are used, and how many of them the backend remembers.
import { expect, test, vi } from 'vitest';
import { FoyerError } from '../src/errors.js';
import { createCookieSessions } from '../src/server/index.js';
import { newestTokens, type Sessions } from '../src/server/session-tokens.js';
import { createTokenChains } from '../src/server/token-chains.js';
import { stopClock } from './harness.js';
import { gate } from './mishaps.js';

const sessionsOf = () =>
  createCookieSessions({ baseUrl: 'https://foyer.example/api/v2', appKey: 'pk', origin: 'http://localhost' });
const atMs = 1_800_000_000_000;
const presented = (refreshToken: string) => ({ sid: 's', refreshToken, expiresAtMs: 0 });
const tokens = (refreshToken: string) => ({ ...presented(refreshToken), uid: 'u', accessToken: 'a' });

test.each([
  [1, 'a'],
  [0, null],
])('a page is rendered with an access token that expires in %d ms: %s', (leftMs, accessToken) => {
  stopClock();
  vi.setSystemTime(atMs);
  const sessions = sessionsOf();
  const cookie = `foyer.pk.refresh=s.r; foyer.pk.access=s.${atMs + leftMs}.a; foyer.pk.user=s.u`;
  // A framework may have headers of its own class.
  const foreign = { get: (name: string) => (name === 'Cookie' ? cookie : null) };
  for (const headers of [{ cookie, get: 'sent' }, new Headers({ cookie }), foreign])
    expect(sessions.read(headers)).toEqual({ uid: 'u', accessToken });
});

test.each([
  [60_001, 'a'],
  [60_000, undefined],
])('an access token that expires in %d ms is used as it is: %s', (leftMs, accessToken) => {
  stopClock();
  const sessions = { chains: createTokenChains() } as Sessions;
  const newest = newestTokens(sessions, { ...tokens('r'), expiresAtMs: Date.now() + leftMs });
  expect(newest?.accessToken).toBe(accessToken);
});

test.each([
  ['refresh=s.; user=s.u', null],
  ['refresh=r; user=s.u', null],
  ['refresh=s.r; user=other.u', null],
  ['refresh=s.r; user=s.u; user=s.other; access=other.9999999999999.a', { uid: 'u', accessToken: null }],
])(
  'cookies that are incomplete, of two sessions, or twice there are read with care: %s',
  (cookies, session) => {
    const cookie = cookies.replace(/(\w+)=/g, 'foyer.pk.$1=');
    expect(sessionsOf().read({ cookie })).toEqual(session);
  },
);

test('tokens that are about to be exchanged are no successors, and a pending exchange is shared for as long as it takes', async () => {
  stopClock();
  const chains = createTokenChains();
  await chains.refresh(presented('a'), async () => tokens('b'));
  const { opened, open } = gate();
  const late = async () => {
    await opened;
    return tokens('c');
  };
  const pending = chains.refresh(presented('a'), late);
  expect(chains.successorOf(presented('a'))).toBeUndefined();
  await vi.advanceTimersByTimeAsync(60_000);
  await chains.refresh(presented('another'), async () => tokens('z'));
  expect(chains.refresh(presented('a'), () => expect.fail('sent twice'))).toBe(pending);
  open();
  await pending;
  expect(chains.successorOf(presented('a'))?.refreshToken).toBe('c');
});

test('a spent token has no successor any more once the browser has presented that', async () => {
  const chains = createTokenChains();
  await chains.refresh(presented('a'), async () => tokens('b'));
  await chains.refresh(presented('a'), async () => tokens('c'));
  expect(chains.successorOf(presented('a'))?.refreshToken).toBe('c');
  expect(chains.successorOf(presented('c'))).toBeUndefined();
  const left = ['a', 'b', 'c'].map((token) => chains.successorOf(presented(token)));
  expect(left).toEqual([undefined, undefined, undefined]);
});

test.each([
  [401, 'auth/refresh-token-revoked', undefined],
  [503, 'request/unavailable', 'b'],
])('a token whose next refresh fails with %i %s has the successor %s', async (status, code, successor) => {
  const chains = createTokenChains();
  await chains.refresh(presented('a'), async () => tokens('b'));
  const failure = new FoyerError(code, '', { status });
  await expect(chains.refresh(presented('a'), () => Promise.reject(failure))).rejects.toBe(failure);
  expect(chains.successorOf(presented('a'))?.refreshToken).toBe(successor);
});

test('the last 20,000 tokens are remembered, and of one more the oldest is not', async () => {
  const chains = createTokenChains();
  for (let spent = 0; spent < 10_000; spent++) {
    await chains.refresh(presented(`old-${spent}`), async () => tokens(`new-${spent}`));
  }
  const first = () => chains.successorOf(presented('old-0'))?.refreshToken;
  expect(first()).toBe('new-0');
  await chains.refresh(presented('old-10000'), async () => tokens('new-10000'));
  expect(first()).toBeUndefined();
  expect(chains.successorOf(presented('old-2'))?.refreshToken).toBe('new-2');
});
