// The public documents that verify access tokens: the key set (RFC 7517) and the discovery document of each app. They have
// no envelope and need no app key.
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { listUpTo, textUpTo } from '../answer-values.js';
import { maxHeaderCharacters, maxUrlCharacters } from '../limits.js';
import { meta } from '../metadata.js';
import { AnyQuery } from '../schemas/envelopes.js';
import { JsonWebKey } from '../schemas/tokens.js';
import { Ulid } from '../schemas/values.js';

const c = initContract();

const ifNoneMatch = z.object({
  'if-none-match': textUpTo(maxHeaderCharacters).optional().meta({
    description: 'One or more `ETag`s of the document that the client has cached.',
  }),
});

export const tokens = c.router(
  {
    keySet: {
      method: 'GET',
      path: '/.well-known/jwks.json',
      summary: 'Read the public keys that sign access tokens',
      description:
        'A JWK Set (RFC 7517) without the envelope; cacheable according to its Cache-Control. Access tokens are JWTs of the ' +
        'type `at+jwt` (RFC 9068): `iss` is the issuer, `aud` and `client_id` are the app, `sub` is the `uid` of the user and ' +
        '`sid` the session; further claims are `jti`, `iat`, `exp`, `auth_time`, `amr`, `email`, `email_verified`, and ' +
        '`claims` if the user has custom claims.',
      headers: ifNoneMatch,
      query: AnyQuery,
      responses: {
        200: z
          .object({ keys: listUpTo(100, JsonWebKey) })
          .meta({ description: 'The keys of all valid access tokens.' }),
        304: c.noBody(),
      },
      metadata: meta({ etag: true, errors: [] }),
    },
    discovery: {
      method: 'GET',
      path: '/apps/:app_id/.well-known/openid-configuration',
      summary: "Read an app's discovery document",
      description:
        'For standard JWT middleware that verifies access tokens given only the issuer ' +
        '(`{base_url}/apps/{app_id}`). No envelope.',
      headers: ifNoneMatch,
      query: AnyQuery,
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
              id_token_signing_alg_values_supported: ['ES256', 'RS256'],
              response_types_supported: ['token'],
              subject_types_supported: ['public'],
            },
          }),
        304: c.noBody(),
      },
      metadata: meta({ etag: true, errors: ['request/not-found', 'request/rate-limited'] }),
    },
  },
  { metadata: meta({ auth: 'public', rateLimit: 'none' }) },
);
