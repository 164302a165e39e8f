// What a page or list shows when it could not be read.
import { Button } from '@mantine/core';
import { problemOf } from '../api-problem.ts';
import { useAppIfAny } from '../current-app.tsx';
import { ProblemAlert } from './problem-alert.tsx';

type Props = { error: unknown; onRetry: () => void; retrying?: boolean };

export function ErrorState({ error, onRetry, retrying = false }: Props) {
  const current = useAppIfAny();
  // The banner of a disabled app says why its pages are empty.
  if (current?.app.enabled === false && problemOf(error).code === 'request/invalid-app-key') return null;
  return (
    <ProblemAlert error={error}>
      <Button variant="default" size="xs" mt="sm" onClick={onRetry} loading={retrying}>
        Try again
      </Button>
    </ProblemAlert>
  );
}
