// The choice between roles, each with what it allows.
import type { Role } from '@foyer/contract';
import { Radio, Stack } from '@mantine/core';

const texts: Record<Role, { label: string; description: string }> = {
  viewer: { label: 'Viewer', description: 'Reads users, content, statistics and the audit log.' },
  support: {
    label: 'Support',
    description: 'Also helps users to sign in, disables and enables them, and adds points; deletes nothing.',
  },
  editor: {
    label: 'Editor',
    description: 'Reads, and changes content: Remote Config, records, files, points and push messages.',
  },
  admin: {
    label: 'Admin',
    description: 'Does what support and editors do, and manages users, keys, webhooks and settings.',
  },
  owner: { label: 'Owner', description: 'Also manages the team, and renames or disables the app.' },
};

type Props = {
  roles: readonly Role[];
  value: string;
  onChange: (role: string) => void;
};

export function RoleChoice({ roles, value, onChange }: Props) {
  return (
    <Radio.Group label="Role" value={value} onChange={onChange}>
      <Stack gap="sm" mt="xs">
        {roles.map((role) => (
          <Radio key={role} value={role} {...texts[role]} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
