// Builds a query: conditions joined by AND, and an order.
import { limits } from '@foyer/contract';
import { ActionIcon, Button, Group, NativeSelect, Paper, Stack, Text, TextInput } from '@mantine/core';
import { PlusIcon, Trash2Icon } from 'lucide-react';
import { useId } from 'react';
import type { RecordOrder } from '../../components/record-order.ts';
import { useTypedValue } from '../../components/use-typed-value.ts';
import {
  type Condition,
  conditionFault,
  type Operator,
  operators,
  queryIn,
  queryText,
  type RecordQuery,
} from './record-query.ts';

type Props = {
  /** The query that the list shows. */
  query: RecordQuery;
  /** What is offered for the name of a field; others can be typed. */
  fields: readonly string[];
  onRun: (query: RecordQuery) => void;
};

export function QueryBuilder({ query, fields, onRun }: Props) {
  const suggestions = useId();
  const shown = queryText(query);
  const { typed, setTyped, apply } = useTypedValue({
    value: shown,
    onChange: (text) => onRun(queryIn(text)),
    read: (text) => text,
    delayMilliseconds: null,
  });
  const draft = queryIn(typed);
  const setDraft = (next: RecordQuery) => setTyped(queryText(next));
  const { where, orderBy } = draft;
  const setCondition = (index: number, changed: Partial<Condition>) =>
    setDraft({ ...draft, where: replaced(where, index, changed) });
  const setOrder = (index: number, changed: Partial<RecordOrder>) =>
    setDraft({ ...draft, orderBy: replaced(orderBy, index, changed) });
  return (
    <Paper
      withBorder
      p="md"
      mb="md"
      component="form"
      aria-label="Query"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <datalist id={suggestions}>
        {fields.map((field) => (
          <option key={field} value={field} />
        ))}
      </datalist>
      <Stack gap="sm">
        {where.map((condition, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no other identity.
          <Group key={index} gap="xs" align="flex-end">
            <TextInput
              label="Field"
              flex="1 1 8rem"
              required
              spellCheck={false}
              list={suggestions}
              value={condition.field}
              onChange={(event) => setCondition(index, { field: event.currentTarget.value })}
            />
            <NativeSelect
              label="Condition"
              flex="1 1 8rem"
              value={condition.op}
              data={Object.entries(operators).map(([value, label]) => ({ value, label }))}
              onChange={(event) => setCondition(index, { op: event.currentTarget.value as Operator })}
            />
            <TextInput
              label="Value"
              flex="1 1 8rem"
              spellCheck={false}
              value={condition.value}
              error={conditionFault(condition)}
              onChange={(event) => setCondition(index, { value: event.currentTarget.value })}
            />
            <RemoveRow
              label={`Remove condition ${index + 1}`}
              onClick={() => setDraft({ ...draft, where: without(where, index) })}
            />
          </Group>
        ))}
        {where.length > 0 && (
          <Text size="xs" c="dimmed">
            Numbers, true, false, null and "quoted text" are read as JSON, anything else as text. Separate
            several values with commas.
          </Text>
        )}
        {orderBy.map((order, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no other identity.
          <Group key={index} gap="xs" align="flex-end">
            <TextInput
              label="Sort by"
              flex="1 1 8rem"
              required
              spellCheck={false}
              list={suggestions}
              value={order.field}
              onChange={(event) => setOrder(index, { field: event.currentTarget.value })}
            />
            <NativeSelect
              label="Direction"
              flex="1 1 8rem"
              value={order.direction}
              data={[
                { value: 'asc', label: 'Ascending' },
                { value: 'desc', label: 'Descending' },
              ]}
              onChange={(event) =>
                setOrder(index, { direction: event.currentTarget.value as RecordOrder['direction'] })
              }
            />
            <RemoveRow
              label={`Remove order ${index + 1}`}
              onClick={() => setDraft({ ...draft, orderBy: without(orderBy, index) })}
            />
          </Group>
        ))}
        <Group gap="xs">
          <Button
            variant="default"
            size="xs"
            leftSection={<PlusIcon size={16} />}
            disabled={where.length >= limits.conditionsPerQuery}
            onClick={() => setDraft({ ...draft, where: [...where, { field: '', op: '==', value: '' }] })}
          >
            Condition
          </Button>
          <Button
            variant="default"
            size="xs"
            leftSection={<PlusIcon size={16} />}
            disabled={orderBy.length >= limits.ordersPerQuery}
            onClick={() => setDraft({ ...draft, orderBy: [...orderBy, { field: '', direction: 'asc' }] })}
          >
            Order
          </Button>
          {typed !== shown && (
            <Button type="submit" size="xs">
              Run query
            </Button>
          )}
          {shown !== '' && (
            <Button
              variant="subtle"
              size="xs"
              onClick={() => {
                setTyped('');
                apply('');
              }}
            >
              Show all records
            </Button>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}

function RemoveRow({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} onClick={onClick}>
      <Trash2Icon size={18} />
    </ActionIcon>
  );
}

function replaced<Item>(items: Item[], index: number, changed: Partial<Item>): Item[] {
  return items.map((item, at) => (at === index ? { ...item, ...changed } : item));
}

function without<Item>(items: Item[], index: number): Item[] {
  return items.filter((_, at) => at !== index);
}
