// Takes over pasted values, after a look at what they change. They become part of the draft; nothing is published.
import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { JsonEditor } from '../../components/json-editor.tsx';
import { jsonFault } from '../../components/json-fault.ts';
import { notifySaved } from '../../components/notify.ts';
import { differencesOf } from './difference.ts';
import { DifferenceList } from './difference-list.tsx';
import type { Change } from './draft.ts';
import type { Parameters } from './parameter.ts';
import { changesTo, importedParameters, setRules } from './transfer.ts';

const previewMilliseconds = 250;

type Props = { parameters: Parameters; onImport: (changes: Change[]) => void; onClose: () => void };

export function ImportValues({ parameters, onImport, onClose }: Props) {
  const [typed, setTyped] = useState('');
  const [text] = useDebouncedValue(typed, previewMilliseconds);
  const [removeOthers, setRemoveOthers] = useState(false);
  const result = useMemo(() => {
    if (text.trim() === '' || jsonFault(text, setRules)) return null;
    return importedParameters(text, parameters);
  }, [text, parameters]);
  const changes = useMemo(
    () => (result && 'parameters' in result ? changesTo(parameters, result.parameters, removeOthers) : null),
    [parameters, result, removeOthers],
  );

  function finish(found: Change[]) {
    onImport(found);
    onClose();
    notifySaved('The values are in your draft. Review it, then publish.');
  }

  return (
    <Stack>
      <JsonEditor
        label="Values as JSON"
        description="Paste what another app copied, or plain values by name."
        value={typed}
        onChange={setTyped}
        rules={setRules}
        error={result && 'fault' in result ? result.fault : undefined}
      />
      <Checkbox
        label="Remove parameters that the JSON does not have"
        checked={removeOthers}
        onChange={(event) => setRemoveOthers(event.currentTarget.checked)}
      />
      {changes && (
        <Text size="sm" role="status">
          {changes.length === 0
            ? 'These values are the same as the published ones.'
            : `${changes.length === 1 ? 'One parameter changes' : `${changes.length} parameters change`}:`}
        </Text>
      )}
      {changes && changes.length > 0 && <DifferenceList differences={differencesOf(changes)} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          disabled={!changes || changes.length === 0 || typed !== text}
          onClick={() => changes && finish(changes)}
        >
          Add to draft
        </Button>
      </Group>
    </Stack>
  );
}
