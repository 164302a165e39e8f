// The devices on which a user receives push messages.
import type { AdminUser, PushDevice } from '@foyer/contract';
import { Badge, Group, Paper, Text } from '@mantine/core';
import { BellIcon } from 'lucide-react';
import { CopyIcon } from '../../components/copyable.tsx';
import { platformNames, senderNames } from '../../components/device-name.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { PagedStack, usePages } from '../../components/paged-list.tsx';
import { Time } from '../../components/time.tsx';
import { useApp } from '../../current-app.tsx';

export function PushDevices({ user }: { user: AdminUser }) {
  const { app, api } = useApp();
  const query = usePages([app.id, 'user', user.uid, 'push-devices'], (...page) =>
    api.users.devices(user.uid, ...page),
  );
  return (
    <PagedStack
      query={query}
      empty={
        <EmptyState icon={BellIcon} title="No push device">
          Your app registers a device after the user allows notifications.
        </EmptyState>
      }
    >
      {(device) => <Row key={device.id} device={device} />}
    </PagedStack>
  );
}

function Row({ device }: { device: PushDevice }) {
  const details = [
    device.name !== null && platformNames[device.platform],
    senderNames[device.provider],
    device.environment === 'sandbox' && 'sandbox',
    device.app_version,
    device.locale,
  ];
  return (
    <Paper withBorder p="md">
      <Group gap="xs">
        <Text fw={500}>{device.name ?? platformNames[device.platform]}</Text>
        {device.status === 'invalid' && <Badge color="red">No longer valid</Badge>}
        <CopyIcon value={device.id} label="device id" />
      </Group>
      <Text size="sm" c="dimmed">
        {details.filter(Boolean).join(' · ')}
      </Text>
      {device.topics.length > 0 && (
        <Text size="sm" c="dimmed" lineClamp={2}>
          Topics: {device.topics.join(', ')}
        </Text>
      )}
      <Text size="sm" c="dimmed" component="div">
        Last registered <Time at={device.last_registered_at} />
      </Text>
    </Paper>
  );
}
