// The profile, email and account of the signed-in user. Specification "Other endpoints".
import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { meta } from '../metadata.js';
import { CodeInput, CodeSent, EmailInput } from '../schemas/credentials.js';
import { dataEnvelope } from '../schemas/envelopes.js';
import { NameInput, PhotoUrlInput, User } from '../schemas/user.js';

const c = initContract();

export const profile = c.router(
  {
    get: {
      method: 'GET',
      path: '/me',
      summary: 'Read the profile of the signed-in user',
      description: 'Works until the session ends; sign-out, disabling and reset act at once.',
      responses: { 200: dataEnvelope(User) },
      metadata: meta({ rateLimit: 'client', errors: [] }),
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
      metadata: meta({ rateLimit: 'client', errors: [] }),
    },
    delete: {
      method: 'DELETE',
      path: '/me',
      summary: 'Delete the account of the signed-in user',
      description:
        'Ends every session, removes what belongs to the account, and revokes its tokens at provider B. The email is ' +
        'free again at once.',
      body: c.noBody(),
      responses: { 204: c.noBody() },
      metadata: meta({ rateLimit: 'client', recentSignIn: true, errors: [] }),
    },
    changeEmail: {
      method: 'POST',
      path: '/me/email',
      summary: 'Mail a code to a new address',
      description:
        'The change takes effect when the code is confirmed with `/auth/email/verification/confirm`; the new address then ' +
        'counts as verified, and the old one is told.',
      body: z.object({ email: EmailInput }),
      responses: { 200: dataEnvelope(CodeSent) },
      metadata: meta({
        rateLimit: 'code-send',
        recentSignIn: true,
        answersHeaders: ['X-Code-Flow'],
        errors: ['auth/email-already-in-use'],
      }),
    },
    sendVerification: {
      method: 'POST',
      path: '/auth/email/verification/send',
      summary: "Mail a code that verifies the user's email",
      description: 'Confirm it with `/auth/email/verification/confirm`. A new code replaces the one before.',
      body: c.noBody(),
      responses: { 200: dataEnvelope(CodeSent) },
      metadata: meta({
        rateLimit: 'code-send',
        answersHeaders: ['X-Code-Flow'],
        errors: [],
      }),
    },
    confirmVerification: {
      method: 'POST',
      path: '/auth/email/verification/confirm',
      summary: 'Confirm a mailed code',
      description:
        'Judges a change of email that is under way, else the verification of the present email; with `X-Code-Flow`, the code ' +
        'that it names.',
      body: z.object({ code: CodeInput }),
      responses: { 200: dataEnvelope(User) },
      metadata: meta({
        rateLimit: 'auth',
        readsHeaders: ['X-Code-Flow'],
        errors: ['auth/invalid-code', 'auth/code-expired', 'auth/email-already-in-use'],
      }),
    },
  },
  { metadata: meta({ auth: 'signed-in' }) },
);
