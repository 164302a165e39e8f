// Routes of collections.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../../deps.js';
import { actorOf, callerOf } from '../../http/caller.js';
import { storeResponse } from '../../idempotency/idempotency-key.js';
import { createCollection, deleteCollection, updateCollection } from './change-collections.js';
import { type Collection, serializeCollection } from './collection.js';
import { requireCollection } from './find-collection.js';
import { listCollections } from './list-collections.js';

export function collectionRoutes(deps: Deps) {
  return initServer().router(contract.collections, {
    list: async ({ req, query }) => ({
      status: 200,
      body: { data: await listCollections(deps, callerOf(req).app.id, query) },
    }),
    create: async ({ req, body }) => {
      const { app } = callerOf(req);
      const store = storeResponse(req, created);
      return created(await createCollection(deps, app, body.name, declarationOf(body), actorOf(req), store));
    },
    get: async ({ req, params }) => {
      const collection = await requireCollection(deps, callerOf(req).app.id, params.name);
      return { status: 200, body: { data: serializeCollection(collection) } };
    },
    update: async ({ req, params, body }) => {
      const { id: appId } = callerOf(req).app;
      const collection = await updateCollection(deps, appId, params.name, declarationOf(body), actorOf(req));
      return { status: 200, body: { data: serializeCollection(collection) } };
    },
    delete: async ({ req, params, query }) => {
      await deleteCollection(deps, callerOf(req).app.id, params.name, query.records, actorOf(req));
      return { status: 204, body: undefined };
    },
  });
}

type DeclarationBody = { access_mode?: unknown; on_user_delete?: unknown; indexed_fields?: unknown };

function declarationOf<Body extends DeclarationBody>(body: Body) {
  return {
    accessMode: body.access_mode as Body['access_mode'],
    onUserDelete: body.on_user_delete as Body['on_user_delete'],
    indexedFields: body.indexed_fields as Body['indexed_fields'],
  };
}

function created(collection: Collection) {
  return { status: 201 as const, body: { data: serializeCollection(collection) } };
}
