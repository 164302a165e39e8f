// A new password for the member.
import { PasswordInput, Text } from '@mantine/core';
import { consoleApi } from '../../api.ts';
import { useApiForm } from '../../components/api-form.ts';
import { notifySaved } from '../../components/notify.ts';
import { PageForm } from '../../components/page-form.tsx';
import { useMe } from '../../member.ts';
import { queryClient } from '../../query-client.ts';
import { ownSessionsKey } from './own-sessions.ts';

export function ChangePassword() {
  const { user } = useMe();
  const { form, ...submit } = useApiForm({
    initialValues: { current_password: '', password: '' },
    send: (body) => consoleApi.passwords.change(body),
    onSaved: () => {
      form.reset();
      notifySaved('Your password is changed. Your other devices are signed out.');
      void queryClient.invalidateQueries({ queryKey: ownSessionsKey });
    },
  });
  return (
    <PageForm {...submit} submitLabel="Change password" variant="default">
      <input type="email" autoComplete="username" value={user.email} readOnly hidden />
      <PasswordInput
        label="Current password"
        autoComplete="current-password"
        required
        {...form.getInputProps('current_password')}
      />
      <PasswordInput
        label="New password"
        description="At least 8 characters."
        autoComplete="new-password"
        required
        {...form.getInputProps('password')}
      />
      <Text size="sm" c="dimmed">
        Every other device is signed out.
      </Text>
    </PageForm>
  );
}
