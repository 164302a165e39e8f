// The reset of a forgotten password with an emailed code.
import { Anchor, PasswordInput, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { client } from '../../client.ts';
import { useApiForm } from '../../components/api-form.ts';
import { notifySaved } from '../../components/notify.ts';
import { PageForm } from '../../components/page-form.tsx';
import { CenteredPage } from '../../shell/centered-page.tsx';

type Props = { email: string; onClose: () => void };

export function ForgotPassword({ email, onClose }: Props) {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const back = (
    <Anchor component="button" type="button" size="sm" onClick={onClose}>
      Back to sign-in
    </Anchor>
  );
  return sentTo === null ? (
    <CenteredPage title="Reset your password" description="We mail you a code that is valid for 10 minutes.">
      <SendCode email={email} onSent={setSentTo} />
      {back}
    </CenteredPage>
  ) : (
    <CenteredPage
      title="Enter the code"
      description={
        <>
          If <b>{sentTo}</b> belongs to a team member, a code is on its way.
        </>
      }
    >
      <ResetPassword email={sentTo} onDone={onClose} />
      {back}
    </CenteredPage>
  );
}

function SendCode({ email, onSent }: { email: string; onSent: (email: string) => void }) {
  const { form, ...submit } = useApiForm({
    initialValues: { email },
    send: (values) => client.auth.password.forgot(values.email).then(() => values.email),
    onSaved: onSent,
  });
  return (
    <PageForm {...submit} submitLabel="Send code" grow>
      <TextInput
        label="Email"
        type="email"
        autoComplete="username"
        required
        autoFocus
        {...form.getInputProps('email')}
      />
    </PageForm>
  );
}

function ResetPassword({ email, onDone }: { email: string; onDone: () => void }) {
  const { form, ...submit } = useApiForm({
    initialValues: { code: '', password: '' },
    send: ({ code, password }) => client.auth.password.reset({ email, code: code.trim(), password }),
    onSaved: () => {
      notifySaved('Your password is changed. Sign in with it.');
      onDone();
    },
  });
  return (
    <PageForm {...submit} submitLabel="Change password" grow>
      <TextInput
        label="Code"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        autoFocus
        {...form.getInputProps('code')}
      />
      <PasswordInput
        label="New password"
        description="At least 8 characters."
        autoComplete="new-password"
        required
        {...form.getInputProps('password')}
      />
      <Text size="sm" c="dimmed">
        All your sessions end.
      </Text>
    </PageForm>
  );
}
