// Signing up, signing in and reauthenticating.
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { textUpTo } from '../answer-values.js';
import { optional, text } from '../input-values.js';
import { idTokenRetrySeconds, maxHeaderCharacters, methodsCacheSeconds } from '../limits.js';
import { meta } from '../metadata.js';
import {
  CodeInput,
  CodeSent,
  EmailInput,
  PasswordInput,
  ProviderAProof,
  ProviderBProof,
  ProviderProof,
} from '../schemas/credentials.js';
import { dataEnvelope } from '../schemas/envelopes.js';
import { PasskeyAssertion, PasskeySignInOptions } from '../schemas/passkeys.js';
import { ProviderReauthentication } from '../schemas/provider-redirect.js';
import { ProviderTokenAnswer } from '../schemas/provider-token-answer.js';
import { secondStepInput } from '../schemas/second-factor.js';
import { SignInMethods } from '../schemas/sign-in-methods.js';
import { TokenAnswer } from '../schemas/token-answer.js';
import { namesInput } from '../schemas/user.js';
import { providerRedirect } from './provider-redirect.js';

const c = initContract();

const providerErrors = [
  'auth/invalid-credential',
  'auth/email-required',
  'auth/operation-not-allowed',
  'auth/account-exists-with-different-credential',
  'auth/user-disabled',
  'auth/second-factor-required',
] as const;

