// What can be done with the selected users. Changes are one call for each user, so that what failed is known and can be
// repeated.
import type { AdminUser } from '@foyer/contract';
import { Text } from '@mantine/core';
import { openDialog } from '../../components/open-dialog.ts';
import { RoleButton } from '../../components/role-button.tsx';
import { useApp } from '../../current-app.tsx';
import { AddPoints } from './add-points.tsx';
import { openRun, RunForm } from './run-dialog.tsx';
import { SendPush } from './send-push.tsx';

type Props = { selected: AdminUser[]; select: (users: AdminUser[]) => void };

const small = { size: 'xs', variant: 'default' } as const;

export function SelectedUsers({ selected, select }: Props) {
  const current = useApp();
  const { api } = current;
  const users = selected.length === 1 ? 'one user' : `${selected.length} users`;
  const selection = { current, users: selected, select };

  function openDisable() {
    openRun(`Disable ${users}?`, selection, (props) => (
      <RunForm
        {...props}
        confirmLabel={`Disable ${users}`}
        destructive
        change={({ uid }) => api.users.update(uid, { disabled: true })}
      >
        <Text size="sm">Their sessions end now, and they cannot sign in until they are enabled.</Text>
      </RunForm>
    ));
  }

  function openEnable() {
    openRun(`Enable ${users}?`, selection, (props) => (
      <RunForm
        {...props}
        confirmLabel={`Enable ${users}`}
        change={({ uid }) => api.users.update(uid, { disabled: false })}
      >
        <Text size="sm">They can sign in again. Sessions that ended do not come back.</Text>
      </RunForm>
    ));
  }

  function openEndSessions() {
    openRun(`End the sessions of ${users}?`, selection, (props) => (
      <RunForm
        {...props}
        confirmLabel="End sessions"
        destructive
        change={({ uid }) => api.users.revokeSessions(uid)}
      >
        <Text size="sm">They are signed out on every device, and can sign in again.</Text>
      </RunForm>
    ));
  }

  return (
    <>
      {selected.some(({ disabled }) => !disabled) && (
        <RoleButton {...small} needs={{ scope: 'users:support' }} onClick={openDisable}>
          Disable
        </RoleButton>
      )}
      {selected.some(({ disabled }) => disabled) && (
        <RoleButton {...small} needs={{ scope: 'users:support' }} onClick={openEnable}>
          Enable
        </RoleButton>
      )}
      <RoleButton {...small} needs={{ scope: 'users:support' }} onClick={openEndSessions}>
        End sessions
      </RoleButton>
      <RoleButton
        {...small}
        needs={{ scope: 'loyalty:write' }}
        onClick={() => openRun(`Add points to ${users}`, selection, (props) => <AddPoints {...props} />)}
      >
        Add points
      </RoleButton>
      <RoleButton
        {...small}
        needs={{ scope: 'push:send' }}
        onClick={() => openDialog(`Push to ${users}`, (close) => <SendPush {...selection} onClose={close} />)}
      >
        Push
      </RoleButton>
    </>
  );
}
