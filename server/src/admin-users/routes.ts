// HTTP of an app's users, for its own backend.
import { contract, errorCatalogue, limits } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import { requireUser } from '../accounts/account.js';
import type { Deps } from '../deps.js';
import { callOf, requireCall } from '../http/call.js';
import { created, noContent, ok } from '../http/data-answer.js';
import { requireRecentMember, requireScope } from '../http/demands.js';
import { storeResponse } from '../idempotency/idempotency-key.js';
import { listIdentities } from '../identities/list-identities.js';
import { isObject } from '../lib/json-rules.js';
import { listPasskeys } from '../passkeys/list-passkeys.js';
import { removePasskeyOf } from '../passkeys/remove-passkeys.js';
import { deleteAccount } from '../profile/delete-account.js';
import { readFactors } from '../second-factor/own-factors.js';
import { removeFactorOf } from '../second-factor/remove-factor.js';
import { endSession } from '../sessions/end-sessions.js';
import { listSessions } from '../sessions/list-sessions.js';
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
        uids: query.uids?.split(',') ?? null,
      };
      const data = await pageOfUsers(deps, callOf(req).app.id, { filters, order, limit, cursor });
      return ok(data);
    },
    create: async ({ req, body }) => {
      if (body.points) requireScope(deps, callOf(req), 'loyalty:write', ['points']);
      if (opensAccount(body)) await requireRecentMember(deps, callOf(req));
      const keep = storeResponse(req, createdUser);
      return createdUser(await createUser(deps, callOf(req), body, keep));
    },
    import: async ({ req, body }) => {
      if (body.users.some(opensAccount)) await requireRecentMember(deps, callOf(req));
      const keep = storeResponse(req, reported);
      return reported(await importUsers(deps, callOf(req), body.users, keep));
    },
    get: async ({ req, params }) => shown(await readUser(deps, idsOf(req, params))),
    update: async ({ req, params, body }) => {
      const others = Object.keys(body).filter((name) => name !== 'disabled');
      if (others.length > 0) requireScope(deps, callOf(req), 'users:write', others);
      if (body.email !== undefined || opensAccount(body)) await requireRecentMember(deps, callOf(req));
      return shown(await updateUser(deps, callOf(req), params.uid, body));
    },
    delete: async ({ req, params }) => {
      await deleteAccount(deps, callOf(req), params.uid);
      return noContent;
    },
    setClaims: async ({ req, params, body }) =>
      shown(await setClaims(deps, callOf(req), params.uid, body.claims)),
    revokeSessions: async ({ req, params }) => {
      const store = storeResponse(req, () => noContent);
      await revokeSessions(deps, callOf(req), params.uid, store);
      return noContent;
    },
    sessions: async ({ req, params, query }) => {
      const ids = await requireUser(deps.query, idsOf(req, params));
      return ok(await listSessions(deps, { ...ids, sessionId: null }, query));
    },
    endSession: async ({ req, params }) => {
      const ids = await requireUser(deps.query, idsOf(req, params));
      await endSession(deps, callOf(req), { ...ids, sessionId: params.id }, 'revoked');
      return noContent;
    },
    factors: async ({ req, params }) => {
      const call = callOf(req);
      await requireUser(deps.query, idsOf(req, params));
      return ok(await readFactors(deps, { app: call.app, uid: params.uid }));
    },
    removeFactors: async ({ req, params }) => {
      await removeFactorOf(deps, callOf(req), params.uid);
      return noContent;
    },
    identities: async ({ req, params, query }) => {
      const ids = await requireUser(deps.query, idsOf(req, params));
      return ok(await listIdentities(deps, ids, query));
    },
    passkeys: async ({ req, params, query }) => {
      const ids = await requireUser(deps.query, idsOf(req, params));
      return ok(await listPasskeys(deps, ids, query));
    },
    removePasskey: async ({ req, params }) => {
      await removePasskeyOf(deps, callOf(req), params.uid, params.id);
      return noContent;
    },
  });
}

/**
 * A password opens an account. A verified email keeps what was set before its owner comes, such as the password of somebody who
 * signed up with it. Claims grant rights in the app's backend.
 */
function opensAccount(user: unknown): boolean {
  if (!isObject(user)) return false;
  const { password, email_verified, claims } = user;
  return (
    password !== undefined || email_verified === true || (isObject(claims) && Object.keys(claims).length > 0)
  );
}

function idsOf(req: Parameters<typeof requireCall>[0], params: { uid: string }) {
  return { appId: requireCall(req).app.id, uid: params.uid };
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

/** Returns as many of the details as a message can have. */
function fitting(details: string[]): string {
  return details.reduce((message, detail) => {
    const longer = message === '' ? detail : `${message} ${detail}`;
    return longer.length <= limits.maxImportMessageCharacters ? longer : message;
  }, '');
}
