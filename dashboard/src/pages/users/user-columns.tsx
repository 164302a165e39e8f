// What the list of users shows of each.
import type { AdminUser } from '@foyer/contract';
import { Group, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { TextLink } from '../../components/links.tsx';
import type { Column } from '../../components/paged-table.tsx';
import { personName } from '../../components/person-name.ts';
import { Time } from '../../components/time.tsx';
import { UserBadges } from './user-badges.tsx';

const route = getRouteApi('/member/apps/$appId/users');

export const userColumns: readonly Column<AdminUser>[] = [
  { title: 'User', cell: (user) => <UserLink user={user} /> },
  { title: 'Created', width: 140, isWide: true, cell: ({ created_at }) => <Time at={created_at} /> },
  {
    title: 'Last active',
    width: 140,
    isWide: true,
    cell: ({ last_active_at }) => <Time at={last_active_at} />,
  },
];

function UserLink({ user }: { user: AdminUser }) {
  const { appId } = route.useParams();
  const listSearch = route.useSearch();
  return (
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
          {personName(user)}
        </Text>
      </Stack>
      <UserBadges user={user} />
    </Group>
  );
}
