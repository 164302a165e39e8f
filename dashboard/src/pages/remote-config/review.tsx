// The difference that is about to be published.
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
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
  const publishing = useMutation({
    mutationFn: () => publish(current, parametersWith(stored.config.parameters, changes), stored.etag),
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
