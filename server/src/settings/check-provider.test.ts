// Checks of the settings of identity providers, over HTTP.
import { generateKeyPairSync } from 'node:crypto';
import type { ProviderCheck } from '@foyer/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { manualClock } from '../../test/harness.js';
import { down, json } from '../../test/identity-provider.js';
import { rsaKeyPair } from '../../test/key-pairs.js';
import { type OpenIdProvider, openIdProvider } from '../../test/openid-provider.js';
import {
  appKey,
  clients,
  contoso,
  type ProviderScenario,
  providerScenario,
  settings,
} from '../../test/provider-scenario.js';
import { shared } from '../../test/shared.js';
import { storeUnread } from '../../test/stored-key.js';
import type { NewApp } from '../apps/create-app.js';

const scenario = shared(() => providerScenario());
let app: NewApp;
beforeEach(async () => {
  scenario.a.answer('/keys', null);
  scenario.b.answer('/keys', null);
  scenario.b.answer('/token', null);
  app = await scenario.service.newApp('Orchard & Sons');
});

const change = (body: object) => scenario.set(body, app);

const ask = (provider: string, on = scenario.service) =>
  on.call<ProviderCheck>('POST', '/admin/settings/check-provider', {
    appKey: app.app.appKey,
    token: app.secretKey,
    body: { provider },
  });

async function check(provider: 'provider-a' | 'provider-b'): Promise<ProviderCheck> {
  const answer = await ask(provider);
  expect([answer.status, answer.code]).toEqual([200, undefined]);
  return answer.data;
}

const statuses = ({ steps }: ProviderCheck) =>
  Object.fromEntries(steps.map(({ name, status }) => [name, status]));
const messageOf = ({ steps }: ProviderCheck, name: string) =>
  steps.find((step) => step.name === name)?.message;

const keySet = 'Keys of the provider';
const redirectUris = 'Redirect URIs';
const servicesAccepted = `Private key accepted for ${clients.services}`;
const bundleAccepted = `Private key accepted for ${clients.bundle}`;

describe('a check of provider A', () => {
  test('fails without client ids, and reads the keys all the same; passes with one and readable keys', async () => {
    const steps = { 'Form of the client ids': 'skipped', [keySet]: 'passed', [redirectUris]: 'skipped' };
    const without = await check('provider-a');
    expect([without.ok, statuses(without)]).toEqual([false, { 'Client ids': 'failed', ...steps }]);
    await change({ provider_a: settings.provider_a });
    const result = await check('provider-a');
    expect([result.ok, statuses(result)]).toEqual([true, { 'Client ids': 'passed', ...steps }]);
  });

  test.each([
    ['no secret', {}, [], 'skipped', /not set up/],
    ['a secret alone', { client_secret: 'secret' }, [], 'skipped', /works on the account page/],
    [
      'both',
      { client_secret: 'secret' },
      ['https://app.example.com/'],
      'passed',
      /^Users return to one after/,
    ],
    [
      'both, and two redirect URIs',
      { client_secret: 'secret' },
      ['https://app.example.com/', 'https://example.com/'],
      'passed',
      /^Users return to one of 2 after/,
    ],
  ])('says with %s where sign-in by redirect works', async (_, given, redirect_uris, status, message) => {
    await change({ provider_a: { ...settings.provider_a, ...given }, redirect_uris });
    const result = await check('provider-a');
    expect([result.ok, statuses(result)[redirectUris]]).toEqual([true, status]);
    expect(messageOf(result, redirectUris)).toMatch(message);
  });

  test.each([
    ['is down', down, /the connection failed \(\w+\)/],
    ['answers 503', (_: unknown, res: never) => json(res, 503, {}), /the provider answered 503/],
    ['has no keys', (_: unknown, res: never) => json(res, 200, { keys: [] }), /the document contains no key/],
    [
      'answers no JSON',
      (_: unknown, res: { end(text: string): void }) => res.end('sk_secret'),
      /the response is not JSON/,
    ],
  ])('says so when the provider %s', async (_, route, reason) => {
    await change({ provider_a: settings.provider_a });
    scenario.a.answer('/keys', route as never);
    const result = await check('provider-a');
    expect(result.ok).toBe(false);
    expect(statuses(result)[keySet]).toBe('failed');
    expect(messageOf(result, keySet)).toMatch(reason);
    expect(messageOf(result, keySet)).toContain(new URL(scenario.a.issuer).host);
    expect(messageOf(result, keySet)).not.toContain('sk_secret');
  });
});

/** Shortens the time that the service waits for an answer. */
function hurry(): void {
  const timeout = vi
    .spyOn(AbortSignal, 'timeout')
    .mockImplementation(() => AbortSignal.abort(new DOMException('too slow', 'TimeoutError')));
  onTestFinished(() => timeout.mockRestore());
}

