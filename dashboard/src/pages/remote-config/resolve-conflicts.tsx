// Decides the parameters that two editors changed differently.

import type { RemoteConfig } from '@foyer/contract';
import { Button, Group, Paper, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ActorName } from '../../components/actor-name.tsx';
import { CodeDifference } from '../../components/code-difference.tsx';
import { notifySaved } from '../../components/notify.ts';
import type { Change } from './draft.ts';
import { editedOf } from './parameter.ts';
import { type Conflict, type Rebase, resolved } from './rebase.ts';

type Props = {
  merged: Rebase;
  config: RemoteConfig;
  onResolved: (changes: Change[]) => void;
  onClose: () => void;
};

export function ResolveConflicts({ merged, config, onResolved, onClose }: Props) {
  const { conflicts, kept } = merged;
  const [mine, setMine] = useState<ReadonlySet<string>>(new Set());

  function choose(id: string, keep: boolean) {
    const next = new Set(mine);
    if (keep) next.add(id);
    else next.delete(id);
    setMine(next);
  }

  function finish() {
    onResolved(resolved(merged, config.parameters, mine));
    onClose();
    notifySaved(`Your draft now changes version ${config.version}. Nothing is published yet.`);
  }

  return (
    <Stack>
      <Text size="sm" component="div">
        Choose for each parameter whether the draft keeps your change or the value that{' '}
        <ActorName actor={config.updated_by} /> published.
        {kept.length > 0 &&
          ` Your changes to ${kept.length === 1 ? 'one other parameter' : `${kept.length} other parameters`} are kept.`}
      </Text>
      {conflicts.map((conflict) => (
        <ConflictView
          key={conflict.change.id}
          conflict={conflict}
          keepMine={mine.has(conflict.change.id)}
          onChoose={(keep) => choose(conflict.change.id, keep)}
        />
      ))}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={finish}>Continue on version {config.version}</Button>
      </Group>
    </Stack>
  );
}

type ConflictProps = { conflict: Conflict; keepMine: boolean; onChoose: (keepMine: boolean) => void };

function ConflictView({ conflict, keepMine, onChoose }: ConflictProps) {
  const { change, theirs } = conflict;
  const { before, after } = change;
  const name = after?.name ?? before?.name ?? '';
  return (
    <Paper withBorder p="sm" data-conflict={name}>
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <Text ff="monospace" size="sm" fw={600}>
            {name}
          </Text>
          <SegmentedControl
            size="xs"
            aria-label={`Which ${name} to keep`}
            value={keepMine ? 'mine' : 'theirs'}
            data={[
              { value: 'theirs', label: 'Keep published' },
              { value: 'mine', label: 'Keep mine' },
            ]}
            onChange={(value) => onChoose(value === 'mine')}
          />
        </Group>
        <Text size="sm" c="dimmed">
          {summaryOf(conflict)}
        </Text>
        {theirs && after && (
          <CodeDifference
            label={`Published and your value of ${name}`}
            before={editedOf(theirs).text}
            after={after.text}
          />
        )}
      </Stack>
    </Paper>
  );
}

function summaryOf({ change: { before, after }, theirs }: Conflict): string {
  if (after === null) return 'You removed it; the newest version changed it.';
  if (theirs === null) return 'You changed it; the newest version removed it.';
  if (before === null) return 'Both of you added it. Below: what your value changes in the published one.';
  return 'Both of you changed it. Below: what your value changes in the published one.';
}
