// Somebody else has changed the record since it was read: both versions are shown, and nothing is lost by itself.
import type { DataRecord } from '@foyer/contract';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { JsonText } from '../../components/json-text.tsx';
import { Time } from '../../components/time.tsx';

type Props = {
  other: DataRecord;
  /** Continues with the other version. */
  onTake: () => void;
  /** Continues with the own text; the next save replaces the other version. */
  onKeep: () => void;
};

export function RecordConflict({ other, onTake, onKeep }: Props) {
  return (
    <Alert color="orange" role="alert" title="The record was changed by somebody else">
      <Stack gap="sm">
        <Text size="sm" component="div">
          Your text is not saved. This is version {other.version}, from <Time at={other.updated_at} />:
        </Text>
        <JsonText value={other.fields} label="The other version" />
        <Group gap="sm">
          <Button variant="default" onClick={onTake}>
            Discard mine, edit this version
          </Button>
          <Button variant="default" onClick={onKeep}>
            Keep mine, to replace this version
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
