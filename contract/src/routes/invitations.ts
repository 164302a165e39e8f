// Accepting an invitation to a team, and the link that creates the first owner.
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { meta } from '../metadata.js';
import { InvitationDetails, InvitationToken } from '../schemas/console.js';
import { EmailInput, PasswordInput } from '../schemas/credentials.js';
import { dataEnvelope } from '../schemas/envelopes.js';
import { TokenAnswer } from '../schemas/token-answer.js';
import { NameInput } from '../schemas/user.js';

const c = initContract();

export const invitations = c.router(
  {
    inspect: {
      method: 'POST',
      path: '/inspect',
      summary: 'Read an invitation',
      description: 'The token is sent in the body, so that it appears in no URL.',
      body: z.strictObject({ token: InvitationToken }),
      responses: { 200: dataEnvelope(InvitationDetails) },
      metadata: meta({ errors: ['console/invalid-invitation'] }),
    },
    accept: {
      method: 'POST',
      path: '/accept',
      summary: 'Accept an invitation',
      description:
        'Creates the account of the invited email, or verifies the password of an existing one; adds the role, and starts ' +
        'a session. The email of a new account is verified if the link was the mailed one. An invitation can be accepted ' +
        'once. A link that creates an owner of the service names no email: `email` is required then, and not allowed otherwise.',
      body: z.strictObject({
        token: InvitationToken,
        email: EmailInput.optional().meta({ description: 'For a link that names no email.' }),
        password: PasswordInput.meta({
          description: 'Password of the existing account, or for the new one.',
        }),
        first_name: NameInput.optional().meta({ description: 'For a new account.' }),
        last_name: NameInput.optional().meta({ description: 'For a new account.', example: 'Lovelace' }),
      }),
      responses: { 200: dataEnvelope(TokenAnswer) },
      metadata: meta({
        audit: 'member.joined',
        readsHeaders: ['X-Device-Token'],
        answersHeaders: ['X-Device-Token'],
        errors: [
          'console/invalid-invitation',
          'auth/invalid-credential',
          'auth/weak-password',
          'auth/user-disabled',
          'auth/second-factor-required',
        ],
      }),
    },
  },
  { pathPrefix: '/console/invitations', metadata: meta({ auth: 'console-app-key', rateLimit: 'auth' }) },
);
