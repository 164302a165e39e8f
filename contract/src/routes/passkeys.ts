// The passkeys of the signed-in user.
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { passkeysPerUser } from '../limits.js';
import { meta } from '../metadata.js';
import { dataEnvelope, PageQuery, pageOf } from '../schemas/envelopes.js';
import {
  AcceptedPasskeys,
  Passkey,
  PasskeyCreationOptions,
  PasskeyNameInput,
  PasskeyRegistration,
} from '../schemas/passkeys.js';
import { Ulid } from '../schemas/values.js';

const c = initContract();

const PasskeyPath = z.object({ id: Ulid.meta({ description: 'The `id` of the passkey, from the list.' }) });

export const passkeys = c.router(
  {
    list: {
      method: 'GET',
      path: '',
      summary: 'List the passkeys',
      description: `The newest first; there are at most ${passkeysPerUser}.`,
      query: PageQuery,
      responses: { 200: dataEnvelope(pageOf(Passkey)) },
      metadata: meta({ errors: [] }),
    },
    creationOptions: {
      method: 'POST',
      path: '/options',
      summary: 'Create a challenge for a new passkey',
      description: 'The options of `navigator.credentials.create()`.',
      body: c.noBody(),
      responses: { 200: dataEnvelope(PasskeyCreationOptions) },
      metadata: meta({
        recentSignIn: true,
        errors: ['auth/operation-not-allowed', 'auth/too-many-passkeys'],
      }),
    },
    create: {
      method: 'POST',
      path: '',
      summary: 'Add a passkey',
      description:
        'The challenge must be from `POST /me/passkeys/options` in the same session; it is accepted once and for five minutes. ' +
        'A notice is mailed to the user.',
      body: z.object({ credential: PasskeyRegistration, name: PasskeyNameInput.optional() }),
      responses: { 201: dataEnvelope(Passkey) },
      metadata: meta({
        rateLimit: 'auth',
        recentSignIn: true,
        errors: [
          'auth/invalid-credential',
          'auth/operation-not-allowed',
          'auth/passkey-already-registered',
          'auth/too-many-passkeys',
        ],
      }),
    },
    rename: {
      method: 'PATCH',
      path: '/:id',
      summary: 'Rename a passkey',
      description: 'The name is shown in the list only; the authenticator keeps its own.',
      pathParams: PasskeyPath,
      body: z.object({ name: PasskeyNameInput }),
      responses: { 200: dataEnvelope(Passkey) },
      metadata: meta({ errors: ['auth/passkey-not-found'] }),
    },
    remove: {
      method: 'DELETE',
      path: '/:id',
      summary: 'Remove a passkey',
      description:
        'It can no longer be used to sign in; sessions that it started continue. A notice is mailed to the user. The last way ' +
        'to sign in can be removed only if the email is verified, since an emailed code is then always possible.',
      pathParams: PasskeyPath,
      body: c.noBody(),
      responses: { 200: dataEnvelope(AcceptedPasskeys) },
      metadata: meta({
        recentSignIn: true,
        errors: ['auth/passkey-not-found', 'auth/last-sign-in-method'],
      }),
    },
  },
  { pathPrefix: '/me/passkeys', metadata: meta({ auth: 'signed-in', rateLimit: 'client' }) },
);
