// The frame of pages without a session: one card in the middle.
import { Box, Center, Paper, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';

type Props = { title: string; description?: ReactNode; children: ReactNode };

export function CenteredPage({ title, description, children }: Props) {
  useDocumentTitle(`${title} · Foyer`);
  return (
    <Center mih="100dvh" p="md" component="main">
      <Box w="100%" maw={400}>
        <Text fw={700} size="lg" ta="center" mb="lg">
          Foyer
        </Text>
        <Paper withBorder p="xl">
          <Stack gap="lg">
            <Stack gap={4}>
              <Title order={1}>{title}</Title>
              {description && <Text c="dimmed">{description}</Text>}
            </Stack>
            {children}
          </Stack>
        </Paper>
      </Box>
    </Center>
  );
}
