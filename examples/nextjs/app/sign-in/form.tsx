'use client';
import { isFoyerError, passkeys, type SecondFactorRequest, secondFactorOf } from '@foyer/sdk';
import { useRouter } from 'next/navigation';
import { type SubmitEvent, useState } from 'react';
import { type Connection, foyer } from '../../lib/foyer-browser';
import { SecondStep } from './second-step';

const words: Record<string, string> = {
  'auth/invalid-credential': 'Wrong email or password.',
  'auth/email-already-in-use': 'There is an account with this email: sign in.',
  'auth/weak-password': 'Choose a longer, less common password.',
  'auth/operation-not-allowed': 'This app has no passkeys.',
  'client/passkey-cancelled': 'You chose no passkey.',
};

export function SignInForm({ connection }: { connection: Connection }) {
  const router = useRouter();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [request, setRequest] = useState<SecondFactorRequest>();

  function goHome() {
    router.replace('/');
    router.refresh();
  }

  /** Every way in may ask for a second step. */
  async function signInWith(signIn: () => Promise<unknown>) {
    setBusy(true);
    setFailure(undefined);
    try {
      await signIn();
      goHome();
    } catch (error) {
      const asked = secondFactorOf(error);
      if (asked?.ticket) setRequest(asked);
      else if (isFoyerError(error)) setFailure(words[error.code] ?? `That did not work (${error.code}).`);
      else throw error;
    } finally {
      setBusy(false);
    }
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const credential = { email: String(form.get('email')), password: String(form.get('password')) };
    const isNew = (event.nativeEvent.submitter as HTMLButtonElement | null)?.value === 'sign-up';
    const { auth } = foyer(connection);
    void signInWith(() => (isNew ? auth.signUp(credential) : auth.signIn(credential)));
  }

  if (request) {
    return (
      <SecondStep
        connection={connection}
        request={request}
        onSignedIn={goHome}
        onRestart={(message) => {
          setRequest(undefined);
          setFailure(message);
        }}
      />
    );
  }
  return (
    <form method="post" onSubmit={submit}>
      <label>
        Email
        <input name="email" type="email" autoComplete="email" required />
      </label>
      <label>
        Password
        <input name="password" type="password" autoComplete="current-password" required />
      </label>
      {failure && <p role="alert">{failure}</p>}
      <div className="buttons">
        <button type="submit" value="sign-in" disabled={isBusy}>
          Sign in
        </button>
        <button type="submit" value="sign-up" disabled={isBusy}>
          Create account
        </button>
        <button
          type="button"
          disabled={isBusy}
          onClick={() => signInWith(() => passkeys(foyer(connection)).signIn())}
        >
          Sign in with a passkey
        </button>
      </div>
    </form>
  );
}
