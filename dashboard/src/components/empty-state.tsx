// What a list shows when it has no items: what would be here, and the one action that changes it.
import { Paper, Stack, Text, ThemeIcon } from '@mantine/core';
import type { ComponentType, ReactNode } from 'react';

type Props = {
  icon: ComponentType<{ size?: number | string }>;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
};

export function EmptyState({ icon: Icon, title, children, action }: Props) {
  return (
    <Paper withBorder p="xl">
      <Stack align="center" gap="sm" py="md">
        <ThemeIcon variant="light" size={48} radius="xl" aria-hidden>
          <Icon size={24} />
        </ThemeIcon>
        <Text fw={600} ta="center">
          {title}
        </Text>
        {children && (
          <Text c="dimmed" ta="center" maw="48ch">
            {children}
          </Text>
        )}
        {action}
      </Stack>
    </Paper>
  );
}
