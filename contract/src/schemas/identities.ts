// The identity providers that a user has linked.
import * as z from 'zod';
import { textUpTo } from '../answer-values.js';
import { maxEmailCharacters, maxProviderIdCharacters } from '../limits.js';
import { Timestamp } from './values.js';

/** The built-in providers; further ones are a setting of the app. */
export const providers = ['provider-a', 'provider-b'] as const;

/** The id of a provider in an answer. */
export const ProviderIdAnswer = textUpTo(maxProviderIdCharacters);

export const Identity = z
  .object({
    provider: ProviderIdAnswer.meta({
      description:
        'The identity provider: `provider-a`, `provider-b`, or the id of a provider of the settings.',
      example: 'provider-a',
    }),
    email: textUpTo(maxEmailCharacters)
      .nullable()
      .meta({ description: 'The email returned by the provider, if any.', example: 'ada@example.com' }),
    linked_at: Timestamp.meta({ description: 'When the provider was linked.' }),
  })
  .meta({ id: 'Identity', description: "The user's account at an identity provider." });
export type Identity = z.infer<typeof Identity>;
