// An item of a list: its link, what is known of it, and its state.
import { Group, Paper, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { openRow } from './row-click.ts';

type Props = { link: ReactNode; state: ReactNode; children: ReactNode };

export function ListCard({ link, state, children }: Props) {
  return (
    <Paper withBorder p="md" className="opens" onClick={openRow}>
      <Group justify="space-between" gap="sm" align="flex-start">
        <Stack gap={2} miw={0} flex="1 1 16rem">
          {link}
          {children}
        </Stack>
        {state}
      </Group>
    </Paper>
  );
}
