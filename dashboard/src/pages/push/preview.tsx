// How a device shows a notification, roughly: each system has its own form.
import { Group, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { BellIcon } from 'lucide-react';
import type { MessageValues } from './message-form.ts';

type Props = { appName: string; values: MessageValues };

export function Preview({ appName, values }: Props) {
  const silent = values.title === '' && values.body === '';
  return (
    <Stack gap="sm" component="section" aria-label="Preview">
      <Title order={2}>Preview</Title>
      <Paper withBorder p="md" radius="lg" shadow="sm" maw={380}>
        <Group gap="sm" wrap="nowrap" align="flex-start">
          <ThemeIcon size={36} radius="md" aria-hidden>
            <BellIcon size={20} />
          </ThemeIcon>
          <Stack gap={2} miw={0}>
            <Text size="xs" c="dimmed">
              {appName} · now
            </Text>
            {silent ? (
              <Text size="sm" c="dimmed">
                Without a title and text the device shows nothing: only the app receives the data.
              </Text>
            ) : (
              <>
                <Text size="sm" fw={600} lineClamp={2}>
                  {values.title || 'Title'}
                </Text>
                <Text size="sm" lineClamp={4} style={{ whiteSpace: 'pre-line' }}>
                  {values.body || 'Text'}
                </Text>
              </>
            )}
            {values.image_url !== '' && (
              <Text size="xs" c="dimmed">
                With an image, which the device loads itself.
              </Text>
            )}
          </Stack>
        </Group>
      </Paper>
    </Stack>
  );
}
