// The form that creates a user.
import { Checkbox, Group, PasswordInput, TextInput } from '@mantine/core';
import { useApiForm } from '../../components/api-form.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { notifySaved } from '../../components/notify.ts';
import { useNextPage } from '../../components/use-next-page.ts';
import type { CurrentApp } from '../../current-app.tsx';
import { queryClient } from '../../query-client.ts';

type Props = { current: CurrentApp; onClose: () => void };

export function CreateUser({ current: { app, api }, onClose }: Props) {
  const navigate = useNextPage();
  const { form, ...submit } = useApiForm({
    initialValues: { email: '', first_name: '', last_name: '', password: '', email_verified: false },
    send: ({ password, ...values }) => api.users.create({ ...values, ...(password !== '' && { password }) }),
    onSaved: (user) => {
      notifySaved(`${user.email} is created.`);
      void queryClient.invalidateQueries({ queryKey: [app.id, 'users'] });
      onClose();
      void navigate({ to: '/apps/$appId/users/$uid', params: { appId: app.id, uid: user.uid } });
    },
  });
  return (
    <DialogForm {...submit} submitLabel="Create user" onClose={onClose}>
      <TextInput label="Email" type="email" required data-autofocus {...form.getInputProps('email')} />
      <Group grow align="flex-start">
        <TextInput label="First name" {...form.getInputProps('first_name')} />
        <TextInput label="Last name" {...form.getInputProps('last_name')} />
      </Group>
      <PasswordInput
        label="Password"
        description="Optional: without one, the user signs in with an emailed code or a provider."
        autoComplete="new-password"
        {...form.getInputProps('password')}
      />
      <Checkbox
        label="The email is verified"
        description="Check it only if you know that the email belongs to this person."
        {...form.getInputProps('email_verified', { type: 'checkbox' })}
      />
    </DialogForm>
  );
}
