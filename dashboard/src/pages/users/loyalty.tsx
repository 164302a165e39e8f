// The loyalty ledger of a user: entries are added, never changed.
import type { AdminUser } from '@foyer/contract';
import { Group, Stack, Table, Text } from '@mantine/core';
import { CoinsIcon, PlusIcon } from 'lucide-react';
import { dataOf } from '../../api.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { openDialog } from '../../components/open-dialog.ts';
import { PagedList, usePages } from '../../components/paged-list.tsx';
import { RoleButton } from '../../components/role-button.tsx';
import { Time } from '../../components/time.tsx';
import { useApp } from '../../current-app.tsx';
import { AddEntry } from './add-entry.tsx';

export function Loyalty({ user }: { user: AdminUser }) {
  const current = useApp();
  const { app, api } = current;
  const query = usePages([app.id, 'user', user.uid, 'loyalty'], (page, signal) =>
    dataOf(api.loyaltyEntries.list({ params: { uid: user.uid }, query: page, fetchOptions: { signal } })),
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
      <PagedList
        query={query}
        empty={
          <EmptyState icon={CoinsIcon} title="No entries yet">
            Points that your backend or your team adds or deducts are listed here, with their descriptions.
          </EmptyState>
        }
      >
        {(entries) => (
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th ta="right" w={110}>
                  Points
                </Table.Th>
                <Table.Th>Description</Table.Th>
                <Table.Th w={140} visibleFrom="sm">
                  Added
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {entries.map((entry) => (
                <Table.Tr key={entry.id}>
                  <Table.Td ta="right" fw={600} style={{ whiteSpace: 'nowrap' }}>
                    {entry.points > 0 ? '+' : '−'}
                    {Math.abs(entry.points).toLocaleString()}
                  </Table.Td>
                  <Table.Td>
                    <Text size="sm">{entry.description}</Text>
                    {entry.reference !== null && (
                      <Text size="sm" c="dimmed">
                        Reference {entry.reference}
                      </Text>
                    )}
                    <Text size="sm" c="dimmed" component="div" hiddenFrom="sm">
                      <Time at={entry.created_at} />
                    </Text>
                  </Table.Td>
                  <Table.Td visibleFrom="sm">
                    <Time at={entry.created_at} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </PagedList>
    </Stack>
  );
}
