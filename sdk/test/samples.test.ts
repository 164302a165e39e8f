// The code samples of the API reference: each sends the request of its operation.
import { contract, metadataOf } from '@foyer/contract';
import { afterAll, expect, test, vi } from 'vitest';
import { backendSamples } from '../samples/backend.js';
import { clientSamples } from '../samples/client.js';
import { createAdmin } from '../src/admin/index.js';
import { createClient } from '../src/index.js';

const id = '01JC4Q7M0RZ9X2V5T8W3Y6K1NB';
const options = { baseUrl: 'https://accounts.example.com/api/v2', appKey: 'pk_test' };

/** The response properties that the samples read. */
const data = {
  ...{ access_token: 'at', token_type: 'Bearer', expires_in: 3_600, refresh_token: 'rt', user: { uid: id } },
  ...{ id, uid: id, version: 1, fields: {}, items: [], next_cursor: null, user_uid: null, size: 1 },
  versions: {},
  url: 'https://login.example.com/authorize',
  public_key: {
    ...{ challenge: 'AQ', rpId: 'localhost', allowCredentials: [], excludeCredentials: [] },
    ...{ rp: { id: 'localhost' }, user: { id: 'AQ' } },
  },
};

/** A browser with a passkey. */
const empty = new ArrayBuffer(0);
const response = {
  ...{ clientDataJSON: empty, attestationObject: empty, authenticatorData: empty, signature: empty },
};
const answer = async () => ({ id: 'AQ', type: 'public-key', response });
vi.stubGlobal('navigator', { credentials: { create: answer, get: answer } });
/** A tab that a user has come back to from a provider. */
const tab = new URL('https://app.example.com/signed-in?code=pc_AQ');
const pending = { provider: 'contoso', verifier: 'v'.repeat(43), purpose: 'sign-in' };
vi.stubGlobal('location', { href: tab.href, assign() {} });
vi.stubGlobal('history', { replaceState() {} });
vi.stubGlobal('sessionStorage', { getItem: () => JSON.stringify(pending), setItem() {}, removeItem() {} });
vi.stubGlobal('PublicKeyCredential', { getClientCapabilities: async () => ({ conditionalCreate: true }) });
afterAll(() => void vi.unstubAllGlobals());

function recorder() {
  const requests: string[] = [];
  const record = (async (input: string, init: RequestInit) => {
    requests.push(`${init.method ?? 'GET'} ${new URL(input).pathname.replace('/api/v2', '')}`);
    return Response.json({ data });
  }) as typeof fetch;
  return { requests, record };
}

const routes = new Map<string, Parameters<typeof metadataOf>[0] & { method: string; path: string }>(
  Object.entries(contract).flatMap(([group, own]) =>
    Object.entries(own).map(([name, route]) => [`${group}.${name}`, route] as const),
  ),
);

function requestOf(operation: string): RegExp {
  const route = routes.get(operation) ?? expect.fail(`the contract has no ${operation}`);
  return new RegExp(`^${route.method} ${route.path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`);
}

test.each(Object.entries(clientSamples))('the sample for apps calls %s', async (operation, sample) => {
  const { requests, record } = recorder();
  const foyer = createClient({ ...options, fetch: record, storage: undefined, maxRetries: 0 });
  await foyer.auth.signIn({ email: 'ada@example.com', password: 'correct horse battery staple' });
  await sample(foyer);
  expect(requests.some((request) => requestOf(operation).test(request))).toBe(true);
});

test.each(Object.entries(backendSamples))('the sample for backends calls %s', async (operation, sample) => {
  const { requests, record } = recorder();
  const foyer = createAdmin({ ...options, appId: id, secretKey: 'sk_test', fetch: record, maxRetries: 0 });
  // A fake token is rejected once the keys are read.
  await Promise.resolve(sample(foyer)).catch((error) => {
    if (operation !== 'tokens.keySet') throw error;
  });
  expect(requests.some((request) => requestOf(operation).test(request))).toBe(true);
});

test('every operation has a sample, except those for programs without the SDK and of the dashboard', () => {
  const shown = new Set([...Object.keys(clientSamples), ...Object.keys(backendSamples)]);
  const ofDashboard = (auth: string) => auth === 'member' || auth.startsWith('console');
  const missing = [...routes]
    .filter(([operation, route]) => !shown.has(operation) && !ofDashboard(metadataOf(route).auth))
    .map(([operation]) => operation);
  expect(missing.sort()).toEqual([
    'fileBytes.read',
    'signIn.redirectCallback',
    'signIn.redirectFormCallback',
    'tokens.discovery',
    'v1Exchange.exchange',
  ]);
  for (const operation of Object.keys(backendSamples)) {
    const route = routes.get(operation) ?? expect.fail(operation);
    expect(['admin', 'public']).toContain(metadataOf(route).auth);
  }
});
