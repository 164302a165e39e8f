// The reset of a forgotten password with an emailed code.
import { Anchor, PasswordInput, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { client } from '../../client.ts';
import { CenteredPage } from '../../shell/centered-page.tsx';
import { PlainForm, typed } from '../../shell/plain-form.tsx';

type Props = { email: string; onClose: () => void; onReset: () => void };

export function ForgotPassword({ email, onClose, onReset }: Props) {
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
      <ResetPassword email={sentTo} onReset={onReset} />
      {back}
    </CenteredPage>
  );
}

function SendCode({ email: given, onSent }: { email: string; onSent: (email: string) => void }) {
  const [email, setEmail] = useState(given);
  return (
    <PlainForm
      submitLabel="Send code"
      send={() => client.auth.password.forgot(email)}
      onSent={() => onSent(email)}
    >
      {(errors) => (
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          autoFocus
          {...typed(email, setEmail, errors.email)}
        />
      )}
    </PlainForm>
  );
}

function ResetPassword({ email, onReset }: { email: string; onReset: () => void }) {
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  return (
    <PlainForm
      submitLabel="Change password"
      send={() => client.auth.password.reset({ email, code: code.trim(), password })}
      onSent={onReset}
    >
      {(errors) => (
        <>
          <input type="email" autoComplete="username" value={email} readOnly hidden />
          <TextInput
            label="Code"
            inputMode="numeric"
            autoComplete="one-time-code"
            autoFocus
            {...typed(code, setCode, errors.code)}
          />
          <PasswordInput
            label="New password"
            description="At least 8 characters."
            autoComplete="new-password"
            {...typed(password, setPassword, errors.password)}
          />
          <Text size="sm" c="dimmed">
            All your sessions end.
          </Text>
        </>
      )}
    </PlainForm>
  );
}
