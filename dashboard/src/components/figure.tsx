// A number with its name, in a list of such (`dl`).
import { Paper, Text } from '@mantine/core';

type Props = { name: string; value: string; note?: string };

export function Figure({ name, value, note }: Props) {
  return (
    <Paper withBorder p="md">
      <Text size="sm" c="dimmed" component="dt">
        {name}
      </Text>
      <Text fw={600} fz="1.5rem" component="dd" m={0}>
        {value}
      </Text>
      {note && (
        <Text size="xs" c="dimmed" component="dd" m={0}>
          {note}
        </Text>
      )}
    </Paper>
  );
}
