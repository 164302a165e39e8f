// The secret keys of an app, for members of its team. A secret key cannot manage keys.
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { secretKeysPerApp } from '../limits.js';
import { meta } from '../metadata.js';
import { dataEnvelope, PageQuery, pageOf } from '../schemas/envelopes.js';
import { NewSecretKey, SecretKey, SecretKeyInput } from '../schemas/keys.js';
import { Ulid } from '../schemas/values.js';

const c = initContract();

export const keys = c.router(
  {
    list: {
      method: 'GET',
      path: '',
      summary: 'List the secret keys',
      description: 'Revoked and expired keys included, newest first.',
      query: PageQuery,
      responses: { 200: dataEnvelope(pageOf(SecretKey)) },
      metadata: meta({ audit: null, errors: [] }),
    },
    create: {
      method: 'POST',
      path: '',
      summary: 'Create a secret key',
      description: `The key is returned once. An app has at most ${secretKeysPerApp} active keys.`,
      body: SecretKeyInput,
      responses: { 201: dataEnvelope(NewSecretKey) },
      metadata: meta({
        audit: 'secret_key.created',
        recentSignIn: true,
        idempotencyKey: true,
        errors: ['admin/too-many-secret-keys'],
      }),
    },
    revoke: {
      method: 'DELETE',
      path: '/:id',
      summary: 'Revoke a secret key',
      description: 'Effective at once on every instance; it cannot be undone.',
      pathParams: z.object({ id: Ulid.meta({ description: 'The key.' }) }),
      body: c.noBody(),
      responses: { 204: c.noBody() },
      metadata: meta({
        audit: 'secret_key.revoked',
        recentSignIn: true,
        errors: ['admin/secret-key-not-found'],
      }),
    },
  },
  { pathPrefix: '/admin/keys', metadata: meta({ auth: 'member', rateLimit: 'admin', role: 'admin' }) },
);
