'use client';
import { isFoyerError, passkeys, type SecondFactorRequest, secondFactor } from '@foyer/sdk';
import { type SubmitEvent, useState } from 'react';
import { type Connection, foyer } from '../../lib/foyer-browser';

interface Props {
  connection: Connection;
  request: SecondFactorRequest;
  onSignedIn: () => void;
  /** Receives why the sign-in starts again. */
  onRestart: (message?: string) => void;
}

/** What a sign-in with `auth/second-factor-required` asks for: there is no session, and no cookie, before it. */
export function SecondStep({ connection, request, onSignedIn, onRestart }: Props) {
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const { factors } = request;
  const ticket = request.ticket ?? '';

  async function finish(step: () => Promise<unknown>) {
    setBusy(true);
    setFailure(undefined);
    try {
      await step();
      onSignedIn();
    } catch (error) {
      if (!isFoyerError(error)) throw error;
      if (error.code === 'auth/invalid-token') onRestart('The sign-in took too long. Please start again.');
      setFailure(
        error.code === 'auth/invalid-code' ? 'The code is wrong.' : `That did not work (${error.code}).`,
      );
    } finally {
      setBusy(false);
    }
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get('code')).replaceAll(' ', '');
    const proof = /^\d{6}$/.test(code) ? { totp: code } : { recovery_code: code };
    void finish(() => secondFactor(foyer(connection)).complete({ ticket, ...proof }));
  }

  return (
    <>
      {factors.includes('totp') && (
        <form method="post" onSubmit={submit}>
          <label>
            Code of your authenticator app, or a recovery code
            <input name="code" autoComplete="one-time-code" required />
          </label>
          <div className="buttons">
            <button type="submit" disabled={isBusy}>
              Continue
            </button>
          </div>
        </form>
      )}
      {factors.includes('passkey') && (
        <button
          type="button"
          disabled={isBusy}
          onClick={() => finish(() => passkeys(foyer(connection)).signIn())}
        >
          Use a passkey
        </button>
      )}
      {factors.includes('enroll') && (
        <p>This app requires a second factor. The example for React shows how to set one up.</p>
      )}
      {failure && <p role="alert">{failure}</p>}
      <button type="button" onClick={() => onRestart()}>
        Back
      </button>
    </>
  );
}
