// Settings: how sign-in works, the credentials of providers, mail, limits and the shutdown of v1. Each section is saved
// on its own. Specification "Authentication", point 7.
import { Box, Flex, NativeSelect, NavLink, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { RoleRequired } from '../../components/role-required.tsx';
import { useApp } from '../../current-app.tsx';
import { settingsQuery } from '../../settings-query.ts';
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
        <QueryView query={query}>{(settings) => <Panel settings={settings} key={open.name} />}</QueryView>
      </Box>
    </Flex>
  );
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
        data={sections.map(({ name, label }) => ({ value: name, label }))}
      />
      <Stack gap={2} w={180} visibleFrom="md" component="nav" aria-label="Sections" style={{ flexShrink: 0 }}>
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
    </>
  );
}
