// A passkey as people think of it: where it is stored, and when it was used last.
import type { Passkey } from '@foyer/contract';
import { Badge, Group, Paper, Stack, Text } from '@mantine/core';
import { KeyRoundIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Time } from './time.tsx';

export function PasskeyRow({ passkey, actions }: { passkey: Passkey; actions: ReactNode }) {
  const { name, provider_name, backed_up, created_at, last_used_at } = passkey;
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" gap="sm">
        <Group gap="md" wrap="nowrap" miw={0} flex="1 1 16rem">
          <KeyRoundIcon size={24} aria-hidden style={{ flexShrink: 0 }} />
          <Stack gap={2} miw={0}>
            <Group gap="xs">
              <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
                {name}
              </Text>
              <Badge color={backed_up ? 'green' : 'gray'}>{backed_up ? 'Backed up' : 'On one device'}</Badge>
            </Group>
            {provider_name !== null && provider_name !== name && (
              <Text size="sm" c="dimmed">
                {provider_name}
              </Text>
            )}
            <Text size="sm" c="dimmed" component="div">
              Added <Time at={created_at} />, {last_used_at === null ? 'never used' : 'last used '}
              {last_used_at !== null && <Time at={last_used_at} />}
            </Text>
          </Stack>
        </Group>
        <Group gap="xs">{actions}</Group>
      </Group>
    </Paper>
  );
}
