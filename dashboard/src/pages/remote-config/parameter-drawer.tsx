// The editor of one parameter. Every change goes to the draft at once.
import {
  Alert,
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
import { JsonEditor } from '../../components/json-editor.tsx';
import { roleReason, useApp } from '../../current-app.tsx';
import type { Change, Row, RowFault } from './draft.ts';
import {
  convertedText,
  type EditedParameter,
  jsonRules,
  type ParameterType,
  typeNames,
} from './parameter.ts';

type Props = {
  /** Null while nothing is being edited. */
  row: Row | null;
  fault: RowFault;
  readOnly: boolean;
  onChange: (change: Change) => void;
  onUndo: (id: string) => void;
  onClose: () => void;
};

export function ParameterDrawer({ row, onClose, ...props }: Props) {
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
      {opened && row?.after && <ParameterForm row={row} after={row.after} onClose={onClose} {...props} />}
    </Drawer>
  );
}

type FormProps = Omit<Props, 'row'> & { row: Row; after: EditedParameter };

function ParameterForm({ row, after, fault, readOnly, onChange, onUndo, onClose }: FormProps) {
  const { app } = useApp();
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
      {readOnly && <Alert color="gray">{roleReason(app, 'editor')}</Alert>}
      <TextInput
        label="Name"
        required
        readOnly={readOnly}
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
        disabled={readOnly}
        value={after.type}
        data={Object.entries(typeNames).map(([value, label]) => ({ value, label }))}
        onChange={(event) => {
          const type = event.currentTarget.value as ParameterType;
          set({ type, text: convertedText(after.text, type) });
        }}
      />
      <ValueInput after={after} error={fault.value} readOnly={readOnly} onChange={(text) => set({ text })} />
      <Textarea
        label="Description"
        description="For the team; apps do not receive it."
        autosize
        minRows={2}
        maxRows={8}
        readOnly={readOnly}
        value={after.description}
        error={fault.description}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
      {!readOnly && (
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
      )}
      {!readOnly && (
        <Text size="sm" c="dimmed">
          Nothing changes for users until you publish the draft.
        </Text>
      )}
    </Stack>
  );
}

type ValueProps = {
  after: EditedParameter;
  error: string | undefined;
  readOnly: boolean;
  onChange: (text: string) => void;
};

function ValueInput({ after: { type, text }, error, readOnly, onChange }: ValueProps) {
  switch (type) {
    case 'string':
      return (
        <Textarea
          label="Value"
          autosize
          minRows={2}
          maxRows={16}
          readOnly={readOnly}
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
          readOnly={readOnly}
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
            readOnly={readOnly}
            value={text}
            data={['true', 'false']}
            onChange={onChange}
          />
        </Stack>
      );
    case 'json':
      return (
        <JsonEditor
          label="Value"
          description="Apps receive it as a JSON string."
          readOnly={readOnly}
          value={text}
          error={error}
          rules={jsonRules}
          onChange={onChange}
        />
      );
  }
}
