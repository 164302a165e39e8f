// HTTP of refresh, sign-out and the list of devices.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../deps.js';
import { callerOf, userIdsOf } from '../http/caller.js';
import { endAllSessions, endSession, signOut } from './end-sessions.js';
import { listSessions } from './list-sessions.js';
import { refreshSession } from './refresh.js';

export function sessionRoutes(deps: Deps) {
  return initServer().router(contract.sessions, {
    refresh: async ({ req, body }) => {
      const { app, ipAddress } = callerOf(req);
      return { status: 200, body: { data: await refreshSession(deps, app, body.refresh_token, ipAddress) } };
    },
    signOut: async ({ req }) => {
      await signOut(deps, userIdsOf(req));
      return { status: 204, body: undefined };
    },
    signOutAll: async ({ req }) => {
      await endAllSessions(deps, userIdsOf(req), 'sign_out_all');
      return { status: 204, body: undefined };
    },
    list: async ({ req, query }) => ({
      status: 200,
      body: { data: await listSessions(deps, userIdsOf(req), query) },
    }),
    end: async ({ req, params }) => {
      await endSession(deps, { ...userIdsOf(req), sessionId: params.id });
      return { status: 204, body: undefined };
    },
  });
}
