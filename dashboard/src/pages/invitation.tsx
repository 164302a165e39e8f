// Accepting an invitation to a team, or the link that creates the first owner. The token is in the fragment of the URL,
// which browsers never send.
import { Group, PasswordInput, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { publicApi } from '../api.ts';
import { problemOf } from '../api-problem.ts';
import { client } from '../client.ts';
import { useApiForm } from '../components/api-form.ts';
import { ButtonLink, TextLink } from '../components/links.tsx';
import { LoadingRows } from '../components/loading-rows.tsx';
import { PageForm } from '../components/page-form.tsx';
import { ProblemAlert } from '../components/problem-alert.tsx';
import { QueryView } from '../components/query-view.tsx';
import { type Ticket, ticketIn } from '../own-second-factor.ts';
import { queryClient } from '../query-client.ts';
import { CenteredPage } from '../shell/centered-page.tsx';
import { SecondStep } from '../shell/second-step.tsx';

type Details = Awaited<ReturnType<typeof inspect>>;

/** The invitation is accepted: a second step is left, or `problem` is why no session was started. */
type Accepted = { ticket: Ticket } | { email: string; problem: unknown };

const inspect = (token: string) => publicApi.invitations.inspect({ token });

export function InvitationPage() {
  const hash = useLocation({ select: (location) => location.hash });
  const [token, setToken] = useState(hash);
  // The fragment disappears when the page is left; another link can be opened in the same tab.
  if (hash !== '' && hash !== token) setToken(hash);
  return <Invitation token={token} key={token} />;
}

function Invitation({ token }: { token: string }) {
  const query = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => inspect(token),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const router = useRouter();
  const [accepted, setAccepted] = useState<Accepted | null>(null);
  const showSignIn = () => void router.navigate({ to: '/sign-in', replace: true });

  function onSignedIn() {
    // What another member has read. The invitation is spent and must not be read again.
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'invitation' });
    void router.navigate({ to: '/apps', replace: true });
  }

  const broken = query.error && 'status' in query.error && query.error.status === 422;
  if (accepted && 'ticket' in accepted) {
    return (
      <SecondStep
        request={accepted.ticket}
        onSignedIn={onSignedIn}
        onRestart={showSignIn}
        onSpent={showSignIn}
      />
    );
  }
  if (accepted) {
    return (
      <CenteredPage title="The invitation is accepted">
        <Text>
          Your account <b>{accepted.email}</b> is ready, but you could not be signed in:
        </Text>
        <ProblemAlert error={accepted.problem} />
        <ButtonLink to="/sign-in">Sign in with your password</ButtonLink>
      </CenteredPage>
    );
  }
  return (
    <CenteredPage {...titleOf(query.data)}>
      {broken ? (
        <>
          <ProblemAlert error={query.error} shownFields={['token']} />
          <Spent />
        </>
      ) : (
        <QueryView query={query} loading={<LoadingRows rows={3} />}>
          {(details) => (
            <Accept
              token={token}
              details={details}
              onAccepted={(answer) =>
                'problem' in answer && answer.problem === null ? onSignedIn() : setAccepted(answer)
              }
            />
          )}
        </QueryView>
      )}
    </CenteredPage>
  );
}

function titleOf(details: Details | undefined) {
  if (!details) return { title: 'Invitation' };
  if (details.email === null) {
    return {
      title: 'Create the first owner',
      description: 'The owner creates apps and invites the team.',
    };
  }
  return {
    title: details.app_name === null ? 'Join as an owner' : `Join ${details.app_name}`,
    description: (
      <>
        You are invited as <b>{details.role}</b> with the email <b>{details.email}</b>.
      </>
    ),
  };
}

/** It also helps somebody whose first attempt succeeded although its response was lost. */
function Spent() {
  return (
    <Text size="sm">
      If you have accepted the invitation already, <TextLink to="/sign-in">sign in</TextLink>. Otherwise ask
      an owner for a new one.
    </Text>
  );
}

type AcceptProps = { token: string; details: Details; onAccepted: (accepted: Accepted) => void };

function Accept({ token, details, onAccepted }: AcceptProps) {
  const { form, ...submit } = useApiForm({
    initialValues: { email: '', first_name: '', last_name: '', password: '' },
    send: ({ email, password, first_name, last_name }) =>
      accept({
        token,
        password,
        ...(details.email === null && { email }),
        ...(!details.has_account && { first_name, last_name }),
      }),
    onSaved: onAccepted,
  });
  return (
    <>
      <PageForm {...submit} submitLabel={details.email === null ? 'Create owner' : 'Accept invitation'} grow>
        {details.email === null && (
          <TextInput
            label="Email"
            type="email"
            autoComplete="username"
            required
            autoFocus
            {...form.getInputProps('email')}
          />
        )}
        {!details.has_account && (
          <Group grow align="flex-start">
            <TextInput label="First name" autoComplete="given-name" {...form.getInputProps('first_name')} />
            <TextInput label="Last name" autoComplete="family-name" {...form.getInputProps('last_name')} />
          </Group>
        )}
        {details.email !== null && (
          <input type="email" autoComplete="username" value={details.email} readOnly hidden />
        )}
        <PasswordInput
          label="Password"
          description={
            details.has_account ? 'The password of your existing team account.' : 'At least 8 characters.'
          }
          autoComplete={details.has_account ? 'current-password' : 'new-password'}
          required
          {...form.getInputProps('password')}
        />
      </PageForm>
      {submit.saving.error && problemOf(submit.saving.error).code === 'console/invalid-invitation' && (
        <Spent />
      )}
    </>
  );
}

type Acceptance = Parameters<typeof publicApi.invitations.accept>[0];

async function accept(acceptance: Acceptance): Promise<Accepted> {
  let answer: Awaited<ReturnType<typeof publicApi.invitations.accept>>;
  try {
    answer = await publicApi.invitations.accept(acceptance);
  } catch (refusal) {
    // The member has joined, and only the session waits for the second step.
    const ticket = ticketIn(refusal);
    if (ticket) return { ticket };
    throw refusal;
  }
  const { email } = answer.user;
  // The SDK stores sessions that it has started itself.
  const problem = await client.auth.signIn({ email, password: acceptance.password }).then(
    () => null,
    (error: unknown) => error,
  );
  void endSession(answer.access_token);
  return { email, problem };
}

/** The session that accepting started is of no use once the SDK has its own. */
async function endSession(accessToken: string) {
  await publicApi.sessions.signOut({ headers: { authorization: `Bearer ${accessToken}` } }).catch(() => {});
}
