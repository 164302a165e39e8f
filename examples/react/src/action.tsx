// A form whose submission calls the service: busy while it runs, with a message when it fails.
import { type ClientCode, isFoyerError, type ServerCode } from '@foyer/sdk';
import { type FormEvent, type ReactNode, useState } from 'react';

type Messages = Partial<Record<ServerCode | ClientCode, string>>;

const messages: Messages = {
  'auth/invalid-credential': 'The email or the password is wrong.',
  'auth/email-already-in-use': 'There is an account with this email. Sign in instead.',
  'auth/invalid-code': 'The code is wrong or has expired.',
  'auth/account-exists-with-different-credential':
    'There is an account with this email. Sign in to it, then link the provider.',
  'auth/operation-not-allowed': 'This app does not offer that.',
  'auth/requires-recent-login': 'Nothing has changed: you did not confirm that it is you.',
  'auth/passkey-already-registered': 'This device has a passkey for your account.',
  'auth/last-sign-in-method':
    'Confirm your email first: without this passkey you could not sign in any more.',
  // The user has closed the dialog.
  'client/passkey-cancelled': '',
  'request/rate-limited': 'Too many attempts. Please wait a moment.',
  'files/too-large': 'The file is too large.',
  'client/network': 'The service cannot be reached. Please try again.',
  'client/timeout': 'The service takes too long. Please try again.',
};

/** A sentence for the user. The codes are documented with each operation at `/docs` of the service. */
export function messageOf(error: unknown, own: Messages = {}): string {
  if (!isFoyerError(error)) return 'Something went wrong. Please try again.';
  const known = ({ ...messages, ...own } as Record<string, string | undefined>)[error.code];
  if (known !== undefined) return known;
  const [field] = Object.values(error.fields).flat();
  if (field) return `Please check your input: it ${field}.`;
  // The error's own message is for logs.
  return `Something went wrong (${error.code}). Please try again.`;
}

/**
 * Runs calls to the service. `isBusy` is for disabling their buttons meanwhile, `problem` has the last failure's message, from
 * `own` if it has one.
 */
export function useAction(own?: Messages) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');

  async function run(work: () => Promise<unknown>): Promise<void> {
    setBusy(true);
    setProblem('');
    try {
      await work();
    } catch (error) {
      setProblem(messageOf(error, own));
    } finally {
      setBusy(false);
    }
  }
  return { isBusy, problem, run };
}

/** The text of a form's field. */
export type Field = (name: string) => string;

export function Form(props: {
  submit: string;
  onSubmit: (field: Field, form: HTMLFormElement) => Promise<unknown>;
  children: ReactNode;
}) {
  const { isBusy, problem, run } = useAction();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    void run(() => props.onSubmit((name) => String(data.get(name) ?? ''), form));
  }

  return (
    <form onSubmit={submit}>
      {props.children}
      <button type="submit" className="primary" disabled={isBusy}>
        {props.submit}
      </button>
      <Problem text={problem} />
    </form>
  );
}

export function Problem({ text }: { text: string }) {
  return (
    <p role="alert" className="problem">
      {text}
    </p>
  );
}
