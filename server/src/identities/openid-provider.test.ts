// Both providers end to end against a certified OpenID provider: sign-in there, tokens sent here, the code exchanged,
// and the issued token revoked there.
import { afterAll, expect, test } from 'vitest';
import { manualClock, testService } from '../../test/harness.js';
import { type OpenIdProvider, openIdProvider, redirectUri } from '../../test/openid-provider.js';
import {
  appKey,
  clients,
  nonce,
  type ProviderAAnswer,
  settings,
  sha256Hex,
} from '../../test/provider-scenario.js';
import { shared } from '../../test/shared.js';
import { decryptToken } from './stored-provider-tokens.js';

let a: OpenIdProvider;
let b: OpenIdProvider;
afterAll(() => Promise.all([a.stop(), b.stop()]));
const service = shared(async () => {
  const common = { redirect_uris: [redirectUri] };
  a = await openIdProvider(
    [
      {
        ...common,
        client_id: clients.web,
        response_types: ['id_token'],
        grant_types: ['implicit'],
        token_endpoint_auth_method: 'none',
      },
    ],
    { emailVerified: true },
  );
  b = await openIdProvider(
    [clients.bundle, clients.services, 'another.app'].map((clientId) => ({
      ...common,
      client_id: clientId,
      client_secret: 'in the place of the signed ones',
      response_types: ['code id_token'],
      grant_types: ['authorization_code', 'implicit', 'refresh_token'],
      token_endpoint_auth_method: 'client_secret_post',
    })),
    { emailVerified: 'true', appKey: appKey.publicKey },
  );
  // The provider uses the machine's clock, so the service must too.
  const made = await testService({
    clock: { ...manualClock(), now: () => new Date() },
    config: { providerA: a.addresses, providerB: b.addresses },
  });
  await made.call('PATCH', '/admin/settings', { token: made.app.secretKey, body: settings });
  return made;
});

async function fromA(person: string) {
  const redirect = await a.authorize(person, { client_id: clients.web, response_type: 'id_token', nonce });
  return { id_token: redirect.get('id_token') ?? '', nonce };
}

async function fromB(person: string, clientId = clients.bundle) {
  const request = { client_id: clientId, response_type: 'code id_token', nonce: sha256Hex(nonce) };
  const redirect = await b.authorize(person, request);
  return {
    identity_token: redirect.get('id_token') ?? '',
    authorization_code: redirect.get('code') ?? '',
    nonce,
  };
}

const signInB = (body: object) =>
  service.call<ProviderAAnswer>('POST', '/auth/provider-b', { body: { ...body, first_name: 'Ada' } });

async function keptToken(subject: string): Promise<string | null> {
  const key = { appId: service.app.app.id, provider: 'provider-b', subject } as const;
  const row = await service.database.prisma.identity.findFirst({ where: key });
  return row?.refreshToken ? decryptToken(service.deps.keyRing, key, row.refreshToken) : null;
}

test('a user signs in with provider A, and again', async () => {
  const first = await service.call<ProviderAAnswer>('POST', '/auth/provider-a', {
    body: await fromA('grace'),
  });
  expect(first.status).toBe(200);
  expect(first.data).toMatchObject({
    is_new_user: true,
    user: { email: 'grace@example.com', email_verified: true, first_name: 'Ada', last_name: 'Lovelace' },
  });
  const again = await service.call<ProviderAAnswer>('POST', '/auth/provider-a', {
    body: await fromA('grace'),
  });
  expect(again.data).toMatchObject({ is_new_user: false, user: { uid: first.data.user.uid } });
});

test.each([clients.bundle, clients.services])(
  'a user signs in with provider B as %s; the code is exchanged, and its token is revoked with the account',
  async (clientId) => {
    const person = `person-of-${clientId}`;
    const { status, data } = await signInB(await fromB(person, clientId));
    expect([status, data.user.email, data.user.first_name]).toEqual([200, `${person}@example.com`, 'Ada']);
    await service.deps.queue.runNow();
    const token = (await keptToken(person)) ?? '';
    expect(await b.hasRefreshToken(token)).toBe(true);

    const deleted = await service.call('DELETE', '/me', { token: data.access_token });
    expect(deleted.status).toBe(204);
    await service.deps.queue.runNow();
    expect(await b.hasRefreshToken(token)).toBe(false);
    expect((await service.call('GET', '/me', { token: data.access_token })).code).toBe('auth/invalid-token');
  },
);

test("provider B's token for another app is refused, and another user's code stores no token", async () => {
  expect((await signInB(await fromB('eve', 'another.app'))).code).toBe('auth/invalid-credential');
  const [own, others] = [await fromB('eve'), await fromB('victim')];
  const answer = await signInB({ ...own, authorization_code: others.authorization_code });
  expect(answer.status).toBe(200);
  await service.deps.queue.runNow();
  expect(await keptToken('eve')).toBeNull();
});

test('a signed-in user links both, reauthenticates with both, and unlinks and revokes provider B', async () => {
  const user = await service.signUp();
  const as = { token: user.tokens.access_token };
  const link = (provider: string, body: object) =>
    service.call('POST', `/me/identities/${provider}`, { ...as, body });
  expect((await link('provider-a', await fromA('joan'))).status).toBe(201);
  expect((await link('provider-b', await fromB('joan'))).status).toBe(201);
  const proofs = [{ provider_a: await fromA('joan') }, { provider_b: await fromB('joan') }];
  for (const body of proofs) {
    expect((await service.call('POST', '/auth/reauthenticate', { ...as, body })).status).toBe(200);
  }
  await service.deps.queue.runNow();
  const token = (await keptToken('joan')) ?? '';
  expect(await b.hasRefreshToken(token)).toBe(true);
  expect((await service.call('DELETE', '/me/identities/provider-b', as)).status).toBe(204);
  await service.deps.queue.runNow();
  expect(await b.hasRefreshToken(token)).toBe(false);
});
