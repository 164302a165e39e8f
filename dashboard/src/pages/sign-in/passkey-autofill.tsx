// Offers passkeys in the suggestions of the email field, as long as the form is there.
import { isFoyerError } from '@foyer/sdk';
import { useEffect, useEffectEvent, useState } from 'react';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { arePasskeysOffered, ownPasskeys } from '../../own-passkeys.ts';

/** The form is gone, the member signs in otherwise or has chosen none, or the service is away: nobody has asked for anything. */
const silent = /^client\/(aborted|passkey-cancelled|network|timeout)$/;

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
    let isOffered = false;

    async function offer() {
      if (isOffered) return;
      isOffered = true;
      try {
        if (!arePasskeysOffered() || !(await ownPasskeys.isAvailable({ autofill: true }))) return;
        if (gone.signal.aborted) return;
        if (await signIn(gone.signal)) signedIn();
      } catch (refusal) {
        if (!isFoyerError(refusal) || !silent.test(refusal.code)) setError(refusal);
      } finally {
        isOffered = false;
      }
    }

    void offer();
    // Again after it has ended, such as without a connection when the challenge was renewed.
    addEventListener('focusin', offer, { signal: gone.signal });
    return () => gone.abort();
  }, []);

  return error === null ? null : <ProblemAlert error={error} />;
}
