// The limits of custom claims: a small size, since every request carries them, and no reserved name.
import { limits } from '@foyer/contract';

/** Registered claims of JWT, OpenID Connect and access tokens that a custom claim could be mistaken for. */
export const reservedClaims: readonly string[] = [
  'iss',
  'sub',
  'aud',
  'exp',
  'nbf',
  'iat',
  'jti',
  'sid',
  'client_id',
  'auth_time',
  'amr',
  'acr',
  'azp',
  'act',
  'may_act',
  'cnf',
  'nonce',
  'at_hash',
  'c_hash',
  'email',
  'email_verified',
  'claims',
];

export type ClaimsVerdict = 'fit' | 'too-large' | { reserved: string[] };

export function checkClaims(claims: Record<string, unknown>): ClaimsVerdict {
  const reserved = Object.keys(claims).filter((name) => reservedClaims.includes(name));
  if (reserved.length > 0) return { reserved };
  const bytes = new TextEncoder().encode(JSON.stringify(claims)).length;
  return bytes > limits.maxClaimsBytes ? 'too-large' : 'fit';
}
