// Sign-in with a passkey: by a button, and in the suggestions of the email field.
import { isFoyerError, passkeys } from '@foyer/sdk';
import { useEffect, useState } from 'react';
import { messageOf, Problem, useAction } from './action';
import { client } from './foyer';
import type { FirstStep } from './second-step';

const keys = passkeys(client);
const refused = { 'auth/invalid-credential': 'This passkey does not work here any more.' };

export function PasskeyButton(props: { label: string; firstStep: FirstStep }) {
  const { isBusy, problem, run } = useAction(refused);
  const [isAvailable, setAvailable] = useState(false);
  useEffect(() => void keys.isAvailable().then(setAvailable), []);

  if (!isAvailable) return null;
  return (
    <>
      <button type="button" disabled={isBusy} onClick={() => run(() => props.firstStep(() => keys.signIn()))}>
        {props.label}
      </button>
      <Problem text={problem} />
    </>
  );
}

/** Offers passkeys in the fields with `autocomplete="username webauthn"`, as long as the form is there. */
export function PasskeyAutofill({ firstStep }: { firstStep: FirstStep }) {
  const [problem, setProblem] = useState('');

  // biome-ignore lint/correctness/useExhaustiveDependencies: one request for the life of the form.
  useEffect(() => {
    const gone = new AbortController();

    async function offer() {
      if (!(await keys.isAvailable({ autofill: true }))) return;
      await firstStep(() => keys.signIn({ autofill: true, signal: gone.signal }));
    }

    offer().catch((error) => {
      // The form is gone or the user has signed in; or the app has no passkeys.
      const isExpected =
        isFoyerError(error, 'client/aborted') || isFoyerError(error, 'auth/operation-not-allowed');
      if (!isExpected) setProblem(messageOf(error, refused));
    });
    return () => gone.abort();
  }, []);

  return <Problem text={problem} />;
}
