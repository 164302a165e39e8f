import { pino } from 'pino';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type ManualClock, manualClock } from '../../test/harness.js';
import { down, identityProvider, json, providerKey, type Route } from '../../test/identity-provider.js';
import { shared } from '../../test/shared.js';
import { keysIn, type ProviderKeys, providerKeys } from './provider-keys.js';

const minute = 60_000;
const rotated = await providerKey('rotated', 'ES256');
const unknown = await providerKey('unknown', 'ES256');

let clock: ManualClock;
let keys: ProviderKeys;
const provider = shared(() => identityProvider(manualClock(), 'client'));
beforeEach(() => {
  provider.keys.splice(0, provider.keys.length, provider.key);
  provider.calls.length = 0;
  provider.answer('/keys', null);
  clock = manualClock();
  keys = providerKeys({ fetch, clock, logger: pino({ level: 'silent' }) }, provider.addresses.jwksUrl);
});

const find = (kid: string, alg = kid === 'first' ? 'RS256' : 'ES256') =>
  Promise.resolve(keys({ alg, kid }, { payload: '', signature: '' })).then(
    () => 'found',
    (error) => error.code as string,
  );
const asked = () => provider.callsTo('/keys').length;
const missing = 'ERR_JWKS_NO_MATCHING_KEY';
const unavailable = 'request/unavailable';

test('a hundred concurrent calls send one request, and the answer is cached for ten minutes', async () => {
  expect(new Set(await Promise.all(Array.from({ length: 100 }, () => find('first'))))).toEqual(
    new Set(['found']),
  );
  clock.advance(10 * minute - 1);
  await find('first');
  expect(asked()).toBe(1);
  clock.advance(1);
  await find('first');
  expect(asked()).toBe(2);
});

test('an unknown key sends another request, at most every 30 seconds', async () => {
  await find('first');
  for (let call = 0; call < 20; call += 1) expect(await find(`made-up-${call}`)).toBe(missing);
  expect(asked()).toBe(1);
  clock.advance(29_999);
  expect(await find('unknown')).toBe(missing);
  expect(asked()).toBe(1);
  clock.advance(1);
  expect(await Promise.all([find('unknown'), find('other')])).toEqual([missing, missing]);
  expect(asked()).toBe(2);
});

test('a key that the provider has just added is found', async () => {
  await find('first');
  provider.keys.push(rotated);
  clock.advance(30_000);
  expect(await find('rotated')).toBe('found');
});

test('a key that the provider removed is refused within ten minutes', async () => {
  await find('first');
  provider.keys.splice(0, 1, rotated);
  clock.advance(10 * minute);
  expect(await find('first')).toBe(missing);
});

test.each([
  ['keys were requested', null],
  ['a request failed', down],
] as const)('when the clock steps back after %s, keys are requested again', async (_name, answer) => {
  provider.answer('/keys', answer);
  await find('first');
  provider.answer('/keys', null);
  provider.keys.push(rotated);
  clock.advance(-60 * minute);
  expect(await find('rotated')).toBe('found');
  expect(asked()).toBe(2);
  expect(await find('unknown')).toBe(missing);
  expect(asked()).toBe(2);
});

describe('while the provider is down', () => {
  test('keys are unavailable until it recovers; a request is retried after two seconds', async () => {
    provider.answer('/keys', down);
    expect(await Promise.all([find('first'), find('first')])).toEqual([unavailable, unavailable]);
    clock.advance(1_999);
    expect(await find('first')).toBe(unavailable);
    expect(asked()).toBe(1);
    provider.answer('/keys', null);
    clock.advance(1);
    expect(await find('first')).toBe('found');
  });

  test('cached keys remain in use, however old, and requests are sent at most every 30 seconds', async () => {
    await find('first');
    provider.answer('/keys', down);
    clock.advance(48 * 60 * minute);
    for (let call = 0; call < 5; call += 1) expect(await find('first')).toBe('found');
    expect(asked()).toBe(2);
    clock.advance(30_000);
    expect(await find('first')).toBe('found');
    expect(asked()).toBe(3);
  });

  test('an unknown key is answered as unavailable rather than wrong, since it may be new', async () => {
    await find('first');
    provider.answer('/keys', down);
    clock.advance(30_000);
    expect(await find('unknown')).toBe(unavailable);
    expect(await find('unknown')).toBe(unavailable);
    expect(asked()).toBe(2);
    provider.answer('/keys', null);
    clock.advance(30_000);
    expect(await find('unknown')).toBe(missing);
  });
});

