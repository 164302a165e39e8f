// The editor of one parameter. Every change goes to the draft at once.
import {
  Button,
  Drawer,
  Group,
  NativeSelect,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useMemo, useState } from 'react';
import { CodeBlock } from '../../components/code-block.tsx';
import { Fact } from '../../components/fact.tsx';
import { JsonEditor } from '../../components/json-editor.tsx';
import { RoleNote } from '../../components/role-note.tsx';
import type { Change, Row, RowFault } from './draft.ts';
import { rowsIn, textOfRows } from './list-rows.ts';
import {
  convertedText,
  type EditedParameter,
  jsonRules,
  type ParameterType,
  typeNames,
} from './parameter.ts';
import { RowsEditor } from './rows-editor.tsx';

type Props = {
  /** Null while nothing is being edited. */
  row: Row | null;
  fault: RowFault;
  readOnly: boolean;
  onChange: (change: Change) => void;
  onUndo: (id: string) => void;
  onClose: () => void;
};

export function ParameterDrawer({ row, readOnly, onClose, ...props }: Props) {
  const opened = row !== null && row.after !== null;
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size="lg"
      title={row?.after?.name || 'New parameter'}
      closeButtonProps={{ 'aria-label': 'Close' }}
      styles={{ title: { fontWeight: 600, overflowWrap: 'anywhere' } }}
    >
      {opened &&
        row?.after &&
        (readOnly ? (
          <ParameterText parameter={row.after} />
        ) : (
          <ParameterForm row={row} after={row.after} onClose={onClose} {...props} />
        ))}
    </Drawer>
  );
}

/** For a member who may not change it. */
function ParameterText({ parameter: { name, type, text, description } }: { parameter: EditedParameter }) {
  return (
    <Stack gap="sm">
      <Fact name="Name">{name}</Fact>
      <Fact name="Type">{typeNames[type]}</Fact>
      <Fact name="Description">{description || 'None'}</Fact>
      <Fact name="Value">{text === '' ? 'Empty' : <CodeBlock label="Value">{text}</CodeBlock>}</Fact>
      <RoleNote needs={{ scope: 'config:write' }} />
    </Stack>
  );
}

type FormProps = Omit<Props, 'row' | 'readOnly'> & { row: Row; after: EditedParameter };

function ParameterForm({ row, after, fault, onChange, onUndo, onClose }: FormProps) {
  const { id, before, state } = row;
  const set = (changed: Partial<EditedParameter>) =>
    onChange({ id, before, after: { ...after, ...changed } });

  function remove() {
    if (before) onChange({ id, before, after: null });
    else onUndo(id);
    onClose();
  }

  return (
    <Stack>
      <TextInput
        label="Name"
        required
        autoComplete="off"
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        {...(state === 'added' && { 'data-autofocus': true })}
        {...(before && { description: 'Apps that read the old name no longer find a renamed parameter.' })}
        value={after.name}
        error={after.name === '' && state === 'added' ? undefined : fault.name}
        onChange={(event) => set({ name: event.currentTarget.value.trim() })}
      />
      <NativeSelect
        label="Type"
        value={after.type}
        data={Object.entries(typeNames).map(([value, label]) => ({ value, label }))}
        onChange={(event) => {
          const type = event.currentTarget.value as ParameterType;
          set({ type, text: convertedText(after.text, type) });
        }}
      />
      <ValueInput after={after} error={fault.value} onChange={(text) => set({ text })} />
      <Textarea
        label="Description"
        description="For the team; apps do not receive it."
        autosize
        minRows={2}
        maxRows={8}
        value={after.description}
        error={fault.description}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
      <Group justify="space-between">
        <Group gap="sm">
          <Button onClick={onClose}>Done</Button>
          {state !== 'unchanged' && state !== 'added' && (
            <Button variant="default" onClick={() => onUndo(id)}>
              Undo changes
            </Button>
          )}
        </Group>
        <Button variant="light" color="red" onClick={remove}>
          Remove
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        Nothing changes for users until you publish the draft.
      </Text>
    </Stack>
  );
}

type ValueProps = {
  after: EditedParameter;
  error: string | undefined;
  onChange: (text: string) => void;
};

function ValueInput({ after: { type, text }, error, onChange }: ValueProps) {
  switch (type) {
    case 'string':
      return (
        <Textarea
          label="Value"
          autosize
          minRows={2}
          maxRows={16}
          value={text}
          error={error}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case 'number':
      return (
        <TextInput
          label="Value"
          inputMode="decimal"
          value={text}
          error={error}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case 'boolean':
      return (
        <Stack gap={4} align="flex-start">
          <Text size="sm" fw={500} id="boolean-value">
            Value
          </Text>
          <SegmentedControl
            aria-labelledby="boolean-value"
            value={text}
            data={['true', 'false']}
            onChange={onChange}
          />
        </Stack>
      );
    case 'json':
      return <JsonInput text={text} error={error} onChange={onChange} />;
  }
}

/** A list of objects is edited in rows, unless the member prefers JSON; every other value as JSON. */
function JsonInput({ text, error, onChange }: Omit<ValueProps, 'after'> & { text: string }) {
  const [view, setView] = useState('rows');
  const rows = useMemo(() => rowsIn(text), [text]);
  return (
    <Stack gap="xs">
      {rows && (
        <SegmentedControl
          aria-label="View of the value"
          style={{ alignSelf: 'flex-start' }}
          size="xs"
          value={view}
          data={[
            { value: 'rows', label: 'Rows' },
            { value: 'json', label: 'JSON' },
          ]}
          onChange={setView}
        />
      )}
      {rows && view === 'rows' ? (
        <RowsEditor rows={rows} onChange={(next) => onChange(textOfRows(next))} />
      ) : (
        <JsonEditor
          label="Value"
          description="Apps receive it as a JSON string."
          value={text}
          error={error}
          rules={jsonRules}
          onChange={(next) => {
            // Typing must not replace the editor once the text has become a list.
            setView('json');
            onChange(next);
          }}
        />
      )}
    </Stack>
  );
}
