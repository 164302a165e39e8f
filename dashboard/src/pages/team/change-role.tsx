// The form that changes the role of a member.
import type { Member, Role } from '@foyer/contract';
import { Text } from '@mantine/core';
import { consoleApi } from '../../api.ts';
import { useApiForm } from '../../components/api-form.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { notifySaved } from '../../components/notify.ts';
import { RoleChoice } from './role-choice.tsx';
import { refreshTeam } from './team-query.ts';

type Props = { appId: string; member: Member; roles: readonly Role[]; onClose: () => void };

export function ChangeRole({ appId, member, roles, onClose }: Props) {
  const { form, ...submit } = useApiForm({
    initialValues: { role: member.role as string },
    send: ({ role }) => consoleApi.console.updateMember(appId, member.uid, { role: role as Role }),
    onSaved: ({ email, role }) => {
      notifySaved(`${email} now has the role ${role}.`);
      onClose();
      void refreshTeam();
    },
  });
  return (
    <DialogForm {...submit} submitLabel="Change role" disabled={!form.isDirty()} onClose={onClose}>
      <RoleChoice
        roles={roles}
        value={form.values.role}
        onChange={(role) => form.setFieldValue('role', role)}
      />
      <Text size="sm" c="dimmed">
        The new role applies with the next call of the member.
      </Text>
    </DialogForm>
  );
}
