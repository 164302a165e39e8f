// The steps that scenarios of identity providers share: a service with both of them enabled, and calls with their
// tokens.
import { createHash, generateKeyPairSync } from 'node:crypto';
import type { TokenAnswer } from '@foyer/contract';
import { expect } from 'vitest';
import { type CallOptions, manualClock, type TestServiceOptions, testService } from './harness.js';
import { identityProvider, type TokenOptions } from './identity-provider.js';

export const clients = {
  web: 'web.client',
  ios: 'ios.client',
  android: 'android.client',
  services: 'com.example.services',
  bundle: 'com.example.bundle',
  contoso: 'contoso.client',
};

/** The id of the provider of the settings. */
export const contoso = 'contoso';

export const nonce = 'a nonce of the client';
export const sha256Hex = (text: string) => createHash('sha256').update(text).digest('hex');

/** The private key of the app at provider B. */
export const appKey = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const privateKey = appKey.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

export const settings = {
  provider_a: { client_ids: { web: [clients.web], ios: [clients.ios], android: [clients.android] } },
  provider_b: {
    services_ids: [clients.services],
    bundle_ids: [clients.bundle],
    team_id: 'TEAM123456',
    key_id: 'KEY1234567',
    private_key: privateKey,
  },
};

export type ProviderAAnswer = TokenAnswer & { is_new_user: boolean };

export type ProviderScenario = Awaited<ReturnType<typeof providerScenario>>;

export async function providerScenario(options: TestServiceOptions = {}) {
  const clock = options.clock ?? manualClock();
  const a = await identityProvider(clock, clients.web);
  const b = await identityProvider(clock, clients.bundle);
  const c = await identityProvider(clock, clients.contoso);
  const asked: string[] = [];
  const service = await testService({
    ...options,
    clock,
    config: { providerA: a.addresses, providerB: b.addresses, outboundLoopback: true, ...options.config },
    overrides: {
      fetch: (input, init) => {
        asked.push(String(input));
        return fetch(input, init);
      },
      ...options.overrides,
    },
  });

  const contosoSettings = {
    kind: 'oidc' as const,
    name: 'Contoso',
    issuer: c.issuer,
    client_ids: [clients.contoso],
    trusts_email: false,
  };
  await service.changeSettings({ ...settings, providers: { [contoso]: contosoSettings } });

  return {
    service,
    a,
    b,
    /** The provider of the settings. */
    c,
    contosoSettings,
    /** The URLs that the service requested, in order. */
    asked,
    async bodyOfA(given: TokenOptions = {}) {
      return { id_token: await a.idToken({ ...given, claims: { nonce, ...given.claims } }), nonce };
    },
    async bodyOfB({ code = 'no code', ...given }: TokenOptions & { code?: string } = {}) {
      const claims = { nonce: sha256Hex(nonce), ...given.claims };
      return { identity_token: await b.idToken({ ...given, claims }), authorization_code: code, nonce };
    },
    async bodyOfC(given: TokenOptions = {}) {
      return { id_token: await c.idToken({ ...given, claims: { nonce, ...given.claims } }), nonce };
    },
    /** Sign-in with any provider by its id. */
    signInWith: (id: string, body: object, given: CallOptions = {}) =>
      service.call<ProviderAAnswer>('POST', `/auth/providers/${id}`, { body, ...given }),
    signInC: (body: object, given: CallOptions = {}) =>
      service.call<ProviderAAnswer>('POST', `/auth/providers/${contoso}`, { body, ...given }),
    signInA: (body: object, given: CallOptions = {}) =>
      service.call<ProviderAAnswer>('POST', '/auth/provider-a', { body, ...given }),
    signInB: (body: object, given: CallOptions = {}) =>
      service.call<TokenAnswer>('POST', '/auth/provider-b', { body, ...given }),
    /** Creates an account with an emailed code, which verifies its email. */
    async verifiedUser(email: string) {
      await service.call('POST', '/auth/email-code/send', { body: { email } });
      const mail = (await service.mailbox(email)).find(({ code }) => code !== undefined);
      const body = { email, code: mail?.code };
      const answer = await service.call<TokenAnswer>('POST', '/auth/email-code/verify', { body });
      expect(answer.status).toBe(200);
      return answer.data;
    },
    set: service.changeSettings,
    async stop() {
      await service.stop();
      await Promise.all([a.stop(), b.stop(), c.stop()]);
    },
  };
}
