// The identity providers that the signed-in user has linked. Specification "Other endpoints".
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { text } from '../input-values.js';
import { meta } from '../metadata.js';
import { ProviderAProof, ProviderBProof } from '../schemas/credentials.js';
import { dataEnvelope, PageQuery, pageOf } from '../schemas/envelopes.js';
import { Identity } from '../schemas/identities.js';

const c = initContract();

const ProviderPath = z.object({
  provider: text({ min: 1, max: 64 }).meta({
    description: '`provider-a` or `provider-b`; any other returns `auth/no-such-provider`.',
    example: 'provider-a',
  }),
});

export const identities = c.router(
  {
    list: {
      method: 'GET',
      path: '',
      summary: 'List the linked providers',
      description: 'There are at most two.',
      query: PageQuery,
      responses: { 200: dataEnvelope(pageOf(Identity)) },
      metadata: meta({ errors: [] }),
    },
    link: {
      method: 'POST',
      path: '/:provider',
      summary: 'Link a provider',
      description: 'The body is that of the sign-in with the provider.',
      pathParams: ProviderPath,
      body: z.union([ProviderAProof, ProviderBProof]),
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
        'The last provider can be unlinked even if no password is set: signing in with an emailed code is always ' +
        'possible.',
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
