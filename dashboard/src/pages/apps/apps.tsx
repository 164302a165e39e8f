// The member's apps: open, create, rename, enable and disable.
import type { ConsoleApp } from '@foyer/contract';
import { ActionIcon, Badge, Button, Card, Group, Menu, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { EllipsisIcon, LayoutGridIcon, PlusIcon } from 'lucide-react';
import { confirmAction } from '../../components/confirm.tsx';
import { CopyIcon } from '../../components/copyable.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { TextLink } from '../../components/links.tsx';
import { notifyProblem } from '../../components/notify.ts';
import { openDialog } from '../../components/open-dialog.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { appsQuery, useMe } from '../../member.ts';
import { setAppEnabled } from '../../set-app-enabled.ts';
import { CreateApp } from './create-app.tsx';
import { RenameApp } from './rename-app.tsx';

export function AppsPage() {
  const { owner } = useMe();
  const query = useInfiniteQuery(appsQuery);
  const create = owner && (
    <Button leftSection={<PlusIcon size={18} />} onClick={openCreate}>
      Create app
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Apps"
        description="Each app has its own users, keys and settings."
        actions={query.data?.pages[0]?.items.length ? create : undefined}
      />
      <PagedList
        query={query}
        empty={
          <EmptyState
            icon={LayoutGridIcon}
            title={owner ? 'Create your first app' : 'You belong to no app yet'}
            action={create}
          >
            {owner
              ? 'An app is one product with its own user accounts. Its app key goes into your mobile or web app.'
              : 'Ask an owner for an invitation.'}
          </EmptyState>
        }
      >
        {(apps) => (
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
            {apps.map((app) => (
              <AppCard key={app.id} app={app} />
            ))}
          </SimpleGrid>
        )}
      </PagedList>
    </>
  );
}

function AppCard({ app }: { app: ConsoleApp }) {
  return (
    <Card withBorder>
      <Stack gap="xs">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Title order={2} miw={0}>
            <TextLink to="/apps/$appId" params={{ appId: app.id }} inherit>
              {app.name}
            </TextLink>
          </Title>
          {app.role === 'owner' && <AppMenu app={app} />}
        </Group>
        <Group gap="xs">
          <Badge>{app.role}</Badge>
          {!app.enabled && <Badge color="gray">Disabled</Badge>}
        </Group>
        <Group gap={4} wrap="nowrap">
          <Text size="sm" c="dimmed" ff="monospace" truncate>
            {app.app_key}
          </Text>
          <CopyIcon value={app.app_key} label="app key" />
        </Group>
      </Stack>
    </Card>
  );
}

function AppMenu({ app }: { app: ConsoleApp }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${app.name}`}>
          <EllipsisIcon size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => openRename(app)}>Rename</Menu.Item>
        {app.enabled ? (
          <Menu.Item color="red" onClick={() => confirmDisable(app)}>
            Disable
          </Menu.Item>
        ) : (
          <Menu.Item onClick={() => void setAppEnabled(app, true).catch(notifyProblem)}>Enable</Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function openCreate() {
  openDialog('Create app', (close) => <CreateApp onClose={close} />);
}

function openRename(app: ConsoleApp) {
  openDialog(`Rename ${app.name}`, (close) => <RenameApp app={app} onClose={close} />);
}

function confirmDisable(app: ConsoleApp) {
  confirmAction({
    title: `Disable ${app.name}?`,
    body:
      'Within seconds every call with the keys of this app is rejected: nobody can sign in or use it. Nothing is ' +
      'deleted, and sessions go on once the app is enabled again.',
    confirmLabel: 'Disable app',
    typeToConfirm: app.name,
    run: () => setAppEnabled(app, false),
  });
}
