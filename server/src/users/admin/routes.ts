// HTTP of an app's users, for its own backend.
import { contract, errorCatalogue, limits } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../../deps.js';
import { actorOf, callerOf } from '../../http/caller.js';
import { created, noContent, ok } from '../../http/data-answer.js';
import { storeResponse } from '../../idempotency/idempotency-key.js';
import { listIdentities } from '../../identities/list-identities.js';
import { deleteAccount } from '../../profile/delete-account.js';
import { endSession } from '../../sessions/end-sessions.js';
import { listSessions } from '../../sessions/list-sessions.js';
import { requireUser } from '../account.js';
import { type AdminUserRow, serializeAdminUser } from './admin-user.js';
import { createUser } from './create-user.js';
import { revokeSessions } from './end-sessions.js';
import { type ImportReport, importUsers } from './import-users.js';
import { readUser } from './known-user.js';
import { pageOfUsers } from './list/list-users.js';
import { setClaims } from './set-claims.js';
import { updateUser } from './update-user.js';

export function adminUserRoutes(deps: Deps) {
  return initServer().router(contract.users, {
    list: async ({ req, query }) => {
      const { order, limit, cursor } = query;
      const filters = {
        q: query.q ?? null,
        email: query.email ?? null,
        disabled: query.disabled ?? null,
        emailVerified: query.email_verified ?? null,
        provider: query.provider ?? null,
        createdAfter: query.created_after ?? null,
        createdBefore: query.created_before ?? null,
        v1UsedAfter: query.v1_used_after ?? null,
      };
      const data = await pageOfUsers(deps, callerOf(req).app.id, { filters, order, limit, cursor });
      return ok(data);
    },
    create: async ({ req, body }) => {
      const keep = storeResponse(req, createdUser);
      return createdUser(await createUser(deps, callerOf(req).app, body, actorOf(req), keep));
    },
    import: async ({ req, body }) => {
      const keep = storeResponse(req, reported);
      return reported(await importUsers(deps, callerOf(req).app, body.users, actorOf(req), keep));
    },
    get: async ({ req, params }) => shown(await readUser(deps, idsOf(req, params))),
    update: async ({ req, params, body }) =>
      shown(await updateUser(deps, callerOf(req).app, params.uid, body, actorOf(req))),
    delete: async ({ req, params }) => {
      await deleteAccount(deps, callerOf(req).app, params.uid, { by: actorOf(req) });
      return noContent;
    },
    setClaims: async ({ req, params, body }) =>
      shown(await setClaims(deps, idsOf(req, params), body.claims, actorOf(req))),
    revokeSessions: async ({ req, params }) => {
      const store = storeResponse(req, () => noContent);
      await revokeSessions(deps, idsOf(req, params), actorOf(req), store);
      return noContent;
    },
    sessions: async ({ req, params, query }) => {
      const ids = await requireUser(deps.query, idsOf(req, params));
      return ok(await listSessions(deps, { ...ids, sessionId: null }, query));
    },
    endSession: async ({ req, params }) => {
      const ids = await requireUser(deps.query, idsOf(req, params));
      await endSession(deps, { ...ids, sessionId: params.id }, 'revoked', actorOf(req));
      return noContent;
    },
    identities: async ({ req, params, query }) => {
      const ids = await requireUser(deps.query, idsOf(req, params));
      return ok(await listIdentities(deps, ids, query));
    },
  });
}

function idsOf(req: Parameters<typeof callerOf>[0], params: { uid: string }) {
  return { appId: callerOf(req).app.id, uid: params.uid };
}

function shown(user: AdminUserRow) {
  return ok(serializeAdminUser(user));
}

function createdUser(user: AdminUserRow) {
  return created(serializeAdminUser(user));
}

function reported({ created: count, failed }: ImportReport) {
  const refused = failed.map(({ index, refusal: { code, fields } }) => {
    const details = Object.entries(fields).map(([name, sentences]) => `${name}: ${sentences.join(', ')}.`);
    return { index, code, message: fitting(details) || errorCatalogue[code].message };
  });
  return ok({ created: count, failed: refused });
}

/** As many of the details as a message can have. */
function fitting(details: string[]): string {
  return details.reduce((message, detail) => {
    const longer = message === '' ? detail : `${message} ${detail}`;
    return longer.length <= limits.maxImportMessageCharacters ? longer : message;
  }, '');
}
