// The versions of a remote config: view, compare with the newest, restore.
import type { ConfigVersion } from '@foyer/contract';
import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { HistoryIcon } from 'lucide-react';
import { ActorName } from '../../components/actor-name.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { BackLink } from '../../components/links.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PagedList, usePages } from '../../components/paged-list.tsx';
import { Time } from '../../components/time.tsx';
import { useIsShown } from '../../components/use-is-shown.ts';
import { useApp } from '../../current-app.tsx';
import { configQuery } from './config-query.ts';
import { configLimits } from './limits.ts';
import { VersionDrawer } from './version-drawer.tsx';

const route = getRouteApi('/member/apps/$appId/remote-config/history');

export function ConfigHistoryPage() {
  const current = useApp();
  const { app, api } = current;
  const { version } = route.useSearch();
  const navigate = route.useNavigate();
  const newest = useQuery(configQuery(current)).data;
  const query = usePages([app.id, 'remote-config', 'versions'], (...page) => api.config.versions(...page));
  const isShown = useIsShown();
  const open = (version: number) => void navigate({ search: { version: String(version) } });
  const close = () => {
    // A version may be restored after the page was left.
    if (isShown()) void navigate({ search: {} });
  };
  return (
    <>
      <BackLink to="/apps/$appId/remote-config" params={{ appId: app.id }}>
        Remote Config
      </BackLink>
      <PageHeader
        title="History"
        tabTitle="Remote Config history"
        description={`Every change makes a version. The last ${configLimits.versions} are stored.`}
      />
      <PagedList query={query} empty={<EmptyState icon={HistoryIcon} title="No versions yet" />}>
        {(versions) => (
          <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
            {versions.map((each) => (
              <VersionRow
                key={each.version}
                version={each}
                isNewest={each.version === newest?.config.version}
                onOpen={() => open(each.version)}
              />
            ))}
          </Stack>
        )}
      </PagedList>
      <VersionDrawer version={version ? Number(version) : null} onClose={close} />
    </>
  );
}

type RowProps = { version: ConfigVersion; isNewest: boolean; onOpen: () => void };

function VersionRow({ version, isNewest, onOpen }: RowProps) {
  return (
    <Paper withBorder p="sm" component="li">
      <Group justify="space-between" gap="sm">
        <Stack gap={2} miw={0}>
          <Group gap="xs">
            <Text fw={600}>Version {version.version}</Text>
            {isNewest && (
              <Badge color="green" c="var(--mantine-color-text)">
                Published
              </Badge>
            )}
          </Group>
          <Text size="sm" c="dimmed" component="div">
            <Time at={version.updated_at} exact /> by <ActorName actor={version.updated_by} />
            {version.rolled_back_to !== null && ` · restored version ${version.rolled_back_to}`}
          </Text>
          {version.note !== null && (
            <Text size="sm" style={{ whiteSpace: 'pre-line' }}>
              {version.note}
            </Text>
          )}
          <ChangedNames version={version} />
        </Stack>
        <Button variant="default" size="xs" onClick={onOpen} aria-label={`View version ${version.version}`}>
          View
        </Button>
      </Group>
    </Paper>
  );
}

const shownNames = 6;

function ChangedNames({ version: { changed_names, changed_count } }: { version: ConfigVersion }) {
  if (changed_count === null) return null;
  const more = changed_count - Math.min(shownNames, changed_names.length);
  return (
    <Text size="sm" c="dimmed">
      {changed_count === 0 ? (
        'No value changed'
      ) : (
        <>
          Changed{' '}
          <Text span inherit ff="monospace">
            {changed_names.slice(0, shownNames).join(', ')}
          </Text>
          {more > 0 && ` and ${more.toLocaleString()} more`}
        </>
      )}
    </Text>
  );
}
