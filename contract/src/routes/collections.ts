// Declaring collections of JSON records. Conventions of the API, "Data collections".
import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { meta } from '../metadata.js';
import { Collection, CollectionName, declared } from '../schemas/collections.js';
import { dataEnvelope, PageQuery, pageOf } from '../schemas/envelopes.js';

const c = initContract();

const pathParams = z.object({ name: CollectionName });

export const collections = c.router(
  {
    list: {
      method: 'GET',
      path: '',
      summary: 'List the collections',
      description: 'By name.',
      query: PageQuery,
      responses: { 200: dataEnvelope(pageOf(Collection)) },
      metadata: meta({ audit: null, errors: [] }),
    },
    create: {
      method: 'POST',
      path: '',
      summary: 'Declare a collection',
      description:
        'Records can be written at once. What is left out has its default. An app has 100 collections at most, or what its ' +
        'setting `data.max_collections` says.',
      body: z.strictObject({
        name: CollectionName,
        access_mode: declared.access_mode.default('admin'),
        on_user_delete: declared.on_user_delete.default('delete'),
        indexed_fields: declared.indexed_fields.default([]),
      }),
      responses: { 201: dataEnvelope(Collection) },
      metadata: meta({
        idempotencyKey: true,
        audit: 'collection.created',
        errors: ['data/collection-exists', 'data/too-many-collections'],
      }),
    },
    get: {
      method: 'GET',
      path: '/:name',
      summary: 'Read the declaration of a collection',
      description: 'Also says which indexes are still being built.',
      pathParams,
      responses: { 200: dataEnvelope(Collection) },
      metadata: meta({ audit: null, errors: ['data/collection-not-found'] }),
    },
    update: {
      method: 'PATCH',
      path: '/:name',
      summary: 'Change the declaration of a collection',
      description:
        'Changes what is given. An access mode holds from the next call on. A new indexed field is built in the ' +
        'background while records are written as ever; queries use it once it is complete.',
      pathParams,
      body: z.strictObject(declared).partial(),
      responses: { 200: dataEnvelope(Collection) },
      metadata: meta({ audit: 'collection.updated', errors: ['data/collection-not-found'] }),
    },
    delete: {
      method: 'DELETE',
      path: '/:name',
      summary: 'Delete a collection',
      description:
        'Refused while it has records, unless `records=delete` says that they go with it: then the collection is gone at ' +
        'once, its name is free, and the records are removed in the background.',
      pathParams,
      query: z.strictObject({
        records: z.enum(['refuse', 'delete']).default('refuse').meta({
          description: 'What to do where the collection has records.',
          example: 'delete',
        }),
      }),
      body: c.noBody(),
      responses: { 204: c.noBody() },
      metadata: meta({
        audit: 'collection.deleted',
        errors: ['data/collection-not-found', 'data/collection-not-empty'],
      }),
    },
  },
  {
    pathPrefix: '/admin/collections',
    metadata: meta({ auth: 'admin', rateLimit: 'admin', scope: 'data:manage' }),
  },
);
