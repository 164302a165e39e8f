// Offers passkeys in the suggestions of the email field, as long as the form is there.
import { isFoyerError } from '@foyer/sdk';
import { useEffect, useEffectEvent, useState } from 'react';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { arePasskeysOffered, ownPasskeys } from '../../own-passkeys.ts';

type Props = {
  /** Runs a sign-in, and returns false when the page goes on to the second step. */
  signInWith: (first: () => Promise<unknown>) => () => Promise<boolean>;
  onSignedIn: () => void;
};

export function PasskeyAutofill({ signInWith, onSignedIn }: Props) {
  const [error, setError] = useState<unknown>(null);
  const signIn = useEffectEvent((signal: AbortSignal) =>
    signInWith(() => ownPasskeys.signIn({ autofill: true, signal }))(),
  );
  const signedIn = useEffectEvent(onSignedIn);

  useEffect(() => {
    const gone = new AbortController();

    async function offer() {
      if (!arePasskeysOffered() || !(await ownPasskeys.isAvailable({ autofill: true }))) return;
      if (gone.signal.aborted) return;
      if (await signIn(gone.signal)) signedIn();
    }

    offer().catch((refusal) => {
      // The form is gone, the member signs in otherwise, or the browser stopped waiting.
      const isExpected =
        isFoyerError(refusal, 'client/aborted') || isFoyerError(refusal, 'client/passkey-cancelled');
      if (!isExpected) setError(refusal);
    });
    return () => gone.abort();
  }, []);

  return error === null ? null : <ProblemAlert error={error} />;
}
