// A form whose submission calls the service: busy while it runs, with a message when it fails.
import { type ClientCode, isFoyerError, type ServerCode } from '@foyer/sdk';
import { type FormEvent, type ReactNode, useState } from 'react';

type Messages = Partial<Record<ServerCode | ClientCode, string>>;

const messages: Messages = {
  'request/rate-limited': 'Too many attempts. Please wait a moment.',
  'files/too-large': 'The file is too large.',
  'client/network': 'The service cannot be reached. Please try again.',
  'client/timeout': 'The service takes too long. Please try again.',
};

/** A sentence for the user. The codes are documented with each operation at `/docs` of the service. */
export function messageOf(error: unknown): string {
  if (!isFoyerError(error)) return 'Something went wrong. Please try again.';
  const known = (messages as Record<string, string | undefined>)[error.code];
  if (known !== undefined) return known;
  const [field] = Object.values(error.fields).flat();
  if (field) return `Please check your input: it ${field}.`;
  // The error's own message is for logs.
  return `Something went wrong (${error.code}). Please try again.`;
}

/** Runs calls to the service. `isBusy` is for disabling their buttons meanwhile, `problem` has the last failure's message. */
export function useAction() {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');

  async function run(work: () => Promise<unknown>): Promise<void> {
    setBusy(true);
    setProblem('');
    try {
      await work();
    } catch (error) {
      setProblem(messageOf(error));
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