describe('an invalid key set', () => {
  test.each<[string, Route]>([
    ['a redirect', (_call, res) => void res.writeHead(302, { Location: '/elsewhere' }).end()],
    ['an error', (_call, res) => json(res, 500, { keys: [rotated.publicJwk] })],
    ['a page', (_call, res) => void res.writeHead(200).end('<html>')],
    ['an empty set', (_call, res) => json(res, 200, { keys: [] })],
    ['null', (_call, res) => json(res, 200, null)],
    [
      'a large page',
      (_call, res) => json(res, 200, { keys: [rotated.publicJwk], more: 'x'.repeat(300_000) }),
    ],
  ])('%s', async (_name, route) => {
    provider.answer('/keys', route);
    expect(await find('rotated')).toBe(unavailable);
    expect(provider.callsTo('/elsewhere')).toEqual([]);
  });

  test('an endless answer is aborted', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
      const soon = new AbortController();
      setTimeout(() => soon.abort(new DOMException('too slow', 'TimeoutError')), 50);
      return soon.signal;
    });
    onTestFinished(() => timeout.mockRestore());
    provider.answer('/keys', (_call, res) => void res.writeHead(200).write('{"keys": ['));
    expect(await find('first')).toBe(unavailable);
    expect(timeout.mock.calls).toEqual([[5_000]]);
  });

  test('an unsupported key does not affect the others', async () => {
    const { publicJwk } = provider.key;
    const secret = { kty: 'oct', kid: 'secret', k: 'AAAA', alg: 'HS256' };
    provider.answer('/keys', (_call, res) =>
      json(res, 200, { keys: [null, 'text', secret, { kty: 'OKP', crv: 'X', kid: 'first' }, publicJwk] }),
    );
    expect(await find('first')).toBe('found');
    expect(await find('secret', 'HS256')).not.toBe('found');
  });
});

test('a byte order mark before the key set is ignored', async () => {
  const text = JSON.stringify({ keys: [provider.key.publicJwk] });
  provider.answer('/keys', (_call, res) => void res.writeHead(200).end(`\ufeff${text}`));
  expect(await find('first')).toBe('found');
});

test('a key is found by its kid among other keys', async () => {
  provider.keys.push(rotated, unknown);
  expect(await Promise.all(['first', 'rotated', 'unknown'].map((kid) => find(kid)))).toEqual(
    Array(3).fill('found'),
  );
});

describe('keys that verify no accepted ID token are left out:', () => {
  const ec = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' };
  const rsa = { kty: 'RSA', e: 'AQAB', n: 'n' };
  test.each<[string, 'kept' | 'left out', object]>([
    ['an RSA key', 'kept', rsa],
    ['an RSA key for RS256', 'kept', { ...rsa, alg: 'RS256', use: 'sig' }],
    ['an RSA key for PS256', 'left out', { ...rsa, alg: 'PS256' }],
    ['an RSA key for encryption', 'left out', { ...rsa, use: 'enc' }],
    ['a key on P-256', 'kept', ec],
    ['a key on P-256 for ES256', 'kept', { ...ec, alg: 'ES256', use: 'sig' }],
    ['a key on P-256 for encryption', 'left out', { ...ec, alg: 'ECDH-ES' }],
    ['a private RSA key', 'left out', { ...rsa, d: 'd' }],
    ['a private key on P-256', 'left out', { ...ec, d: 'd' }],
    ['a key on P-384', 'left out', { ...ec, crv: 'P-384' }],
    ['a key for EdDSA', 'left out', { kty: 'OKP', crv: 'Ed25519', x: 'x' }],
  ])('%s is %s', (_what, verdict, key) => {
    expect(keysIn({ keys: [key] })).toEqual(verdict === 'kept' ? { keys: [key] } : null);
  });
});

test('an RSA key of more than 8,192 bits is left out', () => {
  const rsa = (bytes: number) => ({ kty: 'RSA', e: 'AQAB', n: Buffer.alloc(bytes, 1).toString('base64url') });
  expect(keysIn({ keys: [rsa(1_025), rsa(1_024)] })).toEqual({ keys: [rsa(1_024)] });
});

test('a key set that cannot be read is logged with its URL and the reason', async () => {
  const lines: string[] = [];
  const logger = pino({ base: null }, { write: (line) => lines.push(line) });
  const { jwksUrl } = provider.addresses;
  provider.answer('/keys', down);
  keys = providerKeys({ fetch, clock, logger }, jwksUrl);
  expect(await find('first')).toBe(unavailable);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { url: jwksUrl, msg: 'the key set of an identity provider cannot be read', err: expect.anything() },
  ]);
});
