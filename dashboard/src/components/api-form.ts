// Forms whose values are sent to the service: the messages of single fields appear beside their inputs.
import { type FormRulesRecord, type UseFormReturnType, useForm } from '@mantine/form';
import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { problemOf } from '../api-problem.ts';

type Options<Values extends Record<string, unknown>, Result> = {
  initialValues: Values;
  validate?: FormRulesRecord<Values>;
  /** Sends the values. */
  send: (values: Values) => Promise<Result>;
  onSaved?: (result: Result) => void;
  /** The path of an input for a field of the service, where they differ. */
  inputOf?: (field: string) => string;
};

export type ApiForm<Values extends Record<string, unknown>, Result> = {
  form: UseFormReturnType<Values>;
  saving: UseMutationResult<Result, Error, Values>;
  onSubmit: (event?: FormEvent<HTMLFormElement>) => void;
};

export function useApiForm<Values extends Record<string, unknown>, Result>({
  initialValues,
  validate,
  send,
  onSaved,
  inputOf = (field) => field,
}: Options<Values, Result>): ApiForm<Values, Result> {
  const form = useForm<Values>({ initialValues, ...(validate && { validate }) });
  const saving = useMutation({
    mutationFn: send,
    onSuccess: (result) => onSaved?.(result),
    onError: (error) => {
      const { fields } = problemOf(error);
      form.setErrors(
        Object.fromEntries(
          Object.entries(fields).map(([field, messages]) => [inputOf(field), sentence(messages)]),
        ),
      );
    },
  });
  return { form, saving, onSubmit: form.onSubmit((values) => saving.mutate(values)) };
}

/** The messages of the service continue the name of the field: "must not be empty". */
export function sentence(messages: readonly string[]): string {
  const text = messages.join(', ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
