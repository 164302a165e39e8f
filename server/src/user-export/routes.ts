// HTTP of the export of a user's data.
import { contract, type UserExport } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import { requireUser } from '../accounts/account.js';
import type { Deps } from '../deps.js';
import { callOf } from '../http/call.js';
import { accepted, ok } from '../http/data-answer.js';
import { storeResponse } from '../idempotency/idempotency-key.js';
import { sessionIdsOf } from '../model/call.js';
import { readExport, requestExport } from './request-export.js';

export function userExportRoutes(deps: Deps) {
  return initServer().router(contract.userExport, {
    request: async ({ req }) => {
      const call = callOf(req);
      return accepted(await requestExport(deps, call, call.uid));
    },
    get: async ({ req }) => ok(await readExport(deps, sessionIdsOf(callOf(req)))),
    requestOfUser: async ({ req, params }) => {
      const keep = storeResponse(req, accepted<UserExport>);
      return accepted(await requestExport(deps, callOf(req), params.uid, keep));
    },
    getOfUser: async ({ req, params }) => {
      const ids = await requireUser(deps.query, { appId: callOf(req).app.id, uid: params.uid });
      return ok(await readExport(deps, ids));
    },
  });
}
