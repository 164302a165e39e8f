// The user, and the fields of the profile that a user may set.
import * as z from 'zod';
import { textUpTo } from '../answer-values.js';
import { text, trimmedText } from '../input-values.js';
import { maxEmailCharacters, maxNameCharacters, maxUrlCharacters } from '../limits.js';
import { isHttpsUrl } from '../url.js';
import { Timestamp, Ulid } from './values.js';

/**
 * A personal name in NFC, so that a search finds it however it was typed: at most 100 code points after trimming. A
 * blank name is stored as null.
 */
export const NameInput = trimmedText({ max: maxNameCharacters })
  .transform((name) => (name === '' ? null : name))
  .nullable()
  .meta({
    description: 'At most 100 characters; null or blank clears the name.',
    example: 'Ada',
  });

export const PhotoUrlInput = text({ max: maxUrlCharacters })
  .overwrite((url) => url.trim())
  .refine((url) => url === '' || isHttpsUrl(url), 'must be an https URL')
  .transform((url) => (url === '' ? null : url))
  .nullable()
  .meta({
    description: 'An https URL of at most 2,048 characters; null or blank for none.',
    example: 'https://images.example.com/ada.jpg',
  });

export const User = z
  .object({
    uid: Ulid.meta({ description: "The user's id within the app; never changes." }),
    email: textUpTo(maxEmailCharacters).meta({
      description: 'Always in lower case.',
      example: 'ada@example.com',
    }),
    email_verified: z.boolean().meta({ description: 'False after sign-up with a password.', example: false }),
    first_name: textUpTo(maxNameCharacters)
      .nullable()
      .meta({ description: 'Null until it is set.', example: 'Ada' }),
    last_name: textUpTo(maxNameCharacters)
      .nullable()
      .meta({ description: 'Null until it is set.', example: 'Lovelace' }),
    photo_url: textUpTo(maxUrlCharacters)
      .nullable()
      .meta({ description: 'An https URL, or null.', example: null }),
    created_at: Timestamp.meta({ description: 'When the account was created.' }),
  })
  .meta({ id: 'User', description: 'A user of the app.' });
export type User = z.infer<typeof User>;

export const namesInput = {
  first_name: NameInput.optional(),
  last_name: NameInput.optional().meta({ example: 'Lovelace' }),
};

export const profileInput = { ...namesInput, photo_url: PhotoUrlInput.optional() };
