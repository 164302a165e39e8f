// HTTP of refresh, sign-out, the list of sessions, and the verification of access tokens.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../deps.js';
import { callOf } from '../http/call.js';
import { noContent, ok } from '../http/data-answer.js';
import { sessionIdsOf } from '../model/call.js';
import { endSession, signOut, signOutEverywhere } from './end-sessions.js';
import { listSessions } from './list-sessions.js';
import { refreshSession } from './refresh.js';
import { verifyToken } from './verify-token.js';

export function sessionRoutes(deps: Deps) {
  return initServer().router(contract.sessions, {
    refresh: async ({ req, body }) => ok(await refreshSession(deps, callOf(req), body.refresh_token)),
    signOut: async ({ req }) => {
      await signOut(deps, callOf(req));
      return noContent;
    },
    signOutAll: async ({ req }) => {
      await signOutEverywhere(deps, callOf(req));
      return noContent;
    },
    list: async ({ req, query }) => ok(await listSessions(deps, sessionIdsOf(callOf(req)), query)),
    end: async ({ req, params }) => {
      const call = callOf(req);
      await endSession(deps, call, { uid: call.uid, sessionId: params.id }, 'ended_by_user');
      return noContent;
    },
  });
}

/** The routes by which backends verify access tokens, with a secret key. */
export function tokenVerificationRoutes(deps: Deps) {
  return initServer().router(contract.tokenVerification, {
    verify: async ({ req, body }) =>
      ok(await verifyToken(deps, callOf(req).app, body.access_token, body.check_revoked)),
  });
}
