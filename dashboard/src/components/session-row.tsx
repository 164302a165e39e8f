// A session as people think of it: a device, where and when it was used last.
import type { Session } from '@foyer/contract';
import { Badge, Group, Paper, Stack, Text } from '@mantine/core';
import { CircleQuestionMarkIcon, MonitorIcon, SmartphoneIcon, TabletIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { signInMethods } from './sign-in-methods.ts';
import { Time } from './time.tsx';

const icons = {
  desktop: MonitorIcon,
  mobile: SmartphoneIcon,
  tablet: TabletIcon,
  unknown: CircleQuestionMarkIcon,
};

export function SessionRow({ session, action }: { session: Session; action?: ReactNode }) {
  const Icon = icons[session.device.type];
  const details = [signInMethods[session.method], session.device.app_version, session.ip_address];
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" gap="sm">
        <Group gap="md" wrap="nowrap" miw={0} flex="1 1 16rem">
          <Icon size={24} aria-hidden />
          <Stack gap={2} miw={0}>
            <Group gap="xs">
              <Text fw={500}>{deviceName(session)}</Text>
              {session.current && <Badge>This device</Badge>}
            </Group>
            <Text size="sm" c="dimmed">
              {details.filter(Boolean).join(' · ')}
            </Text>
            <Text size="sm" c="dimmed" component="div">
              Last used <Time at={session.last_used_at} />, signed in <Time at={session.created_at} />
            </Text>
          </Stack>
        </Group>
        {action}
      </Group>
    </Paper>
  );
}

export function deviceName({ device }: Session): string {
  return device.name ?? ([device.browser, device.os].filter(Boolean).join(' on ') || 'Unknown device');
}
