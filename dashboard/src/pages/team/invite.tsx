// The form that invites a member. The link of the invitation is shown once, for when the mail does not arrive.
import type { NewInvitation, Role } from '@foyer/contract';
import { TextInput } from '@mantine/core';
import { consoleApi } from '../../api.ts';
import { useApiForm } from '../../components/api-form.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { showOnce } from '../../components/shown-once.tsx';
import { RoleChoice } from './role-choice.tsx';
import { refreshTeam } from './team-query.ts';

type Props = { appId: string; roles: readonly Role[]; onClose: () => void };

export function Invite({ appId, roles, onClose }: Props) {
  const { form, ...submit } = useApiForm({
    initialValues: { email: '', role: roles[0] as string },
    send: ({ email, role }) => consoleApi.console.invite(appId, { email, role: role as Role }),
    onSaved: (invitation) => {
      onClose();
      showLink(invitation);
      void refreshTeam();
    },
  });
  return (
    <DialogForm {...submit} submitLabel="Send invitation" onClose={onClose}>
      <TextInput label="Email" type="email" required data-autofocus {...form.getInputProps('email')} />
      {roles.length > 1 && (
        <RoleChoice
          roles={roles}
          value={form.values.role}
          onChange={(role) => form.setFieldValue('role', role)}
        />
      )}
    </DialogForm>
  );
}

function showLink({ email, link, mailed }: NewInvitation) {
  showOnce({
    title: mailed ? 'The invitation is sent' : 'Pass the invitation on',
    label: 'Invitation link',
    value: link,
    ...(mailed && { doneLabel: 'Done' }),
    children: mailed
      ? `A link was mailed to ${email}. If the mail does not arrive, pass on this one: anyone who has it can accept the invitation.`
      : `No mail was sent. Pass this link on to ${email} in a private message: anyone who has it can accept the invitation.`,
  });
}
