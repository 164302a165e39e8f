// What anybody needs to verify an access token: the key set (RFC 7517) and each app's discovery document.
// Both are plain documents of their standards, without the envelope, and need no app key.
import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { meta } from './metadata.js';
import { Ulid } from './schemas.js';

const c = initContract();

export const JsonWebKey = z
  .object({
    kty: z.enum(['EC', 'RSA']),
    kid: z.string(),
    use: z.literal('sig'),
    alg: z.enum(['ES256', 'RS256']),
    crv: z.literal('P-256').optional(),
    x: z.string().optional(),
    y: z.string().optional(),
    n: z.string().optional(),
    e: z.string().optional(),
  })
  .meta({ id: 'JsonWebKey', description: 'A public key (RFC 7517).' });

export const tokens = c.router({
  keySet: {
    method: 'GET',
    path: '/.well-known/jwks.json',
    summary: 'Read the public keys that sign access tokens',
    description: 'A JWK Set (RFC 7517) without the envelope; cacheable as its Cache-Control says.',
    responses: { 200: z.object({ keys: z.array(JsonWebKey) }) },
    metadata: meta({ auth: 'public', rateLimit: 'none', errors: [] }),
  },
  discovery: {
    method: 'GET',
    path: '/apps/:app_id/.well-known/openid-configuration',
    summary: "Read an app's discovery document",
    description:
      'Lets off-the-shelf JWT middleware verify access tokens given the issuer alone ' +
      '(`{base_url}/apps/{app_id}`). No envelope.',
    pathParams: z.object({ app_id: Ulid }),
    responses: {
      200: z.object({
        issuer: z.string(),
        jwks_uri: z.string(),
        token_endpoint: z.string(),
        id_token_signing_alg_values_supported: z.array(z.enum(['ES256', 'RS256'])),
        response_types_supported: z.array(z.string()),
        subject_types_supported: z.array(z.string()),
      }),
    },
    metadata: meta({
      auth: 'public',
      rateLimit: 'none',
      errors: ['request/not-found', 'request/validation-failed'],
    }),
  },
});
