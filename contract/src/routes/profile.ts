// The profile, email and account of the signed-in user.
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { rateLimits } from '../limits.js';
import { meta } from '../metadata.js';
import { CodeInput, CodeSent, EmailInput } from '../schemas/credentials.js';
import { dataEnvelope } from '../schemas/envelopes.js';
import { profileInput, User } from '../schemas/user.js';

const c = initContract();

export const profile = c.router(
  {
    get: {
      method: 'GET',
      path: '/me',
      summary: 'Read the profile of the signed-in user',
      description:
        'Each call checks the session, so sign-out, disabling the account and a password reset take effect at once.',
      responses: { 200: dataEnvelope(User) },
      metadata: meta({ rateLimit: 'client', errors: [] }),
    },
    update: {
      method: 'PATCH',
      path: '/me',
      summary: 'Change the profile of the signed-in user',
      description:
        'Changes only the fields that are sent; null clears a field. Changes are limited to ' +
        `${rateLimits['profile-change'].limit} an hour; sending the present values is no change.`,
      body: z.object(profileInput),
      responses: { 200: dataEnvelope(User) },
      metadata: meta({ rateLimit: 'client', alsoLimitedBy: ['profile-change'], errors: [] }),
    },
    delete: {
      method: 'DELETE',
      path: '/me',
      summary: 'Delete the account of the signed-in user',
      description:
        'Ends all sessions, deletes the data of the account, and revokes its tokens at provider B. The email ' +
        'becomes available immediately. The last owner of the service cannot delete their own account.',
      body: c.noBody(),
      responses: { 204: c.noBody() },
      metadata: meta({ rateLimit: 'client', recentSignIn: true, errors: ['console/last-owner'] }),
    },
    changeEmail: {
      method: 'POST',
      path: '/me/email',
      summary: 'Mail a code to a new email',
      description:
        'The change takes effect when the code is confirmed with `/auth/email/verification/confirm`; then the ' +
        'new email is verified, and a notice is mailed to the old one.',
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
      description:
        'Confirm it with `/auth/email/verification/confirm`. A new code replaces the previous one.',
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
      summary: 'Confirm an emailed verification code',
      description:
        'Confirms the pending change of email if there is one, otherwise the current email; with `X-Code-Flow`, ' +
        'whichever the identified code was emailed for.',
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
