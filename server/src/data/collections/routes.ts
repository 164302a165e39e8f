// Routes of collections.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../../deps.js';
import { actorOf, callerOf } from '../../http/caller.js';
import { created, noContent, ok } from '../../http/data-answer.js';
import { storeResponse } from '../../idempotency/idempotency-key.js';
import { createCollection, deleteCollection, updateCollection } from './change-collections.js';
import { type Collection, serializeCollection } from './collection.js';
import { listCollections, requireCollection } from './find-collection.js';

export function collectionRoutes(deps: Deps) {
  return initServer().router(contract.collections, {
    list: async ({ req, query }) => ok(await listCollections(deps, callerOf(req).app.id, query)),
    create: async ({ req, body }) => {
      const answer = (collection: Collection) => created(serializeCollection(collection));
      const store = storeResponse(req, answer);
      return answer(await createCollection(deps, callerOf(req).app, body, actorOf(req), store));
    },
    get: async ({ req, params }) =>
      ok(serializeCollection(await requireCollection(deps, callerOf(req).app.id, params.name))),
    update: async ({ req, params, body }) => {
      const { id: appId } = callerOf(req).app;
      return ok(serializeCollection(await updateCollection(deps, appId, params.name, body, actorOf(req))));
    },
    delete: async ({ req, params, query }) => {
      await deleteCollection(deps, callerOf(req).app.id, params.name, query.records, actorOf(req));
      return noContent;
    },
  });
}
