// Errors of the team's calls: apps, members and invitations.
import { limits } from '@foyer/contract';
import { type TeamScenario, teamScenario, tokenIn } from '../team-scenario.js';
import type { Context, ReachedOf } from './context.js';

export function consoleErrors({ service }: Context): ReachedOf<'console'> {
  let started: Promise<TeamScenario> | undefined;
  const team = () => {
    started ??= teamScenario(() => service);
    return started;
  };
  const asOwner = async (method: string, path: string, body?: object) => {
    const { call, ownerToken } = await team();
    return call(method, path, { token: await ownerToken(), body });
  };
  const { id: appId } = service.app.app;
  const unknownId = '01JC4Q7M0RZ9X2V5T8W3Y6K1NB';

  return {
    'console/required': {
      route: 'console.me',
      ask: async () => service.call('GET', '/console/me', { token: (await team()).owner.token }),
    },
    'console/not-available': {
      route: 'users.list',
      ask: async () => asOwner('GET', '/admin/users'),
    },
    'console/insufficient-role': {
      route: 'apps.getSettings',
      async ask() {
        const { token } = await (await team()).newMember(appId, 'viewer');
        return service.call('GET', '/admin/settings', { token });
      },
    },
    'console/app-not-found': {
      route: 'console.getApp',
      ask: () => asOwner('GET', `/console/apps/${unknownId}`),
    },
    'console/slug-taken': {
      route: 'console.createApp',
      ask: () => asOwner('POST', '/console/apps', { name: 'Test', slug: service.app.app.slug }),
    },
    'console/invalid-invitation': {
      route: 'invitations.inspect',
      async ask() {
        const body = { token: `inv_${'A'.repeat(43)}` };
        return (await team()).call('POST', '/console/invitations/inspect', { body });
      },
    },
    'console/invitation-not-found': {
      route: 'console.revokeInvitation',
      ask: () => asOwner('DELETE', `/console/apps/${appId}/invitations/${unknownId}`),
    },
    'console/already-a-member': {
      route: 'console.invite',
      async ask() {
        const { email } = (await team()).owner;
        return asOwner('POST', `/console/apps/${appId}/members`, { email, role: 'viewer' });
      },
    },
    'console/member-not-found': {
      route: 'console.removeMember',
      ask: () => asOwner('DELETE', `/console/apps/${appId}/members/${unknownId}`),
    },
    'console/too-many-members': {
      route: 'console.invite',
      async ask() {
        const { app } = await service.newApp();
        const createdAt = service.clock.now();
        const row = { appId: app.id, role: 'viewer', createdAt };
        await service.database.prisma.teamMember.createMany({
          data: Array.from({ length: limits.membersPerApp }, (_, uid) => ({ ...row, uid: String(uid) })),
        });
        const body = { email: 'one-more@example.com', role: 'viewer' };
        return asOwner('POST', `/console/apps/${app.id}/members`, body);
      },
    },
    'console/last-owner': {
      route: 'console.removeMember',
      async ask() {
        // The team has a service of its own to be the last owner of: other requests add owners.
        const { consoleApp, call, accept, ownerLink } = await team();
        await service.database.prisma.teamMember.deleteMany({ where: { appId: consoleApp.id } });
        const joined = await accept({ token: tokenIn(await ownerLink()), email: 'last@example.com' });
        const { access_token: token, user } = joined.data;
        started = undefined;
        return call('DELETE', `/console/apps/${consoleApp.id}/members/${user.uid}`, { token });
      },
    },
  };
}
