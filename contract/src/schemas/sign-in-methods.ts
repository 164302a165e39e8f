// What a sign-in screen needs to know of its app.
import * as z from 'zod';
import { Count, listUpTo, textUpTo } from '../answer-values.js';
import {
  codeDigits,
  maxClientIdCharacters,
  maxPasswordBytes,
  minPasswordCharacters,
  providersPerApp,
} from '../limits.js';
import { ProviderIdAnswer, providers } from './identities.js';
import { providerKinds } from './provider-settings.js';
import { secondFactorRules } from './second-factor.js';

const SignInProvider = z
  .object({
    id: ProviderIdAnswer.meta({ description: 'The name of the provider in paths.', example: 'provider-a' }),
    kind: z.enum([...providers, ...providerKinds]).meta({
      description: 'How users sign in with it; `oidc` and `github`: a provider of the settings.',
      example: 'provider-a',
    }),
    name: textUpTo(100).meta({ description: 'The name to show.', example: 'Google' }),
    client_id: textUpTo(maxClientIdCharacters).nullable().meta({
      description: 'The client id of a web page at the provider; null where only mobile apps use it.',
      example: '1234567890-abc.apps.googleusercontent.com',
    }),
    redirect: z.boolean().meta({
      description: 'Whether users can sign in by `POST /auth/providers/{provider}/authorize`.',
      example: false,
    }),
  })
  .meta({ id: 'SignInProvider', description: 'An identity provider that the app has enabled.' });

export const SignInMethods = z
  .object({
    sign_up: z
      .enum(['open', 'closed'])
      .meta({ description: 'Whether users can create accounts.', example: 'open' }),
    password: z
      .object({
        min_characters: Count.meta({
          description: 'The minimum length of a new password.',
          example: minPasswordCharacters,
        }),
        max_bytes: Count.meta({
          description: 'The maximum length, in UTF-8 after NFKC normalisation.',
          example: maxPasswordBytes,
        }),
        refuses_common: z.boolean().meta({
          description: 'Whether common passwords and the name of the app are rejected.',
          example: true,
        }),
      })
      .meta({ description: 'The requirements of a new password.' }),
    email_code: z
      .object({
        digits: Count.meta({ description: 'The length of an emailed code.', example: codeDigits }),
        magic_link: z
          .boolean()
          .meta({ description: 'Whether sign-in mails also have a magic link.', example: true }),
      })
      .meta({ description: 'Sign-in with an emailed code.' }),
    passkeys: z.boolean().meta({ description: 'Whether passkeys are enabled.', example: true }),
    second_factor: z.enum(secondFactorRules).meta({
      description: 'Whether users may (`optional`) or must (`required`) have a second factor.',
      example: 'optional',
    }),
    providers: listUpTo(providers.length + providersPerApp, SignInProvider).meta({
      description: 'The identity providers that the app has enabled.',
    }),
  })
  .meta({
    id: 'SignInMethods',
    description: 'How users sign in to the app. Password and emailed code are always available.',
  });
export type SignInMethods = z.infer<typeof SignInMethods>;
