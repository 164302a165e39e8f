// HTTP of an app's users, for its own backend.
import { contract, errorCatalogue } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../../deps.js';
import { actorOf, callerOf } from '../../http/caller.js';
import { storeResponse } from '../../idempotency/idempotency-key.js';
import { listIdentities } from '../../identities/list-identities.js';
import { deleteAccount } from '../../profile/delete-account.js';
import { endSession } from '../../sessions/end-sessions.js';
import { listSessions } from '../../sessions/list-sessions.js';
import { type AdminUserRow, serializeAdminUser } from './admin-user.js';
import { createUser } from './create-user.js';
import { revokeSessions } from './end-sessions.js';
import { type ImportReport, importUsers } from './import-users.js';
import { readUser, requireUser } from './known-user.js';
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
      return { status: 200, body: { data } };
    },
    create: async ({ req, body }) => {
      const keep = storeResponse(req, created);
      return created(await createUser(deps, callerOf(req).app, body, actorOf(req), keep));
    },
    import: async ({ req, body }) => {
      const keep = storeResponse(req, reported);
      return reported(await importUsers(deps, callerOf(req).app, body.users, actorOf(req), keep));
    },
    get: async ({ req, params }) => answered(await readUser(deps, idsOf(req, params))),
    update: async ({ req, params, body }) =>
      answered(await updateUser(deps, callerOf(req).app, params.uid, body, actorOf(req))),
    delete: async ({ req, params }) => {
      await deleteAccount(deps, callerOf(req).app, params.uid, { by: actorOf(req) });
      return done();
    },
    setClaims: async ({ req, params, body }) =>
      answered(await setClaims(deps, idsOf(req, params), body.claims, actorOf(req))),
    revokeSessions: async ({ req, params }) => {
      await revokeSessions(deps, idsOf(req, params), actorOf(req), storeResponse(req, done));
      return done();
    },
    sessions: async ({ req, params, query }) => {
      const ids = await requireUser(deps, idsOf(req, params));
      return { status: 200, body: { data: await listSessions(deps, { ...ids, sessionId: null }, query) } };
    },
    endSession: async ({ req, params }) => {
      const ids = await requireUser(deps, idsOf(req, params));
      await endSession(deps, { ...ids, sessionId: params.id }, 'revoked', actorOf(req));
      return done();
    },
    identities: async ({ req, params }) => {
      const ids = await requireUser(deps, idsOf(req, params));
      return { status: 200, body: { data: await listIdentities(deps, ids) } };
    },
  });
}

function idsOf(req: Parameters<typeof callerOf>[0], params: { uid: string }) {
  return { appId: callerOf(req).app.id, uid: params.uid };
}

function answered(user: AdminUserRow) {
  return { status: 200 as const, body: { data: serializeAdminUser(user) } };
}

function created(user: AdminUserRow) {
  return { status: 201 as const, body: { data: serializeAdminUser(user) } };
}

function done() {
  return { status: 204 as const, body: undefined };
}

function reported({ created, failed }: ImportReport) {
  const shown = failed.map(({ index, refusal: { code, fields } }) => {
    const detail = Object.entries(fields).map(([name, sentences]) => ` ${name}: ${sentences.join(', ')}.`);
    return { index, code, message: errorCatalogue[code].message + detail.join('') };
  });
  return { status: 200 as const, body: { data: { created, failed: shown } } };
}
