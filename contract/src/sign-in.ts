// Ways in: sign-up and sign-in with a password. Specification "Sign-in endpoints".
import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { meta } from './metadata.js';
import { dataEnvelope, EmailInput, NameInput, PasswordInput, TokenAnswer } from './schemas.js';

const c = initContract();

export const signIn = c.router({
  signUp: {
    method: 'POST',
    path: '/auth/sign-up',
    summary: 'Create an account with email and password',
    description:
      'Makes the account and signs it in at once. The email counts as unverified. There is no confirmation field.',
    body: z.object({
      email: EmailInput,
      password: PasswordInput,
      first_name: NameInput.optional(),
      last_name: NameInput.optional().meta({ example: 'Lovelace' }),
    }),
    responses: { 201: dataEnvelope(TokenAnswer) },
    metadata: meta({
      auth: 'app-key',
      rateLimit: 'auth',
      errors: ['auth/email-already-in-use', 'auth/weak-password'],
    }),
  },
  withPassword: {
    method: 'POST',
    path: '/auth/sign-in',
    summary: 'Sign in with email and password',
    description: 'Starts a session. An unknown email and a wrong password get the same answer.',
    body: z.object({ email: EmailInput, password: PasswordInput }),
    responses: { 200: dataEnvelope(TokenAnswer) },
    metadata: meta({
      auth: 'app-key',
      rateLimit: 'auth',
      errors: ['auth/invalid-credential', 'auth/user-disabled'],
    }),
  },
});
