// HTTP of the declarations of collections.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../../deps.js';
import { actorOf, callerOf } from '../../http/caller.js';
import { storeResponse } from '../../idempotency/idempotency-key.js';
import { type Collection, serializeCollection } from './collection.js';
import { createCollection, deleteCollection, updateCollection } from './declare.js';
import { collectionNamed } from './find-collection.js';
import { listCollections } from './list-collections.js';

export function collectionRoutes(deps: Deps) {
  return initServer().router(contract.collections, {
    list: async ({ req, query }) => ({
      status: 200,
      body: { data: await listCollections(deps, callerOf(req).app.id, query) },
    }),
    create: async ({ req, body }) => {
      const declaration = {
        accessMode: body.access_mode,
        onUserDelete: body.on_user_delete,
        indexedFields: body.indexed_fields,
      };
      const { app } = callerOf(req);
      const keep = storeResponse(req, created);
      return created(await createCollection(deps, app, body.name, declaration, actorOf(req), keep));
    },
    get: async ({ req, params }) => {
      const collection = await collectionNamed(deps, callerOf(req).app.id, params.name);
      return { status: 200, body: { data: serializeCollection(collection) } };
    },
    update: async ({ req, params, body }) => {
      const change = {
        accessMode: body.access_mode,
        onUserDelete: body.on_user_delete,
        indexedFields: body.indexed_fields,
      };
      const { id: appId } = callerOf(req).app;
      const collection = await updateCollection(deps, appId, params.name, change, actorOf(req));
      return { status: 200, body: { data: serializeCollection(collection) } };
    },
    delete: async ({ req, params, query }) => {
      await deleteCollection(deps, callerOf(req).app.id, params.name, query.records, actorOf(req));
      return { status: 204, body: undefined };
    },
  });
}

function created(collection: Collection) {
  return { status: 201 as const, body: { data: serializeCollection(collection) } };
}
