// What anybody needs to verify an access token: the key set (RFC 7517) and each app's discovery document.
// Both are plain documents of their standards, without the envelope, and need no app key. And the call for backends that
// would rather ask than verify.
import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { listUpTo, textUpTo } from './answer-values.js';
import { errorCodes } from './errors.js';
import { bodyBytes, maxUrlCharacters } from './limits.js';
import { meta } from './metadata.js';
import { dataEnvelope, Timestamp, Ulid, User } from './schemas.js';

const c = initContract();

export const JsonWebKey = z
  .object({
    kty: z.enum(['EC', 'RSA']),
    kid: textUpTo(100).meta({ description: 'The `kid` of the tokens this key signs.' }),
    use: z.literal('sig'),
    alg: z.enum(['ES256', 'RS256']),
    crv: z.literal('P-256').optional().meta({ description: 'EC keys.' }),
    x: textUpTo(64).optional().meta({ description: 'EC keys.' }),
    y: textUpTo(64).optional().meta({ description: 'EC keys.' }),
    n: textUpTo(1_024).optional().meta({ description: 'RSA keys.' }),
    e: textUpTo(16).optional().meta({ description: 'RSA keys.' }),
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
      200: z
        .object({ keys: listUpTo(100, JsonWebKey) })
        .meta({ description: 'Every key a live token may name.' }),
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
          issuer: textUpTo(maxUrlCharacters).meta({
            description: 'The `iss` of the access tokens of this app.',
          }),
          jwks_uri: textUpTo(maxUrlCharacters).meta({ description: 'The key set.' }),
          token_endpoint: textUpTo(maxUrlCharacters),
          id_token_signing_alg_values_supported: listUpTo(2, z.enum(['ES256', 'RS256'])),
          response_types_supported: listUpTo(10, textUpTo(100)),
          subject_types_supported: listUpTo(10, textUpTo(100)),
        })
        .meta({
          description: 'The discovery document of the app.',
          example: {
            issuer: 'https://accounts.example.com/api/v2/apps/01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
            jwks_uri: 'https://accounts.example.com/api/v2/.well-known/jwks.json',
            token_endpoint: 'https://accounts.example.com/api/v2/auth/token/refresh',
            id_token_signing_alg_values_supported: ['ES256'],
            response_types_supported: ['token'],
            subject_types_supported: ['public'],
          },
        }),
    },
    metadata: meta({ auth: 'public', rateLimit: 'none', errors: ['request/not-found'] }),
  },
});

const ActiveToken = z.object({
  active: z.literal(true),
  uid: Ulid.meta({ description: 'The user; `sub` of the token.' }),
  session_id: Ulid.meta({ description: 'The session; `sid` of the token.' }),
  claims: z.record(z.string(), z.unknown()).meta({
    description: 'The custom claims in the token; empty when there are none.',
    example: { plan: 'gold' },
  }),
  auth_time: Timestamp.meta({ description: 'When the user signed in, or proved it anew.' }),
  issued_at: Timestamp.meta({ description: 'When the token was made.' }),
  expires_at: Timestamp.meta({ description: 'When the token expires.' }),
  user: User.nullable().meta({
    description: 'The user as of now; null, with `check_revoked: false` alone, when the account is gone.',
  }),
});

const InactiveToken = z.object({
  active: z.literal(false),
  reason: z.enum(errorCodes).meta({
    description:
      '`auth/token-expired`, `auth/user-disabled`, or `auth/invalid-token` for any other: made up, of another app, or ' +
      'of a session that has ended.',
    example: 'auth/token-expired',
  }),
});

export const TokenVerdict = z
  .discriminatedUnion('active', [ActiveToken, InactiveToken])
  .meta({ id: 'TokenVerdict', description: 'Whether the token is good, and whose it is or why it is not.' });
export type TokenVerdict = z.infer<typeof TokenVerdict>;

export const tokenVerification = c.router({
  verify: {
    method: 'POST',
    path: '/admin/tokens/verify',
    summary: 'Verify an access token',
    description:
      'Always 200, also for a token that is no good. By default the session and the account are judged too, so that a ' +
      'sign-out acts at once; `check_revoked: false` judges the token alone, as offline verification does.',
    body: z.object({
      access_token: textUpTo(bodyBytes).meta({
        description: 'The token that a client sent.',
        example: 'eyJhbGciOi…',
      }),
      check_revoked: z.boolean().default(true).meta({
        description: 'Whether the session must be alive and the account enabled.',
        example: true,
      }),
    }),
    responses: { 200: dataEnvelope(TokenVerdict) },
    metadata: meta({ auth: 'admin', rateLimit: 'admin', scope: 'tokens:verify', audit: null, errors: [] }),
  },
});
