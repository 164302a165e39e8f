// The setting `providers`: further identity providers of an app. OpenID providers publish their keys by OpenID Connect Discovery;
// GitHub has an API.
import * as z from 'zod';
import { listUpTo, textUpTo } from '../answer-values.js';
import { list, maxLength, minLength, text, trimmedText } from '../input-values.js';
import {
  clientIdsPerPlatform,
  maxClientIdCharacters,
  maxClientSecretCharacters,
  maxIssuerCharacters,
  maxNameCharacters,
  maxProviderIdCharacters,
  maxScopeCharacters,
  scopesPerProvider,
} from '../limits.js';
import { isUrl } from '../url.js';
import { Identifier } from './app-credentials.js';
import { providers } from './identities.js';

/** How users sign in with a provider of the settings. */
export const providerKinds = ['oidc', 'github'] as const;

/** Ids that have another meaning in a path: the two built-in providers, and a call beside those of the providers. */
const reserved: readonly string[] = [...providers, 'finish'];

const ProviderId = text({ max: maxProviderIdCharacters })
  .regex(/^[a-z][a-z0-9-]*$/, 'must be lower-case letters, digits and hyphens, and begin with a letter')
  .refine((id) => !reserved.includes(id), 'is reserved; choose another id');

/** Compared with the `iss` of ID tokens character by character, so nothing but white space around it is dropped. */
const Issuer = text({ max: maxIssuerCharacters })
  .overwrite((issuer) => issuer.replace(/^[\s\p{Cc}\p{Cf}]+|[\s\p{Cc}\p{Cf}]+$/gu, ''))
  .refine(
    isIssuer,
    'must be an https URL without a query and a fragment, as the `issuer` of the discovery document is written',
  )
  .refine(
    (issuer) => !/\/\.well-known(\/|$)/.test(issuer),
    'must be the `issuer` in the discovery document, not the URL of the document',
  )
  .refine(
    (issuer) => !isOfEveryTenant(issuer),
    'must have the id of one tenant: no ID token of Microsoft names common, organizations or consumers',
  );

/** Pasted from a console: white space and invisible characters around one are dropped, inside it would be a mistake. */
export const ClientSecret = text({
  max: 6 * maxClientSecretCharacters,
  error: `must have at most ${maxClientSecretCharacters} characters`,
})
  .overwrite((secret) => secret.replace(/^[\s\p{Cc}\p{Cf}]+|[\s\p{Cc}\p{Cf}]+$/gu, ''))
  .check(minLength(1), maxLength(maxClientSecretCharacters))
  .regex(/^[\x21-\x7e]*$/, 'must have visible ASCII characters only');

/** RFC 6749, section 3.3. */
const Scope = text({ max: maxScopeCharacters }).regex(
  /^[\x21\x23-\x5b\x5d-\x7e]+$/,
  'must be one scope, without spaces and quotation marks',
);

