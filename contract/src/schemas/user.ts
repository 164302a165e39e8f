// The user, and the fields of the profile that a user may set.
import { z } from 'zod';
import { textUpTo } from '../answer-values.js';
import { text, trimmedText } from '../input-values.js';
import { maxEmailCharacters, maxNameCharacters, maxUrlCharacters } from '../limits.js';
import { Timestamp, Ulid } from './values.js';

/** A personal name in NFC, so that it is found however it is typed: at most 100 code points after trimming; blank is none. */
export const NameInput = trimmedText({ max: maxNameCharacters })
  .transform((name) => (name === '' ? null : name))
  .nullable()
  .meta({
    description: 'At most 100 characters; null or blank for none.',
    example: 'Ada',
  });

export const PhotoUrlInput = text({ max: maxUrlCharacters })
  .refine(isHttpsUrl, 'must be an https address')
  .nullable()
  .meta({
    description: 'An https address of at most 2,048 characters; null for none.',
    example: 'https://images.example.com/ada.jpg',
  });

function isHttpsUrl(value: string): boolean {
  return /^https:\/\/[^\s/]/i.test(value) && URL.canParse(value);
}

export const User = z
  .object({
    uid: Ulid.meta({ description: 'The user within the app; never changes.' }),
    email: textUpTo(maxEmailCharacters).meta({
      description: 'Always lower-case.',
      example: 'ada@example.com',
    }),
    email_verified: z.boolean().meta({ description: 'False after sign-up with a password.', example: false }),
    first_name: textUpTo(maxNameCharacters)
      .nullable()
      .meta({ description: 'Null until one is given.', example: 'Ada' }),
    last_name: textUpTo(maxNameCharacters)
      .nullable()
      .meta({ description: 'Null until one is given.', example: 'Lovelace' }),
    photo_url: textUpTo(maxUrlCharacters)
      .nullable()
      .meta({ description: 'An https address, or null.', example: null }),
    created_at: Timestamp.meta({ description: 'When the account was made.' }),
  })
  .meta({ id: 'User', description: 'A user of the app.' });
export type User = z.infer<typeof User>;
