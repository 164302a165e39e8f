// How long the tokens of a session in cookies are used, and how many of them the backend remembers.
import { expect, test, vi } from 'vitest';
import { createCookieSessions } from '../src/server/index.js';
import { newestTokens, type Sessions } from '../src/server/session-tokens.js';
import { createTokenChains } from '../src/server/token-chains.js';
import { stopClock } from './harness.js';

const atMs = 1_800_000_000_000;
const presented = (refreshToken: string) => ({ sid: 's', refreshToken, expiresAtMs: 0 });
const tokens = (refreshToken: string) => ({ ...presented(refreshToken), uid: 'u', accessToken: 'a' });

test.each([
  [1, 'a'],
  [0, null],
])('a page is rendered with an access token that expires in %d ms: %s', (leftMs, accessToken) => {
  stopClock();
  vi.setSystemTime(atMs);
  const sessions = createCookieSessions({
    baseUrl: 'https://foyer.example/api/v2',
    appKey: 'pk',
    origin: 'http://localhost',
  });
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
