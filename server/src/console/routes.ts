// HTTP of the dashboard's own calls: apps, members and invitations.
import { contract, type NewInvitation } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import { listEntries } from '../audit/list-entries.js';
import type { Deps } from '../deps.js';
import { actorOf, callerOf, clientOf, memberOf } from '../http/caller.js';
import { created, noContent, ok } from '../http/data-answer.js';
import { storeResponse } from '../idempotency/idempotency-key.js';
import { serializeUser } from '../model/user.js';
import { createApp, listApps, readApp, updateApp } from './apps.js';
import { acceptInvitation, readInvitation } from './invitations/accept-invitation.js';
import { invite, listInvitations, revokeInvitation } from './invitations/invite.js';
import { changeRole, listMembers, removeMember } from './members.js';

type Called = Parameters<typeof callerOf>[0];

export function consoleRoutes(deps: Deps) {
  return initServer().router(contract.console, {
    me: async ({ req }) => {
      const { session, ownsService } = memberOf(req);
      const user = serializeUser(session);
      return ok({ user, owner: ownsService, console_app_id: callerOf(req).app.id });
    },
    listApps: async ({ req, query }) => ok(await listApps(deps, memberOf(req), query)),
    getApp: async ({ req, params }) => ok(await readApp(deps, params.app_id, memberOf(req))),
    createApp: async ({ req, body }) => {
      const store = storeResponse(req, created);
      return created(await createApp(deps, body, actorOf(req), store));
    },
    updateApp: async ({ req, params, body }) =>
      ok(await updateApp(deps, params.app_id, body, memberOf(req), actorOf(req))),
    listMembers: async ({ params, query }) => ok(await listMembers(deps, params.app_id, query)),
    invite: async ({ req, params, body }) => {
      const by = { ...ownerOf(req), email: memberOf(req).session.email };
      const store = storeResponse(req, created<NewInvitation>);
      return created(await invite(deps, { appId: params.app_id, ...body }, by, store));
    },
    updateMember: async ({ req, params, body }) => {
      const change = { appId: params.app_id, uid: params.uid, role: body.role };
      return ok(await changeRole(deps, change, ownerOf(req)));
    },
    removeMember: async ({ req, params }) => {
      await removeMember(deps, { appId: params.app_id, uid: params.uid }, ownerOf(req));
      return noContent;
    },
    listInvitations: async ({ params, query }) => ok(await listInvitations(deps, params.app_id, query)),
    revokeInvitation: async ({ req, params }) => {
      await revokeInvitation(deps, { appId: params.app_id, id: params.id }, ownerOf(req));
      return noContent;
    },
    listAuditLog: async ({ req, query }) => ok(await listEntries(deps, callerOf(req).app, query)),
  });
}

export function invitationRoutes(deps: Deps) {
  return initServer().router(contract.invitations, {
    inspect: async ({ req, body }) => ok(await readInvitation(deps, callerOf(req).app, body.token)),
    accept: async ({ req, res, body }) => {
      const { answer, deviceToken } = await acceptInvitation(deps, callerOf(req).app, clientOf(req), body);
      res.setHeader('X-Device-Token', deviceToken);
      return ok(answer);
    },
  });
}

function ownerOf(req: Called) {
  return { uid: memberOf(req).uid, actor: actorOf(req) };
}
