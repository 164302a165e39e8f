// The identity providers that the signed-in user has linked. Specification "Other endpoints".
import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { textUpTo } from './answer-values.js';
import { maxEmailCharacters } from './limits.js';
import { meta } from './metadata.js';
import { dataEnvelope, ProviderAProof, ProviderBProof, pageOf, Timestamp } from './schemas.js';
import { text } from './text.js';

const c = initContract();

export const providers = ['provider-a', 'provider-b'] as const;

export const Identity = z
  .object({
    provider: z.enum(providers).meta({ description: 'Which provider.', example: 'provider-a' }),
    email: textUpTo(maxEmailCharacters)
      .nullable()
      .meta({ description: 'The email the provider gave, if any.', example: 'ada@example.com' }),
    linked_at: Timestamp.meta({ description: 'When it was linked.' }),
  })
  .meta({ id: 'Identity', description: "The user's account at an identity provider." });
export type Identity = z.infer<typeof Identity>;

const ProviderPath = z.object({
  provider: text(64).min(1).meta({
    description: '`provider-a` or `provider-b`; any other answers `auth/no-such-provider`.',
    example: 'provider-a',
  }),
});

export const identities = c.router({
  list: {
    method: 'GET',
    path: '/me/identities',
    summary: 'List the linked providers',
    description: 'There are at most two, so there is never a second page.',
    responses: { 200: dataEnvelope(pageOf(Identity)) },
    metadata: meta({ auth: 'signed-in', rateLimit: 'client', errors: [] }),
  },
  link: {
    method: 'POST',
    path: '/me/identities/:provider',
    summary: 'Link a provider',
    description: 'The body is the one of the sign-in with that provider.',
    pathParams: ProviderPath,
    body: z.union([ProviderAProof, ProviderBProof]),
    responses: { 201: dataEnvelope(Identity) },
    metadata: meta({
      auth: 'signed-in',
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
    path: '/me/identities/:provider',
    summary: 'Unlink a provider',
    description: 'The last way in can go too: a code mailed to the account is always one.',
    pathParams: ProviderPath,
    body: c.noBody(),
    responses: { 204: c.noBody() },
    metadata: meta({
      auth: 'signed-in',
      rateLimit: 'client',
      recentSignIn: true,
      errors: ['auth/no-such-provider'],
    }),
  },
});
