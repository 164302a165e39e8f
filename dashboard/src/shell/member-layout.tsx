// The frame of every page of a signed-in member: header, navigation and the page.
import { Alert, AppShell, Burger, Group, ScrollArea, Stack, Text, useMantineTheme } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { Link, Outlet, useLocation, useParams } from '@tanstack/react-router';
import { CloudOffIcon } from 'lucide-react';
import { useEffect } from 'react';
import { useReachable } from '../reachability.ts';
import { AccountMenu } from './account-menu.tsx';
import { AppNavigation } from './app-navigation.tsx';
import { AppSwitcher } from './app-switcher.tsx';
import { CommandMenu } from './command-menu.tsx';

export function MemberLayout() {
  const [opened, { toggle, close }] = useDisclosure(false);
  const { appId } = useParams({ strict: false });
  const pathname = useLocation({ select: (location) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a phone it would cover the page that was chosen.
  useEffect(close, [pathname]);
  const isWide = useMediaQuery(`(min-width: ${useMantineTheme().breakpoints.sm})`);
  const isNavbarShown = isWide ? appId !== undefined : opened;
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 240, breakpoint: 'sm', collapsed: { mobile: !opened, desktop: appId === undefined } }}
      padding="md"
    >
      <a className="visually-hidden" href="#main">
        Skip to content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={opened ? 'Close navigation' : 'Open navigation'}
              aria-expanded={opened}
            />
            <Text
              fw={700}
              size="lg"
              renderRoot={(props) => <Link to="/apps" {...props} />}
              c="inherit"
              td="none"
            >
              Foyer
            </Text>
          </Group>
          <Group gap="sm" wrap="nowrap">
            <CommandMenu appId={appId} />
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      {/* It is moved out of the window, where the keyboard must not reach it. */}
      <AppShell.Navbar p="sm" aria-label="App" inert={!isNavbarShown}>
        <AppSwitcher appId={appId} />
        <AppShell.Section grow component={ScrollArea} mt="md">
          {appId && <AppNavigation appId={appId} onNavigate={close} />}
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <Stack maw={1100} mx="auto" gap={0}>
          <Unreachable />
          <Outlet />
        </Stack>
      </AppShell.Main>
    </AppShell>
  );
}

function Unreachable() {
  if (useReachable()) return null;
  return (
    <Alert color="orange" icon={<CloudOffIcon size={20} />} mb="md" role="status">
      The service cannot be reached. This page shows what was read before, and reconnects by itself.
    </Alert>
  );
}
