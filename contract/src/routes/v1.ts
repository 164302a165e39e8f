// The earlier version of the API (`/api/v1`), on the same accounts.
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { textUpTo } from '../answer-values.js';
import { v1TokenCharacters } from '../limits.js';
import { meta } from '../metadata.js';
import { CodeInput, EmailInput, PasswordInput } from '../schemas/credentials.js';
import {
  confirmation,
  confirmed,
  confirms,
  Name,
  Nothing,
  UserWithConfig,
  V1User,
  v1Envelope,
} from '../schemas/v1.js';
import { V1Error } from '../v1-errors.js';

const c = initContract();

export const v1Contract = c.router(
  {
    accounts: {
      register: {
        method: 'POST',
        path: '/register',
        summary: 'Create an account',
        description: 'Creates the account without signing in. The email is unverified.',
        body: z
          .object({
            first_name: Name,
            last_name: Name.meta({ example: 'Lovelace' }),
            email: EmailInput,
            ...confirmed,
          })
          .refine(confirms, confirmation),
        responses: {
          201: v1Envelope(z.object({ user: V1User }).meta({ description: 'The created user.' })),
        },
        metadata: meta({
          auth: 'app-key',
          rateLimit: 'auth',
          errors: ['auth/email-already-in-use', 'auth/weak-password', 'auth/operation-not-allowed'],
        }),
      },
      logIn: {
        method: 'POST',
        path: '/login',
        summary: 'Sign in with email and password',
        description:
          'Returns a token that expires after 90 days without use, or when all sign-ins of the ' +
          'account end. An unknown email and a wrong password return the same response.',
        body: z.object({ email: EmailInput, password: PasswordInput }),
        responses: {
          200: v1Envelope(
            UserWithConfig.extend({
              token: textUpTo(v1TokenCharacters).meta({
                description: `${v1TokenCharacters} hexadecimal characters; send it as \`Authorization: Bearer <TOKEN>\`.`,
                example: 'b3c1'.repeat(v1TokenCharacters / 4),
              }),
            }).meta({ description: 'The token, its user, and the parameters of the app.' }),
          ),
        },
        metadata: meta({
          auth: 'app-key',
          rateLimit: 'auth',
          errors: ['auth/invalid-credential', 'auth/user-disabled', 'auth/second-factor-required'],
        }),
      },
      get: {
        method: 'GET',
        path: '/me',
        summary: 'Read the signed-in user',
        description: 'Returns the profile, the loyalty status and the parameters of the app.',
        responses: { 200: v1Envelope(UserWithConfig) },
        metadata: meta({ auth: 'signed-in', rateLimit: 'client', errors: [] }),
      },
      logOut: {
        method: 'POST',
        path: '/logout',
        summary: 'Sign out',
        description: 'Ends this token; other devices stay signed in.',
        body: c.noBody(),
        responses: { 200: v1Envelope(Nothing) },
        metadata: meta({ auth: 'signed-in', rateLimit: 'client', errors: [] }),
      },
      forgotPassword: {
        method: 'POST',
        path: '/password/forgot',
        summary: 'Mail a code to reset the password',
        description: 'The response is the same for every email. The code is also valid in v2.',
        body: z.object({ email: EmailInput }),
        responses: { 200: v1Envelope(Nothing) },
        metadata: meta({ auth: 'app-key', rateLimit: 'code-send', errors: [] }),
      },
      resetPassword: {
        method: 'POST',
        path: '/password/reset',
        summary: 'Set a new password with an emailed code',
        description:
          'Ends all sign-ins of the account, in v1 and v2. The code may have been requested in either version.',
        body: z.object({ email: EmailInput, code: CodeInput, ...confirmed }).refine(confirms, confirmation),
        responses: { 200: v1Envelope(Nothing) },
        metadata: meta({
          auth: 'app-key',
          rateLimit: 'auth',
          errors: ['auth/invalid-code', 'auth/code-expired', 'auth/weak-password', 'auth/user-disabled'],
        }),
      },
      delete: {
        method: 'DELETE',
        path: '/account/delete',
        summary: 'Delete the account of the signed-in user',
        description:
          'Requires only the token: v1 has no reauthentication, so a recent sign-in is not required. Deletes the ' +
          'same data as in v2, and the email becomes available again.',
        body: c.noBody(),
        responses: { 200: v1Envelope(Nothing) },
        metadata: meta({ auth: 'signed-in', rateLimit: 'client', errors: [] }),
      },
    },
  },
  {
    strictStatusCodes: true,
    commonResponses: {
      400: V1Error,
      401: V1Error,
      403: V1Error,
      404: V1Error,
      405: V1Error,
      408: V1Error,
      410: V1Error,
      413: V1Error,
      415: V1Error,
      422: V1Error,
      429: V1Error,
      500: V1Error,
      503: V1Error,
    },
  },
);
