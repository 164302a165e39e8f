'use client';
import { isFoyerError } from '@foyer/sdk';
import { useRouter } from 'next/navigation';
import { type SubmitEvent, useState } from 'react';
import { type Connection, foyer } from '../../lib/foyer-browser';

const words: Record<string, string> = {
  'auth/invalid-credential': 'Wrong email or password.',
  'auth/email-already-in-use': 'There is an account with this email: sign in.',
  'auth/weak-password': 'Choose a longer, less common password.',
};

export function SignInForm({ connection }: { connection: Connection }) {
  const router = useRouter();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const credential = { email: String(form.get('email')), password: String(form.get('password')) };
    const isNew = (event.nativeEvent.submitter as HTMLButtonElement | null)?.value === 'sign-up';
    const { auth } = foyer(connection);
    setBusy(true);
    setFailure(undefined);
    try {
      await (isNew ? auth.signUp(credential) : auth.signIn(credential));
      router.replace('/');
      router.refresh();
    } catch (error) {
      if (!isFoyerError(error)) throw error;
      setFailure(words[error.code] ?? `That did not work (${error.code}).`);
    } finally {
      setBusy(false);
    }
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
      </div>
    </form>
  );
}
