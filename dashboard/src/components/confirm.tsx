// The dialog before what cannot be undone: it states the consequence, and stays open with the reason when the call is
// refused. The worst actions also ask for a name to be typed.
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { openDialog } from './open-dialog.ts';
import { ProblemAlert } from './problem-alert.tsx';
import { useLateProblem } from './use-late-problem.ts';

type Confirmation = {
  title: string;
  /** What will happen, in full sentences. */
  body: ReactNode;
  /** A verb: `Delete user`. */
  confirmLabel: string;
  /** What leaves the dialog without the action: `Keep it`, where the action itself is to cancel. */
  keepLabel?: string;
  /** The name to type before the action is possible. */
  typeToConfirm?: string;
  /** False for actions that can be undone. */
  destructive?: boolean;
  run: () => Promise<unknown>;
};

export function confirmAction(confirmation: Confirmation): void {
  openDialog(confirmation.title, (close) => <Confirm {...confirmation} close={close} />);
}

function Confirm(props: Confirmation & { close: () => void }) {
  const { body, confirmLabel, keepLabel = 'Cancel', typeToConfirm, destructive = true, run, close } = props;
  const [typed, setTyped] = useState('');
  const reportLate = useLateProblem();
  const ready = typeToConfirm === undefined || asShown(typed) === asShown(typeToConfirm);

  const { mutate, isPending, error } = useMutation({
    mutationFn: run,
    onSuccess: close,
    onError: (problem) => reportLate(problem),
  });

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) mutate();
      }}
    >
      <Stack>
        <Text component="div" size="sm">
          {body}
        </Text>
        {typeToConfirm !== undefined && (
          <TextInput
            label={
              <>
                Type <b>{typeToConfirm}</b> to confirm
              </>
            }
            styles={{ label: { overflowWrap: 'anywhere' } }}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
          />
        )}
        {error && <ProblemAlert error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close} disabled={isPending}>
            {keepLabel}
          </Button>
          <Button type="submit" {...(destructive && { color: 'red' })} loading={isPending} disabled={!ready}>
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Browsers show several spaces as one, and a keyboard may write letters with accents in another form than the name has. */
function asShown(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
}
