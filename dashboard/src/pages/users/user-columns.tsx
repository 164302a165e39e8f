// What the list of users shows of each.
import type { AdminUser } from '@foyer/contract';
import { Group, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { CsvValue } from '../../components/csv.ts';
import { TextLink } from '../../components/links.tsx';
import type { Column } from '../../components/paged-table.tsx';
import { personName } from '../../components/person-name.ts';
import { Time } from '../../components/time.tsx';
import { UserBadges } from './user-badges.tsx';

const route = getRouteApi('/member/apps/$appId/users');

export const userColumns: readonly Column<AdminUser>[] = [
  {
    title: 'User',
    sort: { ascending: 'email', descending: '-email' },
    cell: (user) => <UserLink user={user} />,
    text: ({ email }) => email,
  },
  textColumn('First name', ({ first_name }) => first_name),
  textColumn('Last name', ({ last_name }) => last_name),
  textColumn('User id', ({ uid }) => uid),
  textColumn('Member id', ({ member_id }) => member_id),
  { ...textColumn('Points', ({ points }) => points), align: 'right', width: 90 },
  textColumn('Email verified', ({ email_verified }) => (email_verified ? 'yes' : 'no')),
  textColumn('Disabled', ({ disabled }) => (disabled ? 'yes' : 'no')),
  {
    title: 'Created',
    width: 140,
    isWide: true,
    sort: { ascending: 'created_at', descending: '' },
    cell: ({ created_at }) => <Time at={created_at} />,
    text: ({ created_at }) => created_at,
  },
  {
    title: 'Last active',
    width: 140,
    isWide: true,
    cell: ({ last_active_at }) => <Time at={last_active_at} />,
    text: ({ last_active_at }) => last_active_at,
  },
];

function textColumn(title: string, text: (user: AdminUser) => CsvValue): Column<AdminUser> {
  return {
    title,
    isExtra: true,
    isWide: true,
    width: 130,
    text,
    cell: (user) => <Text size="sm">{text(user)}</Text>,
  };
}

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
        <Text size="sm" c="dimmed" hiddenFrom="sm" component="div">
          Created <Time at={user.created_at} />
        </Text>
      </Stack>
      <UserBadges user={user} />
    </Group>
  );
}
