// Serializes a public key for the key set, with the members of the contract only.
import type { JsonWebKey } from '@foyer/contract';
import type { JWK } from 'jose';

export function serializeKey(jwk: JWK): JsonWebKey {
  const { kid, alg } = jwk as { kid: string; alg: 'ES256' | 'RS256' };
  const common = { kid, use: 'sig', alg } as const;
  if (jwk.kty === 'RSA') return { kty: 'RSA', ...common, n: jwk.n, e: jwk.e };
  return { kty: 'EC', ...common, crv: 'P-256', x: jwk.x, y: jwk.y };
}
