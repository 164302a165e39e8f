// A form within a page: its inputs, the refusal of the service, and its own Save.
import { Button, Group, Stack } from '@mantine/core';
import type { ComponentProps, FormEvent, ReactNode } from 'react';
import type { RoleNeeds } from '../role-needs.ts';
import { ProblemAlert } from './problem-alert.tsx';
import { RoleButton } from './role-button.tsx';

type Props = Pick<ComponentProps<'form'>, 'autoComplete' | 'noValidate'> & {
  onSubmit: (event?: FormEvent<HTMLFormElement>) => void;
  saving: { error: Error | null; isPending: boolean };
  /** The fields whose messages the inputs show. */
  shownFields?: readonly string[];
  submitLabel?: string;
  variant?: 'default' | 'filled';
  /** What only some roles may send. */
  needs?: RoleNeeds;
  /** False while there is nothing to send. */
  dirty?: boolean;
  onDiscard?: () => void;
  /** Gives the button the width of the form. */
  grow?: boolean;
  maxWidth?: number;
  children: ReactNode;
};

export function PageForm(props: Props) {
  const { onSubmit, saving, shownFields = [], submitLabel = 'Save', variant = 'filled', needs } = props;
  const { dirty = true, onDiscard, grow = false, autoComplete, noValidate, maxWidth, children } = props;
  const submit = { type: 'submit', variant, loading: saving.isPending, disabled: !dirty } as const;
  return (
    <form onSubmit={onSubmit} autoComplete={autoComplete} noValidate={noValidate}>
      <Stack maw={maxWidth}>
        {children}
        {saving.error && <ProblemAlert error={saving.error} shownFields={shownFields} />}
        <Group grow={grow}>
          {needs ? (
            <RoleButton needs={needs} {...submit}>
              {submitLabel}
            </RoleButton>
          ) : (
            <Button {...submit}>{submitLabel}</Button>
          )}
          {dirty && onDiscard && (
            <Button variant="subtle" onClick={onDiscard} disabled={saving.isPending}>
              Discard changes
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
