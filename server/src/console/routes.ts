// HTTP of the dashboard's own calls: apps, members and invitations.
import { contract, type NewInvitation } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import { listEntries } from '../audit/list-entries.js';
import type { Deps } from '../deps.js';
import { callOf } from '../http/call.js';
import { created, noContent, ok } from '../http/data-answer.js';
import { storeResponse } from '../idempotency/idempotency-key.js';
import { serializeUser } from '../model/user.js';
import { createApp, listApps, readApp, updateApp } from './apps.js';
import { acceptInvitation, readInvitation } from './invitations/accept-invitation.js';
import { invite, listInvitations, revokeInvitation } from './invitations/invite.js';
import { changeRole, listMembers, listOwners, removeMember } from './members.js';
import { removeFactorsOfMember } from './remove-factors.js';
import { readTeamSettings, updateTeamSettings } from './team-settings.js';
import { listTraces } from './traces.js';

export function consoleRoutes(deps: Deps) {
  return initServer().router(contract.console, {
    me: async ({ req }) => {
      const { app, member } = callOf(req);
      const { ownsService: owner, session } = member;
      const second_factor = session.secondFactor;
      return ok({ user: serializeUser(session), owner, second_factor, console_app_id: app.id });
    },
    listApps: async ({ req, query }) => ok(await listApps(deps, callOf(req).member, query)),
    getApp: async ({ req, params }) => ok(await readApp(deps, params.app_id, callOf(req).member)),
    createApp: async ({ req, body }) => {
      const store = storeResponse(req, created);
      return created(await createApp(deps, body, callOf(req).actor, store));
    },
    updateApp: async ({ req, params, body }) => ok(await updateApp(deps, callOf(req), params.app_id, body)),
    listMembers: async ({ params, query }) => ok(await listMembers(deps, params.app_id, query)),
    listOwners: async ({ query }) => ok(await listOwners(deps, query)),
    invite: async ({ req, params, body }) => {
      const store = storeResponse(req, created<NewInvitation>);
      return created(await invite(deps, callOf(req), { appId: params.app_id, ...body }, store));
    },
    updateMember: async ({ req, params, body }) => {
      const change = { appId: params.app_id, uid: params.uid, role: body.role };
      return ok(await changeRole(deps, callOf(req), change));
    },
    removeMember: async ({ req, params }) => {
      await removeMember(deps, callOf(req), { appId: params.app_id, uid: params.uid });
      return noContent;
    },
    listTraces: async ({ params }) =>
      ok(await listTraces(deps, { appId: params.app_id, actor: `member:${params.uid}` })),
    listTracesOfKey: async ({ params }) =>
      ok(await listTraces(deps, { appId: params.app_id, actor: `secret_key:${params.id}` })),
    listInvitations: async ({ params, query }) => ok(await listInvitations(deps, params.app_id, query)),
    revokeInvitation: async ({ req, params }) => {
      await revokeInvitation(deps, callOf(req), { appId: params.app_id, id: params.id });
      return noContent;
    },
    getSettings: async ({ req }) => ok(await readTeamSettings(deps, callOf(req))),
    updateSettings: async ({ req, body }) => ok(await updateTeamSettings(deps, callOf(req), body)),
    removeFactors: async ({ req, params }) => {
      await removeFactorsOfMember(deps, callOf(req), params.uid);
      return noContent;
    },
    listAuditLog: async ({ req, query }) => ok(await listEntries(deps, callOf(req), query)),
  });
}

export function invitationRoutes(deps: Deps) {
  return initServer().router(contract.invitations, {
    inspect: async ({ req, body }) => ok(await readInvitation(deps, callOf(req).app, body.token)),
    accept: async ({ req, res, body }) => {
      const { answer, deviceToken } = await acceptInvitation(deps, callOf(req), body);
      res.setHeader('X-Device-Token', deviceToken);
      return ok(answer);
    },
  });
}
