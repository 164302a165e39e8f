// The form of a dialog: its inputs, the refusal of the service, and the buttons that leave it.
import { Button, Group, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { ProblemAlert } from './problem-alert.tsx';

type Props = {
  onSubmit: (event?: FormEvent<HTMLFormElement>) => void;
  saving: { error: Error | null; isPending: boolean };
  /** A verb: `Create user`. */
  submitLabel: string;
  /** True while there is nothing to send. */
  disabled?: boolean;
  /** The fields whose messages the inputs show. */
  shownFields?: readonly string[];
  onClose: () => void;
  children: ReactNode;
};

export function DialogForm(props: Props) {
  const { onSubmit, saving, submitLabel, disabled = false, shownFields = [], onClose, children } = props;
  return (
    <form onSubmit={onSubmit} autoComplete="off">
      <Stack>
        {children}
        {saving.error && <ProblemAlert error={saving.error} shownFields={shownFields} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={saving.isPending} disabled={disabled}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
