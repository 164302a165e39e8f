// Forms whose values are sent to the service: the messages of single fields appear beside their inputs.
import { type FormRulesRecord, type UseFormReturnType, useForm } from '@mantine/form';
import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect } from 'react';
import { problemOf } from '../api-problem.ts';
import { sentence } from './capitalized.ts';
import { isSame, rebased } from './form-values.ts';
import { useUnsavedChanges } from './unsaved-changes.tsx';
import { useLateProblem } from './use-late-problem.ts';

type CommonOptions<Values extends Record<string, unknown>> = {
  validate?: FormRulesRecord<Values>;
  /** The path of an input for a field of the service, where they differ. */
  inputOf?: (field: string) => string;
};

type Options<Values extends Record<string, unknown>, Result> = CommonOptions<Values> & {
  initialValues: Values;
  /** Sends the values. */
  send: (values: Values) => Promise<Result>;
  onSaved?: (result: Result, sent: Values) => void;
};

type StoredOptions<Values extends Record<string, unknown>, Stored> = CommonOptions<Values> & {
  /** What the form changes, as it was read last. */
  stored: Stored;
  valuesOf: (stored: Stored) => Values;
  /** Sends what differs from `before`, the stored values: others may have changed the rest meanwhile. */
  send: (values: Values, before: Values) => Promise<Stored>;
  onSaved?: (saved: Stored) => void;
};

/** The form, and what the frame around its inputs is given. */
type ApiForm<Values extends Record<string, unknown>, Result> = {
  form: UseFormReturnType<Values>;
  saving: UseMutationResult<Result, Error, Values>;
  onSubmit: (event?: FormEvent<HTMLFormElement>) => void;
  /** The refused fields that have an input. */
  shownFields: string[];
};

export function useApiForm<Values extends Record<string, unknown>, Result>({
  initialValues,
  validate,
  send,
  onSaved,
  inputOf = (field) => field,
}: Options<Values, Result>): ApiForm<Values, Result> {
  const form = useForm<Values>({ initialValues, ...(validate && { validate }) });
  const reportLate = useLateProblem();
  const saving = useMutation({
    mutationFn: send,
    onSuccess: (result, sent) => onSaved?.(result, sent),
    onError: (error) => {
      reportLate(error);
      const { fields } = problemOf(error);
      form.setErrors(
        Object.fromEntries(
          Object.entries(fields).map(([field, messages]) => [inputOf(field), sentence(messages)]),
        ),
      );
    },
  });
  const refused = saving.error ? Object.keys(problemOf(saving.error).fields) : [];
  return {
    form,
    saving,
    onSubmit: form.onSubmit((values) => saving.mutate(values)),
    shownFields: refused.filter((field) => inputOf(field) in form.values),
  };
}

/**
 * The form of something stored. Inputs that the member has not changed follow newer values, be they the answer to a save
 * or the change of somebody else; what was typed meanwhile stays.
 */
export function useStoredForm<Values extends Record<string, unknown>, Stored>({
  stored,
  valuesOf,
  send,
  onSaved,
  ...options
}: StoredOptions<Values, Stored>): ApiForm<Values, Stored> & { dirty: boolean; onDiscard: () => void } {
  const api: ApiForm<Values, Stored> = useApiForm<Values, Stored>({
    ...options,
    initialValues: valuesOf(stored),
    send: (values) => send(values, api.form.getInitialValues()),
    onSaved: (saved, sent) => {
      follow(sent, valuesOf(saved));
      onSaved?.(saved);
    },
  });
  const { form } = api;
  const dirty = form.isDirty();
  useUnsavedChanges(dirty);

  function follow(before: Values, newer: Values) {
    form.setInitialValues(newer);
    form.setValues(rebased(before, form.getValues(), newer));
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: only newer stored values are followed.
  useEffect(() => {
    const before = form.getInitialValues();
    const newer = valuesOf(stored);
    if (!isSame(before, newer)) follow(before, newer);
  }, [stored]);

  function onDiscard() {
    form.reset();
    // What was refused is no longer there.
    api.saving.reset();
  }

  return { ...api, dirty, onDiscard };
}
