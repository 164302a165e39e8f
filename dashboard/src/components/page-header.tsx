// The title of a page, what it is for, and its main actions.
import { Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useAppIfAny } from '../current-app.tsx';
import { useTitleFocus } from './title-focus.ts';

type Props = {
  title: string;
  /** The title of the browser tab, where it differs. */
  tabTitle?: string;
  description?: ReactNode;
  actions?: ReactNode;
};

export function PageHeader({ title, tabTitle = title, description, actions }: Props) {
  const current = useAppIfAny();
  useDocumentTitle([tabTitle, ...(current ? [current.app.name] : []), 'Foyer'].join(' · '));
  const titleRef = useTitleFocus();
  return (
    <Group justify="space-between" align="flex-start" gap="md" mb="lg">
      <Stack gap={4} flex="1 1 16rem" miw={0}>
        <Title order={1} ref={titleRef} tabIndex={-1}>
          {title}
        </Title>
        {description && (
          <Text c="dimmed" maw="60ch">
            {description}
          </Text>
        )}
      </Stack>
      {actions && <Group gap="sm">{actions}</Group>}
    </Group>
  );
}
