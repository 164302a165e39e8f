// The identity providers that the signed-in user has linked.
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { text } from '../input-values.js';
import { meta } from '../metadata.js';
import { ProviderAProof, ProviderBProof } from '../schemas/credentials.js';
import { dataEnvelope, PageQuery, pageOf } from '../schemas/envelopes.js';
import { Identity } from '../schemas/identities.js';
import { RedirectProof } from '../schemas/provider-redirect.js';

const c = initContract();

const ProviderPath = z.object({
  provider: text({ min: 1, max: 64 }).meta({
    description:
      '`provider-a`, `provider-b` or the id of a provider of the settings; any other returns `auth/no-such-provider`.',
    example: 'provider-a',
  }),
});

export const identities = c.router(
  {
    list: {
      method: 'GET',
      path: '',
      summary: 'List the linked providers',
      description: 'A user has at most one identity of each provider.',
      query: PageQuery,
      responses: { 200: dataEnvelope(pageOf(Identity)) },
      metadata: meta({ errors: [] }),
    },
    link: {
      method: 'POST',
      path: '/:provider',
      summary: 'Link a provider',
      description:
        'The body is that of the sign-in with the provider: `POST /auth/providers/{provider}`, that of its own path for ' +
        'provider A and B, or that of `/auth/providers/finish` after a redirect.',
      pathParams: ProviderPath,
      body: z.union([ProviderAProof, ProviderBProof, RedirectProof]),
      responses: { 201: dataEnvelope(Identity) },
      metadata: meta({
        rateLimit: 'auth',
        recentSignIn: true,
        errors: [
          'auth/no-such-provider',
          'auth/invalid-credential',
          'auth/operation-not-allowed',
          'auth/credential-already-in-use',
          'auth/provider-already-linked',
        ],
      }),
    },
    unlink: {
      method: 'DELETE',
      path: '/:provider',
      summary: 'Unlink a provider',
      description:
        'The last provider can be unlinked even if no password is set: sign-in with a code mailed to ' +
        "the account's email remains, even if that email is not verified.",
      pathParams: ProviderPath,
      body: c.noBody(),
      responses: { 204: c.noBody() },
      metadata: meta({
        recentSignIn: true,
        errors: ['auth/no-such-provider'],
      }),
    },
  },
  { pathPrefix: '/me/identities', metadata: meta({ auth: 'signed-in', rateLimit: 'client' }) },
);
