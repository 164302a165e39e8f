// Settings: how sign-in works, the credentials of providers, mail, limits and the shutdown of v1. Each section is saved
// on its own. Specification "Authentication", point 7.
import { Box, Flex, NativeSelect, NavLink, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { RoleRequired } from '../../components/role-required.tsx';
import { takeSectionFocus } from '../../components/title-focus.ts';
import { useApp } from '../../current-app.tsx';
import { settingsQuery } from '../../settings-query.ts';
import { settingsGroups } from '../../settings-sections.ts';
import { sections } from './sections.ts';

const route = getRouteApi('/member/apps/$appId/settings');

export function SettingsPage() {
  return (
    <>
      <PageHeader title="Settings" />
      <RoleRequired needs={{ scope: 'settings:manage' }}>
        <Sections />
      </RoleRequired>
    </>
  );
}

function Sections() {
  const current = useApp();
  const query = useQuery(settingsQuery(current));
  const { section } = route.useSearch();
  const open = sections.find(({ name }) => name === section) ?? (sections[0] as (typeof sections)[number]);
  const Panel = open.panel;
  return (
    <Flex gap="xl" direction={{ base: 'column', md: 'row' }}>
      <SectionList open={open.name} />
      <Box flex={1} miw={0} maw={720}>
        <QueryView query={query}>
          {(settings) => (
            <Focused key={open.name}>
              <Panel settings={settings} />
            </Focused>
          )}
        </QueryView>
      </Box>
    </Flex>
  );
}

/** Somebody who has gone to a section, and not only to the page, begins at its heading. */
function Focused({ children }: { children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const heading = ref.current?.querySelector('h2');
    if (heading && takeSectionFocus()) {
      heading.tabIndex = -1;
      heading.focus();
    }
  }, []);
  return <div ref={ref}>{children}</div>;
}

function SectionList({ open }: { open: string }) {
  const navigate = route.useNavigate();
  const { appId } = route.useParams();
  return (
    <>
      <NativeSelect
        hiddenFrom="md"
        label="Section"
        value={open}
        onChange={(event) => void navigate({ search: { section: event.currentTarget.value } })}
        data={settingsGroups.map(({ group, sections }) => ({
          group,
          items: sections.map(({ name, label }) => ({ value: name, label })),
        }))}
      />
      <Stack gap={2} w={180} visibleFrom="md" component="nav" aria-label="Sections" style={{ flexShrink: 0 }}>
        {settingsGroups.map(({ group, sections }) => (
          <Stack key={group} gap={2} mb="xs" component="section" aria-label={group}>
            <Text size="xs" fw={600} c="dimmed" px="sm">
              {group}
            </Text>
            {sections.map(({ name, label }) => (
              <NavLink
                key={name}
                label={label}
                active={name === open}
                renderRoot={(props) => (
                  <Link to="/apps/$appId/settings" params={{ appId }} search={{ section: name }} {...props} />
                )}
              />
            ))}
          </Stack>
        ))}
      </Stack>
    </>
  );
}
