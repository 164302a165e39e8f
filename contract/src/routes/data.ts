// The JSON records of a collection: create, read, replace, merge, delete, list, query. Conventions of the API, "Data
// collections". The access mode of the collection decides who may call, so every route accepts all three kinds of callers.
import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { textUpTo } from '../answer-values.js';
import {
  dataBodyBytes,
  maxHeaderCharacters,
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

const read = { scope: 'data:read' } as const;

const write = { scope: 'data:write' } as const;

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

export const data = c.router(
  {
    create: {
      method: 'POST',
      path: '',
      summary: 'Create a record',
      description: 'Its id is made by the service; the signed-in user becomes its owner.',
      pathParams: inCollection,
      body,
      responses: { 201: dataEnvelope(DataRecord) },
      metadata: meta({ ...stored, etag: true, errors: [...unknown, ...wrongFields] }),
    },
    list: {
      method: 'GET',
      path: '',
      summary: 'List the records of a collection',
      description: `By id. In the mode \`owner\` a user sees only their own records. ${pageOfLargeRecords}`,
      pathParams: inCollection,
      query: PageQuery,
      responses: { 200: dataEnvelope(pageOf(DataRecord)) },
      metadata: meta({ ...read, errors: [...unknown] }),
    },
    get: {
      method: 'GET',
      path: '/:id',
      summary: 'Read a record',
      description: "In the mode `owner` another user's record is answered as one that does not exist.",
      pathParams: ofRecord,
      responses: { 200: dataEnvelope(DataRecord) },
      metadata: meta({ ...read, etag: true, errors: [...unknown, 'data/not-found'] }),
    },
    replace: {
      method: 'PUT',
      path: '/:id',
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
      path: '/:id',
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
      path: '/:id',
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
      path: '/query',
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
  },
  {
    pathPrefix: '/data/:collection',
    metadata: meta({ auth: 'optional-user-or-admin', rateLimit: 'client' }),
  },
);
