// What a page or list shows when it could not be read.
import { Button } from '@mantine/core';
import { ProblemAlert } from './problem-alert.tsx';

type Props = { error: unknown; onRetry: () => void; retrying?: boolean };

export function ErrorState({ error, onRetry, retrying = false }: Props) {
  return (
    <ProblemAlert error={error}>
      <Button variant="default" size="xs" mt="sm" onClick={onRetry} loading={retrying}>
        Try again
      </Button>
    </ProblemAlert>
  );
}
