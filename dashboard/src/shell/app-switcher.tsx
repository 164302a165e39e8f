// Chooses the app that the pages are about.
import { Badge, Button, Group, Menu, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { CheckIcon, ChevronsUpDownIcon, LayoutGridIcon } from 'lucide-react';
import { appQuery, appsQuery } from '../member.ts';

const shown = 12;

export function AppSwitcher({ appId }: { appId: string | undefined }) {
  const navigate = useNavigate();
  const list = useInfiniteQuery(appsQuery);
  const current = useQuery({ ...appQuery(appId ?? ''), enabled: appId !== undefined }).data;
  const apps = list.data?.pages.flatMap((page) => page.items).slice(0, shown) ?? [];
  return (
    <Menu width="target" position="bottom-start">
      <Menu.Target>
        <Button
          variant="default"
          fullWidth
          justify="space-between"
          rightSection={<ChevronsUpDownIcon size={16} />}
          aria-label={current ? `${current.name}: switch app` : 'Choose an app'}
        >
          <Text truncate fw={600} size="sm">
            {current?.name ?? 'Choose an app'}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {apps.map((app) => (
          <Menu.Item
            key={app.id}
            onClick={() => void navigate({ to: '/apps/$appId', params: { appId: app.id } })}
            rightSection={app.id === appId && <CheckIcon size={16} aria-label="Current app" />}
          >
            <Group gap="xs" wrap="nowrap">
              <Text size="sm" truncate>
                {app.name}
              </Text>
              {!app.enabled && (
                <Badge size="xs" color="gray">
                  Disabled
                </Badge>
              )}
            </Group>
          </Menu.Item>
        ))}
        {apps.length > 0 && <Menu.Divider />}
        <Menu.Item
          leftSection={<LayoutGridIcon size={16} />}
          renderRoot={(props) => <Link to="/apps" {...props} />}
        >
          All apps
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
