// The JSON records of a collection: create, read, replace, merge, delete, list. Conventions of the API, "Data
// collections". Who may do what is the collection's access mode, so every call is open to all three kinds of callers.
import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { Count, textUpTo } from './answer-values.js';
import { CollectionName, FieldPath } from './collections.js';
import {
  conditionsPerQuery,
  dataBodyBytes,
  maxHeaderCharacters,
  maxKeyCharacters,
  ordersPerQuery,
  queryItems,
  recordBytes,
  recordDepth,
  recordKeys,
  recordPageBytes,
  recordValues,
  valuesPerCondition,
} from './limits.js';
import { meta } from './metadata.js';
import { dataEnvelope, PageQuery, pageOf, Timestamp, Ulid } from './schemas.js';
import { text } from './text.js';

const c = initContract();

const recordId = 'must be 1 to 128 letters, digits, _ . @ : and -';

export const RecordId = text(128, recordId)
  .regex(/^[A-Za-z0-9_.@:-]{1,128}$/, recordId)
  .meta({
    description: 'Letters, digits, `_ . @ : -`; at most 128.',
    example: '01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
  });

// Not z.record, which would lose the key __proto__.
const Fields = z.custom<{ [key: string]: unknown }>(isObject, 'must be an object').meta({
  type: 'object',
  additionalProperties: true,
  description:
    `Any JSON object of at most ${recordBytes / 1_024} KiB, ${recordKeys} keys and ${recordValues} values in all, and ${recordDepth} levels. ` +
    `Keys have at most ${maxKeyCharacters} characters and do not start with \`$\`; numbers are those of IEEE 754. An integer ` +
    'beyond ±(2⁵³−1) is refused rather than rounded, unless it is written with an exponent and comes back with the same ' +
    'digits, as from 10²¹ on it may (`1e21`).',
  example: { title: 'Groceries', done: false },
});

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const DataRecord = z
  .object({
    id: textUpTo(128).meta({
      description: 'Within the collection; a ULID unless the client chose another.',
      example: '01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
    }),
    collection: textUpTo(64).meta({ description: 'The name of the collection.', example: 'notes' }),
    fields: Fields,
    owner_uid: Ulid.nullable().meta({
      description: 'The user who created the record; null where a secret key did.',
    }),
    version: Count.min(1).meta({
      description: 'Counts the writes since the record was created; the `ETag`.',
      example: 1,
    }),
    created_at: Timestamp.meta({ description: 'When the record was created.' }),
    updated_at: Timestamp.meta({ description: 'When it was last written.' }),
  })
  .meta({ id: 'DataRecord', description: 'A JSON record.' });
export type DataRecord = z.infer<typeof DataRecord>;

export const comparisonOps = ['==', '!=', '<', '<=', '>', '>='] as const;
export const arrayOps = ['array-contains'] as const;
export const listOps = ['in', 'not-in', 'array-contains-any'] as const;

const Condition = z
  .strictObject({
    field: FieldPath.meta({ example: 'done' }),
    op: z.enum([...comparisonOps, ...listOps, ...arrayOps]).meta({
      description:
        '`< <= > >=` hold between values of one type. `!=` and `not-in` hold where the field is there and not null; ' +
        '`not-in` with a null in its list never holds. `array-contains` asks for an element, `array-contains-any` for ' +
        'one of several.',
      example: '==',
    }),
    value: z
      .unknown()
      .refine((value) => value !== undefined, 'must be given')
      .meta({
        description: `Any JSON value; a list of 1 to ${valuesPerCondition} for \`in\`, \`not-in\` and \`array-contains-any\`.`,
        example: false,
      }),
  })
  .superRefine(({ op, value }, context) => {
    const sentence = valueFault(op, value);
    if (sentence) context.addIssue({ code: 'custom', path: ['value'], message: sentence });
  })
  .meta({ description: 'A record is found where all conditions hold.' });

function valueFault(op: string, value: unknown): string | null {
  if (!(listOps as readonly string[]).includes(op)) return null;
  const listed = Array.isArray(value) && value.length > 0 && value.length <= valuesPerCondition;
  return listed ? null : `must be a list of 1 to ${valuesPerCondition} values`;
}

const Order = z.strictObject({
  field: FieldPath.meta({ example: 'created' }),
  direction: z
    .enum(['asc', 'desc'])
    .default('asc')
    .meta({ description: 'Ascending unless given.', example: 'desc' }),
});

const Query = z.strictObject({
  where: z
    .array(Condition)
    .max(conditionsPerQuery)
    .default([])
    .meta({
      description: `At most ${conditionsPerQuery}.`,
      example: [{ field: 'done', op: '==', value: false }],
    }),
  orderBy: z
    .array(Order)
    .max(ordersPerQuery)
    .default([])
    .meta({
      description:
        `At most ${ordersPerQuery}; a record without one of these fields is left out. Records that are equal in all of them go by ` +
        'id, in the direction of the last. Without any, the first field with `< <= > >=` orders ascending, else the id.',
      example: [{ field: 'created', direction: 'desc' }],
    }),
  limit: z
    .number()
    .int()
    .min(1)
    .max(queryItems.max)
    .default(queryItems.default)
    .meta({ description: `At most ${queryItems.max}.`, example: 20 }),
  startAfter: z
    .union([text(20_000), z.array(z.unknown()).min(1).max(ordersPerQuery)])
    .optional()
    .meta({
      description:
        'The `next_cursor` of the page before, or one value for each of `orderBy`: records up to those values are left out.',
      example: ['2026-01-02'],
    }),
});

