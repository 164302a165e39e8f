// The second step of a sign-in: a code of the authenticator app, a recovery code or a passkey; or, where the app requires a
// second factor and the user has none, its enrolment.
import { isFoyerError, type SecondFactorRequest, secondFactor, secondFactorOf } from '@foyer/sdk';
import { useEffect, useState } from 'react';
import { Form, Problem, useAction } from './action';
import { TotpSetup } from './authenticator-app';
import { client } from './foyer';
import { PasskeyButton } from './passkey-sign-in';

/** Runs a sign-in as far as it goes without a second step. */
export type FirstStep = (signIn: () => Promise<unknown>) => Promise<void>;

const own = secondFactor(client);
const storedAs = 'second-step';

/** The second step that a sign-in waits for. It survives a reload of the page, for example to look into a password manager. */
export function useSecondStep() {
  const [request, setRequest] = useState<SecondFactorRequest | null>(() =>
    JSON.parse(sessionStorage.getItem(storedAs) ?? 'null'),
  );

  const firstStep: FirstStep = async (signIn) => {
    try {
      await signIn();
    } catch (error) {
      const asked = secondFactorOf(error);
      if (!asked?.ticket) throw error;
      sessionStorage.setItem(storedAs, JSON.stringify(asked));
      setRequest(asked);
    }
  };

  function end() {
    sessionStorage.removeItem(storedAs);
    setRequest(null);
  }
  return { request, firstStep, end };
}

interface SecondStepProps {
  request: SecondFactorRequest;
  /** Receives what to tell the user when the sign-in starts again. */
  onEnd: (message?: string) => void;
  onRecoveryCodes: (codes: readonly string[]) => void;
}

export function SecondStep({ request, onEnd, onRecoveryCodes }: SecondStepProps) {
  const { factors } = request;
  const ticket = request.ticket ?? '';

  async function withTicket(step: () => Promise<unknown>) {
    try {
      await step();
    } catch (error) {
      // The ticket is used up or too old.
      if (!isFoyerError(error, 'auth/invalid-token')) throw error;
      onEnd('The sign-in took too long, or had too many wrong codes. Please start again.');
    }
  }
  const finish: FirstStep = (step) => withTicket(() => step().then(() => onEnd()));

  return (
    <main className="narrow">
      <h1>{factors.includes('enroll') ? 'Set up a second factor' : 'Second step'}</h1>
      {factors.includes('enroll') && <Enrolment {...{ ticket, withTicket, finish, onRecoveryCodes }} />}
      {factors.includes('totp') && <Code ticket={ticket} finish={finish} />}
      {factors.includes('passkey') && <PasskeyButton label="Use a passkey" firstStep={finish} />}
      <button type="button" className="link" onClick={() => onEnd()}>
        Cancel
      </button>
    </main>
  );
}

interface StepProps {
  ticket: string;
  finish: FirstStep;
}

function Code({ ticket, finish }: StepProps) {
  const [isRecovery, setRecovery] = useState(false);
  return (
    <>
      <Form
        submit="Continue"
        onSubmit={(field) =>
          finish(() =>
            own.complete({
              ticket,
              ...(isRecovery ? { recovery_code: field('recovery') } : { totp: field('totp') }),
            }),
          )
        }
      >
        {isRecovery ? (
          <label>
            Recovery code
            <input name="recovery" autoComplete="off" autoCapitalize="none" required />
          </label>
        ) : (
          <label>
            Code of the authenticator app
            <input name="totp" inputMode="numeric" autoComplete="one-time-code" required />
          </label>
        )}
      </Form>
      <button type="button" className="link" onClick={() => setRecovery(!isRecovery)}>
        {isRecovery ? 'Use the authenticator app' : 'Use a recovery code'}
      </button>
    </>
  );
}

function Enrolment({
  ticket,
  withTicket,
  finish,
  onRecoveryCodes,
}: StepProps & Pick<SecondStepProps, 'onRecoveryCodes'> & { withTicket: FirstStep }) {
  const [enrollment, setEnrollment] = useState<Awaited<ReturnType<typeof own.enroll>>>();
  const { problem, run } = useAction();

  // biome-ignore lint/correctness/useExhaustiveDependencies: a ticket always has the same secret, which is read once.
  useEffect(() => {
    void run(() => withTicket(async () => setEnrollment(await own.enroll(ticket))));
  }, [ticket]);

  return (
    <>
      <p>This app asks for a code of an authenticator app at each sign-in.</p>
      {enrollment && (
        <TotpSetup
          enrollment={enrollment}
          onCode={(code) =>
            finish(async () => {
              const session = await own.confirmEnrollment({ ticket, code });
              onRecoveryCodes(session.recovery_codes);
            })
          }
        />
      )}
      <Problem text={problem} />
    </>
  );
}
