// The parameters of a remote config with their values, and what the draft changes about them.
import { ActionIcon, Anchor, Badge, Group, Paper, Stack, Text, Tooltip } from '@mantine/core';
import { Undo2Icon } from 'lucide-react';
import { memo } from 'react';
import { StateBadge } from './difference-list.tsx';
import type { Row, RowFault } from './draft.ts';
import { typeNames } from './parameter.ts';

const previewCharacters = 140;

type Props = {
  rows: Row[];
  faults: Map<string, RowFault>;
  onOpen: (id: string) => void;
  onUndo: (id: string) => void;
};

export function ParameterList({ rows, faults, onOpen, onUndo }: Props) {
  return (
    <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
      {rows.map((row) => (
        <ParameterRow key={row.id} row={row} fault={faults.get(row.id)} onOpen={onOpen} onUndo={onUndo} />
      ))}
    </Stack>
  );
}

type RowProps = { row: Row; fault: RowFault | undefined } & Pick<Props, 'onOpen' | 'onUndo'>;

const ParameterRow = memo(function ParameterRow({ row, fault, onOpen, onUndo }: RowProps) {
  const { before, after, state } = row;
  const name = after?.name ?? before?.name ?? '';
  const type = after?.type ?? before?.type ?? 'string';
  const description = after?.description ?? before?.description;
  const faultText = fault && (fault.name ?? fault.value ?? fault.description);
  return (
    <Paper withBorder p="sm" component="li" data-parameter={name} data-state={state}>
      <Group justify="space-between" gap="sm" wrap="nowrap" align="flex-start">
        <Stack gap={2} miw={0} flex={1}>
          <Group gap="xs">
            {state === 'removed' ? (
              <Text ff="monospace" size="sm" fw={600} td="line-through">
                {name}
              </Text>
            ) : (
              <Anchor
                component="button"
                type="button"
                size="sm"
                fw={600}
                ff="monospace"
                ta="start"
                onClick={() => onOpen(row.id)}
              >
                {name || 'New parameter'}
              </Anchor>
            )}
            <Badge variant="default" fw={500}>
              {typeNames[type]}
            </Badge>
            {state !== 'unchanged' && <StateBadge state={state} />}
          </Group>
          {before && after && before.name !== after.name && (
            <Text size="sm" c="dimmed">
              Renamed from <b>{before.name}</b>
            </Text>
          )}
          {after && <Preview text={after.text} />}
          {description && (
            <Text size="sm" c="dimmed">
              {description}
            </Text>
          )}
          {faultText && (
            <Text size="sm" c="var(--mantine-color-error)">
              {faultText}
            </Text>
          )}
        </Stack>
        {state !== 'unchanged' && (
          <Tooltip label="Undo">
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Undo the changes to ${name || 'the new parameter'}`}
              onClick={() => onUndo(row.id)}
            >
              <Undo2Icon size={18} />
            </ActionIcon>
          </Tooltip>
        )}
      </Group>
    </Paper>
  );
}, isSameRow);

/** Rows without changes are made anew with every change to another one. */
function isSameRow(left: RowProps, right: RowProps): boolean {
  return (
    left.row.before === right.row.before &&
    left.row.state === right.row.state &&
    (left.row.state === 'unchanged' || left.row.after === right.row.after) &&
    JSON.stringify(left.fault) === JSON.stringify(right.fault)
  );
}

function Preview({ text }: { text: string }) {
  const line = text
    .slice(0, 4 * previewCharacters)
    .replace(/\s+/g, ' ')
    .trim();
  const cut = line.length > previewCharacters || text.length > 4 * previewCharacters;
  return (
    <Text size="sm" ff="monospace" lineClamp={2}>
      {line === '' ? (
        <Text span inherit c="dimmed" ff="text">
          empty
        </Text>
      ) : (
        `${line.slice(0, previewCharacters)}${cut ? '…' : ''}`
      )}
    </Text>
  );
}
