// The editor of a list of objects, row by row.
import { ActionIcon, Button, Group, NumberInput, Paper, Stack, Switch, Text, Textarea } from '@mantine/core';
import { ArrowDownIcon, ArrowUpIcon, PlusIcon, Trash2Icon } from 'lucide-react';
import type { ReactNode } from 'react';
import { emptyRow, fieldsOf, type ListRow, moved, withField } from './list-rows.ts';

type Props = { rows: ListRow[]; onChange: (rows: ListRow[]) => void };

export function RowsEditor({ rows, onChange }: Props) {
  const fields = fieldsOf(rows);
  return (
    <Stack gap="sm">
      {rows.map((row, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no other identity.
        <Paper key={place} withBorder p="sm" component="section" aria-label={`Row ${place + 1}`}>
          <Group justify="space-between" mb="xs">
            <Text size="sm" fw={600}>
              Row {place + 1}
            </Text>
            <Group gap={4}>
              <RowAction
                label={`Move row ${place + 1} up`}
                disabled={place === 0}
                onClick={() => onChange(moved(rows, place, -1))}
              >
                <ArrowUpIcon size={16} />
              </RowAction>
              <RowAction
                label={`Move row ${place + 1} down`}
                disabled={place === rows.length - 1}
                onClick={() => onChange(moved(rows, place, 1))}
              >
                <ArrowDownIcon size={16} />
              </RowAction>
              <RowAction
                label={`Remove row ${place + 1}`}
                // An empty list has no fields to make a row of.
                disabled={rows.length === 1}
                onClick={() => onChange(rows.filter((_, at) => at !== place))}
              >
                <Trash2Icon size={16} />
              </RowAction>
            </Group>
          </Group>
          <Stack gap="xs">
            {fields.map((field) => (
              <FieldInput
                key={field}
                label={field}
                value={row[field]}
                onChange={(value) => onChange(withField(rows, place, field, value))}
              />
            ))}
          </Stack>
        </Paper>
      ))}
      <Button
        variant="default"
        size="xs"
        leftSection={<PlusIcon size={16} />}
        style={{ alignSelf: 'flex-start' }}
        onClick={() => onChange([...rows, emptyRow(rows)])}
      >
        Add row
      </Button>
    </Stack>
  );
}

type ActionProps = { label: string; disabled: boolean; onClick: () => void; children: ReactNode };

function RowAction({ label, children, ...action }: ActionProps) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} {...action}>
      {children}
    </ActionIcon>
  );
}

type FieldProps = {
  label: string;
  value: unknown;
  onChange: (value: unknown) => void;
};

function FieldInput({ label, value, onChange }: FieldProps) {
  switch (typeof value) {
    case 'number':
      return (
        <NumberInput
          label={label}
          value={value}
          hideControls
          onChange={(typed) => {
            // What is no number yet, such as a minus, is not stored.
            if (typeof typed === 'number' && Number.isFinite(typed)) onChange(typed);
          }}
        />
      );
    case 'boolean':
      return (
        <Switch label={label} checked={value} onChange={(event) => onChange(event.currentTarget.checked)} />
      );
    case 'object':
      return (
        <Textarea
          label={label}
          description="Change it in the JSON view."
          readOnly
          autosize
          maxRows={4}
          value={JSON.stringify(value)}
        />
      );
    default:
      return (
        <Textarea
          label={label}
          autosize
          maxRows={6}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
}
