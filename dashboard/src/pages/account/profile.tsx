// The member's own name.
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { consoleApi, dataOf } from '../../api.ts';
import { useStoredForm } from '../../components/api-form.ts';
import { changedIn } from '../../components/form-values.ts';
import { notifySaved } from '../../components/notify.ts';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { meQuery, useMe } from '../../member.ts';
import { queryClient } from '../../query-client.ts';

export function OwnProfile() {
  const { user } = useMe();
  const { form, saving, onSubmit, dirty } = useStoredForm({
    stored: user,
    valuesOf: ({ first_name, last_name }) => ({ first_name: first_name ?? '', last_name: last_name ?? '' }),
    send: (values, before) => dataOf(consoleApi.profile.update({ body: changedIn(before, values) })),
    onSaved: () => {
      notifySaved('Your profile is saved.');
      void queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
    },
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <TextInput label="First name" autoComplete="given-name" {...form.getInputProps('first_name')} />
        <TextInput label="Last name" autoComplete="family-name" {...form.getInputProps('last_name')} />
        {saving.error && <ProblemAlert error={saving.error} shownFields={['first_name', 'last_name']} />}
        <Group>
          <Button type="submit" loading={saving.isPending} disabled={!dirty}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
