// Sign-in with a provider of the settings by redirect; part of the group signIn.
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { text } from '../input-values.js';
import {
  maxIssuerCharacters,
  maxRedirectParameterCharacters,
  providerCodeSeconds,
  providerRedirectSeconds,
} from '../limits.js';
import { meta } from '../metadata.js';
import { dataEnvelope } from '../schemas/envelopes.js';
import { BeginRedirect, RedirectBegun, RedirectProof } from '../schemas/provider-redirect.js';
import { ProviderTokenAnswer } from '../schemas/provider-token-answer.js';

const c = initContract();

const ProviderPath = z.object({
  provider: text({ min: 1, max: 64 }).meta({
    description: 'The id of a provider of the settings; an unknown one returns `auth/no-such-provider`.',
    example: 'contoso',
  }),
});

const parameter = (description: string, example: string) =>
  text({ max: maxRedirectParameterCharacters }).optional().meta({ description, example });

export const providerRedirect = c.router({
  beginRedirect: {
    method: 'POST',
    path: '/providers/:provider/authorize',
    summary: 'Begin a sign-in by redirect',
    description:
      'Send the user to the returned URL. The user signs in at the provider within ' +
      `${providerRedirectSeconds / 60} minutes, and returns to \`redirect_uri\` with \`code\`, or with \`error\`, a code of the ` +
      'catalogue, such as `auth/user-cancelled`. The client keeps the code verifier, and sends both to ' +
      '`/auth/providers/finish`, or to link the provider or to reauthenticate. Nothing is stored before that. A ' +
      '`redirect_uri` that is not in the settings is rejected. Provider A and B are not available by redirect.',
    pathParams: ProviderPath,
    body: BeginRedirect,
    responses: { 200: dataEnvelope(RedirectBegun) },
    metadata: meta({
      rateLimit: 'client',
      errors: ['auth/no-such-provider', 'auth/operation-not-allowed'],
    }),
  },
  finishRedirect: {
    method: 'POST',
    path: '/providers/finish',
    summary: 'Finish a sign-in by redirect',
    description:
      'Signs in with the `code` with which the user has returned, and creates the account if there is none; the account is found ' +
      `as by \`POST /auth/providers/{provider}\`. The code works once, for ${providerCodeSeconds} seconds, and only with the code ` +
      'verifier of the client that began; any other returns `auth/invalid-credential`.',
    body: RedirectProof,
    responses: { 200: dataEnvelope(ProviderTokenAnswer) },
    metadata: meta({
      rateLimit: 'exchange',
      answersHeaders: ['X-Device-Token'],
      errors: [
        'auth/invalid-credential',
        'auth/email-required',
        'auth/operation-not-allowed',
        'auth/account-exists-with-different-credential',
        'auth/user-disabled',
        'auth/second-factor-required',
      ],
    }),
  },
  redirectCallback: {
    method: 'GET',
    path: '/providers/:provider/callback',
    summary: 'Return from a provider',
    description:
      'The redirect URI to register at the provider. The provider sends the user here, who is redirected to the app with ' +
      '`code` or `error`. It requires no app key: `state` names the app.',
    pathParams: ProviderPath,
    // Providers add parameters of their own.
    query: z.object({
      state: parameter('The state of the URL that the sign-in began with.', 'AWzRk3'),
      code: parameter('The authorization code of the provider.', 'SplxlOBeZQQYbYS6WxSbIA'),
      iss: text({ max: maxIssuerCharacters }).optional().meta({
        description: 'The issuer (RFC 9207).',
        example: 'https://login.example.com',
      }),
      error: parameter('The reason without a code (RFC 6749, section 4.1.2.1).', 'access_denied'),
    }),
    responses: { 303: c.noBody() },
    metadata: meta({
      auth: 'public',
      rateLimit: 'none',
      errors: ['auth/invalid-credential', 'auth/user-cancelled', 'request/rate-limited'],
    }),
  },
});
