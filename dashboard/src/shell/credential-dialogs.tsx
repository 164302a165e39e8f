// The dialogs that ask for a password or passkey over the open page, which keeps its input: after the session has ended, and before
// a call that requires a recent sign-in.
import { type SecondFactorRequest, secondFactorOf } from '@foyer/sdk';
import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ApiProblem } from '../api-problem.ts';
import { client } from '../client.ts';
import { ProblemAlert } from '../components/problem-alert.tsx';
import { meQuery } from '../member.ts';
import { arePasskeysOffered, ownPasskeys } from '../own-passkeys.ts';
import { isTicketSpent, ownSecondFactor, proofOf, spentTicketText, takesCode } from '../own-second-factor.ts';
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

function leaveToSignIn() {
  location.assign('/dashboard/sign-in');
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
  const [code, setCode] = useState('');
  /** What the second step asks for, once the first has held. */
  const [second, setSecond] = useState<SecondFactorRequest | null>(null);
  const [sending, setSending] = useState(false);

  async function send(work: () => Promise<unknown>) {
    setSending(true);
    setError(null);
    try {
      await work();
      if (request === 'recent-sign-in') answerCredentialRequest(true);
    } catch (reason) {
      const asked = secondFactorOf(reason);
      // The recovery codes of an enrolment are shown by the page to sign in with.
      if (asked?.factors.includes('enroll')) return leaveToSignIn();
      if (asked) setSecond(asked);
      else if (second?.ticket && isTicketSpent(reason)) restart();
      else setError(reason);
    } finally {
      setSending(false);
    }
  }

  function restart() {
    setSecond(null);
    setCode('');
    setError(new ApiProblem('auth/invalid-token', spentTicketText));
  }

  async function withPassword() {
    const step = second ? proofOf(code) : undefined;
    if (request === 'recent-sign-in') return client.auth.reauthenticate({ password, ...step });
    if (second?.ticket && step) return ownSecondFactor.complete({ ticket: second.ticket, ...step });
    return client.auth.signIn({ email, password });
  }

  const withPasskey = async () =>
    request === 'sign-in'
      ? ownPasskeys.signIn()
      : client.auth.reauthenticate({ passkey: await ownPasskeys.proof() });

  // A ticket stands for the first step; a reauthentication is repeated with both.
  const hasTicket = typeof second?.ticket === 'string';
  const needsPasskey = second !== null && !takesCode(second);

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void send(withPassword);
      }}
    >
      <Stack>
        <Text size="sm">
          {request === 'sign-in'
            ? 'Your session has ended. Sign in to continue; what you have entered on this page is still there.'
            : 'This change requires a recent sign-in. Enter your password to continue; for the next 5 minutes you are not asked again.'}
        </Text>
        {needsPasskey && <Text size="sm">Your second factor is a passkey.</Text>}
        {request === 'recent-sign-in' && (
          <input type="email" autoComplete="username" value={email} readOnly hidden />
        )}
        {request === 'sign-in' && !hasTicket && (
          <TextInput
            label="Email"
            type="email"
            autoComplete="username"
            required
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
        )}
        {!hasTicket && (
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            data-autofocus
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
        )}
        {second && !needsPasskey && (
          <TextInput
            label="Code of your authenticator app, or a recovery code"
            autoComplete="one-time-code"
            required
            autoFocus
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        )}
        {error !== null && <ProblemAlert error={error} />}
        <Group justify="flex-end">
          {request === 'sign-in' ? (
            <Button variant="default" onClick={leaveToSignIn} disabled={sending}>
              Leave this page
            </Button>
          ) : (
            <Button variant="default" onClick={decline} disabled={sending}>
              Cancel
            </Button>
          )}
          {arePasskeysOffered() && (
            <Button variant="default" onClick={() => void send(withPasskey)} disabled={sending}>
              Use a passkey
            </Button>
          )}
          {!needsPasskey && (
            <Button type="submit" loading={sending}>
              {request === 'sign-in' ? 'Sign in' : 'Continue'}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
