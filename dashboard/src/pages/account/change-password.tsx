// A new password for the member.
import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { consoleApi, dataOf } from '../../api.ts';
import { useApiForm } from '../../components/api-form.ts';
import { notifySaved } from '../../components/notify.ts';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { useMe } from '../../member.ts';
import { queryClient } from '../../query-client.ts';
import { ownSessionsKey } from './own-sessions.ts';

export function ChangePassword() {
  const { user } = useMe();
  const { form, saving, onSubmit } = useApiForm({
    initialValues: { current_password: '', password: '' },
    send: (body) => dataOf(consoleApi.passwords.change({ body })),
    onSaved: () => {
      form.reset();
      notifySaved('Your password is changed. Your other devices are signed out.');
      void queryClient.invalidateQueries({ queryKey: ownSessionsKey });
    },
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack>
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
        {saving.error && <ProblemAlert error={saving.error} shownFields={['current_password', 'password']} />}
        <Text size="sm" c="dimmed">
          Every other device is signed out.
        </Text>
        <Group>
          <Button type="submit" variant="default" loading={saving.isPending}>
            Change password
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
