// Errors of the team's calls: apps, members and invitations.
import { limits } from '@foyer/contract';
import { type Sent, unknownId } from '../contract-routes.js';
import { tokenIn } from '../team-scenario.js';
import type { Context, ReachedOf } from './context.js';

export function consoleErrors({ service, asOwner, on, team, endTeam }: Context): ReachedOf<'console'> {
  const { prisma } = service.database;
  const { id: app_id, slug } = service.app.app;
  /** By an owner, with the app key of the dashboard. */
  const onConsole = (route: string, sent: Sent = {}) =>
    on(route, async () => ({ ...(await asOwner()), appKey: (await team()).consoleApp.appKey, ...sent }));

  return {
    'console/required': on('console.me', asOwner),
    'console/not-available': onConsole('users.list'),
    'console/insufficient-role': on('apps.getSettings', async () => ({
      token: (await (await team()).newMember(app_id, 'viewer')).token,
    })),
    'console/app-not-found': onConsole('console.getApp', { params: { app_id: unknownId } }),
    'console/slug-taken': onConsole('console.createApp', { body: { name: 'Test', slug } }),
    'console/invalid-invitation': onConsole('invitations.inspect', {
      body: { token: `inv_${'A'.repeat(43)}` },
    }),
    'console/invitation-not-found': onConsole('console.revokeInvitation', {
      params: { app_id, id: unknownId },
    }),
    'console/already-a-member': on('console.invite', async () => {
      const { owner, consoleApp } = await team();
      const body = { email: owner.email, role: 'viewer' };
      return { ...(await asOwner()), appKey: consoleApp.appKey, params: { app_id }, body };
    }),
    'console/member-not-found': onConsole('console.removeMember', { params: { app_id, uid: unknownId } }),
    'console/too-many-members': on('console.invite', async () => {
      const { id } = (await service.newApp()).app;
      const row = { appId: id, role: 'viewer', createdAt: service.clock.now() };
      await prisma.teamMember.createMany({
        data: Array.from({ length: limits.membersPerApp }, (_, uid) => ({ ...row, uid: String(uid) })),
      });
      const { appKey } = (await team()).consoleApp;
      const body = { email: 'one-more@example.com', role: 'viewer' };
      return { ...(await asOwner()), appKey, params: { app_id: id }, body };
    }),
    'console/last-owner': on('console.removeMember', async () => {
      const { consoleApp, accept, ownerLink } = await team();
      const { appKey, id } = consoleApp;
      await prisma.teamMember.deleteMany({ where: { appId: id } });
      const joined = await accept({ token: tokenIn(await ownerLink()), email: 'last@example.com' });
      endTeam();
      const { access_token: token, user } = joined.data;
      return { token, appKey, params: { app_id: id, uid: user.uid } };
    }),
  };
}
