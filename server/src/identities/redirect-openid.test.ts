// Sign-in by redirect end to end against a certified OpenID provider: with a client secret in both forms, and without one. Its
// ID tokens name no email, which is how it is configured by default.
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { manualClock, testService } from '../../test/harness.js';
import { type OpenIdProvider, openIdProvider, redirectUri } from '../../test/openid-provider.js';
import type { ProviderAAnswer } from '../../test/provider-scenario.js';
import { shared } from '../../test/shared.js';

const secret = 'a-secret:of/the+client';
const methods = ['client_secret_basic', 'client_secret_post', 'none'] as const;
const callback = (id: string) => `https://accounts.test/api/v2/auth/providers/${id}/callback`;
const idOf = (method: string) => method.replaceAll('_', '-');

let provider: OpenIdProvider;
afterAll(() => provider.stop());
const service = shared(async () => {
  provider = await openIdProvider(
    methods.map((method) => ({
      client_id: `client of ${method}`.replaceAll(' ', '-'),
      ...(method !== 'none' && { client_secret: secret }),
      redirect_uris: [callback(idOf(method))],
      response_types: ['code'],
      grant_types: ['authorization_code'],
      token_endpoint_auth_method: method,
    })),
    { emailVerified: true, conformIdTokenClaims: true },
  );
  // The provider uses the machine's clock, so the service must too.
  const made = await testService({
    clock: { ...manualClock(), now: () => new Date() },
    config: { outboundLoopback: true },
  });
  const settings = methods.map((method) => [
    idOf(method),
    {
      ...{ kind: 'oidc' as const, name: method, issuer: provider.issuer, trusts_email: false },
      client_ids: [`client of ${method}`.replaceAll(' ', '-')],
      ...(method !== 'none' && { client_secret: secret }),
    },
  ]);
  await made.changeSettings({ redirect_uris: [redirectUri], providers: Object.fromEntries(settings) });
  return made;
});

async function signIn(id: string, person: string) {
  const verifier = randomBytes(32).toString('base64url');
  const code_challenge = createHash('sha256').update(verifier).digest('base64url');
  const body = { redirect_uri: redirectUri, code_challenge };
  const begun = await service.call<{ url: string }>('POST', `/auth/providers/${id}/authorize`, { body });
  const returned = await provider.signIn(begun.data.url, person);
  expect(returned.href.startsWith(`${callback(id)}?`)).toBe(true);
  expect(returned.searchParams.get('iss')).toBe(provider.issuer);
  const toService = `${service.url}${returned.pathname}${returned.search}`;
  const response = await fetch(toService, { redirect: 'manual' });
  const location = new URL(response.headers.get('location') ?? '');
  expect([response.status, location.origin + location.pathname]).toEqual([303, redirectUri]);
  expect(location.searchParams.get('error')).toBeNull();
  const proof = { code: location.searchParams.get('code'), code_verifier: verifier };
  return service.call<ProviderAAnswer>('POST', '/auth/providers/finish', { body: proof });
}

test.each(methods)('a user signs in with %s, and again', async (method) => {
  const person = `ada-${idOf(method)}`;
  const first = await signIn(idOf(method), person);
  expect(first.data).toMatchObject({
    is_new_user: true,
    user: { email: `${person}@example.com`, first_name: 'Ada', last_name: 'Lovelace' },
  });
  const again = await signIn(idOf(method), person);
  expect(again.data).toMatchObject({ is_new_user: false, user: { uid: first.data.user.uid } });
});
