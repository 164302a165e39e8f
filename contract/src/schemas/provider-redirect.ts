// Sign-in by redirect: what the app sends to begin, and the proof that it finishes with.
import * as z from 'zod';
import { textUpTo } from '../answer-values.js';
import { text } from '../input-values.js';
import {
  maxIssuerCharacters,
  maxRedirectParameterCharacters,
  maxRedirectUriCharacters,
  providerCodeSeconds,
} from '../limits.js';
import { ProviderProof } from './credentials.js';

export const BeginRedirect = z.object({
  redirect_uri: text({ min: 1, max: maxRedirectUriCharacters }).meta({
    description:
      'Where the user returns to: one of the setting `redirect_uris`, or the page `/account?app=<app key>` of the service; ' +
      'character by character.',
    example: 'https://app.example.com/signed-in',
  }),
  code_challenge: text({ max: 43 })
    .regex(/^[A-Za-z0-9_-]{43}$/, 'must be the SHA-256 of the code verifier in base64url')
    .meta({
      description: 'The SHA-256 of the code verifier in base64url without padding (PKCE, RFC 7636, `S256`).',
      example: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    }),
});

const parameter = (description: string, example: string) =>
  text({ max: maxRedirectParameterCharacters }).optional().meta({ description, example });

/** With which a provider sends the user back. Providers add parameters of their own. */
export const RedirectParameters = z.object({
  state: parameter('The state of the URL that the sign-in began with.', 'AWzRk3'),
  code: parameter('The authorization code of the provider.', 'SplxlOBeZQQYbYS6WxSbIA'),
  iss: text({ max: maxIssuerCharacters }).optional().meta({
    description: 'The issuer (RFC 9207).',
    example: 'https://login.example.com',
  }),
  error: parameter('The reason without a code (RFC 6749, section 4.1.2.1).', 'access_denied'),
});

/** The same as a form, in which provider B also names the user, at the first sign-in. */
export const RedirectForm = RedirectParameters.extend({
  user: parameter(
    'JSON with the names of the user, which provider B sends at the first sign-in.',
    '{"name":{"firstName":"Ada","lastName":"Lovelace"}}',
  ),
});

export const RedirectBegun = z
  .object({
    url: textUpTo(2 * maxRedirectParameterCharacters).meta({
      description: 'The page of the provider; send the user there.',
      example: 'https://login.example.com/authorize?client_id=orchard-web',
    }),
  })
  .meta({ id: 'RedirectBegun', description: 'The begin of a sign-in by redirect.' });

/** The credential of a user who has come back from a provider. */
export const RedirectProof = z.object({
  code: text({ min: 1, max: maxRedirectParameterCharacters }).meta({
    description: `The \`code\` of the redirect. It is accepted once, and for ${providerCodeSeconds} seconds.`,
    example: 'pc_AWzRk3',
  }),
  code_verifier: text({ max: 128 })
    .regex(/^[A-Za-z0-9._~-]{43,128}$/, 'must be 43 to 128 letters, digits, and - . _ ~')
    .meta({
      description: 'The code verifier, whose SHA-256 the client sent to begin.',
      example: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    }),
});

const ReauthenticatingProvider = {
  id: text({ min: 1, max: 64 }).meta({
    description: 'The id of the provider; an unknown one returns `auth/no-such-provider`.',
    example: 'contoso',
  }),
};

/** Any linked provider, by an ID token or by redirect. */
export const ProviderReauthentication = z
  .union([ProviderProof.extend(ReauthenticatingProvider), RedirectProof.extend(ReauthenticatingProvider)])
  .meta({ description: 'The credential of any provider by its id.' });
