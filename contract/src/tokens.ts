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
    kid: z.string().meta({ description: 'The `kid` of the tokens this key signs.' }),
    use: z.literal('sig'),
    alg: z.enum(['ES256', 'RS256']),
    crv: z.literal('P-256').optional().meta({ description: 'EC keys.' }),
    x: z.string().optional().meta({ description: 'EC keys.' }),
    y: z.string().optional().meta({ description: 'EC keys.' }),
    n: z.string().optional().meta({ description: 'RSA keys.' }),
    e: z.string().optional().meta({ description: 'RSA keys.' }),
  })
  .meta({
    id: 'JsonWebKey',
    description: 'A public key (RFC 7517).',
    example: {
      kty: 'EC',
      kid: '8RWDpJpWj3s',
      use: 'sig',
      alg: 'ES256',
      crv: 'P-256',
      x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
      y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
    },
  });

export type JsonWebKey = z.infer<typeof JsonWebKey>;

export const tokens = c.router({
  keySet: {
    method: 'GET',
    path: '/.well-known/jwks.json',
    summary: 'Read the public keys that sign access tokens',
    description: 'A JWK Set (RFC 7517) without the envelope; cacheable as its Cache-Control says.',
    responses: {
      200: z.object({ keys: z.array(JsonWebKey) }).meta({ description: 'Every key a live token may name.' }),
    },
    metadata: meta({ auth: 'public', rateLimit: 'none', errors: [] }),
  },
  discovery: {
    method: 'GET',
    path: '/apps/:app_id/.well-known/openid-configuration',
    summary: "Read an app's discovery document",
    description:
      'Lets off-the-shelf JWT middleware verify access tokens given the issuer alone ' +
      '(`{base_url}/apps/{app_id}`). No envelope.',
    pathParams: z.object({ app_id: Ulid.meta({ description: 'The app; `aud` in its access tokens.' }) }),
    responses: {
      200: z
        .object({
          issuer: z.string().meta({ description: 'The `iss` of the access tokens of this app.' }),
          jwks_uri: z.string().meta({ description: 'The key set.' }),
          token_endpoint: z.string(),
          id_token_signing_alg_values_supported: z.array(z.enum(['ES256', 'RS256'])),
          response_types_supported: z.array(z.string()),
          subject_types_supported: z.array(z.string()),
        })
        .meta({
          description: 'The discovery document of the app.',
          example: {
            issuer: 'https://id.example.com/api/v2/apps/01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
            jwks_uri: 'https://id.example.com/api/v2/.well-known/jwks.json',
            token_endpoint: 'https://id.example.com/api/v2/auth/token/refresh',
            id_token_signing_alg_values_supported: ['ES256'],
            response_types_supported: ['token'],
            subject_types_supported: ['public'],
          },
        }),
    },
    metadata: meta({ auth: 'public', rateLimit: 'none', errors: ['request/not-found'] }),
  },
});
