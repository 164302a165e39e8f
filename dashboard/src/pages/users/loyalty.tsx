// The loyalty ledger of a user: entries are added, never changed.
import type { AdminUser, LedgerEntry } from '@foyer/contract';
import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CoinsIcon, PlusIcon } from 'lucide-react';
import { EmptyState } from '../../components/empty-state.tsx';
import { openDialog } from '../../components/open-dialog.ts';
import { usePages } from '../../components/paged-list.tsx';
import { type Column, PagedTable } from '../../components/paged-table.tsx';
import { signedText } from '../../components/quantities.ts';
import { RoleButton } from '../../components/role-button.tsx';
import { Time } from '../../components/time.tsx';
import { useApp } from '../../current-app.tsx';
import { AddEntry } from './add-entry.tsx';
import { type AddedEntry, readLedger } from './ledger.ts';

export function Loyalty({ user }: { user: AdminUser }) {
  const current = useApp();
  const { app } = current;
  const query = usePages([app.id, 'user', user.uid, 'loyalty'], (...page) =>
    readLedger(current, user.uid, ...page),
  );
  const balances = balancesAfter(user.points, query.data?.pages.flatMap(({ items }) => items) ?? []);
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
        <div>
          <Text>
            <b>{user.points.toLocaleString()}</b> points
          </Text>
          <Tier user={user} />
        </div>
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
        columns={columnsOf(balances)}
        name="ledger"
        csv={{
          fileName: `${user.email} points`,
          readPage: (page, options) => readLedger(current, user.uid, page, options),
        }}
      />
    </Stack>
  );
}

function Tier({ user }: { user: AdminUser }) {
  const { app, api } = useApp();
  const { data: status } = useQuery({
    queryKey: [app.id, 'user', user.uid, 'loyalty-status'],
    queryFn: ({ signal }) => api.loyalty.status(user.uid, { signal }),
  });
  // Without it the ledger is still there.
  if (!status) return null;
  const { tier, next_tier: next } = status;
  return (
    <Text size="sm" c="dimmed">
      Tier <b>{tier}</b>
      {next
        ? `, ${next.points_needed.toLocaleString()} points to ${next.tier}`
        : '; there is no tier above it'}
    </Text>
  );
}

/** The balance after each entry, by its id. The newest entry led to the present balance. */
function balancesAfter(points: number, newestFirst: LedgerEntry[]): Map<string, number> {
  const balances = new Map<string, number>();
  let balance = points;
  for (const entry of newestFirst) {
    balances.set(entry.id, balance);
    balance -= entry.points;
  }
  return balances;
}

const columnsOf = (balances: Map<string, number>): readonly Column<AddedEntry>[] => [
  {
    title: 'Points',
    width: 110,
    align: 'right',
    text: ({ points }) => points,
    cell: ({ points }) => (
      <Text size="sm" fw={600} style={{ whiteSpace: 'nowrap' }}>
        {signedText(points)}
      </Text>
    ),
  },
  {
    title: 'Description',
    text: ({ description }) => description,
    cell: ({ id, description, reference, created_at, addedBy }) => (
      <>
        <Text size="sm">{description}</Text>
        {reference !== null && (
          <Text size="sm" c="dimmed">
            Reference {reference}
          </Text>
        )}
        <Text size="sm" c="dimmed" component="div" hiddenFrom="sm">
          {[addedBy, `balance ${balances.get(id)?.toLocaleString() ?? 'unknown'}`]
            .filter(Boolean)
            .join(' · ')}{' '}
          · <Time at={created_at} />
        </Text>
      </>
    ),
  },
  {
    title: 'Balance',
    width: 110,
    align: 'right',
    isWide: true,
    cell: ({ id }) => balances.get(id)?.toLocaleString(),
  },
  {
    title: 'Added by',
    width: 150,
    isWide: true,
    cell: ({ addedBy }) => addedBy,
    text: ({ addedBy }) => addedBy,
  },
  {
    title: 'Reference',
    isExtra: true,
    isWide: true,
    width: 150,
    cell: ({ reference }) => reference,
    text: ({ reference }) => reference,
  },
  {
    title: 'Added',
    width: 140,
    isWide: true,
    cell: ({ created_at }) => <Time at={created_at} />,
    text: ({ created_at }) => created_at,
  },
];
