// Identity provider URLs come from the environment only, and an incomplete set is refused at the start.
import { AppSettingsPatch } from '@foyer/contract';
import { expect, test } from 'vitest';
import { readConfig } from './env.js';

const a = {
  PROVIDER_A_ISSUER: 'https://id.example.com/realm',
  PROVIDER_A_JWKS_URL: 'https://id.example.com/keys',
};
const b = {
  PROVIDER_B_ISSUER: 'http://127.0.0.1:4000',
  PROVIDER_B_JWKS_URL: 'http://localhost:4000/keys',
  PROVIDER_B_TOKEN_URL: 'http://[::1]:4000/token',
  PROVIDER_B_REVOKE_URL: 'http://127.8.9.10/revoke',
};

test('the default providers are Google, with both its issuers, and Apple', () => {
  const { providerA, providerB } = readConfig({});
  expect(providerA).toEqual({
    issuers: ['https://accounts.google.com', 'accounts.google.com'],
    jwksUrl: 'https://www.googleapis.com/oauth2/v3/certs',
  });
  expect(providerB).toEqual({
    issuers: ['https://appleid.apple.com'],
    jwksUrl: 'https://appleid.apple.com/auth/keys',
    tokenUrl: 'https://appleid.apple.com/auth/token',
    revokeUrl: 'https://appleid.apple.com/auth/revoke',
  });
});

test('each can be replaced by another provider, with all of its URLs', () => {
  const { providerA, providerB } = readConfig({ ...a, ...b });
  expect(providerA).toEqual({ issuers: [a.PROVIDER_A_ISSUER], jwksUrl: a.PROVIDER_A_JWKS_URL });
  expect(providerB.issuers).toEqual([b.PROVIDER_B_ISSUER]);
  const google = readConfig({ ...a, PROVIDER_A_ISSUER: 'https://accounts.google.com' });
  expect(google.providerA.issuers).toEqual(['https://accounts.google.com', 'accounts.google.com']);
  for (const name of Object.keys({ ...a, ...b })) {
    const others = Object.fromEntries(Object.entries({ ...a, ...b }).filter(([other]) => other !== name));
    expect(() => readConfig(others)).toThrow(name);
  }
});

test.each([
  'http://id.example.com',
  'http://localhost.example.com',
  'http://127.0.0.1.example.com',
  'http://10.0.0.1',
  'ftp://id.example.com',
  'id.example.com',
])('%s is refused as a provider URL', (url) => {
  expect(() => readConfig({ ...a, PROVIDER_A_JWKS_URL: url })).toThrow('PROVIDER_A_JWKS_URL');
});

test('an app cannot set provider URLs', () => {
  for (const key of ['issuer', 'jwks_url', 'token_url', 'revoke_url']) {
    const patch = { [key]: 'https://evil.example' };
    expect(AppSettingsPatch.safeParse({ provider_a: patch }).success).toBe(false);
    expect(AppSettingsPatch.safeParse({ provider_b: patch }).success).toBe(false);
  }
});
