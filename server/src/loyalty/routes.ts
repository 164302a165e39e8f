// HTTP of loyalty: the points of the signed-in user, and the ledger entries of the app's backend.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../deps.js';
import { callOf } from '../http/call.js';
import { ok } from '../http/data-answer.js';
import { storeResponse } from '../idempotency/idempotency-key.js';
import { type AddedEntry, addEntry } from './add-entry.js';
import { listEntries, readHistory, readStatus } from './read-loyalty.js';

export function loyaltyRoutes(deps: Deps) {
  return initServer().router(contract.loyalty, {
    status: async ({ req }) => {
      const { app, uid } = callOf(req);
      // The account was deleted between the guard and here.
      return ok(await readStatus(deps, app, uid, 'auth/invalid-token'));
    },
    history: async ({ req, query }) => {
      const { app, uid } = callOf(req);
      return ok(await readHistory(deps, { appId: app.id, uid }, query));
    },
  });
}

export function loyaltyEntryRoutes(deps: Deps) {
  return initServer().router(contract.loyaltyEntries, {
    status: async ({ req, params }) => {
      return ok(await readStatus(deps, callOf(req).app, params.uid, 'auth/user-not-found'));
    },
    add: async ({ req, params, body }) => {
      const { points, description, reference = null } = body;
      const input = { uid: params.uid, points, description, reference };
      // Without a key the entry is one statement, and no response is stored.
      const keep = req.idempotency && storeResponse(req, added);
      return added(await addEntry(deps, callOf(req), input, keep));
    },
    list: async ({ req, params, query }) => {
      const ids = { appId: callOf(req).app.id, uid: params.uid };
      return ok(await listEntries(deps, ids, query));
    },
  });
}

function added({ made, ...data }: AddedEntry) {
  return { status: made ? (201 as const) : (200 as const), body: { data } };
}
