// Signing in to the dashboard, and the reset of a forgotten password. The first script contains these pages: they use
// neither the router nor the cache of the dashboard.
import { Alert, Anchor, PasswordInput, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { client } from '../../client.ts';
import { arePasskeysOffered, ownPasskeys } from '../../own-passkeys.ts';
import { spentTicketText, type Ticket, ticketIn } from '../../own-second-factor.ts';
import { pageConfig } from '../../page-config.ts';
import { CenteredPage } from '../../shell/centered-page.tsx';
import { PlainForm, typed } from '../../shell/plain-form.tsx';
import { SecondStep } from '../../shell/second-step.tsx';
import { ForgotPassword } from './forgot-password.tsx';
import { PasskeyAutofill } from './passkey-autofill.tsx';

type Props = {
  onSignedIn: () => void;
  /** Called when the member begins to type. */
  onTyping?: () => void;
};

export function SignInPage({ onSignedIn, onTyping }: Props) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [step, setStep] = useState<'sign-in' | 'forgot' | 'reset' | 'again'>('sign-in');
  const [request, setRequest] = useState<Ticket | null>(null);

  /** The second step takes the place of this page. */
  const signInWith = (first: () => Promise<unknown>) => async () => {
    try {
      await first();
    } catch (refusal) {
      const asked = ticketIn(refusal);
      if (!asked) throw refusal;
      setRequest(asked);
      return false;
    }
    return true;
  };

  if (request) {
    return (
      <SecondStep
        request={request}
        onSignedIn={onSignedIn}
        onRestart={() => setRequest(null)}
        onSpent={() => {
          setRequest(null);
          setStep('again');
        }}
      />
    );
  }
  if (step === 'forgot') {
    return (
      <ForgotPassword
        email={email}
        onClose={() => setStep('sign-in')}
        onReset={() => {
          setPassword('');
          setStep('reset');
        }}
      />
    );
  }
  return (
    <CenteredPage title="Sign in">
      {!pageConfig.has_owner && (
        <Alert color="gray">
          There is no owner yet. Open the link that the service printed when it started, or print a new one
          with{' '}
          <Text span inherit ff="monospace">
            foyer console invite-owner
          </Text>
          .
        </Alert>
      )}
      {step === 'reset' && <Text role="status">Your password is changed. Sign in with it.</Text>}
      {step === 'again' && <Text role="status">{spentTicketText}</Text>}
      <PlainForm
        submitLabel="Sign in"
        onInput={onTyping}
        send={signInWith(() => client.auth.signIn({ email, password }))}
        onSent={(isSignedIn) => isSignedIn && onSignedIn()}
      >
        {(errors) => (
          <>
            <TextInput
              label="Email"
              type="email"
              autoComplete="username webauthn"
              autoFocus
              {...typed(email, setEmail, errors.email)}
            />
            <PasswordInput
              label="Password"
              autoComplete="current-password"
              {...typed(password, setPassword, errors.password)}
            />
          </>
        )}
      </PlainForm>
      <PasskeyAutofill signInWith={signInWith} onSignedIn={onSignedIn} />
      {arePasskeysOffered() && (
        <PlainForm
          submitLabel="Sign in with a passkey"
          variant="default"
          send={signInWith(() => {
            onTyping?.();
            return ownPasskeys.signIn();
          })}
          onSent={(isSignedIn) => isSignedIn && onSignedIn()}
        >
          {() => null}
        </PlainForm>
      )}
      <Anchor component="button" type="button" size="sm" onClick={() => setStep('forgot')}>
        Forgot your password?
      </Anchor>
    </CenteredPage>
  );
}