export const signIn = c.router(
  {
    methods: {
      method: 'GET',
      path: '/methods',
      summary: 'Read how users sign in to the app',
      description:
        'What a sign-in screen needs: the enabled methods, the requirements of a new password and the identity providers. It is ' +
        `the same for everyone, says nothing about users, and may be cached for ${methodsCacheSeconds} seconds; then send its ` +
        '`ETag` as `If-None-Match`.',
      headers: z.object({
        'if-none-match': textUpTo(maxHeaderCharacters).optional().meta({
          description: 'One or more `ETag`s of the methods that the client has cached.',
        }),
      }),
      responses: { 200: dataEnvelope(SignInMethods), 304: c.noBody() },
      metadata: meta({ rateLimit: 'client', etag: true, errors: [] }),
    },
    signUp: {
      method: 'POST',
      path: '/sign-up',
      summary: 'Create an account with email and password',
      description:
        'Creates the account and starts a session. The email is unverified. There is no field for password ' +
        'confirmation. Where the app requires a second factor, the account is created, and the session starts when the user has ' +
        'enrolled one (`auth/second-factor-required`).',
      body: z.object({
        email: EmailInput,
        password: PasswordInput,
        ...namesInput,
      }),
      responses: { 201: dataEnvelope(TokenAnswer) },
      metadata: meta({
        rateLimit: 'auth',
        answersHeaders: ['X-Device-Token'],
        errors: [
          'auth/email-already-in-use',
          'auth/weak-password',
          'auth/operation-not-allowed',
          'auth/second-factor-required',
        ],
      }),
    },
    withPassword: {
      method: 'POST',
      path: '/sign-in',
      summary: 'Sign in with email and password',
      description:
        'Starts a session. An unknown email and a wrong password return the same response. As with every sign-in, a user with a ' +
        'second factor gets `auth/second-factor-required` with a ticket: send it to `/auth/second-factor` with a code.',
      body: z.object({ email: EmailInput, password: PasswordInput }),
      responses: { 200: dataEnvelope(TokenAnswer) },
      metadata: meta({
        rateLimit: 'auth',
        readsHeaders: ['X-Device-Token'],
        answersHeaders: ['X-Device-Token'],
        errors: ['auth/invalid-credential', 'auth/user-disabled', 'auth/second-factor-required'],
      }),
    },
    withProviderA: {
      method: 'POST',
      path: '/provider-a',
      summary: 'Sign in with provider A',
      description:
        'An OpenID provider whose ID tokens are signed with RS256, such as Google (“Sign in with Google”). ' +
        'Finds the account by the user id at the provider, or else by verified email and links it, or else creates ' +
        'an account. An account with an unverified email is not linked: sign in with another method, then link the ' +
        'provider. An invalid ID token returns `auth/invalid-credential`; so does one whose user id at the provider is not ' +
        'linked, if it has no verified email. The same ID token can be sent again for ' +
        `${idTokenRetrySeconds / 60} minutes, as a retry.`,
      body: ProviderAProof,
      responses: { 200: dataEnvelope(ProviderTokenAnswer) },
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
        'A provider with an ID token and an authorization code, such as Apple (“Sign in with Apple”). ' +
        'The account is found as with provider A. The provider returns the names only at the first sign-in: send them with that call.',
      body: ProviderBProof.extend(namesInput),
      responses: { 200: dataEnvelope(TokenAnswer) },
      metadata: meta({
        rateLimit: 'exchange',
        answersHeaders: ['X-Device-Token'],
        errors: providerErrors,
      }),
    },
    // Before the next one, whose path would match that of finishRedirect.
    ...providerRedirect,
    withProvider: {
      method: 'POST',
      path: '/providers/:provider',
      summary: 'Sign in with any provider',
      description:
        'An ID token of provider A or B, or of a provider of the settings (`providers`). The account is found by the user id at ' +
        'the provider. A new one is created otherwise, unless an account has the email: only where the provider is trusted ' +
        '(`trusts_email`, as A and B are) and both sides have verified the email is that account linked. The email of a new ' +
        'account is verified only if it is for a trusted provider. ID tokens are checked as with provider A. GitHub issues none: ' +
        'a provider of kind `github` returns `auth/operation-not-allowed`, and is available by redirect only. For provider B ' +
        'prefer `/auth/provider-b`, whose authorization code lets the service revoke its tokens.',
      pathParams: z.object({
        provider: text({ min: 1, max: 64 }).meta({
          description: 'The id of the provider; an unknown one returns `auth/no-such-provider`.',
          example: 'contoso',
        }),
      }),
      body: ProviderProof.extend(namesInput),
      responses: { 200: dataEnvelope(ProviderTokenAnswer) },
      metadata: meta({
        rateLimit: 'exchange',
        answersHeaders: ['X-Device-Token'],
        errors: ['auth/no-such-provider', ...providerErrors],
      }),
    },
    passkeyOptions: {
      method: 'POST',
      path: '/passkey/options',
      summary: 'Create a challenge for a passkey',
      description:
        'The options of `navigator.credentials.get()`. No email is asked, since passkeys are discoverable. With an access ' +
        'token, for a reauthentication, they name the passkeys of the user.',
      body: c.noBody(),
      responses: { 200: dataEnvelope(PasskeySignInOptions) },
      metadata: meta({
        auth: 'optional-user',
        rateLimit: 'client',
        errors: ['auth/operation-not-allowed'],
      }),
    },
    withPasskey: {
      method: 'POST',
      path: '/passkey/verify',
      summary: 'Sign in with a passkey',
      description:
        'Starts a session. A challenge is accepted once and for five minutes. A passkey that is wrong in any way, or unknown, ' +
        'returns `auth/invalid-credential`; the audit log of the app has the reason. `amr` contains `mfa` if the ' +
        'authenticator verified the user.',
      body: z.object({ credential: PasskeyAssertion }),
      responses: { 200: dataEnvelope(TokenAnswer) },
      metadata: meta({
        rateLimit: 'exchange',
        answersHeaders: ['X-Device-Token'],
        errors: [
          'auth/invalid-credential',
          'auth/user-disabled',
          'auth/operation-not-allowed',
          'auth/second-factor-required',
        ],
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
        auth: 'optional-user',
        rateLimit: 'code-send',
        readsHeaders: ['X-Code-Flow', 'X-Device-Token'],
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
          'auth/second-factor-required',
        ],
      }),
    },
    reauthenticate: {
      method: 'POST',
      path: '/reauthenticate',
      summary: 'Renew the sign-in time for sensitive calls',
      description:
        'Requires exactly one credential, which must belong to the signed-in user: the password, a code from ' +
        '`/auth/email-code/send`, a token or a code of a linked provider, or a passkey with a challenge from ' +
        '`/auth/passkey/options`. A user ' +
        'with a second factor also sends a code of it (`auth/second-factor-required` without one), unless the passkey verified ' +
        'the user. Where the app requires a second factor, a user whose only factor is a passkey sends the passkey ' +
        '(`fields.factors` has `passkey`). The refresh token does not change.',
      body: z
        .object({
          password: optional(PasswordInput),
          code: optional(CodeInput),
          provider_a: optional(ProviderAProof),
          provider_b: optional(ProviderBProof),
          provider: ProviderReauthentication.optional(),
          passkey: PasskeyAssertion.optional(),
          ...secondStepInput,
        })
        .refine(
          ({ totp, recovery_code }) => totp === undefined || recovery_code === undefined,
          'must have at most one of totp and recovery_code',
        )
        .refine(
          ({ totp, recovery_code, ...proofs }) =>
            Object.values(proofs).filter((proof) => proof !== undefined).length === 1,
          'must have exactly one of password, code, provider_a, provider_b, provider and passkey',
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
          'auth/no-such-provider',
          'auth/invalid-code',
          'auth/code-expired',
          'auth/operation-not-allowed',
          'auth/second-factor-required',
        ],
      }),
    },
  },
  { pathPrefix: '/auth', metadata: meta({ auth: 'app-key' }) },
);
