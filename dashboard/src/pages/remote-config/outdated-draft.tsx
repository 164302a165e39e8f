// Shown when somebody published while a draft was open: who, what, and how to go on.
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { GitMergeIcon } from 'lucide-react';
import { ActorName } from '../../components/actor-name.tsx';
import { notifySaved } from '../../components/notify.ts';
import { openDialog } from '../../components/open-dialog.ts';
import { Time } from '../../components/time.tsx';
import { AppProvider, useApp } from '../../current-app.tsx';
import { type StoredConfig, versionQuery } from './config-query.ts';
import { differencesBetween } from './difference.ts';
import { DifferenceList } from './difference-list.tsx';
import { rebase } from './rebase.ts';
import { ResolveConflicts } from './resolve-conflicts.tsx';
import { confirmDiscard, type DraftState } from './use-draft.ts';

type Props = { draft: DraftState; stored: StoredConfig };

export function OutdatedDraft({ draft, stored }: Props) {
  const { app } = useApp();
  const { config } = stored;
  const merged = rebase(draft.effective, config.parameters);
  const count = merged.conflicts.length;

  function open() {
    if (count === 0) {
      draft.rebaseTo(merged.kept);
      notifySaved(
        merged.kept.length > 0
          ? `Your draft now changes version ${config.version}.`
          : `Version ${config.version} already has your changes.`,
      );
      return;
    }
    openDialog(
      `Continue on version ${config.version}`,
      (close) => (
        <AppProvider app={app}>
          <ResolveConflicts merged={merged} config={config} onResolved={draft.rebaseTo} onClose={close} />
        </AppProvider>
      ),
      { size: 'xl' },
    );
  }

  return (
    <Alert
      color="orange"
      mb="md"
      styles={{ title: { color: 'var(--mantine-color-text)' } }}
      icon={<GitMergeIcon size={20} />}
      title={`Version ${config.version} was published while you were editing version ${draft.version}`}
    >
      <Stack gap="sm" align="flex-start">
        <Text size="sm" component="div">
          <ActorName actor={config.updated_by} /> published it <Time at={config.updated_at} />.{' '}
          {count === 0
            ? 'None of your changes conflicts with it.'
            : `${count === 1 ? 'One parameter was' : `${count} parameters were`} changed by both of you.`}
        </Text>
        <PublishedMeanwhile since={draft.version} stored={stored} />
        <Group gap="sm">
          <Button size="xs" onClick={open}>
            {count === 0 ? `Continue on version ${config.version}` : 'Compare and decide'}
          </Button>
          <Button size="xs" variant="default" onClick={() => confirmDiscard(draft)}>
            Discard my draft
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

/** The earlier version may have been deleted since: then only the conflicts can be shown. */
function PublishedMeanwhile({ since, stored }: { since: number; stored: StoredConfig }) {
  const current = useApp();
  const { data: before } = useQuery(versionQuery(current, since));
  if (!before) return null;
  const differences = differencesBetween(before.parameters, stored.config.parameters);
  const names = differences.map(({ before, after }) => (after ?? before)?.name).slice(0, 8);
  return (
    <Group gap="xs">
      <Text size="sm">
        {differences.length === 0
          ? 'The values are the same as before.'
          : `Changed since: ${names.join(', ')}`}
        {differences.length > names.length && ` and ${differences.length - names.length} more`}
      </Text>
      {differences.length > 0 && (
        <Button
          size="compact-xs"
          variant="default"
          onClick={() =>
            openDialog(
              `From version ${since} to version ${stored.config.version}`,
              () => <DifferenceList differences={differences} />,
              { size: 'xl' },
            )
          }
        >
          Show what changed
        </Button>
      )}
    </Group>
  );
}
