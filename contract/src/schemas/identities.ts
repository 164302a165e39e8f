// The identity providers that a user has linked.
import * as z from 'zod';
import { textUpTo } from '../answer-values.js';
import { maxEmailCharacters } from '../limits.js';
import { Timestamp } from './values.js';

export const providers = ['provider-a', 'provider-b'] as const;

export const Identity = z
  .object({
    provider: z.enum(providers).meta({ description: 'The identity provider.', example: 'provider-a' }),
    email: textUpTo(maxEmailCharacters)
      .nullable()
      .meta({ description: 'The email returned by the provider, if any.', example: 'ada@example.com' }),
    linked_at: Timestamp.meta({ description: 'When the provider was linked.' }),
  })
  .meta({ id: 'Identity', description: "The user's account at an identity provider." });
export type Identity = z.infer<typeof Identity>;
