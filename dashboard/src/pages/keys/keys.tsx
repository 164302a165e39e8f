// The secret keys of an app: create, see their use, revoke.
import type { SecretKey } from '@foyer/contract';
import { Badge, Group, Stack, Text } from '@mantine/core';
import { KeyRoundIcon, PlusIcon } from 'lucide-react';
import { deletion } from '../../api.ts';
import { confirmAction } from '../../components/confirm.tsx';
import { Copyable } from '../../components/copyable.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { notifySaved } from '../../components/notify.ts';
import { openDialog } from '../../components/open-dialog.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { usePages } from '../../components/paged-list.tsx';
import { type Column, PagedTable } from '../../components/paged-table.tsx';
import { RoleButton } from '../../components/role-button.tsx';
import { RoleRequired } from '../../components/role-required.tsx';
import { Time } from '../../components/time.tsx';
import { Traces } from '../../components/traces.tsx';
import { type CurrentApp, useApp } from '../../current-app.tsx';
import { serviceNow } from '../../service-clock.ts';
import { CreateKey } from './create-key.tsx';
import { refreshKeys, scopesText } from './key-query.ts';

const needs = { role: 'admin' } as const;

export function KeysPage() {
  const current = useApp();
  return (
    <>
      <PageHeader
        title="Keys"
        description="The app key identifies the app and is public. Secret keys are for your own servers only: browsers cannot use them."
        actions={<CreateButton current={current} />}
      />
      <Stack gap="xl">
        <Stack gap={4}>
          <Text fw={500} size="sm">
            App key
          </Text>
          <Copyable value={current.app.app_key} label="app key" />
        </Stack>
        <RoleRequired needs={needs}>
          <KeyList />
        </RoleRequired>
      </Stack>
    </>
  );
}

function CreateButton({ current }: { current: CurrentApp }) {
  return (
    <RoleButton needs={needs} leftSection={<PlusIcon size={18} />} onClick={() => openCreate(current)}>
      Create secret key
    </RoleButton>
  );
}

function KeyList() {
  const current = useApp();
  const { app, api } = current;
  const query = usePages([app.id, 'keys'], (...page) => api.keys.list(...page));
  return (
    <PagedTable
      query={query}
      empty={
        <EmptyState
          icon={KeyRoundIcon}
          title="No secret keys yet"
          action={<CreateButton current={current} />}
        >
          Your server uses a secret key to manage users, send push messages and read data. Give each server
          its own key, with only the scopes that it needs.
        </EmptyState>
      }
      keyOf={({ id }) => id}
      columns={columns}
    />
  );
}

const columns: readonly Column<SecretKey>[] = [
  {
    title: 'Secret key',
    cell: ({ name, last_four, scopes, last_used_at, expires_at }) => (
      <Stack gap={2}>
        <Group gap="xs">
          <Text size="sm" fw={500}>
            {name}
          </Text>
          <Text size="sm" c="dimmed" ff="monospace">
            sk_…{last_four}
          </Text>
        </Group>
        <Text size="sm" c="dimmed">
          {scopesText(scopes)}
        </Text>
        <Text size="sm" c="dimmed" hiddenFrom="sm" component="div">
          Last used: <Time at={last_used_at} />, expires: <Time at={expires_at} />
        </Text>
      </Stack>
    ),
  },
  { title: 'Last used', width: 140, isWide: true, cell: ({ last_used_at }) => <Time at={last_used_at} /> },
  { title: 'Expires', width: 140, isWide: true, cell: ({ expires_at }) => <Time at={expires_at} /> },
  { title: 'Status', width: 110, cell: (key) => <Status secretKey={key} /> },
];

function Status({ secretKey: key }: { secretKey: SecretKey }) {
  const current = useApp();
  if (key.revoked_at !== null) return <Badge color="gray">Revoked</Badge>;
  if (key.expires_at !== null && Date.parse(key.expires_at) < serviceNow()) {
    return <Badge color="gray">Expired</Badge>;
  }
  return (
    <RoleButton
      needs={needs}
      variant="light"
      color="red"
      size="xs"
      onClick={() => confirmRevoke(current, key)}
    >
      Revoke
    </RoleButton>
  );
}

function confirmRevoke(current: CurrentApp, key: SecretKey) {
  confirmAction({
    title: 'Revoke this secret key?',
    body: (
      <Stack gap="sm">
        <Text size="sm">
          {`Every call with “${key.name}” (sk_…${key.last_four}) is rejected at once, and it cannot be undone. Give the servers that use it another key first.`}
        </Text>
        <Traces appId={current.app.id} of="key" id={key.id} />
      </Stack>
    ),
    confirmLabel: 'Revoke key',
    typeToConfirm: key.name,
    run: async () => {
      await deletion(current.api.keys.revoke(key.id), 'admin/secret-key-not-found');
      notifySaved(`${key.name} is revoked.`);
      await refreshKeys(current);
    },
  });
}

function openCreate(current: CurrentApp) {
  openDialog('Create secret key', (close) => <CreateKey current={current} onClose={close} />, { size: 'lg' });
}
