// The collections of JSON records that an app declares.
import * as z from 'zod';
import { listUpTo, textUpTo } from '../answer-values.js';
import { list, text } from '../input-values.js';
import { indexedFieldsPerCollection, maxFieldPathCharacters } from '../limits.js';
import { Timestamp } from './values.js';

export const accessModes = [
  'admin',
  'public_read',
  'signed_in_read',
  'owner',
  'owner_public_read',
  'owner_signed_in_read',
  'shared',
] as const;

const collectionName = 'must be a letter followed by up to 63 letters, digits, _ and -';

export const CollectionName = text({ max: 64, error: collectionName })
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, collectionName)
  .meta({ description: 'The name of the collection.', example: 'notes' });

/** A dotted path of keys. A key that is empty or contains a dot cannot be addressed. */
export const FieldPath = text({ max: maxFieldPathCharacters })
  .refine(isFieldPath, 'must be keys joined by dots, or one of $id, $owner_uid, $created_at, $updated_at')
  .meta({
    description:
      'A key, or keys of nested objects joined by dots (`author.name`); a key that contains a dot cannot be ' +
      'addressed. Or one of `$id`, `$owner_uid`, `$created_at`, `$updated_at`, which are compared as ' +
      'strings; times are written in UTC, such as `2026-01-02T03:04:05.678000Z`, with at most six decimals.',
    example: 'author.name',
  });

function isFieldPath(path: string): boolean {
  if (path.startsWith('$')) return ['$id', '$owner_uid', '$created_at', '$updated_at'].includes(path);
  const keys = path.split('.');
  return keys.length <= 20 && keys.every((key) => key !== '' && !key.startsWith('$'));
}

const IndexedField = FieldPath.refine(
  (path) => path !== '$id' && path !== '$owner_uid',
  'is already indexed',
);

export const declared = {
  access_mode: z.enum(accessModes).meta({
    description: [
      'The permissions of clients without a secret key; with a secret key every call is allowed.',
      '`admin`: none. `public_read`: any client can read. `signed_in_read`: signed-in users can read.',
      '`owner`: users can read, create and change their own records. `owner_public_read`, ' +
        '`owner_signed_in_read`: in',
      'addition, any client or any signed-in user can read. `shared`: signed-in users can read, create and ' +
        'change all records.',
    ].join(' '),
    example: 'owner',
  }),
  on_user_delete: z.enum(['delete', 'keep']).meta({
    description:
      'What happens to the records of a user whose account is deleted; kept records keep their `owner_uid`.',
    example: 'delete',
  }),
  indexed_fields: list(IndexedField, { max: indexedFieldsPerCollection })
    .refine((fields) => new Set(fields).size === fields.length, 'must not contain a field twice')
    .meta({
      description:
        'Fields by which queries can filter and sort without reading the whole collection; at most ' +
        `${indexedFieldsPerCollection}.`,
      example: ['created'],
    }),
};

export const Collection = z
  .object({
    name: textUpTo(64).meta({ description: 'Never changes.', example: 'notes' }),
    access_mode: declared.access_mode,
    on_user_delete: declared.on_user_delete,
    indexed_fields: listUpTo(indexedFieldsPerCollection, textUpTo(maxFieldPathCharacters)).meta({
      description: 'The fields that are indexed.',
      example: ['created'],
    }),
    building_fields: listUpTo(indexedFieldsPerCollection, textUpTo(maxFieldPathCharacters)).meta({
      description:
        'The fields of `indexed_fields` whose index is still being built; queries do not use it yet.',
      example: [],
    }),
    created_at: Timestamp.meta({ description: 'When the collection was declared.' }),
    updated_at: Timestamp.meta({ description: 'When the declaration was last changed.' }),
  })
  .meta({ id: 'Collection', description: 'A collection of JSON records.' });
export type Collection = z.infer<typeof Collection>;
