// The loyalty ledger of a user: entries are added, never changed.
import type { AdminUser, LedgerEntry } from '@foyer/contract';
import { Group, Stack, Text } from '@mantine/core';
import { CoinsIcon, PlusIcon } from 'lucide-react';
import { EmptyState } from '../../components/empty-state.tsx';
import { openDialog } from '../../components/open-dialog.ts';
import { usePages } from '../../components/paged-list.tsx';
import { type Column, PagedTable } from '../../components/paged-table.tsx';
import { RoleButton } from '../../components/role-button.tsx';
import { Time } from '../../components/time.tsx';
import { useApp } from '../../current-app.tsx';
import { AddEntry } from './add-entry.tsx';

export function Loyalty({ user }: { user: AdminUser }) {
  const current = useApp();
  const { app, api } = current;
  const query = usePages([app.id, 'user', user.uid, 'loyalty'], (page) =>
    api.loyaltyEntries.list({ params: { uid: user.uid }, ...page }),
  );
  const openAdd = () =>
    openDialog('Add or deduct points', (close) => <AddEntry current={current} user={user} onClose={close} />);
  const add = (
    <RoleButton needs={{ scope: 'loyalty:write' }} leftSection={<PlusIcon size={18} />} onClick={openAdd}>
      Add entry
    </RoleButton>
  );
  return (
    <Stack>
      <Group justify="space-between">
        <Text>
          <b>{user.points.toLocaleString()}</b> points
        </Text>
        {add}
      </Group>
      <PagedTable
        query={query}
        empty={
          <EmptyState icon={CoinsIcon} title="No entries yet">
            Points that your backend or your team adds or deducts are listed here, with their descriptions.
          </EmptyState>
        }
        keyOf={({ id }) => id}
        columns={columns}
      />
    </Stack>
  );
}

const columns: readonly Column<LedgerEntry>[] = [
  {
    title: 'Points',
    width: 110,
    align: 'right',
    cell: ({ points }) => (
      <Text size="sm" fw={600} style={{ whiteSpace: 'nowrap' }}>
        {points > 0 ? '+' : '−'}
        {Math.abs(points).toLocaleString()}
      </Text>
    ),
  },
  {
    title: 'Description',
    cell: ({ description, reference, created_at }) => (
      <>
        <Text size="sm">{description}</Text>
        {reference !== null && (
          <Text size="sm" c="dimmed">
            Reference {reference}
          </Text>
        )}
        <Text size="sm" c="dimmed" component="div" hiddenFrom="sm">
          <Time at={created_at} />
        </Text>
      </>
    ),
  },
  { title: 'Added', width: 140, isWide: true, cell: ({ created_at }) => <Time at={created_at} /> },
];