test('a check of a provider that does not answer in time says so', async () => {
  await change({ provider_a: settings.provider_a });
  hurry();
  expect(messageOf(await check('provider-a'), keySet)).toMatch(/: no response in time\. Try again later\./);
  await change({ providers: { [contoso]: scenario.contosoSettings } });
  const { data } = await ask(contoso);
  expect(messageOf(data, 'Discovery document')).toMatch(/^There was no response in time\. Check the issuer /);
});

describe('a check of provider B', () => {
  test('of an app without settings fails, and does not call the token endpoint', async () => {
    const before = scenario.b.callsTo('/token').length;
    const result = await check('provider-b');
    expect(result.ok).toBe(false);
    expect(statuses(result)).toEqual({
      'Client ids': 'failed',
      'Form of the client ids': 'skipped',
      'Team id': 'failed',
      'Key id': 'failed',
      'Private key': 'failed',
      [keySet]: 'passed',
      [redirectUris]: 'skipped',
    });
    expect(scenario.b.callsTo('/token').length).toBe(before);
  });

  test('passes when the provider rejects only the made-up code, for each client id', async () => {
    await change({ provider_b: settings.provider_b });
    const before = scenario.b.callsTo('/token').length;
    const result = await check('provider-b');
    expect(result.ok).toBe(true);
    expect(statuses(result)).toEqual({
      'Client ids': 'passed',
      'Form of the client ids': 'skipped',
      'Team id': 'passed',
      'Key id': 'passed',
      'Private key': 'passed',
      [keySet]: 'passed',
      [servicesAccepted]: 'passed',
      [bundleAccepted]: 'passed',
      [redirectUris]: 'skipped',
    });
    const asked = scenario.b.callsTo('/token').slice(before);
    expect(asked.map(({ form }) => form.get('client_id')).sort()).toEqual(
      [clients.bundle, clients.services].sort(),
    );
  });

  test('says that without a redirect URI its users sign in with ID tokens only', async () => {
    await change({ provider_b: settings.provider_b });
    expect(messageOf(await check('provider-b'), redirectUris)).toMatch(/users sign in with ID tokens only/);
  });

  test.each([
    ['a missing key id', { key_id: null }, 'Key id'],
    ['a missing team id', { team_id: null }, 'Team id'],
    ['a missing private key', { private_key: null }, 'Private key'],
  ])('with %s fails at its step, and does not ask the provider', async (_, given, step) => {
    await change({ provider_b: { ...settings.provider_b, ...given } });
    const before = scenario.b.callsTo('/token').length;
    const result = await check('provider-b');
    expect(result.ok).toBe(false);
    const failures = result.steps.filter(({ status }) => status === 'failed');
    expect(failures.map(({ name }) => name)).toEqual([step]);
    expect(statuses(result)).toMatchObject({ [servicesAccepted]: 'skipped', [bundleAccepted]: 'skipped' });
    expect(scenario.b.callsTo('/token').length).toBe(before);
  });

  test.each([
    ['an RSA key', pemOf('rsa'), /^The stored key is an RSA key of 2048 bits;/],
    ['a key on another curve', pemOf('P-384'), /^The stored key is an elliptic curve key on secp384r1;/],
    [
      'a broken key',
      '-----BEGIN PRIVATE KEY-----\nQUJD\n-----END PRIVATE KEY-----',
      /^The stored key is cut off/,
    ],
  ])('with %s, stored unread, fails at its step, and does not ask the provider', async (_, key, message) => {
    await change({ provider_b: settings.provider_b });
    await storeUnread(scenario.service.deps, app.app.id, 'provider_b.private_key', key);
    const before = scenario.b.callsTo('/token').length;
    const result = await check('provider-b');
    const failures = result.steps.filter(({ status }) => status === 'failed');
    expect(failures.map(({ name }) => name)).toEqual(['Private key']);
    expect(failures[0]?.message).toMatch(message);
    expect(statuses(result)).toMatchObject({ [servicesAccepted]: 'skipped', [bundleAccepted]: 'skipped' });
    expect(scenario.b.callsTo('/token').length).toBe(before);
  });

  test.each([
    ['rejects the client', 400, { error: 'invalid_client' }, /rejects it\. Check that the team id/],
    ['is overloaded', 503, { error: 'invalid_grant' }, /status 503/],
    ['fails, and says what a rejection says', 500, { error: 'invalid_client' }, /status 500/],
    ['answers something else', 400, { error: 'unauthorized_client' }, /status 400 \(unauthorized_client\)/],
    ['accepts the code', 200, { access_token: 'a secret token' }, /status 200/],
    ['is down', null, {}, /cannot reach .*: the connection failed/],
  ])('explains what to change when the provider %s', async (_, status, body, reason) => {
    await change({ provider_b: { ...settings.provider_b, services_ids: [] } });
    scenario.b.answer('/token', status === null ? down : (_call, res) => json(res, status, body));
    const result = await check('provider-b');
    expect([result.ok, statuses(result)[bundleAccepted]]).toEqual([false, 'failed']);
    expect(messageOf(result, bundleAccepted)).toMatch(reason);
    expect(JSON.stringify(result)).not.toMatch(/a secret token|eyJ|BEGIN/);
  });

  test('asks about every client id, a few at a time, and about none after the first without an answer', async () => {
    const ids = (name: string) => Array.from({ length: 50 }, (_, place) => `com.example.${name}-${place}`);
    await change({
      provider_b: { ...settings.provider_b, services_ids: ids('services'), bundle_ids: ids('bundle') },
    });
    const asked = () => scenario.b.callsTo('/token').length;
    const before = asked();
    const result = await check('provider-b');
    expect([result.ok, asked() - before]).toEqual([true, 100]);
    expect(messageOf(result, 'Client ids')).toBe('Set for the web (50) and the app (50).');
    scenario.b.answer('/token', down);
    const unanswered = await check('provider-b');
    expect([unanswered.ok, asked() - before]).toEqual([false, 101]);
    expect(unanswered.steps.filter(({ status }) => status === 'failed')).toHaveLength(1);
  });

  test('needs a known provider', async () => {
    const answer = await ask('provider-c');
    expect([answer.status, answer.code]).toEqual([404, 'auth/no-such-provider']);
  });
});

