// Forgotten, reset and changed passwords. Specification "Emailed code" and "Other endpoints".
import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { meta } from '../metadata.js';
import { CodeInput, CodeSent, EmailInput, PasswordInput } from '../schemas/credentials.js';
import { dataEnvelope } from '../schemas/envelopes.js';

const c = initContract();

export const passwords = c.router({
  forgot: {
    method: 'POST',
    path: '/auth/password/forgot',
    summary: 'Mail a code to set a new password with',
    description: 'The answer is the same for every email, and so is everything that follows from it.',
    body: z.object({ email: EmailInput }),
    responses: { 200: dataEnvelope(CodeSent) },
    metadata: meta({
      auth: 'app-key',
      rateLimit: 'code-send',
      answersHeaders: ['X-Code-Flow'],
      errors: [],
    }),
  },
  reset: {
    method: 'POST',
    path: '/auth/password/reset',
    summary: 'Set a new password with a mailed code',
    description:
      'Ends every session of the account. A password that is too weak is refused before the code is looked at.',
    body: z.object({ email: EmailInput, code: CodeInput, password: PasswordInput }),
    responses: { 204: c.noBody() },
    metadata: meta({
      auth: 'optional-user',
      rateLimit: 'auth',
      readsHeaders: ['X-Code-Flow', 'X-Device-Token'],
      errors: ['auth/invalid-code', 'auth/code-expired', 'auth/weak-password', 'auth/user-disabled'],
    }),
  },
  change: {
    method: 'PUT',
    path: '/me/password',
    summary: 'Change or set the password of the signed-in user',
    description:
      'Needs a recent sign-in or the right `current_password`; an account without a password needs a recent sign-in. ' +
      'Ends every other session.',
    body: z.object({ password: PasswordInput, current_password: PasswordInput.optional() }),
    responses: { 204: c.noBody() },
    metadata: meta({
      auth: 'signed-in',
      rateLimit: 'auth',
      errors: ['auth/weak-password', 'auth/invalid-credential', 'auth/requires-recent-login'],
    }),
  },
});
