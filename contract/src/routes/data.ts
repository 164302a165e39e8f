// The JSON records of a collection: create, read, replace, merge, delete, list, query. The access mode of the collection
// decides who may call, so every route accepts all three kinds of callers.
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { textUpTo } from '../answer-values.js';
import {
  dataBodyBytes,
  maxHeaderCharacters,
  maxQueryCursorCharacters,
  queryItems,
  recordKeys,
  recordPageBytes,
  recordValues,
} from '../limits.js';
import { meta } from '../metadata.js';
import { CollectionName } from '../schemas/collections.js';
import { DataRecord, Fields, Query, RecordId } from '../schemas/data.js';
import { dataEnvelope, PageQuery, pageOf } from '../schemas/envelopes.js';

const c = initContract();

const inCollection = z.object({ collection: CollectionName });

const ofRecord = z.object({ collection: CollectionName, id: RecordId });

const body = z.object({ fields: Fields });

/**
 * Conditional requests (RFC 9110): the call takes effect only if the record is in the state that the client expects.
 */
const ifMatch = {
  'if-match': textUpTo(maxHeaderCharacters)
    .optional()
    .meta({
      description:
        'An `ETag`, or `*` for any: the call succeeds only if the record exists and matches. Versions of ' +
        'a record that is deleted and created again with the same id start at a random number, so an old `ETag` ' +
        'does not match.',
      example: '"1"',
    }),
};

const conditions = z.object({
  ...ifMatch,
  'if-none-match': textUpTo(maxHeaderCharacters).optional().meta({
    description:
      '`*`: the call succeeds only if the record does not exist; an `ETag`: only if it does not match the record.',
    example: '*',
  }),
});

/** The condition of a call that requires a record, so that `If-None-Match: *` never succeeds. */
const conditionsOfExisting = z.object({
  ...ifMatch,
  'if-none-match': textUpTo(maxHeaderCharacters)
    .optional()
    .meta({
      description:
        'An `ETag`: the call succeeds only if it does not match the record. With `*` the call always fails, ' +
        'because it requires the record.',
      example: '"1"',
    }),
});

const pageOfLargeRecords =
  `A page ends with the record that brings the size of its fields to ${recordPageBytes / 1_024} KiB, ` +
  'regardless of `limit`: it may contain fewer records, and `next_cursor` leads to the next page.';

const queryCursor = { name: 'startAfter', maxCharacters: maxQueryCursorCharacters };

const read = { scope: 'data:read' } as const;

const write = { scope: 'data:write' } as const;

const stored = {
  ...write,
  alsoLimitedBy: ['record-kilobytes'],
  bodyBytes: dataBodyBytes,
  // The body and its `fields` count as values, too.
  bodyValues: recordValues + 2,
  // Above the limit on records, so that its error can name the field.
  bodyKeys: 2 * recordKeys,
  bodyValuesError: 'data/invalid-fields',
  exactNumbers: true,
} as const;

const unknown = ['data/collection-not-found', 'data/permission-denied', 'auth/invalid-token'] as const;

const refusedFields = ['data/invalid-fields', 'data/record-too-large', 'data/quota-exceeded'] as const;

const counted =
  'A record counts towards the quota of the user who created it. In the mode `shared`, a record that another user makes ' +
  "larger counts towards that user's quota from then on. Writes with a secret key are never refused because of a quota.";

