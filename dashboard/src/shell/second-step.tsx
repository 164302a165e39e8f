// The second step of a sign-in: a code or a passkey, or the enrolment that the owners require.
import { Anchor, Text, TextInput } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { ErrorState } from '../components/error-state.tsx';
import { arePasskeysOffered, ownPasskeys } from '../own-passkeys.ts';
import { isTicketSpent, ownSecondFactor, proofOf, type Ticket, takesCode } from '../own-second-factor.ts';
import { pageConfig } from '../page-config.ts';
import { CenteredPage } from './centered-page.tsx';
import type { StepProps } from './enroll-step.tsx';
import { PlainForm, typed } from './plain-form.tsx';

/** Drawing a QR code is needed once in the life of an account. */
const EnrollStep = lazy(() =>
  import('./enroll-step.tsx').then(
    ({ EnrollStep }) => ({ default: EnrollStep }),
    // Thrown while React renders, it would leave an empty page.
    (error) => ({ default: () => <ErrorState error={error} onRetry={() => location.reload()} /> }),
  ),
);

type Props = Omit<StepProps, 'ticket'> & { request: Ticket; onRestart: () => void };

export function SecondStep({ request, onSignedIn, onRestart, onSpent }: Props) {
  const { ticket, factors } = request;
  const step = { ticket, onSignedIn, onSpent };
  const restart = (
    <Anchor component="button" type="button" size="sm" onClick={onRestart}>
      Back to sign-in
    </Anchor>
  );
  if (factors.includes('enroll')) {
    return (
      <CenteredPage
        title="Set up a second factor"
        description="The owners of this service require one of every member."
      >
        <Suspense fallback={<Text size="sm">Loading…</Text>}>
          <EnrollStep {...step} />
        </Suspense>
        {restart}
      </CenteredPage>
    );
  }
  if (!takesCode(request)) {
    return (
      <CenteredPage
        title="Use your passkey"
        description="The owners of this service require a second factor, and yours is a passkey."
      >
        {arePasskeysOffered() ? (
          <UsePasskey onSignedIn={onSignedIn} variant="filled" />
        ) : (
          <Text size="sm">
            There are no passkeys here. Open the dashboard at {new URL(pageConfig.api).origin}, in a browser
            that has yours.
          </Text>
        )}
        {restart}
      </CenteredPage>
    );
  }
  return (
    <CenteredPage title="Enter the code" description="Your account has a second factor.">
      <TypedCode {...step} />
      {factors.includes('passkey') && arePasskeysOffered() && (
        <UsePasskey onSignedIn={onSignedIn} variant="default" />
      )}
      {restart}
    </CenteredPage>
  );
}

function TypedCode({ ticket, onSignedIn, onSpent }: StepProps) {
  const [code, setCode] = useState('');
  return (
    <PlainForm
      submitLabel="Continue"
      send={() => ownSecondFactor.complete({ ticket, ...proofOf(code) })}
      onSent={onSignedIn}
      onRefused={(refusal) => isTicketSpent(refusal) && onSpent()}
    >
      {(errors) => (
        <TextInput
          label="Code of your authenticator app, or a recovery code"
          autoComplete="one-time-code"
          autoFocus
          {...typed(code, setCode, errors.totp ?? errors.recovery_code)}
        />
      )}
    </PlainForm>
  );
}

/** A passkey that verifies its user is both steps of a sign-in. */
function UsePasskey({ onSignedIn, variant }: { onSignedIn: () => void; variant: 'default' | 'filled' }) {
  return (
    <PlainForm
      submitLabel="Use a passkey"
      variant={variant}
      send={() => ownPasskeys.signIn()}
      onSent={onSignedIn}
    >
      {() => null}
    </PlainForm>
  );
}
