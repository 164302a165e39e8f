// The request and response bodies of v1.
import * as z from 'zod';
import { Count, textUpTo } from '../answer-values.js';
import { trimmedText } from '../input-values.js';
import { maxEmailCharacters, maxNameCharacters, maxUrlCharacters } from '../limits.js';
import { PasswordInput } from './credentials.js';
import { LoyaltyStatus } from './loyalty.js';
import { AnyValue, Timestamp } from './values.js';

/** `{"success": true, "app": …, "data": …}`, the envelope of every successful response of v1. */
export function v1Envelope<T extends z.ZodType>(data: T) {
  return z.object({
    success: z.literal(true),
    app: textUpTo(63).meta({ description: "The app's short name.", example: 'demo' }),
    data,
  });
}

/** The remote config parameters that v1 returns with the user. */
export const v1ConfigNames = [
  'telegram_url',
  'tiers',
  'exclusive_offers',
  'events',
  'services',
  'cards',
  'payment_infrastructure',
  'concierge',
  'meta_ads',
] as const;

export const Name = trimmedText({ min: 1, max: maxNameCharacters }).meta({
  description: '1 to 100 characters.',
  example: 'Ada',
});

/** Two inputs with the same NFKC form are the same password, regardless of the keyboard. */
export const confirms = (body: { password: string; password_confirmation: string }) =>
  body.password.normalize('NFKC') === body.password_confirmation.normalize('NFKC');

export const confirmation = { path: ['password_confirmation'], message: 'must be the same as the password' };

export const confirmed = {
  password: PasswordInput,
  password_confirmation: PasswordInput.meta({ description: 'The same as `password`.' }),
};

export const V1User = z
  .object({
    id: Count.meta({
      description:
        'The numeric id of the user within the app; assigned when v1 first returns the user, and never changed.',
      example: 1042,
    }),
    email: textUpTo(maxEmailCharacters).meta({
      description: 'Always in lower case.',
      example: 'ada@example.com',
    }),
    first_name: textUpTo(maxNameCharacters).meta({
      description: 'Never null: empty for a user who signed up in v2 without a first name.',
      example: 'Ada',
    }),
    last_name: textUpTo(maxNameCharacters).meta({
      description: 'Never null: empty like `first_name`.',
      example: 'Lovelace',
    }),
    photo_url: textUpTo(maxUrlCharacters)
      .nullable()
      .meta({ description: 'An https URL, or null.', example: null }),
    email_verified: z.boolean().meta({ description: 'False after `register`.', example: false }),
    ...LoyaltyStatus.shape,
    created_at: Timestamp.meta({ description: 'When the account was created.' }),
  })
  .meta({ id: 'User', description: 'A user of the app, with the loyalty status.' });
export type V1User = z.infer<typeof V1User>;

const ConfigValue = (example: unknown) =>
  AnyValue.meta({
    description: 'A remote config parameter as JSON; null if the team has removed it.',
    example,
  });

export const UserWithConfig = z
  .object({
    user: V1User,
    telegram_url: ConfigValue('https://t.me/example'),
    tiers: ConfigValue([]),
    exclusive_offers: ConfigValue([]),
    events: ConfigValue([]),
    services: ConfigValue([]),
    cards: ConfigValue([]),
    payment_infrastructure: ConfigValue({}),
    concierge: ConfigValue({}),
    meta_ads: ConfigValue({}),
  } satisfies Record<'user' | (typeof v1ConfigNames)[number], z.ZodType>)
  .meta({ description: 'The user, and the parameters of the app.' });

export const Nothing = z.object({}).meta({ description: 'Empty.', example: {} });
