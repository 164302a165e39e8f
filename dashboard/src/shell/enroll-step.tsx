// The enrolment of an authenticator app that a sign-in requires, and its recovery codes.
import type { TotpEnrollment } from '@foyer/sdk';
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { ProblemAlert } from '../components/problem-alert.tsx';
import { RecoveryCodes } from '../components/recovery-codes.tsx';
import { TotpSecret } from '../components/totp-secret.tsx';
import { isTicketSpent, ownSecondFactor } from '../own-second-factor.ts';
import { PlainForm, typed } from './plain-form.tsx';

export type StepProps = {
  ticket: string;
  onSignedIn: () => void;
  /** The ticket is no longer accepted: the member signs in again from the first step. */
  onSpent: () => void;
};

export function EnrollStep({ ticket, onSignedIn, onSpent }: StepProps) {
  const [enrollment, setEnrollment] = useState<TotpEnrollment | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const [code, setCode] = useState('');
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const restartIfSpent = (refusal: unknown) => isTicketSpent(refusal) && onSpent();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same ticket always returns the same secret.
  useEffect(() => {
    ownSecondFactor.enroll(ticket).then(setEnrollment, (refusal) => {
      setProblem(refusal);
      restartIfSpent(refusal);
    });
  }, [ticket]);

  if (problem !== null) return <ProblemAlert error={problem} />;
  if (codes) {
    return (
      <Stack>
        <RecoveryCodes codes={codes} />
        <Button onClick={onSignedIn}>I have stored them</Button>
      </Stack>
    );
  }
  if (!enrollment) return <Text size="sm">Loading…</Text>;
  return (
    <PlainForm
      submitLabel="Confirm"
      send={async () => setCodes((await ownSecondFactor.confirmEnrollment({ ticket, code })).recovery_codes)}
      onSent={() => {}}
      onRefused={restartIfSpent}
    >
      {(errors) => (
        <>
          <TotpSecret enrollment={enrollment} />
          <TextInput
            label="Code that the app shows"
            inputMode="numeric"
            autoComplete="one-time-code"
            {...typed(code, setCode, errors.code)}
          />
        </>
      )}
    </PlainForm>
  );
}
