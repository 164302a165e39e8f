// Shows a secret that the service returns only once.
import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { CheckIcon, CopyIcon, TriangleAlertIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { openDialog } from './open-dialog.ts';
import { useUnsavedChanges } from './unsaved-changes.tsx';
import { useCopy } from './use-copy.ts';

type Secret = {
  title: string;
  /** What the value is: `Secret key`. */
  label: string;
  value: string;
  /** What to do with it. */
  children?: ReactNode;
  /** Closes the dialog. `Done`, for a value that was also sent. */
  doneLabel?: string;
};

export function showOnce({ title, ...secret }: Secret): void {
  openUntilStored(title, (close) => <ShownOnce {...secret} close={close} />);
}

/** The dialog closes with its own button only, so that a stray click or key does not lose the value. */
export function openUntilStored(title: string, content: (close: () => void) => ReactNode): void {
  openDialog(title, (close) => <UntilStored>{content(close)}</UntilStored>, {
    closeOnEscape: false,
    closeOnClickOutside: false,
    withCloseButton: false,
  });
}

function UntilStored({ children }: { children: ReactNode }) {
  useUnsavedChanges(true);
  return <Stack>{children}</Stack>;
}

type Props = Omit<Secret, 'title'> & { close: () => void };

function ShownOnce({ label, value, children, doneLabel, close }: Props) {
  const { copied, copy } = useCopy();
  return (
    <>
      {children && (
        <Text size="sm" component="div">
          {children}
        </Text>
      )}
      <Textarea
        label={label}
        value={value}
        readOnly
        autosize
        minRows={1}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', wordBreak: 'break-all' } }}
        onFocus={(event) => event.currentTarget.select()}
        spellCheck={false}
        data-shown-once
      />
      <Alert color="orange" icon={<TriangleAlertIcon size={20} />}>
        It is shown only now.{doneLabel === undefined && ' Store it before you close this dialog.'}
      </Alert>
      <Group justify="flex-end">
        <Button
          variant="default"
          data-autofocus
          leftSection={copied ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
          onClick={() => copy(value)}
        >
          {copied ? 'Copied' : 'Copy'}
        </Button>
        <Button onClick={close}>{doneLabel ?? 'I have stored it'}</Button>
      </Group>
    </>
  );
}
