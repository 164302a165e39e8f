// A number with its name, in a list of such (`dl`).
import { Paper, Text } from '@mantine/core';

type Props = { name: string; value: string; note?: string | readonly (string | false | undefined)[] };

export function Figure({ name, value, note }: Props) {
  return (
    <Paper withBorder p="md">
      <Text size="sm" c="dimmed" component="dt">
        {name}
      </Text>
      <Text fw={600} fz="1.5rem" component="dd" m={0}>
        {value}
      </Text>
      {[note].flat().map(
        (line) =>
          line && (
            <Text key={line} size="xs" c="dimmed" component="dd" m={0}>
              {line}
            </Text>
          ),
      )}
    </Paper>
  );
}
