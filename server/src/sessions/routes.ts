// HTTP of refresh, sign-out, the list of devices, and the verification of access tokens.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../deps.js';
import { actorOf, callerOf, userIdsOf } from '../http/caller.js';
import { noContent, ok } from '../http/data-answer.js';
import { endSession, signOut, signOutEverywhere } from './end-sessions.js';
import { listSessions } from './list-sessions.js';
import { refreshSession } from './refresh.js';
import { verifyToken } from './verify-token.js';

export function sessionRoutes(deps: Deps) {
  return initServer().router(contract.sessions, {
    refresh: async ({ req, body }) => {
      const { app, ipAddress } = callerOf(req);
      return ok(await refreshSession(deps, app, body.refresh_token, ipAddress));
    },
    signOut: async ({ req }) => {
      await signOut(deps, userIdsOf(req), actorOf(req));
      return noContent;
    },
    signOutAll: async ({ req }) => {
      await signOutEverywhere(deps, userIdsOf(req), actorOf(req));
      return noContent;
    },
    list: async ({ req, query }) => ok(await listSessions(deps, userIdsOf(req), query)),
    end: async ({ req, params }) => {
      await endSession(deps, { ...userIdsOf(req), sessionId: params.id }, 'ended_by_user', actorOf(req));
      return noContent;
    },
  });
}

/** For backends, with a secret key. */
export function tokenVerificationRoutes(deps: Deps) {
  return initServer().router(contract.tokenVerification, {
    verify: async ({ req, body }) =>
      ok(await verifyToken(deps, callerOf(req).app, body.access_token, body.check_revoked)),
  });
}
