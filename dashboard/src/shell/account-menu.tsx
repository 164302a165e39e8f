// The member's own menu: color scheme and sign-out.
import {
  Avatar,
  type MantineColorScheme,
  Menu,
  Text,
  UnstyledButton,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CircleUserIcon, LogOutIcon, ShieldUserIcon } from 'lucide-react';
import { personName } from '../components/person-name.ts';
import { useSignOut } from '../components/use-sign-out.ts';
import { useMe } from '../member.ts';

const schemes = [
  { value: 'auto', label: 'System theme' },
  { value: 'light', label: 'Light theme' },
  { value: 'dark', label: 'Dark theme' },
] as const;

export function AccountMenu() {
  const { user, owner } = useMe();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  const name = personName(user);

  return (
    <Menu width={240} position="bottom-end">
      <Menu.Target>
        <UnstyledButton>
          <VisuallyHidden>Your account</VisuallyHidden>
          <Avatar
            name={name || user.email}
            color="slate"
            variant="filled"
            radius="xl"
            size={34}
            aria-hidden
          />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {name && (
            <Text size="sm" fw={600} truncate>
              {name}
            </Text>
          )}
          <Text size="xs" truncate>
            {user.email}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item
          leftSection={<CircleUserIcon size={16} />}
          renderRoot={(props) => <Link to="/account" {...props} />}
        >
          Account
        </Menu.Item>
        {owner && (
          <Menu.Item
            leftSection={<ShieldUserIcon size={16} />}
            renderRoot={(props) => <Link to="/owners" {...props} />}
          >
            Owners of the service
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(value) => setColorScheme(value as MantineColorScheme)}
        >
          {schemes.map(({ value, label }) => (
            <Menu.RadioItem key={value} value={value} closeMenuOnClick={false}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item leftSection={<LogOutIcon size={16} />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
