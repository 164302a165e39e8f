// Forgotten, reset and changed passwords.
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { optional } from '../input-values.js';
import { meta } from '../metadata.js';
import { CodeInput, CodeSent, EmailInput, PasswordInput } from '../schemas/credentials.js';
import { dataEnvelope } from '../schemas/envelopes.js';

const c = initContract();

export const passwords = c.router({
  forgot: {
    method: 'POST',
    path: '/auth/password/forgot',
    summary: 'Mail a code to reset the password',
    description: 'The response is the same for every email, whether or not it has an account.',
    body: z.object({ email: EmailInput }),
    responses: { 200: dataEnvelope(CodeSent) },
    metadata: meta({
      auth: 'optional-user',
      rateLimit: 'code-send',
      readsHeaders: ['X-Code-Flow', 'X-Device-Token'],
      answersHeaders: ['X-Code-Flow'],
      errors: [],
    }),
  },
  reset: {
    method: 'POST',
    path: '/auth/password/reset',
    summary: 'Set a new password with an emailed code',
    description:
      'Ends all sessions of the account. The password is validated before the code, so a weak password does not ' +
      'use up the code.',
    body: z.object({ email: EmailInput, code: CodeInput, password: PasswordInput }),
    responses: { 204: c.noBody() },
    metadata: meta({
      auth: 'optional-user',
      rateLimit: 'auth',
      readsHeaders: ['X-Code-Flow', 'X-Device-Token'],
      answersHeaders: ['X-Device-Token'],
      errors: ['auth/invalid-code', 'auth/code-expired', 'auth/weak-password', 'auth/user-disabled'],
    }),
  },
  change: {
    method: 'PUT',
    path: '/me/password',
    summary: 'Change or set the password of the signed-in user',
    description:
      'Requires a recent sign-in or the correct `current_password`; an account without a password, or with a second ' +
      'factor, requires a recent sign-in. Ends all other sessions.',
    body: z.object({ password: PasswordInput, current_password: optional(PasswordInput) }),
    responses: { 204: c.noBody() },
    metadata: meta({
      auth: 'signed-in',
      rateLimit: 'auth',
      answersHeaders: ['X-Device-Token'],
      errors: ['auth/weak-password', 'auth/invalid-credential', 'auth/requires-recent-login'],
    }),
  },
});