function pemOf(kind: 'rsa' | 'P-256' | 'P-384'): string {
  const pair = kind === 'rsa' ? rsaKeyPair('of a provider') : generateKeyPairSync('ec', { namedCurve: kind });
  return pair.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
}

describe('with a certified OpenID provider as provider B', () => {
  let provider: OpenIdProvider;
  let certified: ProviderScenario;
  beforeAll(async () => {
    const client = {
      client_id: clients.bundle,
      client_secret: 'replaced by a JWT',
      redirect_uris: ['https://app.example.com/signed-in'],
      response_types: ['code id_token' as const],
      grant_types: ['authorization_code' as const, 'implicit' as const, 'refresh_token' as const],
      token_endpoint_auth_method: 'client_secret_post' as const,
    };
    provider = await openIdProvider([client], { appKey: appKey.publicKey, emailVerified: true });
    certified = await providerScenario({
      // Client secrets are checked by the machine's time.
      clock: { ...manualClock(), now: () => new Date() },
      config: { providerB: provider.addresses },
    });
  });
  afterAll(async () => {
    await certified.stop();
    await provider.stop();
  });

  const lastStep = async (given: object) => {
    await certified.set({ provider_b: { ...settings.provider_b, services_ids: [], ...given } });
    const { call, app: own } = certified.service;
    const answer = await call<ProviderCheck>('POST', '/admin/settings/check-provider', {
      token: own.secretKey,
      body: { provider: 'provider-b' },
    });
    const accepted = answer.data.steps.filter(({ name }) => name.startsWith('Private key accepted for '));
    expect(accepted).toHaveLength(1);
    return accepted.map(({ status, message }) => `${status}: ${message}`)[0];
  };

  test('the right key is accepted; a wrong key, key id, team id and client id are not', async () => {
    expect(await lastStep({})).toMatch(/^passed/);
    const rejected = /^failed: .* rejects it\./;
    expect(await lastStep({ private_key: pemOf('P-256') })).toMatch(rejected);
    expect(await lastStep({ key_id: 'KEY7654321' })).toMatch(rejected);
    expect(await lastStep({ team_id: 'TEAM654321' })).toMatch(rejected);
    expect(await lastStep({ bundle_ids: ['com.example.unknown'] })).toMatch(rejected);
  });
});

test('an app may have its passkeys checked 30 times a minute, besides its providers', async () => {
  const limited = await scenario.service.secondInstance({ rateLimits: true });
  const keys = { appKey: app.app.appKey, token: app.secretKey };
  const checkPasskeys = () => limited.call('POST', '/admin/settings/check-passkeys', keys);
  for (let calls = 0; calls < 30; calls += 1) expect((await checkPasskeys()).status).toBe(200);
  expect((await checkPasskeys()).code).toBe('request/rate-limited');
  expect((await ask('provider-a', limited)).status).toBe(200);
  await limited.stop();
});

test('an app may have its providers checked 30 times a minute', async () => {
  const limited = await scenario.service.secondInstance({ rateLimits: true });
  for (let calls = 0; calls < 30; calls += 1) expect((await ask('provider-a', limited)).status).toBe(200);
  const before = scenario.a.callsTo('/keys').length;
  const refused = await ask('provider-a', limited);
  expect([refused.status, refused.code]).toEqual([429, 'request/rate-limited']);
  expect(refused.headers.get('ratelimit-policy')).toContain('provider-check');
  expect(scenario.a.callsTo('/keys').length).toBe(before);
  await limited.stop();
});
