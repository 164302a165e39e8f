// The rows of the list of users.
import type { AdminUser } from '@foyer/contract';
import { Group, Stack, Table, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { TextLink } from '../../components/links.tsx';
import { Time } from '../../components/time.tsx';
import { UserBadges } from './user-badges.tsx';

const route = getRouteApi('/member/apps/$appId/users');

type Props = { users: AdminUser[]; appId: string };

export function UserTable({ users, appId }: Props) {
  const listSearch = route.useSearch();
  return (
    <Table highlightOnHover layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>User</Table.Th>
          <Table.Th visibleFrom="sm" w={140}>
            Created
          </Table.Th>
          <Table.Th visibleFrom="sm" w={140}>
            Last active
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {users.map((user) => (
          <Table.Tr key={user.uid}>
            <Table.Td>
              <Group gap="sm" justify="space-between">
                <Stack gap={0} miw={0}>
                  <TextLink
                    to="/apps/$appId/users/$uid"
                    params={{ appId, uid: user.uid }}
                    state={{ listSearch }}
                    fw={500}
                    size="sm"
                  >
                    {user.email}
                  </TextLink>
                  <Text size="sm" c="dimmed">
                    {nameOf(user)}
                  </Text>
                </Stack>
                <UserBadges user={user} />
              </Group>
            </Table.Td>
            <Table.Td visibleFrom="sm">
              <Time at={user.created_at} />
            </Table.Td>
            <Table.Td visibleFrom="sm">
              <Time at={user.last_active_at} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

export function nameOf({ first_name, last_name }: Pick<AdminUser, 'first_name' | 'last_name'>): string {
  return [first_name, last_name].filter(Boolean).join(' ');
}
