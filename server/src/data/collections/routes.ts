// Routes of collections.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../../deps.js';
import { callOf } from '../../http/call.js';
import { created, noContent, ok } from '../../http/data-answer.js';
import { requireRecentMember } from '../../http/demands.js';
import { storeResponse } from '../../idempotency/idempotency-key.js';
import { createCollection, deleteCollection, updateCollection } from './change-collections.js';
import { type Collection, serializeCollection } from './collection.js';
import { listCollections, requireCollection } from './find-collection.js';

export function collectionRoutes(deps: Deps) {
  return initServer().router(contract.collections, {
    list: async ({ req, query }) => ok(await listCollections(deps, callOf(req).app.id, query)),
    create: async ({ req, body }) => {
      // As a change of the access mode, which a deletion before would make of it.
      if (body.access_mode !== 'admin') await requireRecentMember(deps, callOf(req));
      const answer = (collection: Collection) => created(serializeCollection(collection));
      const store = storeResponse(req, answer);
      return answer(await createCollection(deps, callOf(req), body, store));
    },
    get: async ({ req, params }) =>
      ok(serializeCollection(await requireCollection(deps, callOf(req).app.id, params.name))),
    update: async ({ req, params, body }) => {
      if (body.access_mode !== undefined) await requireRecentMember(deps, callOf(req));
      return ok(serializeCollection(await updateCollection(deps, callOf(req), params.name, body)));
    },
    delete: async ({ req, params, query }) => {
      await deleteCollection(deps, callOf(req), params.name, query.records);
      return noContent;
    },
  });
}
