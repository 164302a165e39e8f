// Asks the user to sign in again, for the calls that require a recent sign-in.
import { passkeys, type SignInProof, secondFactor } from '@foyer/sdk';
import { useUser } from '@foyer/sdk/react';
import { useEffect, useRef, useState } from 'react';
import { Form, Problem, useAction } from './action';
import { client } from './foyer';

interface Question {
  isEnrolled: boolean;
  /** `null`: the user declines. */
  answer: (proof: SignInProof | null) => void;
}

/** `confirmed` runs a call, after the question that `dialog` is, if the service asks for a recent sign-in. */
export function useRecentSignIn() {
  const [question, setQuestion] = useState<Question | null>(null);

  async function ask(): Promise<SignInProof | null> {
    const { totp } = await secondFactor(client).get();
    const proof = await new Promise<SignInProof | null>((answer) =>
      setQuestion({ isEnrolled: totp !== null, answer }),
    );
    setQuestion(null);
    return proof;
  }

  return {
    confirmed: <T,>(work: () => Promise<T>) => client.auth.withRecentSignIn(work, ask),
    dialog: question && <Confirmation {...question} />,
  };
}

function Confirmation({ isEnrolled, answer }: Question) {
  const user = useUser();
  const dialog = useRef<HTMLDialogElement>(null);
  const [isSent, setSent] = useState(false);
  const { isBusy, problem, run } = useAction();
  useEffect(() => dialog.current?.showModal(), []);

  return (
    <dialog ref={dialog} aria-label="Confirm that it is you" onCancel={() => answer(null)}>
      <h2>Confirm that it is you</h2>
      <Form
        submit="Continue"
        onSubmit={async (field) => {
          const second = isEnrolled && { totp: field('totp') };
          answer({ ...(isSent ? { code: field('code') } : { password: field('password') }), ...second });
        }}
      >
        {isSent ? (
          <label>
            Code from the email
            <input name="code" inputMode="numeric" autoComplete="one-time-code" required />
          </label>
        ) : (
          <label>
            Password
            <input name="password" type="password" autoComplete="current-password" required />
          </label>
        )}
        {isEnrolled && (
          <label>
            Code of the authenticator app
            <input name="totp" inputMode="numeric" autoComplete="off" required />
          </label>
        )}
      </Form>
      <div className="buttons">
        <button
          type="button"
          disabled={isBusy}
          onClick={() => run(async () => answer({ passkey: await passkeys(client).proof() }))}
        >
          Use a passkey
        </button>
        {!isSent && user && (
          <button
            type="button"
            disabled={isBusy}
            onClick={() => run(() => client.auth.emailCode.send(user.email).then(() => setSent(true)))}
          >
            Email me a code
          </button>
        )}
        <button type="button" onClick={() => answer(null)}>
          Cancel
        </button>
      </div>
      <Problem text={problem} />
    </dialog>
  );
}
