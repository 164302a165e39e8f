// The signed-in user's own profile. Specification "Other endpoints".
import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { meta } from './metadata.js';
import { dataEnvelope, NameInput, PhotoUrlInput, User } from './schemas.js';

const c = initContract();

export const profile = c.router({
  get: {
    method: 'GET',
    path: '/me',
    summary: 'Read the profile of the signed-in user',
    description: 'Works until the session ends; sign-out, disabling and reset act at once.',
    responses: { 200: dataEnvelope(User) },
    metadata: meta({ auth: 'signed-in', rateLimit: 'client', errors: [] }),
  },
  update: {
    method: 'PATCH',
    path: '/me',
    summary: 'Change the profile of the signed-in user',
    description: 'Changes the fields that are given, and no others; null clears a field.',
    body: z.object({
      first_name: NameInput.optional(),
      last_name: NameInput.optional().meta({ example: 'Lovelace' }),
      photo_url: PhotoUrlInput.optional(),
    }),
    responses: { 200: dataEnvelope(User) },
    metadata: meta({ auth: 'signed-in', rateLimit: 'client', errors: [] }),
  },
});
