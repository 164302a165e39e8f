// Signing up, signing in and reauthenticating. Specification "Sign-in endpoints".
import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { meta } from '../metadata.js';
import {
  CodeInput,
  CodeSent,
  EmailInput,
  PasswordInput,
  ProviderAProof,
  ProviderBProof,
} from '../schemas/credentials.js';
import { dataEnvelope } from '../schemas/envelopes.js';
import { TokenAnswer } from '../schemas/token-answer.js';
import { NameInput } from '../schemas/user.js';

const c = initContract();

const providerErrors = [
  'auth/invalid-credential',
  'auth/operation-not-allowed',
  'auth/account-exists-with-different-credential',
  'auth/user-disabled',
] as const;

export const signIn = c.router(
  {
    signUp: {
      method: 'POST',
      path: '/sign-up',
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
        rateLimit: 'auth',
        answersHeaders: ['X-Device-Token'],
        errors: ['auth/email-already-in-use', 'auth/weak-password', 'auth/operation-not-allowed'],
      }),
    },
    withPassword: {
      method: 'POST',
      path: '/sign-in',
      summary: 'Sign in with email and password',
      description: 'Starts a session. An unknown email and a wrong password get the same answer.',
      body: z.object({ email: EmailInput, password: PasswordInput }),
      responses: { 200: dataEnvelope(TokenAnswer) },
      metadata: meta({
        rateLimit: 'auth',
        readsHeaders: ['X-Device-Token'],
        answersHeaders: ['X-Device-Token'],
        errors: ['auth/invalid-credential', 'auth/user-disabled'],
      }),
    },
    withProviderA: {
      method: 'POST',
      path: '/provider-a',
      summary: 'Sign in with provider A',
      description:
        "Finds the account by the provider's own id, else by verified email (and links it), else makes it. An account " +
        'whose email is unverified is not linked: sign in to it the usual way, then link the provider.',
      body: ProviderAProof,
      responses: {
        200: dataEnvelope(
          TokenAnswer.extend({
            is_new_user: z.boolean().meta({
              description:
                'True when this call made the account; the same ID token sent again finds it made.',
              example: false,
            }),
          }).meta({ id: 'ProviderATokenAnswer' }),
        ),
      },
      metadata: meta({
        rateLimit: 'exchange',
        answersHeaders: ['X-Device-Token'],
        errors: providerErrors,
      }),
    },
    withProviderB: {
      method: 'POST',
      path: '/provider-b',
      summary: 'Sign in with provider B',
      description:
        'As with provider A. The provider gives the names once, at the first sign-in: send them along then.',
      body: ProviderBProof.extend({ first_name: NameInput.optional(), last_name: NameInput.optional() }),
      responses: { 200: dataEnvelope(TokenAnswer) },
      metadata: meta({
        rateLimit: 'exchange',
        answersHeaders: ['X-Device-Token'],
        errors: providerErrors,
      }),
    },
    sendEmailCode: {
      method: 'POST',
      path: '/email-code/send',
      summary: 'Mail a six-digit sign-in code',
      description:
        'The answer is the same for every email. A new code replaces the one before, except for a client that names its code ' +
        'with `X-Code-Flow`.',
      body: z.object({ email: EmailInput }),
      responses: { 200: dataEnvelope(CodeSent) },
      metadata: meta({
        rateLimit: 'code-send',
        answersHeaders: ['X-Code-Flow'],
        errors: [],
      }),
    },
    withEmailCode: {
      method: 'POST',
      path: '/email-code/verify',
      summary: 'Sign in with a mailed code',
      description:
        'Makes the account when the email has none. The email counts as verified. Send the access token along when the ' +
        'client holds a session of the account: otherwise the first code on an account with an unverified email removes ' +
        'what somebody else may have put there (password, linked providers, sessions).',
      body: z.object({
        email: EmailInput,
        code: CodeInput,
        first_name: NameInput.optional(),
        last_name: NameInput.optional(),
      }),
      responses: { 200: dataEnvelope(TokenAnswer) },
      metadata: meta({
        auth: 'optional-user',
        rateLimit: 'auth',
        readsHeaders: ['X-Code-Flow', 'X-Device-Token'],
        answersHeaders: ['X-Device-Token'],
        errors: [
          'auth/invalid-code',
          'auth/code-expired',
          'auth/user-disabled',
          'auth/operation-not-allowed',
        ],
      }),
    },
    reauthenticate: {
      method: 'POST',
      path: '/reauthenticate',
      summary: 'Renew the sign-in time for sensitive calls',
      description:
        'Takes exactly one proof, which must belong to the signed-in user: the password, a code from ' +
        '`/auth/email-code/send`, or a token of a linked provider. The refresh token stays as it is.',
      body: z
        .object({
          password: PasswordInput.optional(),
          code: CodeInput.optional(),
          provider_a: ProviderAProof.optional(),
          provider_b: ProviderBProof.optional(),
        })
        .refine(
          (proofs) => Object.values(proofs).filter((proof) => proof !== undefined).length === 1,
          'give exactly one of password, code, provider_a and provider_b',
        )
        .meta({ example: { password: 'correct horse battery staple' } }),
      responses: {
        200: dataEnvelope(TokenAnswer.omit({ refresh_token: true }).meta({ id: 'ReauthenticatedAnswer' })),
      },
      metadata: meta({
        auth: 'signed-in',
        rateLimit: 'auth',
        readsHeaders: ['X-Code-Flow', 'X-Device-Token'],
        errors: [
          'auth/invalid-credential',
          'auth/invalid-code',
          'auth/code-expired',
          'auth/operation-not-allowed',
        ],
      }),
    },
  },
  { pathPrefix: '/auth', metadata: meta({ auth: 'app-key' }) },
);
