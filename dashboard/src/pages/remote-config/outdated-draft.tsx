// Shown when somebody published while a draft was open: who, what, and how to go on.
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { GitMergeIcon } from 'lucide-react';
import { ActorName } from '../../components/actor-name.tsx';
import { notifySaved } from '../../components/notify.ts';
import { openDialog } from '../../components/open-dialog.ts';
import { Time } from '../../components/time.tsx';
import { useApp } from '../../current-app.tsx';
import { type StoredConfig, versionQuery } from './config-query.ts';
import { differencesBetween } from './difference.ts';
import { DifferenceList } from './difference-list.tsx';
import { confirmDiscard, type DraftState } from './use-draft.ts';

type Props = { draft: DraftState; stored: StoredConfig };

export function OutdatedDraft({ draft, stored }: Props) {
  const { config } = stored;

  function apply() {
    draft.reapply();
    notifySaved(`Your draft now changes version ${config.version}. Nothing is published yet.`);
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
          <ActorName actor={config.updated_by} /> published it <Time at={config.updated_at} />. Look at what
          changed, then apply your changes again; the review shows which published values they replace.
        </Text>
        <PublishedMeanwhile since={draft.version} stored={stored} />
        <Group gap="sm">
          <Button size="xs" onClick={apply}>
            Apply my changes to version {config.version}
          </Button>
          <Button size="xs" variant="default" onClick={() => confirmDiscard(draft)}>
            Discard my draft
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

/** Shows nothing when the earlier version is no longer stored. */
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
