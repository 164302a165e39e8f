// What the team can do to an account: disable and enable, end its sessions, delete.
import type { AdminUser } from '@foyer/contract';
import { List, Text } from '@mantine/core';
import { deletion } from '../../api.ts';
import { confirmAction } from '../../components/confirm.tsx';
import { useListSearch } from '../../components/list-search.ts';
import { notifySaved } from '../../components/notify.ts';
import { personText } from '../../components/people.ts';
import { RoleButton } from '../../components/role-button.tsx';
import { useNextPage } from '../../components/use-next-page.ts';
import { useApp } from '../../current-app.tsx';
import { queryClient } from '../../query-client.ts';
import { refreshUser, refreshUsers, storeUser, userQuery } from './user-query.ts';

const needs = { scope: 'users:support' } as const;

export function UserActions({ user }: { user: AdminUser }) {
  const current = useApp();
  const { api } = current;
  const navigate = useNextPage();
  const listSearch = useListSearch();
  const name = personText(user);

  async function setDisabled(disabled: boolean) {
    storeUser(current, await api.users.update(user.uid, { disabled }));
    void refreshUser(current, user.uid);
    notifySaved(disabled ? `${user.email} is disabled.` : `${user.email} is enabled.`);
  }

  function confirmDisabled() {
    confirmAction({
      title: user.disabled ? `Enable ${name}?` : `Disable ${name}?`,
      body: user.disabled
        ? 'The user can sign in again. Sessions that ended do not come back.'
        : 'All sessions end now, and the user cannot sign in until you enable the account again. Nothing is deleted.',
      confirmLabel: user.disabled ? 'Enable user' : 'Disable user',
      destructive: !user.disabled,
      run: () => setDisabled(!user.disabled),
    });
  }

  function confirmEndSessions() {
    confirmAction({
      title: `End all sessions of ${name}?`,
      body: 'The user is signed out on every device at once, including apps that still use v1, and can sign in again.',
      confirmLabel: 'End sessions',
      run: async () => {
        await api.users.revokeSessions(user.uid);
        await refreshUser(current, user.uid);
        notifySaved('All sessions have ended.');
      },
    });
  }

  function confirmDelete() {
    confirmAction({
      title: `Delete ${name}?`,
      body: <Consequences />,
      confirmLabel: 'Delete user',
      typeToConfirm: user.email,
      run: async () => {
        await deletion(api.users.delete(user.uid), 'auth/user-not-found');
        notifySaved(`${user.email} is deleted.`);
        await navigate({
          to: '/apps/$appId/users',
          params: { appId: current.app.id },
          search: listSearch,
          ignoreBlocker: true,
        });
        queryClient.removeQueries({ queryKey: userQuery(current, user.uid).queryKey });
        refreshUsers(current);
      },
    });
  }

  return (
    <>
      <RoleButton needs={needs} px="sm" variant="default" onClick={confirmEndSessions}>
        End sessions
      </RoleButton>
      <RoleButton needs={needs} px="sm" variant="default" onClick={confirmDisabled}>
        {user.disabled ? 'Enable' : 'Disable'}
      </RoleButton>
      <RoleButton
        needs={{ scope: 'users:write' }}
        px="sm"
        variant="light"
        color="red"
        onClick={confirmDelete}
      >
        Delete
      </RoleButton>
    </>
  );
}

function Consequences() {
  return (
    <>
      <Text size="sm">This cannot be undone. At once:</Text>
      <List size="sm" my="xs">
        <List.Item>all sessions end on every device;</List.Item>
        <List.Item>
          the profile, linked providers, points and their history, files, push devices and the notes of the
          team are deleted;
        </List.Item>
        <List.Item>records are deleted or kept as each collection is set up;</List.Item>
        <List.Item>the user is notified by email;</List.Item>
        <List.Item>the audit log keeps the user id, without email, name and IP address.</List.Item>
      </List>
      <Text size="sm">The email can be used for a new account.</Text>
    </>
  );
}
