// The navigation between the pages of one app.
import { NavLink, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useRouter } from '@tanstack/react-router';
import { draftKey, useHasDraft } from '../config-draft.ts';
import { appQuery, useMe } from '../member.ts';
import { navigationFor } from './navigation-items.ts';

export function AppNavigation({ appId, onNavigate }: { appId: string; onNavigate: () => void }) {
  const { pathname } = useLocation();
  const router = useRouter();
  const role = useQuery(appQuery(appId)).data?.role;
  const hasDraft = useHasDraft(draftKey(useMe().user.uid, appId));
  return (
    <Stack gap="md">
      {navigationFor(role).map(({ group, items }) => (
        <Stack key={group} gap={2} component="section" aria-label={group}>
          <Text size="xs" fw={600} c="dimmed" px="sm">
            {group}
          </Text>
          {items.map(({ label, to, icon: Icon }) => (
            <NavLink
              key={to}
              label={label}
              {...(hasDraft && to === '/apps/$appId/remote-config' && { description: 'Unpublished changes' })}
              leftSection={<Icon size={18} />}
              active={isWithin(pathname, router.buildLocation({ to, params: { appId } }).pathname)}
              onClick={onNavigate}
              renderRoot={(props) => <Link to={to} params={{ appId }} {...props} />}
            />
          ))}
        </Stack>
      ))}
    </Stack>
  );
}

function isWithin(pathname: string, page: string): boolean {
  return pathname === page || pathname.startsWith(`${page}/`);
}
