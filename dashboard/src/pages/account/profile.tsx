// The member's own name.
import { TextInput } from '@mantine/core';
import { consoleApi } from '../../api.ts';
import { useStoredForm } from '../../components/api-form.ts';
import { changedIn } from '../../components/form-values.ts';
import { notifySaved } from '../../components/notify.ts';
import { PageForm } from '../../components/page-form.tsx';
import { meQuery, useMe } from '../../member.ts';
import { queryClient } from '../../query-client.ts';

export function OwnProfile() {
  const { user } = useMe();
  const { form, ...submit } = useStoredForm({
    stored: user,
    valuesOf: ({ first_name, last_name }) => ({ first_name: first_name ?? '', last_name: last_name ?? '' }),
    send: (values, before) => consoleApi.profile.update(changedIn(before, values)),
    onSaved: () => {
      notifySaved('Your profile is saved.');
      void queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
    },
  });
  return (
    <PageForm {...submit}>
      <TextInput label="First name" autoComplete="given-name" {...form.getInputProps('first_name')} />
      <TextInput label="Last name" autoComplete="family-name" {...form.getInputProps('last_name')} />
    </PageForm>
  );
}
