// What differs between two sets of parameters, parameter by parameter.
import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { CodeDifference } from '../../components/code-difference.tsx';
import type { Difference } from './difference.ts';
import { type NamedParameter, textOf, typeNames } from './parameter.ts';

/** A longer list begins with the names, since each text difference is an editor of its own. */
const openAtMost = 6;
const oneLineCharacters = 80;

export function DifferenceList({ differences }: { differences: Difference[] }) {
  return (
    <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
      {differences.map((difference) => (
        <Paper
          key={`${difference.before?.name} ${difference.after?.name}`}
          component="li"
          withBorder
          p="sm"
          data-difference={difference.after?.name ?? difference.before?.name}
        >
          <DifferenceView difference={difference} initiallyOpen={differences.length <= openAtMost} />
        </Paper>
      ))}
    </Stack>
  );
}

const badges = {
  added: { label: 'Added', color: 'green' },
  changed: { label: 'Changed', color: 'blue' },
  removed: { label: 'Removed', color: 'red' },
} as const;

export function StateBadge({ state }: { state: keyof typeof badges }) {
  const { label, color } = badges[state];
  return (
    <Badge color={color} c="var(--mantine-color-text)">
      {label}
    </Badge>
  );
}

function DifferenceView({ difference, initiallyOpen }: { difference: Difference; initiallyOpen: boolean }) {
  const { before, after } = difference;
  const [open, setOpen] = useState(initiallyOpen);
  const state = before === null ? 'added' : after === null ? 'removed' : 'changed';
  const name = (after ?? before)?.name ?? '';
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <Group gap="xs" miw={0}>
          <Text ff="monospace" size="sm" fw={600}>
            {name}
          </Text>
          <StateBadge state={state} />
        </Group>
        <Button
          variant="subtle"
          size="compact-xs"
          onClick={() => setOpen(!open)}
          aria-expanded={open}
          aria-label={`${open ? 'Hide' : 'Show'} ${name}`}
        >
          {open ? 'Hide' : 'Show'}
        </Button>
      </Group>
      {before && after && <MetaDifference before={before} after={after} />}
      {open && <ValueDifference before={before} after={after} />}
    </Stack>
  );
}

function MetaDifference({ before, after }: { before: NamedParameter; after: NamedParameter }) {
  const changes = [
    ['Name', before.name, after.name],
    ['Type', typeNames[before.type], typeNames[after.type]],
    ['Description', before.description || '(none)', after.description || '(none)'],
  ].filter(([, left, right]) => left !== right);
  return changes.map(([what, left, right]) => (
    <Text key={what} size="sm" c="dimmed">
      {what}: <s>{left}</s> → {right}
    </Text>
  ));
}

function ValueDifference({ before, after }: Difference) {
  const left = before ? textOf(before.type, before.value) : '';
  const right = after ? textOf(after.type, after.value) : '';
  if (left === right && before && after) {
    return (
      <Text size="sm" c="dimmed">
        The value is the same.
      </Text>
    );
  }
  const isShort = [left, right].every((text) => text.length <= oneLineCharacters && !text.includes('\n'));
  if (before && after && !isShort) {
    return <CodeDifference label={`Value of ${after.name}`} before={left} after={right} />;
  }
  return (
    <Stack gap={4}>
      {before && <Side sign="−" meaning="Before" text={left} color="red" />}
      {after && <Side sign="+" meaning="After" text={right} color="green" />}
    </Stack>
  );
}

type SideProps = { sign: string; meaning: string; text: string; color: string };

function Side({ sign, meaning, text, color }: SideProps) {
  return (
    <Text
      size="sm"
      ff="monospace"
      px="xs"
      bg={`light-dark(var(--mantine-color-${color}-0), color-mix(in srgb, var(--mantine-color-${color}-9) 25%, transparent))`}
      mah="40vh"
      style={{ borderRadius: 'var(--mantine-radius-sm)', whiteSpace: 'pre-wrap', overflow: 'auto' }}
    >
      <span aria-hidden>{sign} </span>
      <span className="visually-hidden">{meaning}: </span>
      {text === '' ? <i>empty</i> : text}
    </Text>
  );
}