/** http is for a provider on the same machine, which the service reaches in development only. */
function isIssuer(value: string): boolean {
  if (!/^https?:\/\/[\x21-\x7e]+$/.test(value) || /[?#@\\{}]/.test(value) || !isUrl(value)) return false;
  const { protocol, hostname } = new URL(value);
  return protocol === 'https:' || hostname === 'localhost' || hostname === '127.0.0.1';
}

/** Users are stored by the issuer of their provider, and no discovery document of GitHub names its one spelling. */
export function withOneIssuer<T extends { kind: string; issuer: string }>(provider: T): T {
  if (provider.kind !== 'github') return provider;
  const issuer = provider.issuer.replace(/^https?:\/\/[^/]+/i, (origin) => origin.toLowerCase());
  return { ...provider, issuer: issuer.replace(/\/+$/, '') };
}

function isOfEveryTenant(value: string): boolean {
  return /^https:\/\/login\.microsoftonline\.[a-z]+\/(?:common|organizations|consumers)(?:\/|$)/i.test(value);
}

const about = {
  kind: {
    description:
      '`oidc`: an OpenID provider, whose keys are found by OpenID Connect Discovery. `github`: GitHub or GitHub Enterprise, by ' +
      'redirect only and with a client secret, since it issues no ID tokens.',
    example: 'oidc' as const,
  },
  name: { description: 'The name that users see.', example: 'Contoso' },
  issuer: {
    description:
      'The `issuer` of the discovery document, which `iss` of each ID token must equal. For GitHub `https://github.com`, or the ' +
      'URL of the GitHub Enterprise server.',
    example: 'https://login.example.com',
  },
  client_ids: {
    description:
      `The client ids for which ID tokens are accepted (\`aud\`). At most ${clientIdsPerPlatform}. The first one is that of ` +
      'sign-in by redirect.',
    example: ['orchard-web'],
  },
  trusts_email: {
    description:
      'Whether the provider verifies emails so well that a verified email of it may sign in to the account which has that ' +
      'email, if the account has verified it too. Off: the user signs in with another method and then links the provider. ' +
      'Leave it off for a provider whose customers can enter any email.',
    example: false,
  },
  scopes: {
    description:
      `The scopes that sign-in by redirect requests, at most ${scopesPerProvider}; \`openid\` is always one of them, except for ` +
      'GitHub. Null: `openid email profile`, and `read:user user:email` for GitHub.',
    example: null,
  },
  client_secret: {
    description:
      'Write-only: the secret of the first client id at the provider, for sign-in by redirect. One that is set stays if this is ' +
      'not sent; null removes it, and so does a change of the issuer, which would receive it.',
    example: 'GOCSPX-4fL2xk',
  },
};

export const ProviderSettings = z
  .record(
    z.string(),
    z.object({
      kind: z.enum(providerKinds).meta(about.kind),
      name: textUpTo(maxNameCharacters).meta(about.name),
      issuer: textUpTo(maxIssuerCharacters).meta(about.issuer),
      client_ids: listUpTo(clientIdsPerPlatform, textUpTo(maxClientIdCharacters)).meta(about.client_ids),
      trusts_email: z.boolean().meta(about.trusts_email),
      scopes: listUpTo(scopesPerProvider, textUpTo(maxScopeCharacters)).nullable().meta(about.scopes),
      client_secret_set: z
        .boolean()
        .meta({ description: 'The secret itself is never returned.', example: false }),
    }),
  )
  .meta({ description: 'Further identity providers by id, which is their name in paths.', example: {} });
export type ProviderSettings = z.infer<typeof ProviderSettings>;

export const ProviderSettingsInput = z
  .record(
    ProviderId,
    z
      .strictObject({
        kind: z.enum(providerKinds).meta(about.kind),
        name: trimmedText({ min: 1, max: maxNameCharacters }).meta(about.name),
        issuer: Issuer.meta(about.issuer),
        client_ids: list(Identifier, { min: 1, max: clientIdsPerPlatform })
          .overwrite((ids) => [...new Set(ids)])
          .meta(about.client_ids),
        trusts_email: z.boolean().meta(about.trusts_email),
        scopes: list(Scope, { min: 1, max: scopesPerProvider })
          .overwrite((scopes) => [...new Set(scopes)])
          .nullable()
          .optional()
          .meta(about.scopes),
        client_secret: ClientSecret.nullable().optional().meta(about.client_secret),
      })
      .nullable()
      .overwrite((given) => given && withOneIssuer(given)),
  )
  .meta({
    description:
      'Further identity providers by id, which is their name in paths. Each is set as a whole; null removes it, and users who ' +
      'have linked it can no longer sign in with it.',
    example: {
      contoso: {
        kind: 'oidc',
        name: 'Contoso',
        issuer: 'https://login.example.com',
        client_ids: ['orchard-web'],
        trusts_email: false,
      },
    },
  });
