// The members and the pending invitations of one team.
import type { Role } from '@foyer/contract';
import { Stack, Title } from '@mantine/core';
import { UserPlusIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { openDialog } from '../../components/open-dialog.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { RoleButton } from '../../components/role-button.tsx';
import { useApp } from '../../current-app.tsx';
import { Invitations } from './invitations.tsx';
import { Invite } from './invite.tsx';
import { Members } from './members.tsx';

type Props = {
  title: string;
  description: string;
  /** The roles that a member of this team can have. */
  roles: readonly Role[];
  children?: ReactNode;
};

export function TeamLists({ title, description, roles, children }: Props) {
  const { app, is } = useApp();
  const invite = (
    <RoleButton
      needs={{ role: 'owner' }}
      leftSection={<UserPlusIcon size={18} />}
      onClick={() =>
        openDialog(roles.length === 1 ? 'Invite an owner' : 'Invite a member', (close) => (
          <Invite appId={app.id} roles={roles} onClose={close} />
        ))
      }
    >
      {roles.length === 1 ? 'Invite owner' : 'Invite member'}
    </RoleButton>
  );
  return (
    <>
      <PageHeader title={title} description={description} actions={invite} />
      <Stack gap="xl">
        <Members roles={roles} invite={invite} />
        {is('owner') && (
          <Stack gap="sm" component="section" aria-label="Pending invitations">
            <Title order={2}>Pending invitations</Title>
            <Invitations />
          </Stack>
        )}
        {children}
      </Stack>
    </>
  );
}
