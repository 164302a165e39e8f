// Sign-in with a provider by redirect; part of the group signIn.
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { text } from '../input-values.js';
import { maxRedirectFormBytes, providerCodeSeconds, providerRedirectSeconds } from '../limits.js';
import { meta } from '../metadata.js';
import { dataEnvelope } from '../schemas/envelopes.js';
import {
  BeginRedirect,
  RedirectBegun,
  RedirectForm,
  RedirectParameters,
  RedirectProof,
} from '../schemas/provider-redirect.js';
import { ProviderTokenAnswer } from '../schemas/provider-token-answer.js';

const c = initContract();

const ProviderPath = z.object({
  provider: text({ min: 1, max: 64 }).meta({
    description:
      '`provider-a`, `provider-b` or the id of a provider of the settings; any other returns `auth/no-such-provider`.',
    example: 'contoso',
  }),
});

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
      '`redirect_uri` that is not in the settings is rejected. Provider A is available with a client secret, provider B with its ' +
      'private key and a Services ID; `auth/operation-not-allowed` otherwise.',
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
    query: RedirectParameters,
    responses: { 303: c.noBody() },
    metadata: meta({
      auth: 'public',
      rateLimit: 'none',
      errors: ['auth/invalid-credential', 'auth/user-cancelled', 'request/rate-limited'],
    }),
  },
  redirectFormCallback: {
    method: 'POST',
    path: '/providers/:provider/callback',
    summary: 'Return from a provider with a form',
    description:
      'As the GET, for a provider that sends the browser back with a form (`response_mode=form_post`), as provider B does.',
    contentType: 'application/x-www-form-urlencoded',
    pathParams: ProviderPath,
    body: RedirectForm,
    responses: { 303: c.noBody() },
    metadata: meta({
      auth: 'public',
      rateLimit: 'none',
      bodyBytes: maxRedirectFormBytes,
      errors: ['auth/invalid-credential', 'auth/user-cancelled', 'request/rate-limited'],
    }),
  },
});
