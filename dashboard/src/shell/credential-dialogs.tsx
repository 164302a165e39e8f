// The dialogs that ask for a password over the open page, which keeps its input: after the session has ended, and before
// a call that requires a recent sign-in.
import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { client } from '../client.ts';
import { ProblemAlert } from '../components/problem-alert.tsx';
import { meQuery } from '../member.ts';
import { queryClient } from '../query-client.ts';
import {
  answerCredentialRequest,
  type CredentialRequest,
  lastSignedInMember,
  useCredentialRequest,
} from '../session.ts';

export function CredentialDialogs() {
  const request = useCredentialRequest();
  return (
    <Modal
      opened={request !== null}
      onClose={decline}
      title={request === 'sign-in' ? 'Sign in again' : 'Confirm that it is you'}
      closeOnClickOutside={false}
      withCloseButton={request !== 'sign-in'}
      closeOnEscape={request !== 'sign-in'}
      zIndex={400}
    >
      {request && <CredentialForm key={request} request={request} />}
    </Modal>
  );
}

function decline() {
  answerCredentialRequest(false);
}

function CredentialForm({ request }: { request: CredentialRequest }) {
  // The session began with an email that the member may have changed since.
  const [email, setEmail] = useState(
    queryClient.getQueryData(meQuery.queryKey)?.user.email ?? lastSignedInMember()?.email ?? '',
  );
  const [password, setPassword] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [sending, setSending] = useState(false);

  async function send() {
    setSending(true);
    setError(null);
    try {
      if (request === 'sign-in') {
        await client.auth.signIn({ email, password });
      } else {
        await client.auth.reauthenticate({ password });
        answerCredentialRequest(true);
      }
    } catch (reason) {
      setError(reason);
    } finally {
      setSending(false);
    }
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Stack>
        <Text size="sm">
          {request === 'sign-in'
            ? 'Your session has ended. Sign in to go on; what you have entered on this page is still there.'
            : 'This change requires a recent sign-in. Enter your password to go on.'}
        </Text>
        {request === 'sign-in' && (
          <TextInput
            label="Email"
            type="email"
            autoComplete="username"
            required
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
        )}
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          data-autofocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {error !== null && <ProblemAlert error={error} />}
        <Group justify="flex-end">
          {request === 'sign-in' ? (
            <Button
              variant="default"
              onClick={() => location.assign('/dashboard/sign-in')}
              disabled={sending}
            >
              Leave this page
            </Button>
          ) : (
            <Button variant="default" onClick={decline} disabled={sending}>
              Cancel
            </Button>
          )}
          <Button type="submit" loading={sending}>
            {request === 'sign-in' ? 'Sign in' : 'Continue'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
