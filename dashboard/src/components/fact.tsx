// Something that is known, with its name before it.
import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

type Props = { name: string; children: ReactNode };

export function Fact({ name, children }: Props) {
  return (
    <Group gap="sm" align="baseline" wrap="wrap">
      <Text size="sm" c="dimmed" w={130}>
        {name}
      </Text>
      <Text size="sm" component="div" flex="1 1 10rem" miw={0} style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </Group>
  );
}