export const data = c.router(
  {
    create: {
      method: 'POST',
      path: '',
      summary: 'Create a record',
      description: `The service generates the id; the signed-in user becomes the owner. ${counted}`,
      pathParams: inCollection,
      body,
      responses: { 201: dataEnvelope(DataRecord) },
      metadata: meta({
        ...stored,
        etag: true,
        audit: 'record.created',
        errors: [...unknown, ...refusedFields],
      }),
    },
    list: {
      method: 'GET',
      path: '',
      summary: 'List the records of a collection',
      description: `Sorted by id. In the mode \`owner\` a user sees only their own records. ${pageOfLargeRecords}`,
      pathParams: inCollection,
      query: PageQuery,
      responses: { 200: dataEnvelope(pageOf(DataRecord)) },
      metadata: meta({ ...read, errors: [...unknown] }),
    },
    get: {
      method: 'GET',
      path: '/:id',
      summary: 'Read a record',
      description: 'In the mode `owner` a record of another user is treated as one that does not exist.',
      pathParams: ofRecord,
      headers: z.object({
        'if-none-match': textUpTo(maxHeaderCharacters).optional().meta({
          description: 'One or more `ETag`s of the record that the client has cached: 304 if one is current.',
          example: '"1"',
        }),
      }),
      responses: { 200: dataEnvelope(DataRecord), 304: c.noBody() },
      metadata: meta({ ...read, etag: true, errors: [...unknown, 'data/not-found'] }),
    },
    replace: {
      method: 'PUT',
      path: '/:id',
      summary: 'Replace a record, or create it with this id',
      description:
        'Replaces all fields. With `If-Match` and the last `ETag`, the call fails if the record has changed ' +
        'since; with `If-None-Match: *`, it fails if the record exists. A record that is created is audited as ' +
        '`record.created`, and a replaced one as below.',
      pathParams: ofRecord,
      body,
      headers: conditions,
      responses: { 200: dataEnvelope(DataRecord), 201: dataEnvelope(DataRecord) },
      metadata: meta({
        ...stored,
        audit: 'record.replaced',
        etag: true,
        errors: [...unknown, ...refusedFields, 'data/not-found', 'data/precondition-failed'],
      }),
    },
    merge: {
      method: 'PATCH',
      path: '/:id',
      summary: 'Merge fields into a record',
      description:
        'Objects are merged key by key at every depth; arrays and other values are replaced; null is stored as ' +
        'null. Concurrent merges are all applied.',
      pathParams: ofRecord,
      body,
      headers: conditionsOfExisting,
      responses: { 200: dataEnvelope(DataRecord) },
      metadata: meta({
        ...stored,
        audit: 'record.updated',
        etag: true,
        errors: [...unknown, ...refusedFields, 'data/not-found', 'data/precondition-failed'],
      }),
    },
    delete: {
      method: 'DELETE',
      path: '/:id',
      summary: 'Delete a record',
      description: 'The deletion cannot be undone.',
      pathParams: ofRecord,
      body: c.noBody(),
      headers: conditionsOfExisting,
      responses: { 204: c.noBody() },
      metadata: meta({
        ...write,
        audit: 'record.deleted',
        errors: [...unknown, 'data/not-found', 'data/precondition-failed'],
      }),
    },
    query: {
      method: 'POST',
      path: '/query',
      summary: 'Find records by their fields',
      description: [
        'Filters and sorts like Firestore. Values sort null < boolean < number < string < array < object: strings by their',
        'UTF-8 bytes, arrays element by element, objects by their keys and then by their values. A value longer than 1,500',
        'bytes is sorted by its first 1,500 bytes. In the mode `owner` a query returns only the records of the user. No query',
        'requires an index, but a query that reads a large part of a large collection is stopped after 5 seconds: index a',
        'field that it filters or sorts by. An unknown key is rejected, so that a misspelt one does not widen the result.',
        pageOfLargeRecords,
      ].join(' '),
      pathParams: inCollection,
      body: Query,
      responses: { 200: dataEnvelope(pageOf(DataRecord, queryItems.max, queryCursor)) },
      metadata: meta({
        ...read,
        exactNumbers: true,
        bodyError: 'data/invalid-query',
        errors: [...unknown, 'data/invalid-query', 'data/query-timeout'],
      }),
    },
  },
  {
    pathPrefix: '/data/:collection',
    metadata: meta({ auth: 'optional-user-or-admin', rateLimit: 'client' }),
  },
);
