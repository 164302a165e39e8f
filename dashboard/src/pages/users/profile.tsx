// The profile of a user, and facts that cannot be edited.
import type { AdminUser } from '@foyer/contract';
import { Checkbox, Group, Paper, SimpleGrid, Stack, TextInput, Title } from '@mantine/core';
import { useStoredForm } from '../../components/api-form.ts';
import { Copyable } from '../../components/copyable.tsx';
import { Fact } from '../../components/fact.tsx';
import { changedIn } from '../../components/form-values.ts';
import { notifySaved } from '../../components/notify.ts';
import { PageForm } from '../../components/page-form.tsx';
import { providerName } from '../../components/provider-name.ts';
import { RoleNote } from '../../components/role-note.tsx';
import { Time } from '../../components/time.tsx';
import { useApp } from '../../current-app.tsx';
import { storeUser } from './user-query.ts';

const needs = { scope: 'users:write' } as const;

export function Profile({ user }: { user: AdminUser }) {
  const { can } = useApp();
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
      {can(needs.scope) ? <ProfileForm user={user} /> : <ProfileText user={user} />}
      <Facts user={user} />
    </SimpleGrid>
  );
}

function valuesOf(user: AdminUser) {
  return {
    email: user.email,
    email_verified: user.email_verified,
    first_name: user.first_name ?? '',
    last_name: user.last_name ?? '',
    photo_url: user.photo_url ?? '',
    member_id: user.member_id,
  };
}

function ProfileForm({ user }: { user: AdminUser }) {
  const current = useApp();
  const { form, ...submit } = useStoredForm({
    stored: user,
    valuesOf,
    send: (values, before) => {
      const changed = changedIn(before, values);
      // A changed email counts as unverified unless the call says otherwise.
      if (changed.email !== undefined) changed.email_verified = values.email_verified;
      const body = Object.fromEntries(
        Object.entries(changed).map(([name, value]) => [name, value === '' ? null : value]),
      );
      return current.api.users.update(user.uid, body);
    },
    onSaved: (saved) => {
      storeUser(current, saved);
      notifySaved('The profile is saved.');
    },
  });
  const emailChanged = form.values.email.trim().toLowerCase() !== user.email;
  return (
    <PageForm {...submit} needs={needs}>
      <TextInput
        label="Email"
        type="email"
        required
        {...(emailChanged && { description: 'The user receives an email about the change.' })}
        {...form.getInputProps('email')}
        onChange={({ currentTarget: { value: email } }) =>
          form.setValues({ email, email_verified: email === user.email && user.email_verified })
        }
      />
      <Checkbox
        label="The email is verified"
        {...form.getInputProps('email_verified', { type: 'checkbox' })}
      />
      <Group grow align="flex-start">
        <TextInput label="First name" {...form.getInputProps('first_name')} />
        <TextInput label="Last name" {...form.getInputProps('last_name')} />
      </Group>
      <TextInput label="Photo URL" placeholder="https://" {...form.getInputProps('photo_url')} />
      <TextInput label="Member id" required {...form.getInputProps('member_id')} />
    </PageForm>
  );
}

/** The same for a member who may not change it. */
function ProfileText({ user }: { user: AdminUser }) {
  return (
    <Stack gap="sm">
      <Fact name="Email">
        {user.email} ({user.email_verified ? 'verified' : 'not verified'})
      </Fact>
      <Fact name="First name">{user.first_name ?? 'Not given'}</Fact>
      <Fact name="Last name">{user.last_name ?? 'Not given'}</Fact>
      <Fact name="Photo URL">{user.photo_url ?? 'Not given'}</Fact>
      <Fact name="Member id">{user.member_id}</Fact>
      <RoleNote needs={needs} />
    </Stack>
  );
}

function Facts({ user }: { user: AdminUser }) {
  const ways = [
    ...(user.has_password ? ['Password'] : []),
    ...user.providers.map(providerName),
    'Emailed code',
  ];
  return (
    <Paper withBorder p="lg" style={{ alignSelf: 'start' }}>
      <Title order={2} mb="md">
        Account
      </Title>
      <Stack gap="sm">
        <Fact name="User id">
          <Copyable value={user.uid} label="user id" />
        </Fact>
        <Fact name="Can sign in with">{ways.join(', ')}</Fact>
        <Fact name="Points">{user.points.toLocaleString()}</Fact>
        <Fact name="Created">
          <Time at={user.created_at} />
        </Fact>
        <Fact name="Last sign-in">
          <Time at={user.last_sign_in_at} />
        </Fact>
        <Fact name="Last active">
          <Time at={user.last_active_at} />
        </Fact>
        <Fact name="Last use of v1">
          <Time at={user.v1_last_used_at} />
        </Fact>
      </Stack>
    </Paper>
  );
}