const inCollection = z.object({ collection: CollectionName });
const ofRecord = z.object({ collection: CollectionName, id: RecordId });
const body = z.object({ fields: Fields });

/** For the calls that go ahead only where the record is as the client believes. */
const headers = z.object({
  'if-match': textUpTo(maxHeaderCharacters)
    .optional()
    .meta({
      description:
        'An `ETag`, or `*` for any: the call goes ahead where this is what is there. A record that was deleted and created ' +
        'again under its id counts from 1 again, so an `ETag` from before may fit it; an id that the service makes never ' +
        'comes again.',
      example: '"1"',
    }),
  'if-none-match': textUpTo(maxHeaderCharacters).optional().meta({
    description: '`*`: the call goes ahead where there is nothing yet.',
    example: '*',
  }),
});

const pageOfLargeRecords =
  `A page ends with the record that brings its fields to ${recordPageBytes / 1_024} KiB, however many are asked for: it ` +
  'may be shorter than `limit`, and `next_cursor` leads on.';

const open = { auth: 'optional-user-or-admin', rateLimit: 'client' } as const;
const read = { ...open, scope: 'data:read' } as const;
const write = { ...open, scope: 'data:write' } as const;
const stored = {
  ...write,
  bodyBytes: dataBodyBytes,
  // The body and its `fields` are values, too.
  bodyValues: recordValues + 2,
  // With room for the rule of records to name what it refuses.
  bodyKeys: 2 * recordKeys,
  bodyValuesError: 'data/invalid-fields',
  exactNumbers: true,
} as const;
const unknown = ['data/collection-not-found', 'data/permission-denied', 'auth/invalid-token'] as const;
const wrongFields = ['data/invalid-fields', 'data/record-too-large'] as const;

export const data = c.router({
  create: {
    method: 'POST',
    path: '/data/:collection',
    summary: 'Create a record',
    description: 'Its id is made by the service; the signed-in user becomes its owner.',
    pathParams: inCollection,
    body,
    responses: { 201: dataEnvelope(DataRecord) },
    metadata: meta({ ...stored, etag: true, errors: [...unknown, ...wrongFields] }),
  },
  list: {
    method: 'GET',
    path: '/data/:collection',
    summary: 'List the records of a collection',
    description: `By id. In the mode \`owner\` a user sees only their own records. ${pageOfLargeRecords}`,
    pathParams: inCollection,
    query: PageQuery,
    responses: { 200: dataEnvelope(pageOf(DataRecord)) },
    metadata: meta({ ...read, errors: [...unknown] }),
  },
  get: {
    method: 'GET',
    path: '/data/:collection/:id',
    summary: 'Read a record',
    description: "In the mode `owner` another user's record is answered as one that does not exist.",
    pathParams: ofRecord,
    responses: { 200: dataEnvelope(DataRecord) },
    metadata: meta({ ...read, etag: true, errors: [...unknown, 'data/not-found'] }),
  },
  replace: {
    method: 'PUT',
    path: '/data/:collection/:id',
    summary: 'Replace a record, or create it with this id',
    description:
      'Replaces all fields. `If-Match` with the `ETag` last seen refuses where the record has changed since; ' +
      '`If-None-Match: *` refuses where there is one.',
    pathParams: ofRecord,
    body,
    headers,
    responses: { 200: dataEnvelope(DataRecord), 201: dataEnvelope(DataRecord) },
    metadata: meta({
      ...stored,
      etag: true,
      errors: [...unknown, ...wrongFields, 'data/not-found', 'data/precondition-failed'],
    }),
  },
  merge: {
    method: 'PATCH',
    path: '/data/:collection/:id',
    summary: 'Merge fields into a record',
    description:
      'Objects merge key by key at every depth; arrays and other values replace; null stores null. Merges that run at ' +
      'the same time all land.',
    pathParams: ofRecord,
    body,
    headers,
    responses: { 200: dataEnvelope(DataRecord) },
    metadata: meta({
      ...stored,
      etag: true,
      errors: [...unknown, ...wrongFields, 'data/not-found', 'data/precondition-failed'],
    }),
  },
  delete: {
    method: 'DELETE',
    path: '/data/:collection/:id',
    summary: 'Delete a record',
    description: 'For good.',
    pathParams: ofRecord,
    body: c.noBody(),
    headers,
    responses: { 204: c.noBody() },
    metadata: meta({
      ...write,
      errors: [...unknown, 'data/not-found', 'data/precondition-failed'],
    }),
  },
  query: {
    method: 'POST',
    path: '/data/:collection/query',
    summary: 'Find records by their fields',
    description: [
      'Finds and sorts as Firestore does. Values sort null < boolean < number < string < array < object, strings by their',
      'UTF-8 bytes, arrays element by element, objects by their keys and then values; what is longer than 1,500 bytes is',
      'sorted by the first 1,500. In the mode `owner` a user finds the own records alone. No query needs an index, but one',
      'that has to read much of a large collection is given up after 5 seconds: index a field that it narrows down or sorts',
      'by. An unknown key is refused, so that no typing error widens what is found.',
      pageOfLargeRecords,
    ].join(' '),
    pathParams: inCollection,
    body: Query,
    responses: { 200: dataEnvelope(pageOf(DataRecord, queryItems.max)) },
    metadata: meta({
      ...read,
      exactNumbers: true,
      bodyError: 'data/invalid-query',
      errors: [...unknown, 'data/invalid-query', 'data/query-timeout'],
    }),
  },
});
