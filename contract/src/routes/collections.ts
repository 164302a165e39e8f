// Declaring collections of JSON records.
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
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
      description: 'Sorted by name.',
      query: PageQuery,
      responses: { 200: dataEnvelope(pageOf(Collection)) },
      metadata: meta({ orScope: 'data:read', audit: null, errors: [] }),
    },
    create: {
      method: 'POST',
      path: '',
      summary: 'Declare a collection',
      description:
        'Records can be written immediately. Omitted properties have their defaults. An app may have up to 100 ' +
        'collections; the setting `data.max_collections` changes this limit. A team member needs a recent sign-in for an access ' +
        'mode other than `admin`.',
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
        errors: ['data/collection-exists', 'data/too-many-collections', 'auth/requires-recent-login'],
      }),
    },
    get: {
      method: 'GET',
      path: '/:name',
      summary: 'Read the declaration of a collection',
      description: 'Includes the fields whose index is still being built.',
      pathParams,
      responses: { 200: dataEnvelope(Collection) },
      metadata: meta({ orScope: 'data:read', audit: null, errors: ['data/collection-not-found'] }),
    },
    update: {
      method: 'PATCH',
      path: '/:name',
      summary: 'Change the declaration of a collection',
      description:
        'Changes the properties that are sent. A changed access mode applies from the next call, and a team member needs ' +
        'a recent sign-in for it. A new index is ' +
        'built in the background without blocking writes; queries use it once it is complete.',
      pathParams,
      body: z
        .strictObject(declared)
        .partial()
        .meta({ example: { indexed_fields: ['created'] } }),
      responses: { 200: dataEnvelope(Collection) },
      metadata: meta({
        audit: 'collection.updated',
        errors: ['data/collection-not-found', 'auth/requires-recent-login'],
      }),
    },
    delete: {
      method: 'DELETE',
      path: '/:name',
      summary: 'Delete a collection',
      description:
        'Rejected while the collection has records, unless `records=delete` is sent: then the collection is ' +
        'deleted and its name is available immediately, and the records are deleted in the background.',
      pathParams,
      query: z.strictObject({
        records: z.enum(['refuse', 'delete']).default('refuse').meta({
          description: 'Whether to reject the call or delete the records when the collection has records.',
          example: 'refuse',
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
