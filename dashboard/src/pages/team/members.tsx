// The members of a team, and what an owner can do with each.
import type { Member, Role } from '@foyer/contract';
import { ActionIcon, Badge, Group, Menu, Stack, Table, Text } from '@mantine/core';
import { EllipsisIcon, UsersIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { consoleApi, dataOf } from '../../api.ts';
import { confirmAction } from '../../components/confirm.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { notifySaved } from '../../components/notify.ts';
import { openDialog } from '../../components/open-dialog.ts';
import { PagedList, usePages } from '../../components/paged-list.tsx';
import { Time } from '../../components/time.tsx';
import { useNextPage } from '../../components/use-next-page.ts';
import { useApp } from '../../current-app.tsx';
import { useMe } from '../../member.ts';
import { ChangeRole } from './change-role.tsx';
import { membersKey, refreshTeam } from './team-query.ts';

type Props = { roles: readonly Role[]; invite: ReactNode };

export function Members({ roles, invite }: Props) {
  const { app } = useApp();
  const query = usePages(membersKey(app.id), (page, signal) =>
    dataOf(
      consoleApi.console.listMembers({
        params: { app_id: app.id },
        query: page,
        fetchOptions: { signal },
      }),
    ),
  );
  return (
    <PagedList
      query={query}
      empty={
        <EmptyState icon={UsersIcon} title="No members yet" action={invite}>
          Only owners of the service work on this app. Invite the people who should see or run it.
        </EmptyState>
      }
    >
      {(members) => (
        <Table layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Member</Table.Th>
              <Table.Th w={{ base: 104, sm: 140 }}>Role</Table.Th>
              <Table.Th visibleFrom="sm" w={160}>
                Joined
              </Table.Th>
              <Table.Th w={56} aria-label="Actions" />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {members.map((member) => (
              <MemberRow key={member.uid} member={member} roles={roles} />
            ))}
          </Table.Tbody>
        </Table>
      )}
    </PagedList>
  );
}

function MemberRow({ member, roles }: { member: Member; roles: readonly Role[] }) {
  const { is } = useApp();
  const own = useMe().user.uid === member.uid;
  const name = [member.first_name, member.last_name].filter(Boolean).join(' ');
  return (
    <Table.Tr>
      <Table.Td>
        <Stack gap={0}>
          <Group gap="xs">
            <Text size="sm" fw={500}>
              {name || member.email}
            </Text>
            {own && <Badge size="sm">You</Badge>}
          </Group>
          {name && (
            <Text size="sm" c="dimmed">
              {member.email}
            </Text>
          )}
        </Stack>
      </Table.Td>
      <Table.Td>
        <Badge>{member.role}</Badge>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Time at={member.created_at} />
      </Table.Td>
      <Table.Td>{is('owner') && <MemberMenu member={member} roles={roles} own={own} />}</Table.Td>
    </Table.Tr>
  );
}

function MemberMenu({ member, roles, own }: { member: Member; roles: readonly Role[]; own: boolean }) {
  const { app } = useApp();
  const navigate = useNextPage();

  const openChangeRole = () =>
    openDialog(`Role of ${member.email}`, (close) => (
      <ChangeRole appId={app.id} member={member} roles={roles} onClose={close} />
    ));

  function confirmRemove() {
    confirmAction({
      title: own ? 'Leave this team?' : 'Remove this member?',
      body: own
        ? 'You lose access with your next call, and another owner would have to invite you again. Invitations that you sent are revoked.'
        : `${member.email} loses access with the next call, in open pages too. Invitations sent by this member are revoked. The account remains and can be invited again.`,
      confirmLabel: own ? 'Leave team' : 'Remove member',
      run: async () => {
        await dataOf(consoleApi.console.removeMember({ params: { app_id: app.id, uid: member.uid } }));
        notifySaved(own ? 'You have left the team.' : `${member.email} is removed.`);
        if (own) await navigate({ to: '/apps' });
        await refreshTeam();
      },
    });
  }

  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${member.email}`}>
          <EllipsisIcon size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {roles.length > 1 && <Menu.Item onClick={openChangeRole}>Change role</Menu.Item>}
        <Menu.Item color="red" onClick={confirmRemove}>
          {own ? 'Leave team' : 'Remove'}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
