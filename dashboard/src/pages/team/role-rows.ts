// Who may do what, by role: what scopes allow, and what only team members do.
import { type Role, roleHasScope, roleIncludes, roles } from '@foyer/contract';
import { scopeGroups, scopesIn } from '../../components/scope-names.ts';

export type RoleRow = { allows: string; may: readonly Role[]; routes?: readonly string[] };

const from = (role: Role) => roles.filter((each) => roleIncludes(each, role));

export const roleGroups: readonly { name: string; rows: readonly RoleRow[] }[] = [
  ...scopeGroups.map((group) => ({
    name: group.name,
    rows: scopesIn(group).map(([scope, { allows }]) => ({
      allows,
      may: roles.filter((role) => roleHasScope(role, scope)),
    })),
  })),
  {
    name: 'Team and keys',
    rows: [
      { allows: 'See the members', may: from('viewer'), routes: ['getApp', 'listMembers', 'listOwners'] },
      {
        allows: 'Create and revoke secret keys',
        may: from('admin'),
        routes: ['list', 'create', 'revoke', 'listTracesOfKey'],
      },
      { allows: 'Send a test mail', may: from('admin'), routes: ['testMail'] },
      {
        allows: 'Invite, change and remove members',
        may: from('owner'),
        routes: [
          'invite',
          'updateMember',
          'removeMember',
          'listTraces',
          'listInvitations',
          'revokeInvitation',
        ],
      },
      { allows: 'Rename, disable and enable the app', may: from('owner'), routes: ['updateApp'] },
    ],
  },
];
