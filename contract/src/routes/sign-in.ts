// Signing up, signing in and reauthenticating. Specification "Sign-in endpoints".
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { idTokenRetrySeconds } from '../limits.js';
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
import { namesInput } from '../schemas/user.js';

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
        'Creates the account and starts a session. The email is unverified. There is no field for password ' +
        'confirmation.',
      body: z.object({
        email: EmailInput,
        password: PasswordInput,
        ...namesInput,
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
      description: 'Starts a session. An unknown email and a wrong password return the same response.',
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
        'Finds the account by the user id at the provider, or else by verified email and links it, or else creates ' +
        'an account. An account with an unverified email is not linked: sign in with another method, then link the ' +
        'provider. An invalid ID token returns `auth/invalid-credential`; so does one whose user id at the provider is not ' +
        'linked, if it has no verified email. The same ID token can be sent again for ' +
        `${idTokenRetrySeconds / 60} minutes, as a retry.`,
      body: ProviderAProof,
      responses: {
        200: dataEnvelope(
          TokenAnswer.extend({
            is_new_user: z.boolean().meta({
              description: 'True if this call created the account; false if the same ID token is sent again.',
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
        'As with provider A. The provider returns the names only at the first sign-in: send them with that call.',
      body: ProviderBProof.extend(namesInput),
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
        'The response is the same for every email. A new code replaces the previous one, except for a client that ' +
        'sends the `X-Code-Flow` of its code. If the app has a `deep_link`, the mail also has a magic link, ' +
        '`<deep_link>?mode=sign_in&email=<EMAIL>&code=<CODE>` (`&mode=…` if the deep link has a query): the app reads ' +
        'the email and the code from it, and sends them to `/auth/email-code/verify`.',
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
      summary: 'Sign in with an emailed code',
      description:
        'Creates an account if the email has none. The email becomes verified. If the client has a session of the ' +
        'account, send its access token: otherwise the first code for an account with an unverified email removes ' +
        'credentials that another person may have added (password, linked providers, sessions).',
      body: z.object({
        email: EmailInput,
        code: CodeInput,
        ...namesInput,
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
        'Requires exactly one credential, which must belong to the signed-in user: the password, a code from ' +
        '`/auth/email-code/send`, or a token of a linked provider. The refresh token does not change.',
      body: z
        .object({
          password: PasswordInput.optional(),
          code: CodeInput.optional(),
          provider_a: ProviderAProof.optional(),
          provider_b: ProviderBProof.optional(),
        })
        .refine(
          (proofs) => Object.values(proofs).filter((proof) => proof !== undefined).length === 1,
          'must have exactly one of password, code, provider_a and provider_b',
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
