// HTTP of the dashboard's own calls: apps, members and invitations.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import { listEntries } from '../audit/list-entries.js';
import type { Deps } from '../deps.js';
import { actorOf, callerOf, clientOf, memberOf } from '../http/caller.js';
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
      const data = { user, owner: ownsService, console_app_id: callerOf(req).app.id };
      return { status: 200, body: { data } };
    },
    listApps: async ({ req, query }) => {
      const data = await listApps(deps, memberOf(req), query);
      return { status: 200, body: { data } };
    },
    getApp: async ({ req, params }) => {
      const data = await readApp(deps, params.app_id, memberOf(req));
      return { status: 200, body: { data } };
    },
    createApp: async ({ req, body }) => {
      const store = storeResponse(req, (data) => ({ status: 201, body: { data } }));
      const data = await createApp(deps, body, actorOf(req), store);
      return { status: 201, body: { data } };
    },
    updateApp: async ({ req, params, body }) => {
      const data = await updateApp(deps, params.app_id, body, memberOf(req), actorOf(req));
      return { status: 200, body: { data } };
    },
    listMembers: async ({ params, query }) => {
      const data = await listMembers(deps, params.app_id, query);
      return { status: 200, body: { data } };
    },
    invite: async ({ req, params, body }) => {
      const by = { ...ownerOf(req), email: memberOf(req).session.email };
      const data = await invite(deps, { appId: params.app_id, ...body }, by);
      return { status: 201, body: { data } };
    },
    updateMember: async ({ req, params, body }) => {
      const change = { appId: params.app_id, uid: params.uid, role: body.role };
      const data = await changeRole(deps, change, ownerOf(req));
      return { status: 200, body: { data } };
    },
    removeMember: async ({ req, params }) => {
      await removeMember(deps, { appId: params.app_id, uid: params.uid }, ownerOf(req));
      return { status: 204, body: undefined };
    },
    listInvitations: async ({ params, query }) => {
      const data = await listInvitations(deps, params.app_id, query);
      return { status: 200, body: { data } };
    },
    revokeInvitation: async ({ req, params }) => {
      await revokeInvitation(deps, { appId: params.app_id, id: params.id }, actorOf(req));
      return { status: 204, body: undefined };
    },
    listAuditLog: async ({ req, query }) => {
      const data = await listEntries(deps, callerOf(req).app, query);
      return { status: 200, body: { data } };
    },
  });
}

export function invitationRoutes(deps: Deps) {
  return initServer().router(contract.invitations, {
    inspect: async ({ req, body }) => {
      const data = await readInvitation(deps, callerOf(req).app, body.token);
      return { status: 200, body: { data } };
    },
    accept: async ({ req, res, body }) => {
      const { answer, deviceToken } = await acceptInvitation(deps, callerOf(req).app, clientOf(req), body);
      res.setHeader('X-Device-Token', deviceToken);
      return { status: 200, body: { data: answer } };
    },
  });
}

function ownerOf(req: Called) {
  return { uid: memberOf(req).uid, actor: actorOf(req) };
}
