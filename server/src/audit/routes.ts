// HTTP of the audit log.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../deps.js';
import { callOf } from '../http/call.js';
import { ok } from '../http/data-answer.js';
import { listEntries } from './list-entries.js';

export function auditRoutes(deps: Deps) {
  return initServer().router(contract.audit, {
    list: async ({ req, query }) => ok(await listEntries(deps, callOf(req), query)),
  });
}
