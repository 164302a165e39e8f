// The states of an account that differ from the usual.
import type { AdminUser } from '@foyer/contract';
import { Badge, Group } from '@mantine/core';

export function UserBadges({ user }: { user: Pick<AdminUser, 'disabled' | 'email_verified'> }) {
  return (
    <Group gap={6}>
      {user.disabled && <Badge color="red">Disabled</Badge>}
      {!user.email_verified && (
        <Badge color="gray" fw={500}>
          Email not verified
        </Badge>
      )}
    </Group>
  );
}
