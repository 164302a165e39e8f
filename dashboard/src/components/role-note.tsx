// Below something that the member only reads: which role may change it, and who gives that role.
import { Text } from '@mantine/core';
import type { RoleNeeds } from '../role-needs.ts';
import { useRoleReason } from './role-reason.ts';

export function RoleNote({ needs }: { needs: RoleNeeds }) {
  return (
    <Text size="sm" c="dimmed" maw="65ch">
      {useRoleReason(needs, 'Changing this')}
    </Text>
  );
}
