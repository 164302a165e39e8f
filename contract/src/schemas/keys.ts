// The secret keys of an app. The key itself is returned once, when it is created.
import * as z from 'zod';
import { listUpTo, textUpTo } from '../answer-values.js';
import { list, trimmedText } from '../input-values.js';
import { maxSecretKeyNameCharacters } from '../limits.js';
import { secretKeyScopes } from '../scopes.js';
import { InstantInput, Timestamp, Ulid } from './values.js';

const Scope = z.enum(secretKeyScopes);

const fields = {
  id: Ulid.meta({ description: 'ID of the key; not secret.' }),
  name: textUpTo(maxSecretKeyNameCharacters).meta({
    description: 'What the key is for.',
    example: 'nightly export',
  }),
  scopes: listUpTo(secretKeyScopes.length, Scope).meta({
    description: 'What the key may do.',
    example: ['users:read'],
  }),
  last_four: textUpTo(4).meta({ description: 'The last four characters of the key.', example: '9xQ2' }),
  created_at: Timestamp.meta({ description: 'When the key was created.' }),
  last_used_at: Timestamp.nullable().meta({ description: 'The last use, to the hour; null if never used.' }),
  expires_at: Timestamp.nullable().meta({
    description: 'The key is rejected after this time; null for never.',
  }),
  revoked_at: Timestamp.nullable().meta({
    description: 'When the key was revoked; null for an active key.',
    example: null,
  }),
};

export const SecretKey = z
  .object(fields)
  .meta({ id: 'SecretKey', description: 'A secret key of the app, without the key itself.' });
export type SecretKey = z.infer<typeof SecretKey>;

export const NewSecretKey = z
  .object({
    ...fields,
    secret_key: textUpTo(100).meta({
      description: 'The key, returned once: only its hash is stored.',
      example: 'sk_2sYk0a8JvQ1mT4zN7cRbXeHd2sYk0a8JvQ1mT4zN7cRbXeH',
    }),
  })
  .meta({ id: 'CreatedSecretKey', description: 'A new secret key.' });
export type NewSecretKey = z.infer<typeof NewSecretKey>;

export const SecretKeyInput = z.strictObject({
  name: trimmedText({ min: 1, max: maxSecretKeyNameCharacters }).meta({
    description: 'What the key is for.',
    example: 'nightly export',
  }),
  scopes: list(Scope, { min: 1, max: secretKeyScopes.length }).meta({
    description: 'What the key may do.',
    example: ['users:read'],
  }),
  expires_at: InstantInput.nullable().default(null).meta({
    description: 'The key is rejected after this time, which must be in the future; null for never.',
    example: '2030-01-01T00:00:00Z',
  }),
});
