// A form without the libraries of the dashboard's own forms, which the first script does not contain.
import { Button, Stack } from '@mantine/core';
import { type ChangeEvent, type ReactNode, useState } from 'react';
import { problemOf } from '../api-problem.ts';
import { sentence } from '../components/capitalized.ts';
import { ProblemAlert } from '../components/problem-alert.tsx';

/** The messages of refused fields, by name. */
type FieldErrors = Record<string, string>;

/** The properties of a required input. */
export function typed(value: string, onType: (value: string) => void, error: string | undefined) {
  const onChange = (event: ChangeEvent<HTMLInputElement>) => onType(event.currentTarget.value);
  return { required: true, value, onChange, error };
}

type Props<Result> = {
  submitLabel: string;
  variant?: 'default' | 'filled';
  send: () => Promise<Result>;
  onSent: (result: Result) => void;
  onRefused?: (refusal: unknown) => void;
  onInput?: (() => void) | undefined;
  children: (errors: FieldErrors) => ReactNode;
};

export function PlainForm<Result>({
  submitLabel,
  variant = 'filled',
  send,
  onSent,
  onRefused,
  onInput,
  children,
}: Props<Result>) {
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const fields = error === null ? {} : problemOf(error).fields;
  const errors = Object.fromEntries(
    Object.entries(fields).map(([field, messages]) => [field, sentence(messages)]),
  );

  async function submit() {
    setSending(true);
    setError(null);
    try {
      onSent(await send());
    } catch (refusal) {
      setError(refusal);
      setSending(false);
      onRefused?.(refusal);
    }
  }

  return (
    <form
      onInput={onInput}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Stack>
        {children(errors)}
        {error !== null && <ProblemAlert error={error} shownFields={Object.keys(errors)} />}
        <Button type="submit" variant={variant} loading={sending} fullWidth>
          {submitLabel}
        </Button>
      </Stack>
    </form>
  );
}
