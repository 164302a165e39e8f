// The difference that is about to be published.
import { limits } from '@foyer/contract';
import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { problemOf } from '../../api-problem.ts';
import { notifySaved } from '../../components/notify.ts';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { useLateProblem } from '../../components/use-late-problem.ts';
import type { CurrentApp } from '../../current-app.tsx';
import { publish, refreshConfig, type StoredConfig } from './config-query.ts';
import { differencesOf } from './difference.ts';
import { DifferenceList } from './difference-list.tsx';
import { type Change, parametersWith } from './draft.ts';

type Props = {
  current: CurrentApp;
  changes: Change[];
  stored: StoredConfig;
  onPublished: () => void;
  onClose: () => void;
};

export function Review(props: Props) {
  const { changes, stored, current, onPublished, onClose } = props;
  const reportLate = useLateProblem();
  const [note, setNote] = useState('');
  const publishing = useMutation({
    mutationFn: () =>
      publish(current, parametersWith(stored.config.parameters, changes), { etag: stored.etag, note }),
    onSuccess: ({ config }) => {
      onPublished();
      onClose();
      notifySaved(`Version ${config.version} is published.`);
    },
    onError: (error) => {
      if (problemOf(error).code !== 'config/version-conflict') return reportLate(error);
      // The page then shows who published what.
      void refreshConfig(current);
      onClose();
    },
  });
  return (
    <Stack>
      <Text size="sm">
        Publishing makes version {stored.config.version + 1}. Apps receive these values the next time they
        read their configuration.
      </Text>
      <DifferenceList differences={differencesOf(changes)} />
      <Textarea
        label="Note"
        description="Optional: why, for the history. Apps do not receive it."
        autosize
        minRows={1}
        maxRows={6}
        maxLength={limits.configNoteCharacters}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      {publishing.error && <ProblemAlert error={publishing.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} disabled={publishing.isPending}>
          Back to editing
        </Button>
        <Button onClick={() => publishing.mutate()} loading={publishing.isPending}>
          Publish
        </Button>
      </Group>
    </Stack>
  );
}
