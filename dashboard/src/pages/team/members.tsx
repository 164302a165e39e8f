// The members of a team, and what an owner can do with each.
import type { Member, Role } from '@foyer/contract';
import { ActionIcon, Badge, Group, Menu, Stack, Text } from '@mantine/core';
import { EllipsisIcon, UsersIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { consoleApi, deletion } from '../../api.ts';
import { confirmAction } from '../../components/confirm.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { notifySaved } from '../../components/notify.ts';
import { openDialog } from '../../components/open-dialog.ts';
import { usePages } from '../../components/paged-list.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { personName } from '../../components/person-name.ts';
import { Time } from '../../components/time.tsx';
import { Traces } from '../../components/traces.tsx';
import { useNextPage } from '../../components/use-next-page.ts';
import { useApp } from '../../current-app.tsx';
import { useMe } from '../../member.ts';
import { ChangeRole } from './change-role.tsx';
import { membersKey, refreshTeam } from './team-query.ts';

type Props = { roles: readonly Role[]; invite: ReactNode };

export function Members({ roles, invite }: Props) {
  const { app, is } = useApp();
  const query = usePages(membersKey(app.id), (...page) => consoleApi.console.listMembers(app.id, ...page));
  return (
    <PagedTable
      query={query}
      empty={
        <EmptyState icon={UsersIcon} title="No members yet" action={invite}>
          Only owners of the service work on this app. Invite the people who should see or run it.
        </EmptyState>
      }
      keyOf={({ uid }) => uid}
      columns={[
        { title: 'Member', cell: (member) => <MemberName member={member} /> },
        { title: 'Role', width: { base: 104, sm: 140 }, cell: ({ role }) => <Badge>{role}</Badge> },
        { title: 'Joined', width: 160, isWide: true, cell: ({ created_at }) => <Time at={created_at} /> },
        {
          title: 'Actions',
          isTitleHidden: true,
          width: 56,
          cell: (member) => is('owner') && <MemberMenu member={member} roles={roles} />,
        },
      ]}
    />
  );
}

function MemberName({ member }: { member: Member }) {
  const own = useMe().user.uid === member.uid;
  const name = personName(member);
  return (
    <>
      <Group gap="xs">
        <Text size="sm" fw={500}>
          {name || member.email}
        </Text>
        {own && <Badge size="sm">You</Badge>}
        {member.second_factor && <Badge size="sm">Second factor</Badge>}
      </Group>
      {name && (
        <Text size="sm" c="dimmed">
          {member.email}
        </Text>
      )}
    </>
  );
}

function MemberMenu({ member, roles }: { member: Member; roles: readonly Role[] }) {
  const { app } = useApp();
  const { user, owner: ownsService } = useMe();
  const own = user.uid === member.uid;
  const navigate = useNextPage();

  const openChangeRole = () =>
    openDialog(`Role of ${member.email}`, (close) => (
      <ChangeRole appId={app.id} member={member} roles={roles} onClose={close} />
    ));

  function confirmRemove() {
    confirmAction({
      title: own ? 'Leave this team?' : 'Remove this member?',
      body: (
        <Stack gap="sm">
          <Text size="sm">
            {own
              ? 'You lose access with your next call, and another owner would have to invite you again. Invitations that you sent are revoked.'
              : `${member.email} loses access with the next call, in open pages too. Invitations sent by this member are revoked, and URLs of files that the member created end. The account remains and can be invited again.`}
          </Text>
          <Traces appId={app.id} of="member" id={member.uid} />
        </Stack>
      ),
      confirmLabel: own ? 'Leave team' : 'Remove member',
      run: async () => {
        await deletion(consoleApi.console.removeMember(app.id, member.uid), 'console/member-not-found');
        notifySaved(own ? 'You have left the team.' : `${member.email} is removed.`);
        if (own) await navigate({ to: '/apps' });
        await refreshTeam();
      },
    });
  }

  function confirmRemoveFactor() {
    confirmAction({
      title: 'Remove the second factor of this member?',
      body: `Do this only for a member who has lost the device with the authenticator app or the passkey, after you have verified the identity of the person who asks. The authenticator app, the recovery codes and all passkeys are removed, all sessions of ${member.email} end, and the member is notified by email.`,
      confirmLabel: 'Remove second factor',
      run: async () => {
        await deletion(consoleApi.console.removeFactors(member.uid), 'auth/second-factor-not-enrolled');
        notifySaved(`${member.email} has no second factor now.`);
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
        {/* For members without an authenticator app as well, whose second factor may be a passkey. */}
        {ownsService && !own && <Menu.Item onClick={confirmRemoveFactor}>Remove second factor</Menu.Item>}
        <Menu.Item color="red" onClick={confirmRemove}>
          {own ? 'Leave team' : 'Remove'}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
